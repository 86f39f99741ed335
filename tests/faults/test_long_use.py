"""What is left after very many copies: nothing.

By default it is fewer of them; FULL=1 makes it 100,000, and 2,000 in tmux.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from lib import program
from lib.processes import PATIENCE, family, until

FULL = os.environ.get("FULL", "") not in ("", "0")
MANY = 100_000 if FULL else 3_000
IN_TMUX = 1_000 if FULL else 150
# A start takes a sanitizer twenty times as long.
if program.is_sanitized():
    MANY, IN_TMUX = MANY // 20, IN_TMUX // 5
# Of a terminal that is named nothing is asked.
COPY = ["viatty", "copy", "--term", "foot", "-s", "text"]
SEQUENCE = b"\x1b]52;c;dGV4dA==\x1b\\"
# Handed to tmux, which sends it without a letter.
BY_TMUX = b"\x1b]52;;dGV4dA==\x07"
# Tells how many failed, whether a child is left, and the descriptors before and after.
DRIVER = """\
import os, sys
descriptors = lambda: len(os.listdir("/proc/self/fd"))
failed, left, before = 0, 1, descriptors()
for _ in range(int(sys.argv[1])):
    child = os.posix_spawnp(sys.argv[3], sys.argv[3:], os.environ)
    failed += os.waitpid(child, 0)[1] != 0
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    left = 0
print(failed, left, before, descriptors(), file=open(sys.argv[2], "w"))
"""


def leftovers(sandbox):
    """What is in the places for files that do not last."""
    places = [sandbox.path / name for name in ("home", "temporary", "bin")]
    return sorted(str(file) for place in places for file in place.rglob("*"))


def memory(pid):
    """Bytes of the process that are in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status).group(1)) * 1024


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.timeout(600)
def test_nothing_is_left_after_very_many_copies(sandbox, plain):
    report = sandbox.fresh("report")
    before, files = plain.terminal.modes(), leftovers(sandbox)
    driver = [sys.executable, "-c", DRIVER, str(MANY), str(report), *COPY]
    result = plain.run(driver, timeout=500)
    assert (result.status, result.stderr) == (0, "")
    failed, left, first, last = map(int, report.read_text().split())
    assert (failed, left) == (0, 0)
    assert first == last
    assert leftovers(sandbox) == files
    assert plain.terminal.modes() == before
    plain.settle()
    assert plain.terminal.recorded() == SEQUENCE * MANY


def copy_often(pane, times):
    """So many copies, one after the other, all of them whole."""
    script = f"i=0; while [ $i -lt {times} ]; do {' '.join(COPY)} || exit; i=$((i+1)); done"
    pane.terminal.forget()
    result = pane.run(["sh", "-c", script], timeout=10 * PATIENCE)
    assert (result.status, result.stderr) == (0, "")
    pane.settle()
    assert pane.terminal.recorded().count(BY_TMUX) == times


@pytest.mark.needs("tmux")
@pytest.mark.timeout(600)
def test_tmux_is_as_before_after_very_many_copies(sandbox, tmux, pane):
    server = int(tmux.ask("#{pid}"))
    copy_often(pane, 20)
    modes, files = pane.terminal.modes(), leftovers(sandbox)
    seen = descriptors(server), len(family(server))
    copy_often(pane, IN_TMUX)
    half = memory(server)
    copy_often(pane, IN_TMUX)
    # A server frees what a client needed a moment after that client has ended; what it
    # had not yet freed when it was seen first it has by now.
    no_more = lambda: descriptors(server) <= seen[0] and len(family(server)) <= seen[1]
    until(no_more, "tmux is as before")
    # 1 kB a copy would be too much; the history of the pane does not grow.
    assert memory(server) - half < 4096 * 1024
    assert pane.terminal.modes() == modes
    assert leftovers(sandbox) == files
    assert tmux.run("list-buffers") == ""
