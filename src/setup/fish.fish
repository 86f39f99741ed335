# viatty setup fish: shows a notification when a slow command finishes while nobody
# looks at it. Add this line to ~/.config/fish/config.fish:
#
#     viatty setup fish | source
#
# set -g VIATTY_NOTIFY_AFTER 10       seconds after which a command is slow; 0: never
#                                     notify
# set -g VIATTY_NOTIFY_IGNORE vi ...  the interactive programs, which are never slow,
#                                     instead of editors, pagers, ssh, top and such (see
#                                     below)
# set -g VIATTY_MARKS yes             also mark prompts (OSC 133) and report the
#                                     directory (OSC 7) to the terminal; fish 4 does that
#                                     itself
#
# A command ended with Ctrl-C or stopped with Ctrl-Z does not notify, nor does one that
# you look at: tmux knows which pane has the keyboard, a terminal with OSC 99 or a tmux
# with focus-events on whether the terminal has it. Elsewhere each slow command notifies.
#
# No program is started for a fast command. Your event handlers are not changed.
# fish itself shows the running command in the title: see fish_title.

if status is-interactive; and not functions -q __viatty_postexec

    set -g __viatty_no_probe
    set -g __viatty_interactive vi vim nvim view vimdiff emacs emacsclient nano pico \
        micro joe hx helix kak mcedit less more most man info ssh mosh telnet sftp tmux \
        screen zellij top htop btop atop watch mc ranger nnn yazi lf tig lazygit gitui k9s \
        ncdu mutt neomutt weechat irssi lynx w3m fzf fg claude codex gemini opencode aider \
        copilot cursor-agent gdb lldb su sudoedit visudo crontab journalctl git-add \
        git-blame git-branch git-commit git-diff git-difftool git-help git-log \
        git-mergetool git-rebase git-reflog git-show git-tag

    # Whether a command of this line is interactive: its first word, behind variables,
    # options, sudo and the like. git is named with its command: git-log. ssh is not, if it
    # runs a command without -t.
    function __viatty_is_interactive
        set -l programs $__viatty_interactive
        set -q VIATTY_NOTIFY_IGNORE; and set programs (string split ' ' -- $VIATTY_NOTIFY_IGNORE)
        set -l first yes
        for word in (string split -n ' ' -- (string replace -a \n ' ; ' -- $argv[1]))
            set -l name (string trim -r -c ';' -- $word)
            if test $first = no
            else if string match -qr -- '^(ssh|host)-tt?$' $first$name
                return 0
            else if string match -qr -- '^ssh-[BbcDEeFIiJLlmOoPpQRSWw]$' $first$name
                set first value
            else if test $first = value
                set first ssh
            else if string match -qr -- '^ssh-' $first$name
            else if string match -qr -- '^ssh[^;&|]' $first$name
                set first host
            else if string match -qr -- '^host[^;&|]' $first$name
                set first no
            else if string match -qr -- '^(-.*|.*=.*|[({!]|sudo|doas|env|command|exec|time|nohup|builtin|if|while|not|and|or|begin|else)$' $name
            else if test $first = git
                set first no
                contains -- git-$name $programs; and return 0
            else
                set first no
                set name (string replace -r '.*/' '' -- (string trim -l -c '\\\\' -- $name))
                if contains -- $name $programs
                    test "$name" = ssh; or return 0
                    set first ssh
                end
                test "$name" = git; and set first git
            end
            if string match -qr -- '(;|^\||^&\||^\|\||^&&|^&)$' $word
                contains $first ssh host; and return 0
                set first yes
            end
        end
        contains $first ssh host
    end

    # The text is not an argument, which every user of the machine sees. A terminal that
    # has not said its name is not asked again: what is typed meanwhile would be lost. tmux
    # and Screen reply at once, and TERM does not tell which it is.
    function __viatty_notify
        set -l sent (printf '%s\n' $argv |
            viatty notify --json $__viatty_no_probe --when unfocused - 2>/dev/null)
        string match -qr -- '^(screen|tmux)' "$TERM"; and return
        string match -q -- '*"terminal":null*' "$sent"; and set -g __viatty_no_probe --no-probe
    end

    # What is shown of a line. One that begins with a blank is hidden from the history on
    # purpose: then only its program.
    function __viatty_shown
        set -l line (string replace -a \n ' ' -- $argv[1])
        set -l program '^\s+(?:\w+=[\w.,:/+-]*\s+)*([\w./+-]+)(?:\s.*)?$'
        if string match -qr -- '^\S' $line
            printf '%s\n' $line
        else if not string replace -rf -- $program '$1' $line
            echo a command
        end
    end

    function __viatty_postexec --on-event fish_postexec
        set -l result $status
        set -l milliseconds $CMD_DURATION
        set -l after 10
        set -q VIATTY_NOTIFY_AFTER[1]; and set after $VIATTY_NOTIFY_AFTER[1]

        test "$after" -gt 0 -a "$milliseconds" -ge {$after}000 2>/dev/null; or return $result
        contains $result 130 146 147 148; and return $result
        # A command that was stopped does not change the status of older versions.
        set -l stopped (jobs -l | string replace -rf '^.*\tstopped\t' '')
        test "$stopped" = "$argv[1]"; and return $result
        command -sq viatty; or return $result
        __viatty_is_interactive $argv[1]; and return $result
        set -l seconds (string sub -e -3 -- $milliseconds)
        set -l how "done after $seconds s"
        test $result -eq 0; or set how "status $result after $seconds s"
        __viatty_notify (__viatty_shown $argv[1]) $how
        return $result
    end

    # The shell itself writes these sequences: viatty would be a process for each prompt.
    if string match -qr '^[0-3]\.' -- $version
        function __viatty_mark --on-event fish_prompt
            set -l result $status
            if set -q VIATTY_MARKS[1]
                printf '\e]7;file://%s%s\a\e]133;A\a' $hostname (string escape --style=url -- $PWD)
            end
            return $result
        end

        function __viatty_begin --on-event fish_preexec
            set -q VIATTY_MARKS[1]; and printf '\e]133;C\a'
        end

        function __viatty_end --on-event fish_postexec
            set -l result $status
            set -q VIATTY_MARKS[1]; and printf '\e]133;D;%d\a' $result
            return $result
        end
    end

end
