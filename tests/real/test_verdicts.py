"""What doctor says of a situation agrees with what happens in it.

Of copies that is asked behind each one in test_tmux_matrix, test_screen and others.
"""

import json
import re

import pytest

from lib.answering import FOOT, PLAIN, VTE, XTERM, AnsweringTerminal
from lib.doctor import findings
from lib.mux import ScreenSession, TmuxServer
from lib.program import Inside
from lib.remote import RemoteLogin
from lib.runner import Runner

ESCAPE = "\x1b"


def doctor(place, *options, **how):
    return place.run(["viatty", "doctor", *options], **how)


def report(place, *options, **how):
    return json.loads(doctor(place, "--json", *options, **how).stdout)


# What is sent, by the feature.
COMMANDS = {
    "copy": ["copy"],
    "primary": ["copy", "--primary"],
    "clear": ["copy", "--clear"],
    "title": ["title", "one"],
    "color": ["color", "background", "#f00"],
    "notify": ["notify", "one", "two"],
    "progress": ["progress", "50"],
    "raw": ["raw", "\x1b]1337;File=inline=1:AAAA\x1b\\"],
}


# ---- the path ------------------------------------------------------------------------


def test_the_replies_and_what_is_believed_are_shown(place_at):
    place = place_at(FOOT, environment={"KONSOLE_VERSION": "220400"})
    found = report(place)
    wanted = {
        "terminal": "foot",
        "terminal_believed": "reply",
        "terminal_by_environment": "konsole",
        "terminal_says": "foot(1.27.0)",
        "da1": "62;4;22;28;52",
        "da2": "1;012700;0",
        "da3": "464f4f54",
    }
    assert {key: found[key] for key in wanted} == wanted
    told = "  terminal    foot\n  known by    reply\n  TERM        xterm-256color\n"
    assert told in doctor(place, "copy", "-v").stdout.decode()


@pytest.mark.needs("screen")
def test_through_screen_the_terminal_is_asked_as_well(sandbox):
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, FOOT))
    found = report(screen)
    assert (found["terminal"], found["terminal_believed"]) == ("foot", "reply")
    assert found["hops"][0]["hop"] == "screen"
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["hops"][0]["version"])
    assert screen.text() == ""


@pytest.mark.needs("screen")
@pytest.mark.parametrize("script", [VTE, XTERM])
def test_over_ssh_from_screen_each_command_goes_by_its_verdict(sandbox, script):
    """TERM=screen may be a tmux: doctor and the commands find the same terminal behind it."""
    remote = RemoteLogin(
        sandbox, ScreenSession(sandbox, AnsweringTerminal(sandbox, script)), term="screen")
    whole = findings(remote)
    assert report(remote)["ssh_peer"] == "192.0.2.1"
    for word, argv in COMMANDS.items():
        found = doctor(remote, "--json", word)
        (finding,) = json.loads(found.stdout)["features"]
        assert finding == whole[word]
        sent = remote.run(["viatty", *argv], stdin=b"text")
        assert sent.status == found.status, (word, finding, sent.stderr)
        assert (finding["works"] == "no") == (sent.status == 4), (word, finding, sent.stderr)


@pytest.mark.needs("tmux")
def test_each_tmux_is_told_with_its_options_and_clients(sandbox, pane):
    inner = TmuxServer(sandbox)
    innermost = inner.session()
    inner.attach_inside(pane, pane.device)
    inner.option("-s", "set-clipboard", "off")
    first, second = report(innermost)["hops"]
    assert (first["set_clipboard"], second["set_clipboard"]) == ("off", "external")
    assert (first["outer_device"], second["outer_device"]) == (
        pane.device, pane.terminal.device,
    )
    assert first["version"] == pane.server.ask("#{version}")
    assert second["client_term"] == "xterm-256color"
    assert "clipboard" in second["client_features"]


@pytest.mark.root
@pytest.mark.needs("su")
def test_who_let_the_person_in_is_told(plain, sandbox):
    runner = Runner(sandbox)
    plain.open(["su", "--session-command", runner.command])
    place = Inside(runner.ready(), plain)
    assert report(place)["started_by"][0] == "su"
    assert re.search(r"^  started by  +su\b", doctor(place).stdout.decode(), re.MULTILINE)


# ---- how it looks --------------------------------------------------------------------


@pytest.mark.needs("tmux")
def test_alone_it_fits_a_window(pane):
    """What works is in one line; the routes are for -v."""
    lines = doctor(pane).stdout.decode().splitlines()
    assert len(lines) <= 23
    assert any(re.match(r"title(, \S+)*: yes$", line) for line in lines)
    assert ", sent to" not in "".join(lines)
    assert ESCAPE not in "".join(lines)


def test_what_has_the_same_reason_is_told_at_once(place_at):
    lines = doctor(place_at(PLAIN)).stdout.decode().splitlines()
    (unknown,) = (line for line in lines if line.startswith("copy"))
    assert unknown == "copy, title, notify, link, paste: unknown"
    assert lines.count("  nothing on the path is known to drop it") == 1
    assert len(lines) <= 23


def on_the_screen(terminal, place, **environment):
    """What it shows to a person; the questions are not part of it."""
    terminal.forget()
    settings = [f"{name}={value}" for name, value in environment.items()]
    place.open(["env", *settings, "viatty", "doctor", "copy"])
    terminal.see("path to the screen")
    return terminal.recorded().decode()


def test_colors_are_for_terminals_and_can_be_switched_off(plain):
    assert re.search("copy: \x1b\\[3[0-9]m", on_the_screen(plain.terminal, plain))
    plain.settle()
    text = on_the_screen(plain.terminal, plain, NO_COLOR="1")
    assert "copy: unknown" in text
