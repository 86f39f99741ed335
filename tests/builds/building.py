"""Building viatty: copies of its sources, and make in them."""

import os
import shutil
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILT = shutil.ignore_patterns("build", ".git", "__pycache__", "*.tar.gz")


def run(words, cwd, **variables):
    """What a program prints, both streams, and its status."""
    result = subprocess.run(
        list(map(str, words)), cwd=cwd, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=580,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
             **variables},
    )
    return result.stdout, result.returncode


def make(folder, *words, status=0, **variables):
    """What make prints in that folder."""
    printed, was = run(["make", "--no-print-directory", *words], folder, **variables)
    assert (was == 0) == (status == 0), f"make {words}: {was}: {printed[-4000:]}"
    return printed


def sources(folder):
    """A copy of what is committed, and of what is not yet, without what was built."""
    shutil.copytree(REPOSITORY, folder, ignore=BUILT, symlinks=True)
    (folder / "viatty").unlink(missing_ok=True)
    return folder
