# viatty setup fish: shows a notification when a slow command finishes while its
# window is not focused. Add this line to ~/.config/fish/config.fish:
#
#     viatty setup fish | source
#
# set -g VIATTY_NOTIFY_AFTER 10    seconds after which a command is slow; 0: never
#                                  notify
#
# No program is started for a fast command. Your event handlers are not changed.
# fish itself shows the running command in the title: see fish_title.

if status is-interactive; and not functions -q __viatty_postexec

    function __viatty_postexec --on-event fish_postexec
        set -l result $status
        set -l milliseconds $CMD_DURATION
        set -l after 10
        set -q VIATTY_NOTIFY_AFTER[1]; and set after $VIATTY_NOTIFY_AFTER[1]

        test "$after" -gt 0 -a "$milliseconds" -ge {$after}000 2>/dev/null; or return $result
        command -sq viatty; or return $result
        set -l seconds (string sub -e -3 -- $milliseconds)
        set -l how "done after $seconds s"
        test $result -eq 0; or set how "status $result after $seconds s"
        viatty notify --when unfocused -- "$argv[1]" $how 2>/dev/null
        return $result
    end

end
