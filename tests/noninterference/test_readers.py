"""No question is put while another program reads the terminal."""

import sys
import time
from pathlib import Path

import pytest

from lib.processes import until

READER = Path(__file__).with_name("reader.py")

# Each of these asks the terminal something.
ASKING = {
    "paste": ["viatty", "paste"],
    "as a shell's command": ["sh", "-c", "viatty paste; exit $?"],
    "in a script": ["env", "sh", "-c", "sh -c 'viatty paste; exit $?'; exit $?"],
}


@pytest.mark.parametrize("command", ASKING.values(), ids=ASKING)
def test_a_program_that_reads_keys_gets_no_reply(sandbox, answering, command):
    keys, result = sandbox.fresh("keys"), sandbox.fresh("result")
    began = time.monotonic()
    reader = answering.start([sys.executable, str(READER), str(keys), str(result), *command])
    until(result.exists, "the command ends")
    assert time.monotonic() - began < 5
    status, said = result.read_text().split("\n", 1)
    assert status == "4", said
    assert "is reading this terminal" in said, said
    answering.settle()
    assert answering.asked() == []
    answering.type("q")
    reader.wait()
    assert keys.read_bytes() == b"q"


def test_nor_does_it_when_the_shell_between_has_ended(sandbox, answering):
    """As sh -c '... &' leaves it behind: nothing but the session tells who reads."""
    keys, result = sandbox.fresh("keys"), sandbox.fresh("result")
    gone = "grep -q '^State:.Z' /proc/$$/status"
    left = f"until {gone}; do sleep 0.01; done; viatty paste; echo $?"
    program = [sys.executable, str(READER), str(keys), str(result)]
    reader = answering.start([*program, "sh", "-c", f"({left}) &"])
    until(result.exists, "the command ends")
    said = result.read_text()
    assert said.startswith("0\n4\n") and "is reading this terminal" in said, said
    answering.settle()
    assert answering.asked() == []
    answering.type("q")
    reader.wait()
    assert keys.read_bytes() == b"q"
