"""The demonstration in README shows what the program still does and prints."""

import hashlib

from lib.program import REPOSITORY

PICTURES = REPOSITORY / "tests" / "picture"
TRANSCRIPT = (PICTURES / "demo.txt").read_text()
AGAIN = "run make picture"
# As in test_ssh_install.py and pty/test_paste_key.py.
INSTALLED = "viatty ssh: viatty and osc52 are in ~/.local/bin there now\n"
ASKS = "viatty: paste now (Ctrl+Shift+V); Ctrl+C cancels"


def screens(window, command):
    """What the window shows after each time that this has been typed there."""
    parts = TRANSCRIPT.split(f"==== {window}: {command}\n")[1:]
    return [part.partition("\n==== ")[0].rstrip("\n") for part in parts]


def test_it_is_the_picture_of_this_text():
    digest = hashlib.sha256((PICTURES / "demo.svg").read_bytes()).hexdigest()
    assert f"sha256 of demo.svg: {digest}\n" in TRANSCRIPT, AGAIN


def test_what_is_pasted_is_what_was_copied():
    first, second = screens("desk", "<ctrl+shift+v>")
    for word, pasted in ("logo", first), ("team", second):
        assert screens("server", f"grep {word} app.log | osc52")
        assert pasted.endswith(f"/{word}.png 404")
    [desk], [server] = screens("desk", "osc52 notes.txt"), screens("server", "cat notes.txt")
    notes = desk.partition("$ cat > notes.txt\n")[2].partition("\ndesk$")[0]
    assert notes and f"$ cat notes.txt\n{notes}\nserver$" in server


def test_it_shows_what_is_said():
    [install] = screens("server", "y")
    [paste] = screens("server", "viatty paste > notes.txt")
    assert INSTALLED in install and ASKS in paste, AGAIN
