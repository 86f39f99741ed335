"""What doctor says of a situation agrees with what happens in it."""

import json
import re

import pytest

from lib import expect
from lib.program import Inside
from lib.remote import RemoteLogin
from lib.terminal import XTERM_ANSWERS, OuterTerminal

FOOT_ANSWERS = {**XTERM_ANSWERS, b"\x1b[>q": b"\x1bP>|foot(1.16.2)\x1b\\"}
ESCAPE = "\x1b"


def doctor(place, *options, **how):
    return place.run(["viatty", "doctor", *options], **how)


def verdict_on_copy(place, **how):
    """yes, no or unknown, and the same by the exit status."""
    report = json.loads(doctor(place, "--json", **how).stdout)
    finding = report["features"][0]
    assert finding["feature"] == "copy"
    status = doctor(place, "copy", **how).status
    assert (status != 0) == (finding["works"] == "no")
    return finding


def agrees_with_what_happens(place, terminal, **how):
    finding = verdict_on_copy(place, **how)
    terminal.forget()
    result = expect.copy(place, expect.DATA, **how)
    if finding["works"] == "no":
        assert result.status in (3, 4)
        expect.nothing_arrived(terminal)
    else:
        assert result.status == 0, result.stderr
        expect.arrived_somehow(terminal, expect.DATA)
    return finding


def test_in_a_terminal_that_says_who_it_is_copying_works(sandbox):
    terminal = OuterTerminal(sandbox, answers=FOOT_ANSWERS)
    place = Inside(terminal.runner(), terminal)
    finding = agrees_with_what_happens(place, terminal)
    assert (finding["works"], finding["route"]) == ("yes", "direct")


def test_in_a_terminal_that_says_nothing_it_is_not_known(plain):
    finding = agrees_with_what_happens(plain, plain.terminal, environment={})
    assert finding["works"] == "unknown"


def test_a_terminal_that_has_no_way_is_named(plain):
    finding = agrees_with_what_happens(
        plain, plain.terminal, environment={"VTE_VERSION": "7600"}
    )
    assert finding["works"] == "no"
    assert "VTE" in finding["reason"]


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("set_clipboard", ["on", "external", "off"])
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_in_tmux_the_route_is_past_it(pane, set_clipboard, passthrough):
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    finding = agrees_with_what_happens(pane, pane.terminal)
    assert finding["route"] == "client-tty"


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("route", ["passthrough", "plain", "load-buffer"])
@pytest.mark.parametrize("set_clipboard", ["on", "external"])
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_of_a_forced_route_it_tells_the_truth(pane, set_clipboard, passthrough, route):
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    agrees_with_what_happens(
        pane, pane.terminal, environment={"VIATTY_ROUTE": route}
    )


@pytest.mark.needs("tmux")
def test_where_nobody_is_attached_it_says_so(tmux):
    pane = tmux.session()
    finding = verdict_on_copy(pane)
    assert finding["works"] == "no"
    assert "attached" in finding["reason"]
    assert "tmux-buffer" in finding["hint"]


@pytest.mark.needs("tmux")
@pytest.mark.parametrize(
    "set_clipboard, passthrough", [("on", "off"), ("external", "on"), ("external", "off")]
)
def test_far_from_the_tmux_around_it_asks(sandbox, tmux, set_clipboard, passthrough):
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    finding = agrees_with_what_happens(RemoteLogin(sandbox, pane), pane.terminal)
    if (set_clipboard, passthrough) == ("external", "off"):
        assert finding["works"] == "no"
        assert "set-clipboard on" in finding["hint"]


@pytest.mark.needs("screen")
def test_in_screen_it_wraps(screen):
    finding = agrees_with_what_happens(screen, screen.terminal)
    assert finding["layers"] == "screen"


@pytest.mark.needs("tmux")
def test_without_questions_nothing_is_sent_to_the_terminal(plain):
    plain.terminal.forget()
    assert doctor(plain, "--no-probe").status == 0
    plain.settle()
    assert ESCAPE + "[c" not in plain.terminal.recorded().decode("latin-1")


@pytest.mark.needs("tmux")
def test_piped_it_is_plain_text_of_80_columns(pane):
    text = doctor(pane).stdout.decode()
    assert ESCAPE not in text
    assert max(map(len, text.splitlines())) <= 80
    for word in ("tmux 3", "set-clipboard external", "copy:", "paste:", "client-tty"):
        assert word in text


def on_the_screen(terminal, place, **environment):
    """What it shows to a person; the questions are not part of it."""
    terminal.forget()
    settings = [f"{name}={value}" for name, value in environment.items()]
    place.open(["env", *settings, "viatty", "doctor", "copy"])
    terminal.see("direct")
    return terminal.recorded().decode()


def test_colours_are_for_terminals_and_can_be_switched_off(plain):
    assert re.search("copy: \x1b\\[3[0-9]m", on_the_screen(plain.terminal, plain))
    plain.settle()
    text = on_the_screen(plain.terminal, plain, NO_COLOR="1")
    assert re.search("copy: (yes|unknown)", text)


def test_live_it_stops_at_the_route_that_brings_the_word_back(pane):
    pane.open(["viatty", "doctor", "--live"])
    pane.see("Paste it here")
    (_, word), *_ = pane.terminal.clipboard()
    pane.terminal.type(word.decode() + "\r")
    pane.see("It came back: route auto works.")


def test_live_it_goes_on_to_the_next_route_and_names_it(pane):
    pane.open(["viatty", "doctor", "--live"])
    pane.see("Paste it here")
    pane.terminal.type("\r")
    pane.see("route load-buffer: a word")
    word = pane.terminal.clipboard()[-1][1]
    pane.terminal.type(word.decode() + "\r")
    pane.see("export VIATTY_ROUTE=load-buffer")


def test_live_it_says_when_none_did(pane):
    pane.server.option("-s", "set-clipboard", "on")
    pane.server.option("-g", "allow-passthrough", "on")
    job = pane.start(["sh", "-c", "yes '' | tr -d y | viatty doctor --live copy"])
    for route in ("auto", "passthrough", "plain", "load-buffer", "direct"):
        pane.see(f"route {route}: a word")
        pane.terminal.type("\r")
    result = job.wait()
    assert result.status == 4
    assert "no route brought it back" in result.stderr
