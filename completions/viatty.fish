# Completion of viatty and osc52 in fish. The program knows the words.

function __viatty_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (command viatty __complete fish $words 2>/dev/null)
    set -l current $words[-1]
    switch "$lines[1]"
        case files
            set -l before (string match -r -- '^--[^=]*=' $current)
            __fish_complete_path (string replace -r -- '^--[^=]*=' '' $current) |
                string replace -r -- '^' "$before"
        case 'command *'
            # what follows is a command line of its own
            set -l first (math (string replace 'command ' '' -- $lines[1]) + 1)
            if test $first -eq (count $words)
                complete -C "$current"
            else
                complete -C (string join ' ' -- (string escape -- $words[$first..-2]) $current)
            end
        case '*'
            printf '%s\n' $lines[2..]
    end
end

complete -c viatty -f -a '(__viatty_complete)'
complete -c osc52 -f -a '(__viatty_complete)'
