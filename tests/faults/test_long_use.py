"""What is left after very many copies: nothing.

By default it is fewer of them; FULL=1 makes it 30 times as many.
"""

import os
import re
from pathlib import Path

import pytest

from lib import program
from lib.processes import PATIENCE, family, until

MANY = 30_000 if os.environ.get("FULL", "") not in ("", "0") else 1_000
# A start takes a sanitizer twenty times as long.
if program.is_sanitized():
    MANY //= 20
# Of a terminal that is named nothing is asked.
COPY = "viatty copy --term foot -s text"


def leftovers(sandbox):
    """What is in the places for files that do not last."""
    places = [sandbox.path / name for name in ("home", "temporary", "bin")]
    return sorted(str(file) for place in places for file in place.rglob("*"))


def memory(pid):
    """Bytes of the process that are in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status).group(1)) * 1024


def holds(pid):
    """How many descriptors and processes it has."""
    return len(os.listdir(f"/proc/{pid}/fd")) + len(family(pid))


def copy_often(place, times):
    """So many copies, one after the other, all of them whole."""
    script = f"i=0; while [ $i -lt {times} ]; do {COPY} || exit; i=$((i+1)); done"
    place.terminal.forget()
    result = place.run(["sh", "-c", script], timeout=10 * PATIENCE)
    assert (result.status, result.stderr) == (0, "")
    place.settle()
    # tmux sends them without a letter.
    whole = rb"\x1b\]52;c?;dGV4dA==(?:\x07|\x1b\\)"
    assert len(re.findall(whole, place.terminal.recorded())) == times


@pytest.mark.timeout(600)
def test_nothing_is_left_after_very_many_copies(sandbox, plain):
    modes, files = plain.terminal.modes(), leftovers(sandbox)
    copy_often(plain, MANY)
    assert leftovers(sandbox) == files
    assert plain.terminal.modes() == modes


@pytest.mark.needs("tmux")
@pytest.mark.timeout(600)
def test_tmux_is_as_before_after_very_many_copies(sandbox, tmux, pane):
    server = int(tmux.ask("#{pid}"))
    copy_often(pane, 20)
    modes, files, held = pane.terminal.modes(), leftovers(sandbox), holds(server)
    copy_often(pane, MANY // 8)
    half = memory(server)
    copy_often(pane, MANY // 8)
    # A server frees what a client needed a moment after that client has ended.
    until(lambda: holds(server) <= held, "tmux is as before")
    # 1 kB a copy would be too much; the history of the pane does not grow.
    assert memory(server) - half < 4096 * 1024
    assert (pane.terminal.modes(), leftovers(sandbox)) == (modes, files)
    assert tmux.run("list-buffers") == ""
