"""Colors in tmux, which has its own for each pane."""

import pytest

from lib import expect, sequences

pytestmark = pytest.mark.needs("tmux")


def set_color(place, *words):
    expect.sent(place.run(["viatty", "color", *words]))


def printed(place, *words):
    result = place.run(["viatty", "color", *words])
    assert result.status == 0, result.stderr
    return result.stdout.decode()


def told(terminal):
    """What the terminal was told to set: the bodies of OSC 11 without questions."""
    tokens = sequences.parse(terminal.recorded())
    bodies = [token.payload for token in tokens if token.kind == "osc"]
    return [body[3:] for body in bodies if body.startswith(b"11;") and body != b"11;?"]


def test_the_pane_has_the_color_and_the_terminal_is_told_nothing(pane):
    set_color(pane, "background", "#123456")
    assert printed(pane, "background") == "#123456\n"
    assert printed(pane, "--theme") == "dark\n"
    set_color(pane, "background", "#f5f5dc")
    assert printed(pane, "--theme") == "light\n"
    pane.server.settle()
    assert told(pane.terminal) == []
    assert pane.text() == ""


def test_tmux_is_named_as_the_one_that_replied(pane):
    set_color(pane, "background", "#123456")
    result = pane.run(["viatty", "color", "-v", "background"])
    assert (result.status, result.stdout) == (0, b"#123456\n")
    assert "reported by tmux, not by the terminal outside it" in result.stderr


def test_tmux_is_named_as_the_one_that_does_not_reply(pane):
    result = pane.run(["viatty", "color", "background"])
    assert (result.status, result.stdout) == (5, b"")
    verdict, hint = result.stderr.splitlines()
    assert verdict == "viatty color: color not read: tmux does not report this color"
    assert hint == (
        "hint: run it outside tmux; tmux reports only colors set in its pane "
        "(since 3.4 also foreground and background)"
    )


def test_a_reset_leaves_no_color_of_the_pane(pane):
    set_color(pane, "1", "#123456")
    set_color(pane, "background", "#123456")
    set_color(pane, "--reset")
    for which in "1", "background":
        result = pane.run(["viatty", "color", which, "--timeout", "10"])
        assert b"#123456" not in result.stdout
