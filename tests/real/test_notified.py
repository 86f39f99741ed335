"""Notifications through tmux and Screen as they are installed."""

import base64

import pytest

from lib import expect, sequences

NOTIFY = ["viatty", "notify", "--proto"]


def arrived(terminal, number):
    """What the outer terminal got of these sequences; each of them is whole."""
    tokens = sequences.osc(terminal.recorded(), number)
    assert all(not token.faults for token in tokens)
    return [token.payload.split(b";", 1)[1] for token in tokens]


@pytest.mark.needs("tmux")
class TestTmux:
    def test_each_protocol_arrives_once_with_default_options(self, pane):
        expect.sent(pane.run([*NOTIFY, "99", "--id", "n1", "gr\u00fcn", "\u2713"]))
        expect.sent(pane.run([*NOTIFY, "777", "gr\u00fcn;", "\u2713"]))
        expect.sent(pane.run([*NOTIFY, "9", "4;1;50"]))
        pane.settle()
        text = [base64.b64encode(text.encode()) for text in ("gr\u00fcn", "\u2713")]
        assert arrived(pane.terminal, 99) == [
            b"i=n1:d=0:p=title:e=1;" + text[0],
            b"i=n1:d=1:p=body:e=1;" + text[1],
        ]
        assert arrived(pane.terminal, 777) == ["notify;gr\u00fcn\u037e;\u2713".encode()]
        assert arrived(pane.terminal, 9) == [" 4\u037e1\u037e50".encode()]
        assert pane.text() == ""

    def test_the_window_is_flagged(self, pane):
        pane.server.window()
        expect.sent(pane.run([*NOTIFY, "9", "Done"]))
        pane.settle()
        assert pane.server.ask("#{window_bell_flag}", pane.id) == "1"

    def test_the_window_is_not_flagged_if_that_is_not_wanted(self, pane):
        pane.server.window()
        expect.sent(pane.run([*NOTIFY, "9", "--no-bell", "Done"]))
        pane.settle()
        assert pane.server.ask("#{window_bell_flag}", pane.id) == "0"

    def test_where_nobody_looks_it_is_refused_or_rings(self, tmux):
        pane = tmux.session()
        expect.refused(pane.run([*NOTIFY, "9", "Done"]), naming="no terminal is attached")
        result = pane.run([*NOTIFY, "9", "--bell", "Done"])
        assert result.status == 0 and "the bell rang instead" in result.stderr

    def test_what_waits_for_a_reply_is_refused(self, pane):
        result = pane.run([*NOTIFY, "99", "--wait", "Done"])
        expect.refused(result, naming="tmux is in between")
        pane.settle()
        assert arrived(pane.terminal, 99) == []

    def test_run(self, pane):
        result = pane.run(["viatty", "run", "--proto", "9", "sh", "-c", "exit 3"])
        assert (result.status, result.stderr) == (3, "")
        pane.settle()
        (text,) = arrived(pane.terminal, 9)
        assert text.startswith(b"sh: failed with status 3 after")


@pytest.mark.needs("screen")
class TestScreen:
    def test_each_protocol_arrives_once_with_default_options(self, screen):
        expect.sent(screen.run([*NOTIFY, "99", "--id", "n1", "--no-bell", "gr\u00fcn"]))
        expect.sent(screen.run([*NOTIFY, "777", "--no-bell", "gr\u00fcn;", "a \u2013 b"]))
        expect.sent(screen.run([*NOTIFY, "9", "--no-bell", "4;1;50"]))
        screen.settle()
        title = base64.b64encode("gr\u00fcn".encode())
        assert arrived(screen.terminal, 99) == [b"i=n1:d=1:p=title:e=1;" + title]
        assert arrived(screen.terminal, 777) == [b"notify;gr?n,;a - b"]
        assert arrived(screen.terminal, 9) == [b" 4,1,50"]
        assert screen.text() == ""

    def test_a_long_one(self, screen):
        body = "0123456789" * 1000
        argv = [*NOTIFY, "99", "--id", "n1", "--no-bell", "t", body]
        expect.sent(screen.run(argv))
        screen.settle()
        pieces = [piece.split(b";")[1] for piece in arrived(screen.terminal, 99)]
        texts = [sequences.strict_base64(piece) for piece in pieces]
        assert b"".join(texts) == b"t" + body.encode()
        assert screen.text() == ""
