"""What make install puts where, and that uninstall takes it away again."""

import os
import re
import shutil
import subprocess

import pytest

from documentation import REPOSITORY, VIATTY

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
    words = ["make", "-C", REPOSITORY, "--no-print-directory", target, f"DESTDIR={root}",
             "--old-file=all", f"PROGRAM={VIATTY}", "PREFIX=/opt/v", *settings]
    path = f"{first}:{os.environ['PATH']}" if first else os.environ["PATH"]
    made = subprocess.run(words, check=True, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    return made.stdout + made.stderr


def files(root):
    prefix = root / "opt/v"
    return {str(p.relative_to(prefix)) for p in prefix.rglob("*") if not p.is_dir()}


def test_what_is_installed_works_and_can_be_taken_away(tmp_path):
    """What was there stays, and nothing else, outside of PREFIX neither."""
    kept = [tmp_path / "opt/v/share/fish/vendor_completions.d/other.fish", tmp_path / "opt/v/bin/x"]
    for file in kept:
        file.parent.mkdir(parents=True)
        file.touch()
    before = set(tmp_path.rglob("*"))
    make("install", tmp_path)
    assert EXPECTED <= files(tmp_path)
    program = tmp_path / "opt/v/bin/osc52"
    copied = subprocess.run(
        [program, "-Pesc", "-w", "none", "-s", "hello"], capture_output=True, text=True
    )
    assert copied.stdout == "\\e]52;c;aGVsbG8=\\e\\\\\n"
    make("uninstall", tmp_path)
    assert set(tmp_path.rglob("*")) == before


def test_the_folder_of_the_administrators_completions_stays_where_fish_is(tmp_path):
    for there in (True, False):
        fish = tmp_path / "etc/fish"
        if there:
            fish.mkdir(parents=True)
            (fish / "config.fish").touch()
        make("install", tmp_path, "PREFIX=/usr/local")
        assert (fish / "completions/viatty.fish").is_symlink()
        make("uninstall", tmp_path, "PREFIX=/usr/local")
        assert fish.exists() == (fish / "completions").exists() == there
        shutil.rmtree(tmp_path / "etc")


def test_installing_is_as_quiet_as_building(tmp_path):
    assert make("install", tmp_path) == ""
    assert "\ninstall -m 755 " in make("install", tmp_path, "V=1")
    assert make("uninstall", tmp_path) == ""


def test_it_ends_with_what_is_where_and_the_next_step(tmp_path):
    said = make("install", "", f"PREFIX={tmp_path}/v")
    version = make("version", "").strip()
    assert said.splitlines() == [
        f"viatty {version} is installed: {tmp_path}/v/bin/viatty, and "
        f"{tmp_path}/v/bin/osc52, which is viatty copy.",
        "To see what works in this terminal, type: viatty doctor",
    ]


@pytest.mark.needs("setpriv")
@pytest.mark.parametrize("target", ["install", "uninstall"])
def test_a_user_is_told_in_a_line_what_to_do(target):
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # The folder may be closed to others, as /root is: make finds it as the working directory.
    made = subprocess.run(
        [*(other if os.geteuid() == 0 else []), "make", "-s", target, "--old-file=all",
         f"PROGRAM={VIATTY}", "PREFIX=/usr"], capture_output=True, text=True, cwd=REPOSITORY,
    )
    assert made.returncode == 2
    assert re.fullmatch(
        rf"Makefile:\d+: \*\*\* cannot write to /usr/bin: run sudo make {target}, or "
        rf"make PREFIX=\$HOME/.local {target}\.  Stop\.\n", made.stderr)


def test_installed_by_the_tools_of_other_systems(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ["install", "ln"]:
        (tools / name).write_text(COMMON % shutil.which(name))
        (tools / name).chmod(0o755)
    make("install", tmp_path, first=tools)
    assert EXPECTED <= files(tmp_path)
