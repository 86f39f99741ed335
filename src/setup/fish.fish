# viatty setup fish: notifies when a slow command ends that you did not use. Add this line
# to ~/.config/fish/config.fish; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && viatty setup fish | source
#
# set -g VIATTY_NOTIFY_AFTER 10       seconds until a command is slow; 0: never notify
# set -g VIATTY_NOTIFY_IGNORE vi ...  programs that never notify; + adds to viatty's
# set -g VIATTY_NOTIFY_ONLY make ...  the only ones that notify; git-push: git with push

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
        set -q VIATTY_NOTIFY_IGNORE; and set -lx VIATTY_NOTIFY_IGNORE "$VIATTY_NOTIFY_IGNORE"
        set -q VIATTY_NOTIFY_ONLY; and set -lx VIATTY_NOTIFY_ONLY "$VIATTY_NOTIFY_ONLY"
        printf '%s\n' $argv[1] |
            viatty __finished $result (string sub -e -3 -- $milliseconds) 2>/dev/null
        return $result
    end
    command -sq viatty; and viatty __finished 2>/dev/null
end
