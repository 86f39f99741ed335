# SPDX-License-Identifier: MIT
"""Where the program is built and installed: names, modes, and what is the same."""

import gzip
import hashlib
import os
import re
import subprocess
import tarfile

import pytest

from building import make, run, sources
from test_builds import works

pytestmark = pytest.mark.timeout(600)

QUICK = "CFLAGS=-O1 -g"


KNOWN = ["bin/viatty", "bin/osc52", "share/man/man1/osc52.1", "share/man/man7/viatty-names.7"]


def files(folder):
    return {
        str(path.relative_to(folder)): path for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def under_umask(mask, folder, *words):
    quoted = 'umask "$1"; shift; exec make --no-print-directory "$@"'
    printed, status = run(["sh", "-c", quoted, "sh", mask, *words], folder)
    assert status == 0, printed


def test_names_with_blanks_and_a_umask_that_closes(tmp_path):
    """Built, installed and removed; what is installed is for everybody to read."""
    place = sources(tmp_path / "a folder/of viatty")
    root = tmp_path / "a root"
    root.mkdir()
    words = [QUICK, "WERROR=1", f"DESTDIR={root}", "PREFIX=/opt/a prefix"]
    under_umask("077", place, "-j8", *words)
    under_umask("077", place, "install", *words)
    installed = files(root)
    assert {f"opt/a prefix/{name}" for name in KNOWN} <= set(installed)
    works(root / "opt/a prefix/bin/osc52")
    for path in root.rglob("*"):
        wanted = 0o755 if path.is_dir() or path.parent.name == "bin" else 0o644
        assert path.is_symlink() or path.stat().st_mode & 0o777 == wanted, path
    # Nothing beside it was made.
    assert set(os.listdir(tmp_path)) == {"a folder", "a root"}
    make(place, "uninstall", *words)
    assert files(root) == {}


# ---- the same bytes ---------------------------------------------------------------


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_programs_are_the_same_from_any_folder(tmp_path):
    """Built at two places, one of them beside the sources, in which nothing is written."""
    first = sources(tmp_path / "first")
    second = sources(tmp_path / "second one")
    elsewhere = tmp_path / "elsewhere"
    before = {path: path.lstat().st_mtime_ns for path in second.rglob("*")}
    make(first, QUICK, "all", "static")
    make(second, QUICK, "all", "static", f"BUILD={elsewhere}")
    assert digest(first / "viatty") == digest(elsewhere / "viatty")
    assert digest(first / "build/static/viatty") == digest(elsewhere / "static/viatty")
    assert {path: path.lstat().st_mtime_ns for path in second.rglob("*")} == before


def committed(folder):
    """A checkout of its own, with a commit at a time of its own."""
    sources(folder)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", "-C", str(folder)]
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-02T03:04:05Z")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], check=True, env={**os.environ, **dates})
    return folder


def archive(folder, mask="022"):
    under_umask(mask, folder, "dist")
    (made,) = folder.glob("viatty-*.tar.gz")
    return made


@pytest.mark.needs("git")
def test_archives_are_the_same_from_any_folder(tmp_path):
    """Of two checkouts, of what one of them has unpacked, and whatever the umask is."""
    first = archive(committed(tmp_path / "first"))
    second = archive(committed(tmp_path / "second one"), "077")
    assert digest(first) == digest(second)
    with tarfile.open(first) as packed:
        names = packed.getnames()
        times = {member.mtime for member in packed.getmembers()}
        packed.extractall(tmp_path / "third")
    assert times == {1767323045}
    assert gzip.open(first).read(4) and names == sorted(names)
    (third,) = (tmp_path / "third").iterdir()
    assert f"{third.name}/Makefile" in names and f"{third.name}/.ci/deps" in names
    (third / "build").mkdir()
    (third / "build/object.o").touch()
    (third / "viatty").touch()
    assert digest(archive(third)) == digest(first)


def test_only_a_tagged_commit_is_the_release(tmp_path):
    """The program says what it is, and so do the names of archives and packages."""
    place = sources(tmp_path / "viatty")
    git = lambda *words: run(["git", "-c", "user.name=x", "-c", "user.email=x", *words], place)
    version = lambda: make(place, "-s", "version").strip()
    assert version() == "1.0.0~unknown"
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    assert re.fullmatch(r"1\.0\.0~\d{8}\.g[0-9a-f]+", version())
    git("tag", "v1.0.0")
    assert version() == "1.0.0"
    make(place, "-s", QUICK)
    git("commit", "-q", "--allow-empty", "-m", "second")
    assert re.fullmatch(r"1\.0\.0\+1\.g[0-9a-f]+", version())
    make(place, "-s", QUICK)
    assert run(["./viatty", "--version"], place) == (f"viatty {version()}\n", 0)
    make(place, "-s", "dist")
    with tarfile.open(place / f"viatty-{version()}.tar.gz") as archive:
        assert archive.extractfile(f"viatty-{version()}/VERSION").read().decode() == f"{version()}\n"
