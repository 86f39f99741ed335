"""The Debian package and the static program, in roots that hold nothing else."""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lib import program

REPOSITORY = program.REPOSITORY
STATIC = Path(os.environ.get("VIATTY_STATIC") or REPOSITORY / "build/static/viatty")
HELLO = ["--print=esc", "--wrap=none", "--string", "hello"]
COPIED = "\\e]52;c;aGVsbG8=\\e\\\\\n"

# dpkg looks for tools of the system administrator.
PATH = f"{os.environ['PATH']}:/usr/local/sbin:/usr/sbin:/sbin"


def run(*words, **how):
    """What a program prints; it has to end well."""
    environment = {"PATH": PATH, "LC_ALL": "C.UTF-8", **how.pop("environment", {})}
    result = subprocess.run(
        words,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        start_new_session=True,
        **how,
    )
    assert result.returncode == 0, f"{words}: {result.stdout}"
    return result.stdout


# ---- the static program ------------------------------------------------------------


@pytest.fixture
def alone(tmp_path):
    """A root in which there is no file but the program."""
    shutil.copy(STATIC, tmp_path / "viatty")
    return tmp_path


def test_the_static_program_is_small(alone):
    run("strip", alone / "viatty")
    # Most is the C library's and unibilium's; 600 kB in November 2026.
    assert (alone / "viatty").stat().st_size < 700_000


@pytest.mark.root
@pytest.mark.needs("chroot")
def test_the_static_program_needs_nothing(alone):
    assert run("chroot", alone, "/viatty", "copy", *HELLO) == COPIED
    assert run("chroot", alone, "/viatty", "--version").startswith("viatty ")
    wrapped = [*HELLO, "--wrap=tmux,screen"]
    assert "\\ePtmux;" in run("chroot", alone, "/viatty", "copy", *wrapped)


def test_the_static_program_copies_to_a_terminal(sandbox, plain):
    """Not in a root of its own: a terminal has to be found there."""
    result = plain.run([str(STATIC), "copy"], stdin=b"hello")
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    plain.settle()
    assert plain.terminal.clipboard() == [("c", b"hello")]


# ---- the Debian package ------------------------------------------------------------

NEEDS_DPKG = pytest.mark.needs("dpkg", "dpkg-deb", "dpkg-shlibdeps")


def build(folder):
    version = run("make", "-s", "version", cwd=REPOSITORY).strip()
    settings = {"SOURCE_DATE_EPOCH": "1700000000", "HOME": str(folder)}
    run(".packaging/deb", version, folder, cwd=REPOSITORY, environment=settings)
    (package,) = folder.glob("*.deb")
    return package


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return build(tmp_path_factory.mktemp("deb"))


@pytest.fixture
def root(tmp_path):
    """An empty system with a package manager's books."""
    books = tmp_path / "root/var/lib/dpkg"
    for name in ("info", "updates"):
        (books / name).mkdir(parents=True)
    for name in ("status", "available"):
        (books / name).touch()
    return tmp_path / "root"


def dpkg(root, *words):
    # libc6 is not installed there, and the tests of all others are not asked to be root.
    return run(
        "dpkg", f"--root={root}", f"--log={root}/var/lib/dpkg/log", "--force-not-root",
        "--force-depends", *words,
    )


def files(root):
    """All but the books, the links too."""
    found = {p.relative_to(root) for p in root.rglob("*") if not p.is_dir()}
    return {str(path) for path in found if path.parts[0] != "var"}


@NEEDS_DPKG
@pytest.mark.needs("lintian")
def test_lintian_finds_nothing(package):
    found = run("lintian", "--fail-on=error,warning", "--display-info", str(package))
    assert [line for line in found.splitlines() if line[:2] in ("E:", "W:", "I:")] == []


@NEEDS_DPKG
def test_the_package_is_the_same_each_time(package, tmp_path):
    assert build(tmp_path).read_bytes() == package.read_bytes()


@NEEDS_DPKG
def test_the_package_installs_runs_and_leaves_nothing(package, root):
    dpkg(root, "--install", str(package))
    for name in ("bin/viatty", "bin/osc52", "share/doc/viatty/copyright"):
        assert f"usr/{name}" in files(root)
    assert "usr/share/man/man7/viatty-terminals.7.gz" in files(root)
    assert run(f"{root}/usr/bin/osc52", *HELLO) == COPIED
    page = root / "usr/share/man/man1/osc52.1.gz"
    assert b".Nm osc52" in gzip.decompress(page.read_bytes())
    assert "install ok installed" in dpkg(root, "--status", "viatty")
    dpkg(root, "--verify", "viatty")
    dpkg(root, "--purge", "viatty")
    assert files(root) == set()
    assert not (root / "usr").exists()


@NEEDS_DPKG
def test_the_package_names_the_libraries_it_needs(package):
    depends = run("dpkg-deb", "--field", str(package), "Depends")
    assert "libc6" in depends


@NEEDS_DPKG
def test_the_copyright_is_the_licence_whole(package, tmp_path):
    run("dpkg-deb", "--extract", str(package), str(tmp_path))
    text = (tmp_path / "usr/share/doc/viatty/copyright").read_text()
    words = (REPOSITORY / "LICENSE").read_text().partition("Permission ")[2].split()
    assert " ".join(words) in " ".join(text.replace("\n .\n", "\n").split())
