"""What make install puts where, and that uninstall takes it away again."""

import os
import shutil
import subprocess

import pytest

from documentation import REPOSITORY

EXPECTED = {
    "bin/viatty",
    "bin/osc52",
    "share/man/man1/viatty.1",
    "share/man/man1/viatty-copy.1",
    "share/man/man1/viatty-raw.1",
    "share/man/man7/viatty-names.7",
    "share/man/man7/viatty-terminals.7",
    "share/bash-completion/completions/viatty",
    "share/bash-completion/completions/osc52",
    "share/zsh/site-functions/_viatty",
    "share/fish/vendor_completions.d/viatty.fish",
}


# The options that install and ln of macOS and of every BSD have as GNU's do.
COMMON = """#!/bin/sh
for word; do
    case $word in -d | -m | -sf) ;; -*) echo "illegal option $word"; exit 64 ;; esac
done
exec %s "$@"
"""


def make(target, root, *settings, first=None):
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    words = ["make", "-C", REPOSITORY, target, f"DESTDIR={root}", "PREFIX=/opt/v", *settings]
    path = f"{first}:{os.environ['PATH']}" if first else os.environ["PATH"]
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, "PATH": path})


def files(root):
    prefix = root / "opt/v"
    return {str(p.relative_to(prefix)) for p in prefix.rglob("*") if not p.is_dir()}


def test_what_is_installed_works_and_can_be_taken_away(tmp_path):
    make("install", tmp_path)
    assert EXPECTED <= files(tmp_path)
    program = tmp_path / "opt/v/bin/osc52"
    copied = subprocess.run(
        [program, "-Pesc", "-w", "none", "-s", "hello"], capture_output=True, text=True
    )
    assert copied.stdout == "\\e]52;c;aGVsbG8=\\e\\\\\n"
    make("uninstall", tmp_path)
    assert files(tmp_path) == set()


def test_installed_by_the_tools_of_other_systems(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ["install", "ln"]:
        (tools / name).write_text(COMMON % shutil.which(name))
        (tools / name).chmod(0o755)
    make("install", tmp_path, first=tools)
    assert EXPECTED <= files(tmp_path)
