"""What README says of other programs that copy to the terminal, of those in Debian 12."""

import itertools
import re

import pytest

from lib import versions
from lib.mux import ScreenSession, TmuxServer
from lib.processes import until
from lib.program import REPOSITORY, Inside
from lib.runner import Runner
from lib.sshd import Sshd
from lib.terminal import FENCE, OuterTerminal

# tmux and Screen look for the terminal's description.
pytestmark = pytest.mark.needs("tmux", "screen", "/usr/share/terminfo/x/xterm-kitty")

README = (REPOSITORY / "README.md").read_text()
TEXT = "made far away"
PEERS = {
    "`printf` of OSC 52": f"printf '\\033]52;c;%s\\007' \"$(printf %s '{TEXT}' | base64)\"",
    "`tmux load-buffer -w`": f"printf %s '{TEXT}' | tmux load-buffer -w -",
    "`kitty +kitten clipboard` 0.26.5": f"printf %s '{TEXT}' | kitty +kitten clipboard",
    "viatty": f"printf %s '{TEXT}' | viatty copy",
}
if versions.codename() != "bookworm":
    del PEERS["`kitty +kitten clipboard` 0.26.5"]


def table():
    """Program -> heading -> cell."""
    rows = re.search(r"^\| \| in tmux \|.*?\n\n", README, re.M | re.S)[0].strip().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0]: dict(zip(cells[0][1:], row[1:])) for row in cells[2:]}


def place(name, sandbox, *by):
    """Where the program runs, and the terminal that shows it; `by`: in place of ssh."""
    terminal = OuterTerminal(sandbox, term="xterm-kitty", answers=FENCE)
    if name == "in a terminal":
        return terminal.inside(), terminal
    if name == "in Screen":
        return ScreenSession(sandbox, terminal), terminal
    outer = TmuxServer(sandbox)
    pane = outer.session()
    outer.attach(terminal=terminal)
    if name == "tmux in tmux":
        inner, outer_pane = TmuxServer(sandbox), pane
        pane = inner.session()
        inner.attach_inside(outer_pane, outer_pane.device, environment={"TMUX": None})
    if name == APART:
        pane = FarTmux(sandbox, pane, by)
    return pane, terminal


class FarTmux(Inside):
    """A pane of a default tmux on another machine, after ssh from that place."""

    def __init__(self, sandbox, place, by):
        login = Sshd(sandbox, apart=True).login(place, by=by)
        runner = Runner(sandbox, apart=True)
        tmux = ["tmux", "-f", "/dev/null", "new-session", f"exec {runner.command}"]
        login.open(tmux, environment={"TMUX": None})
        super().__init__(runner.ready(), place)
        self._markers = itertools.count(1)

    def settle(self):
        """Its output until now has been drawn by both, or was dropped."""
        marker = f"the-end-{next(self._markers)}"
        self.run(["sh", "-c", f"echo {marker} >/dev/tty"])
        self.terminal.see(marker)


APART = "tmux, ssh, tmux"
NEEDS = [
    pytest.mark.root,
    pytest.mark.needs("ssh", "ssh-keygen"),
    pytest.mark.works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "--uts", "true"),
]


@pytest.mark.parametrize("where", ["in a terminal", "in tmux", "tmux in tmux", "in Screen",
                                   pytest.param(APART, marks=NEEDS)])
@pytest.mark.parametrize("peer", [
    pytest.param(name, marks=pytest.mark.needs("kitty")) if "kitty" in name else name
    for name in PEERS
])
def test_a_copy_arrives_where_the_readme_says(peer, where, sandbox):
    # the footnote
    by = ("viatty", "ssh") if (peer, where) == ("viatty", APART) else ()
    shown, terminal = place(where, sandbox, *by)
    copy(shown, peer)
    # without the number of a footnote
    wanted = table()[peer].get(where, "no" if "load-buffer" in peer else "yes")
    if wanted.partition(" ")[0] == "yes":
        until(lambda: arrived(terminal), "the copy arrives")
    assert arrived(terminal) == (wanted.partition(" ")[0] == "yes")


def copy(shown, peer):
    job = shown.runner.start(["sh", "-c", PEERS[peer]], stdin=None, on_terminal=True)
    status = job.wait().status
    shown.settle()
    return status


def arrived(terminal):
    return any(data == TEXT.encode() for _, data in terminal.clipboard())


@pytest.mark.parametrize("where", [pytest.param(APART, marks=NEEDS)])
def test_after_one_line_a_copy_arrives_there(where, sandbox):
    """The footnote has what viatty prints before, after plain ssh."""
    shown, terminal = place(where, sandbox)
    said = re.search(r"³ In a tmux.*?`(viatty.*?)`.*?\*(probably lost.*?)\*.*?outer tmux\s`(.*?)`",
                     README, re.S)
    relay, warning, line = (" ".join(part.split()) for part in said.groups())
    copy(shown, "viatty")
    seen = " ".join(shown.place.text().split())
    assert warning in seen and relay in seen and line in seen and not arrived(terminal)
    shown.place.server.run(*line.split()[1:])
    copy(shown, "viatty")
    assert arrived(terminal)
