"""The terminals inside editors."""

import pytest

from lib.program import Inside
from lib.runner import Runner


def vim(command):
    return ["vim", "-Nu", "NONE", "-i", "NONE", "-n", "-c",
            f"terminal ++curwin {command}"]


def neovim(command):
    return ["nvim", "-u", "NONE", "-i", "NONE", "-n", "-c", f"terminal {command}"]


EDITORS = [
    pytest.param(vim, marks=pytest.mark.needs("vim"), id="vim"),
    pytest.param(neovim, marks=pytest.mark.needs("nvim"), id="neovim"),
]


def inside(place, sandbox, editor):
    runner = Runner(sandbox)
    place.open(editor(runner.command))
    return Inside(runner.ready(), place)
