"""The static program, in a root that holds nothing else."""

import shutil

import pytest

from conftest import COPIED, HELLO, STATIC, run


@pytest.fixture
def alone(tmp_path):
    """A root in which there is no file but the program."""
    shutil.copy(STATIC, tmp_path / "viatty")
    return tmp_path


def test_the_static_program_is_small(alone):
    # Two thirds are the C library's and unibilium's.
    assert (alone / "viatty").stat().st_size <= 1_600_000


@pytest.mark.root
@pytest.mark.needs("chroot")
def test_the_static_program_needs_nothing(alone):
    assert run("chroot", alone, "/viatty", "copy", *HELLO) == COPIED
    assert run("chroot", alone, "/viatty", "--version").startswith("viatty ")
    wrapped = [*HELLO, "--wrap=tmux,screen"]
    assert "\\ePtmux;" in run("chroot", alone, "/viatty", "copy", *wrapped)


def test_the_static_program_copies_to_a_terminal(sandbox, plain):
    """Not in a root of its own: a terminal has to be found there."""
    result = plain.run([STATIC, "copy"], stdin=b"hello")
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    plain.settle()
    assert plain.terminal.clipboard() == [("c", b"hello")]
