# viatty setup fish: notifies when a slow command ends that you did not use. Add this line
# to ~/.config/fish/config.fish; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && viatty setup fish | source
#
# set -g VIATTY_NOTIFY_AFTER 10       seconds until a command is slow; 0: never notify
# set -g VIATTY_NOTIFY_IGNORE 'ssh*'  patterns: command lines that never notify

if status is-interactive; and not functions -q __viatty_postexec
    function __viatty_postexec --on-event fish_postexec
        set -l result $status
        set -l milliseconds $CMD_DURATION
        set -l after 10
        set -q VIATTY_NOTIFY_AFTER[1]; and set after $VIATTY_NOTIFY_AFTER[1]

        test "$after" -gt 0 -a "$milliseconds" -ge {$after}000 2>/dev/null; or return $result
        # A command that was stopped does not change the status of older versions.
        set -l stopped (jobs -l | string replace -rf '^.*\tstopped\t' '')
        test "$stopped" = "$argv[1]"; and return $result
        command -sq viatty; or return $result
        # What Ctrl-C or Ctrl-Z has ended, and what notifies itself.
        contains $result 130 148; and return $result
        for pattern in '*viatty* run *' $VIATTY_NOTIFY_IGNORE
            string match -q -- $pattern $argv[1]; and return $result
        end
        set -l line (string replace -a \n ' ' -- $argv[1])
        # Of a hidden line, the name of the program.
        if string match -qr '^\s' -- $line
            set line (string replace -rf '^\s+([\w.+-]*/)*([\w.+-]+)(\s.*)?$' '$2' -- $line)
            set -q line[1]; or set line 'a command'
        end
        set -l ended done
        test $result -ne 0; and set ended failed with status $result
        set -l seconds (string sub -e -3 -- $milliseconds)
        set -l took $seconds s
        test $seconds -ge 60; and set took (math -s0 $seconds / 60) min (math $seconds % 60) s
        printf '%s\n' $line "$ended after $took in $PWD" |
            viatty notify --from-hook=$seconds - 2>/dev/null
        return $result
    end
    command -sq viatty; and viatty notify --from-hook 2>/dev/null
end
