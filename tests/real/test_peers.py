"""What README says of other programs that copy to the terminal, of those in Debian 12."""

import re
import time

import pytest

from lib import versions
from lib.mux import ScreenSession, TmuxServer
from lib.program import REPOSITORY
from lib.terminal import FENCE, OuterTerminal

# tmux and Screen look for the terminal's description.
pytestmark = pytest.mark.needs("tmux", "screen", "/usr/share/terminfo/x/xterm-kitty")

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
    text = (REPOSITORY / "README.md").read_text()
    rows = re.search(r"^\| \| in tmux \|.*?\n\n", text, re.M | re.S)[0].strip().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0]: dict(zip(cells[0][1:], row[1:])) for row in cells[2:]}


def place(name, sandbox):
    """Where the program runs, and the terminal that shows it."""
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
    return pane, terminal


@pytest.mark.parametrize("where", ["in a terminal", "in tmux", "tmux in tmux", "in Screen"])
@pytest.mark.parametrize("peer", [
    pytest.param(name, marks=pytest.mark.needs("kitty")) if "kitty" in name else name
    for name in PEERS
])
def test_a_copy_arrives_where_the_readme_says(peer, where, sandbox):
    shown, terminal = place(where, sandbox)
    shown.runner.start(["sh", "-c", PEERS[peer]], stdin=None, on_terminal=True).wait()
    shown.settle()
    # tmux hands a buffer to its client after the command has ended.
    time.sleep(0.5 if "load-buffer" in peer else 0)
    arrived = any(data == TEXT.encode() for _, data in terminal.clipboard())
    wanted = table()[peer].get(where, "no" if "load-buffer" in peer else "yes")
    # without the number of a footnote
    assert arrived == (wanted.partition(" ")[0] == "yes")
