# Completion of viatty and osc52 in fish.
# Generated from the table of commands: make generated.

set -g __viatty_commands copy paste title color progress status link linkify notify run doctor raw setup help version
set -g __viatty_with_value -T --tty -w --wrap --route --term --timeout

# The number of operands of command $argv[1] before the command line that the others are
# with option $argv[2], or '' for none; nothing if they are none.
function __viatty_line_at
    switch "$argv"
        case 'title --while'
            echo 1
        case 'color --while'
            echo 2
        case 'run '
            echo 0
    end
end

# The options of a command that takes a command line whose value is the next word.
function __viatty_values_of
    switch "$argv"
        case title
            string join \n --
        case color
            string join \n --
        case run
            string join \n -- -m --min --on --title -u --urgency -t --expire -a --app -i --icon --sound -c --type --when --id --proto
    end
end

# Goes through the words before the cursor. Prints the command given so far, then the words
# of the command line within ours, the last as far as it is typed.
function __viatty_words
    set -l words (commandline -opc)
    set -l with_value $__viatty_with_value
    set -l command ''
    set -l line ''
    set -l seen 0
    set -l ended no
    set -l is_value no
    set -e words[1]
    while set -q words[1]
        if test $is_value = yes
            set is_value no
        else if test $ended = no -a "$words[1]" = --
            set ended yes
        else if test $ended = no; and string match -q -- '-*' $words[1]
            contains -- $words[1] $with_value
            and set is_value yes
            set line $line (__viatty_line_at $command $words[1])
        else if test -z "$command"; and contains -- $words[1] $__viatty_commands
            set command $words[1]
            set line (__viatty_line_at $command '')
            set with_value $with_value (__viatty_values_of $command)
        else if test "$seen" = "$line[-1]"
            break
        else
            set seen (math $seen + 1)
        end
        set -e words[1]
    end
    echo $command
    if set -q words[1]
        printf '%s\n' $words (commandline -ct)
    else if test $is_value = no -a "$seen" = "$line[-1]"
        if test $ended = yes; or not string match -q -- '-*' (commandline -ct)
            commandline -ct
        end
    end
end

# The words of the command line within ours; fails if there is none yet.
function __viatty_line
    set -l words (__viatty_words)
    set -e words[1]
    set -q words[1]
    and printf '%s\n' $words
end

function __viatty_complete_line
    set -l words (__viatty_line)
    set -l current $words[-1]
    set -e words[-1]
    set -q words[1]
    and set words (string escape -- $words)
    complete -C (string join ' ' -- $words $current)
end

# Whether the command given so far is this one, and no command line has begun; '' asks for
# none.
function __viatty_command_is
    set -l words (__viatty_words)
    test "$words[1]" = "$argv[1]" -a (count $words) -eq 1
end

# Whether no command line has begun, and the command given so far is none of these.
function __viatty_command_is_none_of
    set -l words (__viatty_words)
    test (count $words) -eq 1
    and not contains -- "$words[1]" $argv
end

# Whether an operand is completed and not an option.
function __viatty_is_operand
    not string match -q -- '-*' (commandline -ct)
end

complete -c viatty -f
complete -c viatty -n '__viatty_line >/dev/null' -x -a '(__viatty_complete_line)'
complete -c viatty -n '__viatty_command_is ""' -a copy -d 'copy standard input, files or text to the clipboard'
complete -c viatty -n '__viatty_command_is ""' -a paste -d 'print the clipboard'
complete -c viatty -n '__viatty_command_is ""' -a title -d 'set, save, restore or print the title'
complete -c viatty -n '__viatty_command_is ""' -a color -d 'print, set or reset the terminal\'s colors'
complete -c viatty -n '__viatty_command_is ""' -a progress -d 'show progress in the taskbar or tab'
complete -c viatty -n '__viatty_command_is ""' -a status -d 'report to the terminal what a program is doing'
complete -c viatty -n '__viatty_command_is ""' -a link -d 'print a hyperlink'
complete -c viatty -n '__viatty_command_is ""' -a linkify -d 'add hyperlinks to the output of other programs'
complete -c viatty -n '__viatty_command_is ""' -a notify -d 'show a desktop notification'
complete -c viatty -n '__viatty_command_is ""' -a run -d 'run a command and notify when it finishes'
complete -c viatty -n '__viatty_command_is ""' -a doctor -d 'show what works here, what does not, and why'
complete -c viatty -n '__viatty_command_is ""' -a raw -d 'send any escape sequence'
complete -c viatty -n '__viatty_command_is ""' -a setup -d 'print configuration that makes another program use viatty'
complete -c viatty -n '__viatty_command_is ""' -a help -d 'print this help, or that of a command'
complete -c viatty -n '__viatty_command_is ""' -a version -d 'print the version'
complete -c viatty -n '__viatty_command_is help' -a 'copy paste title color progress status link linkify notify run doctor raw setup'
complete -c viatty -n '__viatty_command_is_none_of paste link linkify setup' -s T -l tty -r -F -d 'write to a device, stdout, stderr or pane:%3'
complete -c viatty -n '__viatty_command_is_none_of paste link linkify setup' -s w -l wrap -x -a 'auto none tmux screen tmux?' -d 'wrap for these layers, nearest first (tmux,screen)'
complete -c viatty -n '__viatty_command_is_none_of link linkify setup' -l route -x -a 'auto direct client-tty passthrough plain load-buffer tmux-buffer native' -d 'use this route'
complete -c viatty -n '__viatty_command_is_none_of' -l term -x -a 'alacritty apple-terminal contour foot ghostty hterm iterm2 jetbrains kitty konsole linux mintty mlterm putty qterminal rio rxvt-unicode st termius termux vscode vte warp wezterm windows-terminal xterm xtermjs zutty code codium cool-retro-term gnome-console gnome-terminal guake intellij iterm kgx lxterminal mate-terminal pterm ptyxis roxterm sakura terminator termite tilda tilix urxvt wt xfce4-terminal yakuake' -d 'treat the terminal as NAME; see viatty(1)'
complete -c viatty -n '__viatty_command_is_none_of' -l timeout -x -d 'give up after SECS without progress (5; tmux: 3)'
complete -c viatty -n '__viatty_command_is_none_of' -l no-probe -d 'send no queries to the terminal'
complete -c viatty -n '__viatty_command_is_none_of paste doctor setup' -s P -l print -a 'raw esc hex' -d 'print the bytes instead (-Pesc: readable)'
complete -c viatty -n '__viatty_command_is_none_of link linkify run setup' -l json -d 'print a JSON report'
complete -c viatty -n '__viatty_command_is_none_of setup' -s f -l force -d 'send even if too large or known not to work'
complete -c viatty -n '__viatty_command_is_none_of' -s q -l quiet -d 'print no warnings'
complete -c viatty -n '__viatty_command_is_none_of' -s v -l verbose -d 'show the route, device, layers and size'
complete -c viatty -n '__viatty_command_is_none_of' -s h -l help -d 'print this help'
complete -c viatty -n '__viatty_command_is_none_of' -s V -l version -d 'print the version'

complete -c viatty -n '__viatty_command_is copy' -s s -l string -x -d 'copy TEXT (may be repeated)'
complete -c viatty -n '__viatty_command_is copy' -s n -l trim-newline -d 'remove one trailing newline'
complete -c viatty -n '__viatty_command_is copy' -s p -l primary -d 'set the primary selection, not the clipboard'
complete -c viatty -n '__viatty_command_is copy' -s S -l selection -x -d 'selections to set: c clipboard, p primary, q, s, 0-7'
complete -c viatty -n '__viatty_command_is copy' -s t -l type -x -a 'text/plain text/html text/uri-list image/png image/jpeg image/svg+xml' -d 'MIME type of the data (repeat for more files)'
complete -c viatty -n '__viatty_command_is copy' -l confirm -d 'wait until the terminal confirms the copy'
complete -c viatty -n '__viatty_command_is copy' -s c -l clear -d 'clear the selection'
complete -c viatty -n '__viatty_command_is copy' -l allow-empty -d 'clear the selection if the input is empty'
complete -c viatty -n '__viatty_command_is copy' -l tee -d 'also write standard input to standard output'
complete -c viatty -n '__viatty_command_is copy' -l max -x -d 'refuse more than BYTES'
complete -c viatty -n '__viatty_command_is copy; and __viatty_is_operand' -F

complete -c viatty -n '__viatty_command_is paste' -s n -l no-newline -d 'remove one trailing newline'
complete -c viatty -n '__viatty_command_is paste' -l add-newline -d 'append a newline'
complete -c viatty -n '__viatty_command_is paste' -s p -l primary -d 'print the primary selection, not the clipboard'
complete -c viatty -n '__viatty_command_is paste' -s S -l selection -x -d 'selection to print: c clipboard, p primary, q, s, 0-7'
complete -c viatty -n '__viatty_command_is paste' -s t -l type -x -a 'text/plain text/html text/uri-list image/png image/jpeg image/svg+xml' -d 'print data of this MIME type'
complete -c viatty -n '__viatty_command_is paste' -s l -l list-types -d 'print the MIME types that the clipboard holds'
complete -c viatty -n '__viatty_command_is paste' -l max -x -d 'refuse more than BYTES (default 64 MiB)'
complete -c viatty -n '__viatty_command_is paste' -l raw-output -d 'do not escape control characters on a terminal'

complete -c viatty -n '__viatty_command_is title' -s i -l icon -d 'set only the icon name'
complete -c viatty -n '__viatty_command_is title' -s W -l window -d 'set only the window title'
complete -c viatty -n '__viatty_command_is title' -s n -l window-name -d 'set the window name in tmux or Screen'
complete -c viatty -n '__viatty_command_is title' -s o -l outer -d 'set the title of the terminal outside tmux or Screen'
complete -c viatty -n '__viatty_command_is title' -l push -d 'save the current title'
complete -c viatty -n '__viatty_command_is title' -l pop -d 'restore the last saved title'
complete -c viatty -n '__viatty_command_is title' -l while -d 'show TEXT while COMMAND runs, then restore the title'
complete -c viatty -n '__viatty_command_is title' -s g -l get -d 'print the title'

complete -c viatty -n '__viatty_command_is color' -l reset -d 'reset the color NAME, or all, to the terminal\'s own'
complete -c viatty -n '__viatty_command_is color' -l while -d 'set the color while COMMAND runs, then restore it'
complete -c viatty -n '__viatty_command_is color' -l theme -d 'print dark or light, by the background'
complete -c viatty -n '__viatty_command_is color' -l chart -d 'print a chart of what the terminal can show'
complete -c viatty -n '__viatty_command_is color; and __viatty_is_operand' -a 'foreground background cursor'

complete -c viatty -n '__viatty_command_is progress' -s b -l busy -d 'show activity without a percentage'
complete -c viatty -n '__viatty_command_is progress' -s e -l error -d 'show an error'
complete -c viatty -n '__viatty_command_is progress' -s p -l paused -d 'show a pause'
complete -c viatty -n '__viatty_command_is progress' -s c -l clear -d 'remove the progress indicator'
complete -c viatty -n '__viatty_command_is progress' -s s -l scan -d 'copy stdin to stdout and show progress found in it'

complete -c viatty -n '__viatty_command_is status' -l app -x -d 'name of the program, for machines'
complete -c viatty -n '__viatty_command_is status' -l id -x -d 'a record of its own: NAME or NAME/NAME...'
complete -c viatty -n '__viatty_command_is status' -l kind -x -a 'permission question auth' -d 'of blocked: what the program waits for'
complete -c viatty -n '__viatty_command_is status' -l progress -x -d 'of working and blocked: a number from 0 to 100'
complete -c viatty -n '__viatty_command_is status' -l title -x -d 'a short label'
complete -c viatty -n '__viatty_command_is status' -l message -x -d 'one line that says more'
complete -c viatty -n '__viatty_command_is status; and __viatty_is_operand' -a 'idle working blocked done error clear'

complete -c viatty -n '__viatty_command_is link' -l file -r -F -d 'link to a file: PATH, PATH:LINE or PATH:LINE:COL'
complete -c viatty -n '__viatty_command_is link' -l id -x -d 'link ID; auto derives it from the URL'
complete -c viatty -n '__viatty_command_is link' -s n -l no-newline -d 'print no trailing newline'
complete -c viatty -n '__viatty_command_is link' -l fallback -x -a 'both text url' -d 'without hyperlinks print text, url or both: TEXT (URL)'
complete -c viatty -n '__viatty_command_is link' -l when -x -a 'auto always never' -d 'make hyperlinks: auto (where they work), always, never'
complete -c viatty -n '__viatty_command_is link' -l format -x -a 'file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' -d 'file URL: an editor\'s name, or with {path} {line} {col}'
complete -c viatty -n '__viatty_command_is link' -l host -x -d 'host in file URLs (default: this host), or none'

complete -c viatty -n '__viatty_command_is linkify' -s e -l rule -x -d 'link matches of REGEX=TEMPLATE (may be repeated)'
complete -c viatty -n '__viatty_command_is linkify' -s s -l strip -d 'remove hyperlinks instead'
complete -c viatty -n '__viatty_command_is linkify' -s l -l list -d 'print the URL of each link, once'
complete -c viatty -n '__viatty_command_is linkify' -l when -x -a 'auto always never' -d 'make hyperlinks: auto (where they work), always, never'
complete -c viatty -n '__viatty_command_is linkify' -l format -x -a 'file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' -d 'file URL: an editor\'s name, or with {path} {line} {col}'
complete -c viatty -n '__viatty_command_is linkify' -l host -x -d 'host in file URLs (default: this host), or none'
complete -c viatty -n '__viatty_command_is linkify; and __viatty_is_operand' -F

complete -c viatty -n '__viatty_command_is notify' -s u -l urgency -x -a 'low normal critical' -d 'low, normal or critical'
complete -c viatty -n '__viatty_command_is notify' -s t -l expire -x -d 'remove the notification after SECS'
complete -c viatty -n '__viatty_command_is notify' -l stay -d 'keep the notification until it is dismissed'
complete -c viatty -n '__viatty_command_is notify' -s a -l app -x -d 'application name'
complete -c viatty -n '__viatty_command_is notify' -s i -l icon -x -a 'error warning info question help file-manager system-monitor text-editor' -d 'icon name (may be repeated; the first known one is shown)'
complete -c viatty -n '__viatty_command_is notify' -l sound -x -a 'system silent error warning info question' -d 'system, silent, error, warn, info, ...'
complete -c viatty -n '__viatty_command_is notify' -s c -l type -x -d 'category, for filters (may be repeated)'
complete -c viatty -n '__viatty_command_is notify' -l when -x -a 'always unfocused invisible' -d 'show only if the terminal is unfocused or invisible'
complete -c viatty -n '__viatty_command_is notify' -l id -x -d 'the next notification with the same ID replaces it'
complete -c viatty -n '__viatty_command_is notify' -l proto -x -a '99 777 9 bell' -d 'use this protocol: 99, 777, 9 or bell'
complete -c viatty -n '__viatty_command_is notify' -s b -l bell -d 'ring the bell as well, or if none can be shown'
complete -c viatty -n '__viatty_command_is notify' -l no-bell -d 'never ring the bell, not even inside tmux'
complete -c viatty -n '__viatty_command_is notify' -s B -l button -x -d 'add a button; needs --wait (may be repeated)'
complete -c viatty -n '__viatty_command_is notify' -l wait -d 'wait, then print clicked, button 1 or closed'
complete -c viatty -n '__viatty_command_is notify' -l print-id -d 'print the ID, for --id and --close'
complete -c viatty -n '__viatty_command_is notify' -l close -x -d 'remove the notification with this ID'

complete -c viatty -n '__viatty_command_is run' -s m -l min -x -d 'notify only if it took at least SECS'
complete -c viatty -n '__viatty_command_is run' -l on -x -a 'always fail ok' -d 'always, or only on fail or ok'
complete -c viatty -n '__viatty_command_is run' -l title -x -d 'notification title (default: the program name)'
complete -c viatty -n '__viatty_command_is run' -s p -l progress -d 'show activity in the taskbar or tab'
complete -c viatty -n '__viatty_command_is run' -l no-status -d 'do not report the status of the command to the terminal'
complete -c viatty -n '__viatty_command_is run' -s u -l urgency -x -a 'low normal critical' -d 'low, normal or critical'
complete -c viatty -n '__viatty_command_is run' -s t -l expire -x -d 'remove the notification after SECS'
complete -c viatty -n '__viatty_command_is run' -l stay -d 'keep the notification until it is dismissed'
complete -c viatty -n '__viatty_command_is run' -s a -l app -x -d 'application name'
complete -c viatty -n '__viatty_command_is run' -s i -l icon -x -a 'error warning info question help file-manager system-monitor text-editor' -d 'icon name (may be repeated; the first known one is shown)'
complete -c viatty -n '__viatty_command_is run' -l sound -x -a 'system silent error warning info question' -d 'system, silent, error, warn, info, ...'
complete -c viatty -n '__viatty_command_is run' -s c -l type -x -d 'category, for filters (may be repeated)'
complete -c viatty -n '__viatty_command_is run' -l when -x -a 'always unfocused invisible' -d 'show only if the terminal is unfocused or invisible'
complete -c viatty -n '__viatty_command_is run' -l id -x -d 'the next notification with the same ID replaces it'
complete -c viatty -n '__viatty_command_is run' -l proto -x -a '99 777 9 bell' -d 'use this protocol: 99, 777, 9 or bell'
complete -c viatty -n '__viatty_command_is run' -s b -l bell -d 'ring the bell as well, or if none can be shown'
complete -c viatty -n '__viatty_command_is run' -l no-bell -d 'never ring the bell, not even inside tmux'

complete -c viatty -n '__viatty_command_is doctor' -l live -d 'copy a test word by each route until you can paste it'
complete -c viatty -n '__viatty_command_is doctor; and __viatty_is_operand' -a 'copy primary clear confirm title title-stack color notify progress status link paste raw'

complete -c viatty -n '__viatty_command_is raw' -s e -l escapes -d 'interpret \\e, \\a, \\xNN, \\n, \\r, \\t and \\\\ in STRING'
complete -c viatty -n '__viatty_command_is raw' -s F -l filter -d 'pass text on and wrap each sequence in it'

complete -c viatty -n '__viatty_command_is setup' -l for -x -d 'print lines for VERSION, not the installed one'
complete -c viatty -n '__viatty_command_is setup; and __viatty_is_operand' -a 'tmux screen vim neovim emacs bash zsh fish ssh git lazygit tig helix fzf yazi mc claude codex gemini opencode'

complete -c osc52 -f
complete -c osc52 -n '__viatty_command_is_none_of' -s T -l tty -r -F -d 'write to a device, stdout, stderr or pane:%3'
complete -c osc52 -n '__viatty_command_is_none_of' -s w -l wrap -x -a 'auto none tmux screen tmux?' -d 'wrap for these layers, nearest first (tmux,screen)'
complete -c osc52 -n '__viatty_command_is_none_of' -l route -x -a 'auto direct client-tty passthrough plain load-buffer tmux-buffer native' -d 'use this route'
complete -c osc52 -n '__viatty_command_is_none_of' -l term -x -a 'alacritty apple-terminal contour foot ghostty hterm iterm2 jetbrains kitty konsole linux mintty mlterm putty qterminal rio rxvt-unicode st termius termux vscode vte warp wezterm windows-terminal xterm xtermjs zutty code codium cool-retro-term gnome-console gnome-terminal guake intellij iterm kgx lxterminal mate-terminal pterm ptyxis roxterm sakura terminator termite tilda tilix urxvt wt xfce4-terminal yakuake' -d 'treat the terminal as NAME; see viatty(1)'
complete -c osc52 -n '__viatty_command_is_none_of' -l timeout -x -d 'give up after SECS without progress (5; tmux: 3)'
complete -c osc52 -n '__viatty_command_is_none_of' -l no-probe -d 'send no queries to the terminal'
complete -c osc52 -n '__viatty_command_is_none_of' -s P -l print -a 'raw esc hex' -d 'print the bytes instead (-Pesc: readable)'
complete -c osc52 -n '__viatty_command_is_none_of' -l json -d 'print a JSON report'
complete -c osc52 -n '__viatty_command_is_none_of' -s f -l force -d 'send even if too large or known not to work'
complete -c osc52 -n '__viatty_command_is_none_of' -s q -l quiet -d 'print no warnings'
complete -c osc52 -n '__viatty_command_is_none_of' -s v -l verbose -d 'show the route, device, layers and size'
complete -c osc52 -n '__viatty_command_is_none_of' -s h -l help -d 'print this help'
complete -c osc52 -n '__viatty_command_is_none_of' -s V -l version -d 'print the version'
complete -c osc52 -n '__viatty_command_is_none_of' -s s -l string -x -d 'copy TEXT (may be repeated)'
complete -c osc52 -n '__viatty_command_is_none_of' -s n -l trim-newline -d 'remove one trailing newline'
complete -c osc52 -n '__viatty_command_is_none_of' -s p -l primary -d 'set the primary selection, not the clipboard'
complete -c osc52 -n '__viatty_command_is_none_of' -s S -l selection -x -d 'selections to set: c clipboard, p primary, q, s, 0-7'
complete -c osc52 -n '__viatty_command_is_none_of' -s t -l type -x -a 'text/plain text/html text/uri-list image/png image/jpeg image/svg+xml' -d 'MIME type of the data (repeat for more files)'
complete -c osc52 -n '__viatty_command_is_none_of' -l confirm -d 'wait until the terminal confirms the copy'
complete -c osc52 -n '__viatty_command_is_none_of' -s c -l clear -d 'clear the selection'
complete -c osc52 -n '__viatty_command_is_none_of' -l allow-empty -d 'clear the selection if the input is empty'
complete -c osc52 -n '__viatty_command_is_none_of' -l tee -d 'also write standard input to standard output'
complete -c osc52 -n '__viatty_command_is_none_of' -l max -x -d 'refuse more than BYTES'
complete -c osc52 -n '__viatty_is_operand' -F
