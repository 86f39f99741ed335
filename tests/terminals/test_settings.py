"""A setting that viatty names is a line of the real program's file, beside others that stay in force.

That copies, pastes and links work then is tested with the rest, in the same terminals.
"""

from makes import ALACRITTY_READ, FOOT_ENABLED, KITTY, KONSOLE_LINKS, MLTERM_COPY, XTERM, on

from lib.versions import has

FOREGROUND = ["viatty", "color", "foreground"]
NUMBER = b"#123456\n"
# What tells that the other setting of each file is in force.
BESIDE = {
    XTERM: (FOREGROUND, NUMBER),
    KITTY: (FOREGROUND, NUMBER),
    ALACRITTY_READ: (FOREGROUND, NUMBER),
    FOOT_ENABLED: (FOREGROUND, NUMBER),
    MLTERM_COPY: (["sh", "-c", "echo $TERM"], b"xterm-256color\n"),
    KONSOLE_LINKS: (["sh", "-c", "echo $KEPT"], b"kept\n"),
}
# Older ones do not know the setting, or have another form of the file.
KNOWING = [make for make in BESIDE
           if make.id not in ("alacritty", "foot") or has(make.id, "a setting for the clipboard")]


@on(*KNOWING, places=("alone",))
def test_another_setting_stays_in_force(place):
    command, expected = BESIDE[place.emulator.make]
    assert place.run(command).stdout == expected


