"""What doctor says of a situation agrees with what happens in it."""

import json
import re

import pytest

from lib import expect, sequences
from lib.answering import (
    DA1,
    DA2,
    FOOT,
    KITTY,
    KONSOLE,
    NAME,
    PLAIN,
    STATUS,
    XTERM,
    AnsweringTerminal,
    name,
)
from lib.doctor import findings
from lib.mux import ScreenSession, TmuxServer
from lib.program import Inside
from lib.remote import RemoteLogin
from lib.runner import Runner
from lib.terminal import XTERM_ANSWERS, write_to_terminal
from lib.versions import has

# Every copy in here is one more question put to doctor.
pytestmark = pytest.mark.usefixtures("second_opinion")

# Without a NUL, which foot does not store.
TEXT = expect.DATA.replace(b"\0", b"-")
ESCAPE = "\x1b"


def doctor(place, *options, **how):
    return place.run(["viatty", "doctor", *options], **how)


def report(place, *options, **how):
    return json.loads(doctor(place, "--json", *options, **how).stdout)


@pytest.fixture
def at(sandbox):
    """A shell at a terminal that answers by a script."""

    def at(script, **how):
        terminal = AnsweringTerminal(sandbox, script, **how)
        return Inside(terminal.runner(), terminal)

    return at


def agrees_with_what_happens(place, **how):
    finding = findings(place, "copy", **how)["copy"]
    # What the questions left behind is not what is copied.
    place.settle()
    place.terminal.forget()
    result = expect.copy(place, TEXT, **how)
    if finding["works"] == "no":
        assert result.status == 4
        expect.nothing_arrived(place.terminal)
    else:
        assert result.status == 0, result.stderr
        expect.arrived_somehow(place.terminal, TEXT)
    return finding


# ---- copy ----------------------------------------------------------------------------


def test_in_a_terminal_that_says_who_it_is_copying_works(at):
    finding = agrees_with_what_happens(at(FOOT))
    assert (finding["works"], finding["route"]) == ("yes", "direct")


def test_in_a_terminal_that_says_nothing_it_is_not_known(plain):
    finding = agrees_with_what_happens(plain, environment={})
    assert finding["works"] == "unknown"


def test_a_terminal_that_has_no_way_is_named(plain):
    finding = agrees_with_what_happens(plain, environment={"VTE_VERSION": "7600"})
    assert finding["works"] == "no"
    assert "VTE" in finding["reason"]


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("set_clipboard", ["on", "external", "off"])
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_in_tmux_the_route_is_past_it(pane, set_clipboard, passthrough):
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    finding = agrees_with_what_happens(pane)
    # The terminal of the client is not asked for its name.
    assert (finding["works"], finding["route"]) == ("unknown", "client-tty")


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("route", ["passthrough", "plain", "load-buffer"])
@pytest.mark.parametrize("set_clipboard", ["on", "external"])
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_of_a_forced_route_it_tells_the_truth(pane, set_clipboard, passthrough, route):
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    finding = agrees_with_what_happens(pane, environment={"VIATTY_ROUTE": route})
    opens = {"passthrough": passthrough, "plain": set_clipboard, "load-buffer": "on"}
    assert finding["works"] == ("unknown" if opens[route] == "on" else "no")


@pytest.mark.needs("tmux")
def test_where_nobody_is_attached_it_says_so(tmux):
    pane = tmux.session()
    finding = findings(pane, "copy")["copy"]
    assert finding["works"] == "no"
    assert "attached" in finding["reason"]
    assert "tmux-buffer" in finding["hint"]


@pytest.mark.needs("tmux")
@pytest.mark.parametrize(
    "set_clipboard, passthrough", [("on", "off"), ("external", "on"), ("external", "off")]
)
@pytest.mark.parametrize("term", ["tmux-256color", "xterm"], ids=["ssh", "container"])
def test_far_from_the_tmux_around_it_asks(
    sandbox, tmux, set_clipboard, passthrough, term
):
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    place = RemoteLogin(sandbox, pane, term=term)
    if (set_clipboard, passthrough) != ("external", "off"):
        assert agrees_with_what_happens(place)["works"] == "unknown"
        return
    if has("tmux", "get-clipboard"):
        # No reply to a query tells that set-clipboard is not on.
        finding = findings(place, "copy")["copy"]
        assert finding["works"] == "unknown"
    else:
        finding = agrees_with_what_happens(place)
        assert finding["works"] == "no"
    assert "set-clipboard on" in finding["hint"]


@pytest.mark.needs("screen")
def test_in_screen_it_wraps(screen):
    finding = agrees_with_what_happens(screen)
    assert (finding["works"], finding["layers"]) == ("unknown", "screen")
    hop = r"^  screen \d\S* +runs in /dev/pts/\d+$"
    assert re.search(hop, doctor(screen).stdout.decode(), re.MULTILINE)


# ---- everything else -----------------------------------------------------------------

SENDABLE = ["copy", "primary", "clear", "title", "title-stack", "color", "notify"]
SENDABLE += ["progress"]

# What each terminal does as it is shipped: its own documents, as in terminals.def.
YES, NO, UNKNOWN = "yes", "no", "unknown"
BY_TERMINAL = {
    "foot": (FOOT, dict.fromkeys([*SENDABLE, "link", "paste"], YES) | {
        "progress": NO, "confirm": UNKNOWN,
    }),
    "kitty": (KITTY, dict.fromkeys([*SENDABLE, "confirm", "link", "paste"], YES)),
    "xterm": (XTERM, {
        "copy": UNKNOWN, "primary": UNKNOWN, "clear": UNKNOWN, "confirm": NO, "title": YES,
        "title-stack": YES, "color": YES, "notify": NO, "progress": NO, "link": NO,
        "paste": UNKNOWN,
    }),
    "Konsole": (KONSOLE, {
        "copy": YES, "primary": YES, "clear": YES, "confirm": NO, "title": YES, "title-stack": NO,
        "color": YES,
        "notify": YES, "progress": YES, "link": NO, "paste": NO,
    }),
    "one without a name": (
        # Some pop up the numbers of a progress bar: it is for those that are known.
        PLAIN,
        dict.fromkeys([*SENDABLE, "confirm", "link", "paste"], UNKNOWN) | {"progress": NO},
    ),
}


@pytest.mark.parametrize("script, wanted", BY_TERMINAL.values(), ids=BY_TERMINAL)
def test_each_feature_has_the_verdict_of_the_terminal(at, script, wanted):
    found = findings(at(script))
    works = {word: finding["works"] for word, finding in found.items()}
    # none of them answers the query of OSC 7501, and any sequence arrives
    assert works == wanted | {"status": NO, "raw": YES}


def test_progress_works_as_a_status(at):
    finding = findings(at({**FOOT, STATUS: STATUS}), "progress")["progress"]
    assert finding["works"] == YES
    result = doctor(at({**FOOT, STATUS: STATUS}), "progress")
    assert result.status == 0 and b"OSC 7501" in result.stdout
    refused = findings(at(FOOT), "progress")["progress"]
    assert refused["works"] == NO and "9;4" in refused["reason"]


def test_status_works_where_the_terminal_answers_its_query(at):
    finding = findings(at({**PLAIN, STATUS: STATUS}), "status")["status"]
    assert finding["works"] == YES
    assert doctor(at({**PLAIN, STATUS: STATUS}), "status").status == 0
    assert doctor(at(PLAIN), "status").status == 4


@pytest.mark.parametrize(
    "script, protocol",
    [
        (FOOT, "OSC 99"),
        ({**PLAIN, NAME: name(b"ghostty 1.3.1")}, "OSC 777"),
        ({**PLAIN, NAME: name(b"iTerm2 3.6.11")}, "OSC 9"),
    ],
    ids=["foot", "Ghostty", "iTerm2"],
)
def test_a_notification_goes_by_the_best_of_its_sequences(at, script, protocol):
    finding = findings(at(script), "notify")["notify"]
    assert (finding["works"], finding["as"]) == (YES, protocol)
    text = doctor(at(script), "notify").stdout.decode()
    assert f"notify: yes ({protocol}, direct)\n" in text


def test_the_setting_of_the_terminal_is_told(at):
    found = findings(at(XTERM), "copy", "paste")
    for word in ("copy", "paste"):
        assert "disallowedWindowOps" in found[word]["note"]
    finding = findings(at(KONSOLE), "link")["link"]
    assert "AllowEscapedLinks=true" in finding["hint"]


# What each feature looks like, to be sent by the route that doctor names.
SAMPLES = {
    "title": "\x1b]2;a title\x1b\\",
    "notify": "\x1b]777;notify;one;two\x1b\\",
    "progress": "\x1b]9;4;1;50\x1b\\",
    "raw": "\x1b]1337;File=inline=1:AAAA\x1b\\",
}
COMMANDS = {
    "title": (["title", "--outer", "a title"], (0, 2)),
    "notify": (["notify", "one", "two"], (9, 99, 777)),
    "progress": (["progress", "50"], (9,)),
    "raw": (["raw", SAMPLES["raw"]], (1337,)),
}
WINDOWS_TERMINAL = {DA1: b"\x1b[?61;4c", DA2: b"\x1b[>0;10;1c"}


def goes_by_the_route_it_names(place):
    found = findings(place)
    place.settle()
    for word, sample in SAMPLES.items():
        finding = found[word]
        if finding["works"] == NO:
            continue
        place.terminal.forget()
        sent = place.run(["viatty", "raw", "--route", finding["route"], sample])
        place.settle()
        assert sent.status == 0, sent.stderr
        arrived = [token.raw for token in sequences.parse(place.terminal.recorded())]
        bodies = [raw.rstrip(b"\a").removesuffix(b"\x1b\\") for raw in arrived]
        assert sample.encode().removesuffix(b"\x1b\\") in bodies
    for word, (argv, numbers) in COMMANDS.items():
        place.terminal.forget()
        sent = place.run(["viatty", *argv])
        place.settle()
        record = place.terminal.recorded()
        arrived = any(sequences.osc(record, number) for number in numbers)
        assert arrived == (found[word]["works"] != NO), (found[word], sent, record)
    return {word: finding["works"] for word, finding in found.items()}


@pytest.mark.parametrize("script", [FOOT, KITTY, KONSOLE, WINDOWS_TERMINAL, PLAIN])
def test_in_a_terminal_the_route_carries_what_works(at, script):
    goes_by_the_route_it_names(at(script))


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_in_tmux_the_route_carries_what_works(sandbox, tmux, passthrough):
    pane = tmux.session()
    tmux.attach(terminal=AnsweringTerminal(sandbox, KITTY))
    tmux.option("-g", "allow-passthrough", passthrough)
    verdicts = goes_by_the_route_it_names(pane)
    assert {verdicts[word] for word in SENDABLE} == {YES}
    # tmux would type the reply into the pane.
    assert verdicts["confirm"] == NO
    # An image has to stay in its place in the text, so that it cannot go past tmux.
    assert verdicts["raw"] == (YES if passthrough == "on" else NO)


@pytest.mark.needs("screen")
def test_in_screen_the_route_carries_what_works(sandbox):
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, KITTY))
    verdicts = goes_by_the_route_it_names(screen)
    assert {verdicts[word] for word in [*SENDABLE, "confirm", "raw"]} == {YES}


@pytest.mark.needs("tmux")
def test_where_tmux_drops_them_they_do_not_arrive(sandbox, tmux):
    """Far from that tmux, with no option that lets them through."""
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    remote = RemoteLogin(sandbox, pane)
    found = findings(remote, *SAMPLES)
    for word, sample in SAMPLES.items():
        assert found[word]["works"] == NO
        assert "allow-passthrough on" in found[word]["hint"]
        remote.run(["viatty", "raw", "--force", "-w", "tmux", sample])
        remote.settle()
        assert sample.encode()[2:-2] not in pane.terminal.recorded()


LINK = b"\x1b]8;;https://example.org/\x1b\\here\x1b]8;;\x1b\\"


def link_arrives(place, device):
    """Whether what is printed here is a link on the screen."""
    place.settle()
    place.terminal.forget()
    write_to_terminal(device, LINK)
    place.settle()
    return bool(sequences.osc(place.terminal.recorded(), 8))


def test_a_link_in_a_terminal_is_the_terminals(at):
    place = at(FOOT)
    assert findings(place, "link")["link"]["works"] == YES
    assert link_arrives(place, place.terminal.device)


@pytest.mark.needs("tmux")
def test_a_link_in_tmux_is_dropped_by_old_ones_and_needs_a_feature(pane):
    def agrees():
        finding = findings(pane, "link")["link"]
        assert (finding["works"] != NO) == link_arrives(pane, pane.device)
        return finding

    finding = agrees()
    assert finding["works"] == NO
    major, minor = map(int, re.findall(r"\d+", pane.server.ask("#{version}"))[:2])
    if (major, minor) < (3, 4):
        assert "3.4" in finding["hint"]
    else:
        assert "set -as terminal-features ',xterm" in finding["hint"]


@pytest.mark.needs("screen")
def test_a_link_in_screen_is_dropped(screen):
    assert findings(screen, "link")["link"]["works"] == NO
    assert not link_arrives(screen, screen.device)


@pytest.mark.needs("tmux")
def test_far_from_a_tmux_no_links_are_made(sandbox, tmux):
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    remote = RemoteLogin(sandbox, pane)
    found = report(remote)
    assert found["hops"][0]["version"] == pane.server.ask("#{version}")
    finding = findings(remote, "link")["link"]
    # Newer versions pass links on, but only to terminals that they know to show them.
    assert finding["works"] == NO
    assert "FORCE_HYPERLINK=1" in finding["hint"]
    assert not link_arrives(remote, remote.device)


def test_by_its_status_it_answers_scripts(at):
    place = at(KONSOLE)
    status = lambda *words: doctor(place, *words).status
    assert status("title", "notify") == 0
    assert status("title-stack") == status("title", "title-stack") == 4
    assert status("link") == status("paste") == 4
    assert status() == 0


# ---- the path ------------------------------------------------------------------------


def test_the_replies_and_what_is_believed_are_shown(at):
    place = at(FOOT, environment={"KONSOLE_VERSION": "220400"})
    found = report(place)
    wanted = {
        "terminal": "foot",
        "terminal_believed": "reply",
        "terminal_by_environment": "konsole",
        "terminal_says": "foot(1.27.0)",
        "da1": "62;4;22;28;52",
        "da2": "1;12700;0",
        "da3": "464f4f54",
    }
    assert {key: found[key] for key in wanted} == wanted
    told = "  terminal    foot (from its reply; TERM=xterm-256color)\n"
    assert told in doctor(place).stdout.decode()


def test_without_a_name_the_unit_id_or_da2_tell_the_terminal(at):
    script = {**KONSOLE}
    del script[NAME]
    assert report(at(script))["terminal"] == "konsole"
    assert findings(at(script), "paste")["paste"]["works"] == NO
    assert report(at(WINDOWS_TERMINAL))["terminal"] == "windows-terminal"


def test_without_questions_nothing_is_sent_to_the_terminal(at):
    place = at(FOOT, environment={"KONSOLE_VERSION": "220400"})
    place.settle()
    place.terminal.forget()
    found = report(place, "--no-probe")
    place.settle()
    assert place.terminal.recorded() == b""
    assert (found["terminal"], found["terminal_believed"]) == ("konsole", "environment")
    assert (found["terminal_says"], found["da1"]) == (None, None)


@pytest.mark.needs("screen")
def test_through_screen_the_terminal_is_asked_as_well(sandbox):
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, FOOT))
    found = report(screen)
    assert (found["terminal"], found["terminal_believed"]) == ("foot", "reply")
    assert found["hops"][0]["hop"] == "screen"
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["hops"][0]["version"])
    assert screen.text() == ""


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


def test_where_ssh_came_from_is_told(sandbox, terminal):
    remote = RemoteLogin(sandbox, terminal, term="xterm-256color")
    found = report(remote)
    assert (found["ssh"], found["ssh_peer"]) == (True, "192.0.2.1")
    assert "from 192.0.2.1" in doctor(remote).stdout.decode()


@pytest.mark.root
@pytest.mark.needs("su")
def test_who_let_the_person_in_is_told(plain, sandbox):
    runner = Runner(sandbox)
    plain.open(["su", "--session-command", runner.command])
    place = Inside(runner.ready(), plain)
    assert report(place)["started_by"][0] == "su"
    assert re.search(r"^  started by  +su\b", doctor(place).stdout.decode(), re.MULTILINE)


# ---- how it looks --------------------------------------------------------------------


def without_hints(text):
    return [line for line in text.splitlines() if not line.startswith("  hint: ")]


@pytest.mark.needs("tmux")
def test_the_features_come_before_the_path(pane):
    features, path = doctor(pane).stdout.decode().split("\nfrom here to the screen:\n")
    for word in (*SENDABLE, "link", "paste"):
        assert re.search(rf"^{word}: (yes|no|unknown)\b", features, re.MULTILINE)
    assert "client-tty" in features
    for words in ("tmux 3", "set-clipboard external", "terminal "):
        assert re.search(rf"^  .*{words}", path, re.MULTILINE)
    assert "set-clipboard" not in features


@pytest.mark.needs("tmux")
def test_piped_it_is_plain_text_of_80_columns(pane):
    text = doctor(pane).stdout.decode()
    assert ESCAPE not in text
    assert max(map(len, without_hints(text))) <= 80


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("width", [40, 57, 80, 200])
def test_on_a_terminal_the_lines_fit_its_width(sandbox, tmux, width):
    """But for hints, and words alone that are longer: a path."""
    pane = tmux.session()
    tmux.attach(size=(width, 50))
    pane.settle()
    out = sandbox.fresh("out")
    # The width is that of standard output, wherever the rest goes.
    inner = f"viatty doctor --term vte; viatty doctor --no-probe >{out}"
    pane.run(["sh", "-c", inner], on_terminal=True)
    shown = pane.server.run("capture-pane", "-J", "-p", "-S", "-200", "-t", pane.id)
    lines = [line.rstrip() for line in without_hints(shown)]
    assert any(line.startswith("copy: no") for line in lines)
    for line in lines:
        longest = max(map(len, line.split()), default=0)
        assert len(line) <= min(width, 80) or len(line) <= longest + 14, line
    assert max(map(len, without_hints(out.read_text()))) <= 80


def on_the_screen(terminal, place, **environment):
    """What it shows to a person; the questions are not part of it."""
    terminal.forget()
    settings = [f"{name}={value}" for name, value in environment.items()]
    place.open(["env", *settings, "viatty", "doctor", "copy"])
    terminal.see("direct")
    return terminal.recorded().decode()


def test_colors_are_for_terminals_and_can_be_switched_off(plain):
    assert re.search("copy: \x1b\\[3[0-9]m", on_the_screen(plain.terminal, plain))
    plain.settle()
    text = on_the_screen(plain.terminal, plain, NO_COLOR="1")
    assert "copy: unknown" in text


@pytest.mark.parametrize("around", [b"%s", b"\x1b[200~%s\x1b[201~"], ids=["typed", "pasted"])
def test_live_it_stops_at_the_route_that_brings_the_word_back(pane, around):
    pane.open(["viatty", "doctor", "--live"])
    pane.see("Paste it here")
    (_, word), *_ = pane.terminal.clipboard()
    pane.terminal.type(around % word + b"\r")
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
    assert "the terminal may need a setting: see viatty-terminals(7)" in result.stderr


def test_live_it_says_which_routes_there_are_not(plain):
    job = plain.start(["viatty", "doctor", "--live"], stdin=None)
    plain.terminal.see("Paste it here")
    plain.terminal.type("\r")
    assert job.wait().status == 4
    plain.settle()
    shown = plain.terminal.recorded().decode()
    assert ("route load-buffer: this route does not exist here: there is no tmux whose server "
            "can be asked\r\n") in shown
