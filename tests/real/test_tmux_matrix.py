"""tmux with every setting, pane state and set of clients; every route forced."""

import re
import subprocess

import pytest

from lib import expect
from lib.mux import TmuxServer
from lib.processes import until
from lib.terminal import OuterTerminal

pytestmark = [pytest.mark.needs("tmux"), pytest.mark.usefixtures("second_opinion")]

REFUSED = None


def letter_tmux_keeps():
    """Up to 3.3 tmux drops the letter of an OSC 52 that it interprets."""
    said = subprocess.run(["tmux", "-V"], capture_output=True, text=True).stdout
    major, minor = map(int, re.search(r"(\d+)\.(\d+)", said).groups())
    return "" if (major, minor) < (3, 4) else "c"


def forcing(route):
    return [] if route == "auto" else ["--route", route]


def expect_by_route(pane, route, letter, naming=()):
    """By this route the data arrives with this letter, or is refused."""
    options = forcing(route)
    if letter is REFUSED:
        expect.refused(expect.copy(pane, expect.DATA, *options), naming=naming)
        expect.nothing_arrived(pane.terminal)
    else:
        expect.copy_arrives(pane, expect.DATA, *options, letters=[letter])


def letter_by_setting(route, set_clipboard, passthrough):
    """What tmux lets through: multiplexers drop, keep or lose the letter."""
    if route in ("auto", "client-tty"):
        return "c"
    if route == "load-buffer":
        return ""
    if route == "passthrough":
        return "c" if passthrough == "on" else REFUSED
    return letter_tmux_keeps() if set_clipboard == "on" else REFUSED


ROUTES = ["auto", "client-tty", "passthrough", "plain", "load-buffer"]
NAMED = {"passthrough": "allow-passthrough", "plain": "set-clipboard"}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("set_clipboard, passthrough", [
    ("on", "off"), ("external", "on"), ("off", "off"),
])
def test_a_route_arrives_as_the_options_allow(pane, set_clipboard, passthrough, route):
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    letter = letter_by_setting(route, set_clipboard, passthrough)
    expect_by_route(pane, route, letter, naming=NAMED.get(route, ()))
    assert pane.text() == ""


def in_copy_mode(pane):
    pane.server.run("copy-mode", "-t", pane.id)


def zoomed_away(pane):
    pane.server.split()
    pane.server.run("resize-pane", "-Z")


def in_another_window(pane):
    pane.server.window()


def beside_the_active_pane(pane):
    pane.server.split()


IN_MODE = {"passthrough": REFUSED, "plain": "kept"}
HIDDEN = {"passthrough": REFUSED, "plain": REFUSED}
SHOWN = {"passthrough": "c", "plain": "kept"}
STATES = {
    in_copy_mode: IN_MODE,
    zoomed_away: HIDDEN,
    in_another_window: HIDDEN,
    beside_the_active_pane: SHOWN,
}
BY_STATE = [
    (state, route, letters.get(route, "" if route == "load-buffer" else "c"))
    for state, letters in STATES.items()
    for route in ROUTES
]


@pytest.mark.parametrize(
    "state, route, letter", BY_STATE, ids=[f"{s.__name__}-{r}" for s, r, _ in BY_STATE]
)
def test_a_route_arrives_as_the_pane_allows(pane, state, route, letter):
    pane.server.option("-s", "set-clipboard", "on")
    pane.server.option("-g", "allow-passthrough", "on")
    state(pane)
    letter = letter_tmux_keeps() if letter == "kept" else letter
    expect_by_route(pane, route, letter)
    assert pane.text() == ""


@pytest.fixture
def two(sandbox, tmux):
    """A pane and the two terminals that show it."""
    pane = tmux.session()
    return pane, tmux.attach(), tmux.attach()


def use(pane, terminal, key):
    """Press a key in a terminal and see that tmux has taken note."""
    terminal.type(key)
    until(lambda: pane.text().endswith(key), f"{key} is in the pane")


@pytest.mark.parametrize("route", ["auto", "client-tty", "load-buffer"])
def test_of_two_clients_the_one_used_last_gets_it(two, route):
    pane, *terminals = two
    letters = [""] if route == "load-buffer" else "c"
    # Back and forth within a second: the client list shows only whole seconds.
    for key in "abcd":
        used, other = terminals
        use(pane, used, key)
        data = expect.DATA + key.encode()
        expect.copy_arrives(pane, data, *forcing(route), letters=letters, at=used)
        expect.nothing_arrived(other)
        used.forget()
        terminals.reverse()


def test_of_two_clients_one_detached_the_other_gets_it(two):
    pane, stays, leaves = two
    use(pane, leaves, "a")
    pane.server.detach(leaves)
    expect.copy_arrives(pane, expect.DATA, at=stays)
    expect.nothing_arrived(leaves)


def test_a_client_whose_terminal_hung_up_is_not_written_to(two):
    pane, stays, leaves = two
    use(pane, leaves, "a")
    leaves.hang_up()
    until(lambda: len(pane.server.clients()) == 1, "tmux notices")
    expect.copy_arrives(pane, expect.DATA, at=stays)


def test_a_client_of_another_session_is_not_ours(tmux):
    ours, theirs = tmux.session("ours"), tmux.session("theirs")
    our_terminal = tmux.attach("ours")
    their_terminal = tmux.attach("theirs")
    use(theirs, their_terminal, "a")
    expect.copy_arrives(ours, expect.DATA, at=our_terminal)
    expect.nothing_arrived(their_terminal)


def test_a_control_client_beside_a_terminal_is_passed_by(pane):
    control = pane.server.attach_control()
    expect.copy_arrives(pane, expect.DATA)
    assert b"]52;" not in control.output()


@pytest.mark.parametrize("words, output", [
    (["notify", "--no-bell", "Title"], rb"\033]9;Title\033\134"),
    (["progress", "30"], rb"\033]9;4;1;30\033\134"),
    (["run", "--no-bell", "--title", "Title", "true"], rb"\033]9;Title"),
    (["link", "http://host/", "here"], rb"\033]8;;http://host/\033\134here\033]8;;\033\134"),
    (["copy", "-s", "text"], rb"\033]52;c;dGV4dA==\033\134"),
    (["raw", "\x1b]1337;SetMark\x07"], rb"\033]1337;SetMark\007"),
], ids=lambda value: value[0] if isinstance(value, list) else "")
def test_what_a_control_client_alone_gets_is_plain(sandbox, words, output):
    """iTerm2 gets the output of the pane as it is, and is named where it started tmux."""
    tmux = TmuxServer(sandbox, LC_TERMINAL="iTerm2", LC_TERMINAL_VERSION="3.6.11")
    pane, control = tmux.session(), tmux.attach_control()
    result = pane.run(["viatty", *words], stdin=None, on_terminal=True)
    # iTerm2 copies by a setting, and does not tell whether it is on.
    assert result.status == (7 if words[0] == "copy" else 0)
    until(lambda: output in control.output(), "the control client is told")


@pytest.fixture(params=["never", "no longer"])
def unattended(request, tmux):
    """A pane that nobody is attached to, and a terminal that was."""
    pane = tmux.session()
    terminal = tmux.attach() if request.param == "no longer" else None
    if terminal:
        tmux.detach(terminal)
    return pane, terminal


def test_with_nobody_attached_it_says_so_and_the_way_out(unattended):
    pane, terminal = unattended
    result = expect.copy(pane, expect.DATA)
    expect.refused(result, naming=["--route tmux-buffer"])
    # paste gives the same command, and nothing else
    command = re.search(r"hint: attach to it \((tmux .*?)\), or ", result.stderr)[1]
    said = pane.run(["viatty", "paste"]).stderr
    assert said.endswith(f"\nhint: attach to it: {command}\n"), said
    if terminal:
        expect.nothing_arrived(terminal)


@pytest.mark.parametrize("name", ["main", "a name", "work_b"])
def test_the_hint_attaches_that_session_of_that_server(tmux, sandbox, name):
    pane = tmux.session(name)
    tmux.session("newer")
    result = expect.copy(pane, expect.DATA)
    command = re.search(r"hint: attach to it \((tmux .*?)\), or ", result.stderr)[1]
    terminal = OuterTerminal(sandbox)
    terminal.start(["sh", "-c", command])
    tmux.shown_in(terminal, terminal.device)
    expect.copy_arrives(pane, expect.DATA)


@pytest.mark.parametrize("size", [10, 100_000])
def test_the_way_out_leaves_the_data_in_the_newest_buffer(tmux, sandbox, size):
    pane = tmux.session()
    tmux.run("set-buffer", "older")
    data = expect.sample(size)
    result = pane.run(["viatty", "copy", "--route", "tmux-buffer"], stdin=data)
    expect.sent(result)
    saved = sandbox.fresh("saved")
    tmux.run("save-buffer", str(saved))
    assert saved.read_bytes() == data


def test_clearing_leaves_no_secret_in_the_newest_buffer(tmux, sandbox):
    pane = tmux.session()
    tmux.run("set-buffer", "secret")
    result = pane.run(["viatty", "copy", "-v", "--clear", "--route", "tmux-buffer"])
    assert result.status == 0
    assert "a newline overwrites it" in result.stderr
    saved = sandbox.fresh("saved")
    tmux.run("save-buffer", str(saved))
    assert saved.read_bytes() == b"\n"


def test_another_pane_can_be_named(tmux):
    there = tmux.session("there")
    here = tmux.session("here")
    device = f"pane:{there.id}"
    terminal = tmux.attach(session="there")
    result = here.run(["viatty", "copy", "--tty", device], stdin=expect.DATA)
    expect.sent(result)
    there.settle()
    expect.arrived(terminal, expect.DATA)


@pytest.mark.parametrize("name, status", [("%99", 3), ("", 2), ("%" + "9" * 99, 2)])
def test_a_pane_that_is_not_there_is_named_in_the_message(pane, name, status):
    result = expect.copy(pane, expect.DATA, "--tty", f"pane:{name}")
    expect.refused(result, status=status, naming=[f"pane:{name[:20]}" if status == 2 else name])
    expect.nothing_arrived(pane.terminal)


# Large enough that one is still sent when the next begins.
AT_ONCE = """\
for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do
    { head -c 100000 /dev/zero | tr '\\0' "$i" |
        viatty copy -q --route load-buffer || echo failed; } &
done
wait
"""


def test_copies_at_the_same_time_have_a_buffer_each(pane):
    result = pane.run(["sh", "-c", AT_ONCE])
    assert (result.stdout, result.stderr) == (b"", "")
    assert pane.server.run("list-buffers") == ""
