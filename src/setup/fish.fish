# viatty setup fish: shows a notification when a slow command finishes while its
# terminal is unfocused. Add this line to ~/.config/fish/config.fish:
#
#     command -v viatty >/dev/null && viatty setup fish | source
#
# set -g VIATTY_NOTIFY_AFTER 10       seconds after which a command is slow; 0: never
#                                     notify
# set -g VIATTY_NOTIFY_IGNORE vi ...  the programs that never notify, instead of the
#                                     interactive ones, such as editors; after a +,
#                                     in addition to them
# set -g VIATTY_NOTIFY_ONLY make ...  the only programs that notify; git-push: git push
# set -g VIATTY_MARKS yes             also mark prompts (OSC 133) and report the
#                                     directory (OSC 7) to the terminal; fish 4 does that
#                                     itself
#
# Editors, shells, ssh and other interactive programs do not notify, nor does a command
# that you end with Ctrl-C or stop with Ctrl-Z. A program that catches Ctrl-C and succeeds
# looks like any other: of such servers, only some are known by name. Nor does a command
# notify in the active pane of a focused terminal: tmux knows which pane is active, and a
# terminal with OSC 99, or a tmux with focus-events on, whether the terminal has focus.
#
# No program is started for a fast command. Your event handlers are not changed.
# fish itself shows the running command in the title: see fish_title.

if status is-interactive; and not functions -q __viatty_postexec

    set -g __viatty_no_probe

    # A command has just finished with status $argv[2] after $argv[3] seconds. Its line is not
    # an argument, which every user of the machine sees. One that begins with a space is hidden
    # from the history on purpose, and not shown. An alias is a function that names its line. A
    # terminal that did not reply is not queried again, because keys typed during the query would
    # be lost. tmux and Screen reply at once; TERM may be the same for both.
    function __viatty_slow
        set -q VIATTY_NOTIFY_IGNORE; and set -lx VIATTY_NOTIFY_IGNORE "$VIATTY_NOTIFY_IGNORE"
        set -q VIATTY_NOTIFY_ONLY; and set -lx VIATTY_NOTIFY_ONLY "$VIATTY_NOTIFY_ONLY"
        set -l shown (string replace -a \n ' ' -- $argv[1] | string match -r '^\S.*')
        set -l program (string match -r '^\s*[\w.+-]+' -- $argv[1] | string trim)
        set -l line (functions $program[1] 2>/dev/null |
            string match -rg -- "--description '?alias \S+?[= ](.*?)'?\$")
        test -n "$line"; and set line "$line"(string replace -r '^\s*\S+' '' -- $argv[1])
        set -l sent (printf '%s\n' "$shown" $argv[1] "$line" |
            viatty __finished --json $__viatty_no_probe $argv[2..3] 2>/dev/null)
        string match -qr -- '^(screen|tmux)' "$TERM"; and return
        string match -q -- '*"terminal":null*' "$sent"; and set -g __viatty_no_probe --no-probe
    end

    function __viatty_postexec --on-event fish_postexec
        set -l result $status
        set -l milliseconds $CMD_DURATION
        set -l after 10
        set -q VIATTY_NOTIFY_AFTER[1]; and set after $VIATTY_NOTIFY_AFTER[1]

        test "$after" -gt 0 -a "$milliseconds" -ge {$after}000 2>/dev/null; or return $result
        # A command that was stopped does not change the status of older versions.
        set -l stopped (jobs -l | string replace -rf '^.*\tstopped\t' '')
        test "$stopped" = "$argv[1]"; and return $result
        command -sq viatty; and __viatty_slow $argv[1] $result (string sub -e -3 -- $milliseconds)
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
