"""`make world` where it can make nothing: one line that says why, and status 2."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1] / "world"
# A port that nobody listens on.
NOWHERE = "http://127.0.0.1:9/debian"

pytestmark = [pytest.mark.root, pytest.mark.needs("flock", "sha256sum")]


def run(tool, *arguments, **environment):
    return subprocess.run(
        [HERE / tool, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )


def last_line(text):
    return text.splitlines()[-1]


def test_a_suite_that_is_not_known_is_a_usage_error():
    for tool in ("make", "check"):
        done = run(tool, "bookworm")
        assert done.returncode == 2
        assert "SUITE=trixie|sid" in done.stderr


def test_without_debootstrap_it_says_so(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in os.listdir("/usr/bin"):
        if name not in ("debootstrap", "viatty"):
            (programs / name).symlink_to(f"/usr/bin/{name}")
    done = run("make", "trixie", PATH=str(programs), VIATTY_WORLD=str(tmp_path / "world"))
    assert done.returncode == 2
    assert "debootstrap is not installed" in last_line(done.stderr)


@pytest.mark.needs("debootstrap")
def test_a_mirror_that_cannot_be_reached_is_named_and_nothing_is_left(tmp_path):
    done = run("make", "trixie", VIATTY_MIRROR=NOWHERE, VIATTY_WORLD=str(tmp_path))
    assert done.returncode == 2
    assert f"{NOWHERE} cannot be reached" in last_line(done.stderr)
    assert not (tmp_path / "trixie").exists()
    assert not (tmp_path / "trixie.new").exists()


@pytest.mark.needs("debootstrap")
def test_what_cannot_be_run_is_counted_as_skipped(tmp_path):
    done = run(
        "check", "trixie", "unit", "golden", VIATTY_MIRROR=NOWHERE, VIATTY_WORLD=str(tmp_path)
    )
    assert done.returncode == 0
    assert f"{NOWHERE} cannot be reached" in last_line(done.stderr)
    assert last_line(done.stdout) == "0 passed, 0 failed, 2 skipped"
