"""The clipboard of the terminal, read through tmux, and never a buffer."""

import re
import shlex
import time

import pytest

from lib import expect
from lib.answering import BEL, CLIPBOARD, FOOT, ST, AnsweringTerminal, Aside, Pause, clipboard
from lib.editors import EDITORS, inside
from lib.mux import TmuxServer
from lib.versions import has

DATA = expect.DATA
OLD = b"an old buffer"
NEEDS_TMUX = pytest.mark.needs("tmux")
# It answers from its own buffers as it is shipped.
NEEDS_SETTINGS = has("tmux", "get-clipboard")


def paste(place, *options, **how):
    return place.run(["viatty", "paste", *options], **how)


def gives(result, data):
    assert (result.status, result.stderr) == (0, ""), result.stderr
    assert expect.brief([("", result.stdout)]) == expect.brief([("", data)])


def never_asked(terminal):
    assert not [q for q in terminal.asked() if q.startswith(CLIPBOARD)]
    assert b"52;" not in terminal.recorded()


# ---- tmux --------------------------------------------------------------------------


@pytest.fixture
def pane_in(sandbox, tmux):
    """A pane of a tmux that has a buffer, in a terminal with a script.

    shipped: without the settings that let it ask the terminal, where it needs any.
    """

    def pane_in(script, answer=None, shipped=False, **how):
        if answer is not None:
            script = {**script, CLIPBOARD: answer}
        pane = tmux.session()
        if NEEDS_SETTINGS and not shipped:
            tmux.option("-s", "get-clipboard", "request")
            tmux.option("-s", "set-clipboard", "on")
        tmux.run("load-buffer", "-", stdin=OLD)
        tmux.attach(terminal=AnsweringTerminal(sandbox, script, **how))
        return pane

    return pane_in


def unchanged(pane):
    """The old buffer is the only one, and nothing was typed into the pane."""
    buffers = pane.server.run("list-buffers", "-F", "#{buffer_sample}").splitlines()
    assert buffers == [OLD.decode()]
    assert pane.text() == ""


@NEEDS_TMUX
@pytest.mark.parametrize(
    "data, end",
    [(DATA, BEL), (bytes(range(256)) * 3, ST), (expect.sample(100_000), BEL)],
    ids=["text", "all bytes", "100 kB"],
)
def test_tmux_passes_on_what_the_terminal_says(pane_in, data, end):
    pane = pane_in(FOOT, clipboard(data, end=end))
    gives(paste(pane), data)
    unchanged(pane)


@pytest.mark.slow
@NEEDS_TMUX
def test_an_empty_clipboard_is_dropped_by_tmux_and_never_an_old_buffer(pane_in):
    pane = pane_in(FOOT, clipboard(b""))
    # tty_keys_clipboard() of tmux 3.3 to 3.7: nothing behind the letter is no reply.
    result = paste(pane, "--timeout", "0.5")
    expect.refused(result, 5, "the terminal does not report the clipboard")
    unchanged(pane)


@NEEDS_TMUX
@pytest.mark.parametrize("set_clipboard", ["on", "external", "off"])
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_no_option_of_tmux_makes_it_an_old_buffer(pane_in, set_clipboard, passthrough):
    pane = pane_in(FOOT, clipboard(DATA))
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    if NEEDS_SETTINGS and set_clipboard != "on":
        expect.refused(paste(pane), naming="set-clipboard on")
        pane.settle()
        never_asked(pane.terminal)
    else:
        gives(paste(pane), DATA)
    unchanged(pane)


@NEEDS_TMUX
def test_a_tmux_that_may_answer_itself_is_not_asked_until_the_hint_is_followed(
    sandbox, pane_in
):
    pane = pane_in(FOOT, clipboard(DATA), shipped=True)
    for value in ["off", "buffer"] if NEEDS_SETTINGS else []:
        pane.server.option("-s", "get-clipboard", value)
        result = paste(pane)
        expect.refused(result, naming="get-clipboard request")
    if NEEDS_SETTINGS:
        pane.settle()
        never_asked(pane.terminal)
        settings = sandbox.fresh("conf")
        lines = re.findall(r"^  tmux (.*)$", result.stderr, re.MULTILINE)
        for line in lines:
            pane.server.run(*shlex.split(line))
        gives(paste(pane), DATA)
        pane.server.option("-s", "get-clipboard", "off")
        pane.server.option("-s", "set-clipboard", "external")
        settings.write_text("".join(f"{line}\n" for line in lines))
        pane.server.run("source-file", str(settings))
    gives(paste(pane), DATA)
    unchanged(pane)


@NEEDS_TMUX
def test_a_terminal_behind_tmux_may_take_a_moment(pane_in):
    # Since 3.7 tmux drops what takes longer than half a second.
    pause = Pause(0.2 if has("tmux", "half a second") else 1)
    pane = pane_in(FOOT, Aside([pause, clipboard(DATA)]))
    gives(paste(pane), DATA)


@pytest.mark.slow
@NEEDS_TMUX
@pytest.mark.skipif(NEEDS_SETTINGS, reason="since 3.7 tmux does not wait for the terminal")
def test_a_clipboard_that_tmux_does_not_get_is_waited_for_once(pane_in):
    pane = pane_in(FOOT)
    took = []
    for _ in range(2):
        began = time.monotonic()
        expect.refused(paste(pane), status=5)
        took.append(time.monotonic() - began)
    assert 4.9 < took[0] < 15 and took[1] < 3, took
    unchanged(pane)


@NEEDS_TMUX
@pytest.mark.parametrize("set_clipboard", ["on", "external"])
def test_in_tmux_in_tmux_it_is_refused(sandbox, pane_in, set_clipboard):
    outer = pane_in(FOOT, clipboard(DATA))
    outer.server.option("-s", "set-clipboard", set_clipboard)
    inner = TmuxServer(sandbox)
    innermost = inner.session()
    inner.attach_inside(outer, outer.device)
    expect.refused(paste(innermost), naming="a tmux inside another one")
    never_asked(outer.terminal)
    assert innermost.text() == ""


# ---- programs that read the terminal themselves ------------------------------------


@pytest.mark.parametrize("editor", EDITORS)
def test_in_the_terminal_of_an_editor_it_says_why_not(sandbox, editor):
    terminal = AnsweringTerminal(sandbox, {**FOOT, CLIPBOARD: clipboard(DATA)})
    place = terminal.inside()
    expect.refused(paste(inside(place, sandbox, editor)), naming="cannot be read through")
    never_asked(terminal)
