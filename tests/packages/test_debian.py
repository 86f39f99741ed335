"""Debian's packages: built as Debian builds them, checked, installed and removed."""

import gzip
import re

import pytest

from conftest import COPIED, HELLO, REPOSITORY, files, run

pytestmark = [
    pytest.mark.needs("dpkg", "dpkg-buildpackage", "dh"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def package(built):
    (package,) = built.glob("viatty_*.deb")
    return package


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


# What lintian of sid asks for and the tools of Debian 12, which build this too, lack: a
# watch file of version 5, debhelper 14, and defaults for two fields.
NOT_YET = {
    "older-debian-watch-file-standard", "package-uses-old-debhelper-compat-version",
    "redundant-priority-optional-field", "redundant-rules-requires-root-no-field",
}  # fmt: skip


@pytest.mark.needs("lintian")
def test_lintian_finds_nothing(built):
    (changes,) = built.glob("*.changes")
    # It is no error to be root here.
    found = run("lintian", "--pedantic", "--display-info", "--allow-root", str(changes))
    tags = re.findall(r"^[EWIP]: [^:]*: (\S+) ?(\S*)", found, re.M)
    # Machine code, too, has letters in it: "wTH" is no word of ours.
    ours = "".join(file.read_text() for file in (REPOSITORY / "src").rglob("*.*"))
    tags = {tag for tag, word in tags if tag != "spelling-error-in-binary" or word in ours}
    assert tags - NOT_YET == set(), found


def test_the_package_installs_runs_and_leaves_nothing(package, root):
    dpkg(root, "--install", str(package))
    installed = files(root, but=["var"])
    for name in (
        "bin/viatty", "bin/osc52", "share/doc/viatty/copyright",
        "share/man/man7/viatty-terminals.7.gz", "share/man/man1/osc52.1.gz",
        "share/bash-completion/completions/osc52", "share/zsh/vendor-completions/_viatty",
        "share/fish/vendor_completions.d/viatty.fish",
    ):
        assert f"usr/{name}" in installed
    assert run(f"{root}/usr/bin/osc52", *HELLO) == COPIED
    page = root / "usr/share/man/man1/osc52.1.gz"
    assert b".Nm osc52" in gzip.decompress(page.read_bytes())
    assert "install ok installed" in dpkg(root, "--status", "viatty")
    dpkg(root, "--verify", "viatty")
    dpkg(root, "--purge", "viatty")
    assert files(root, but=["var"]) == set()
    assert not (root / "usr").exists()


@pytest.mark.needs("tmux")
def test_the_tests_for_the_installed_package_pass(package, built, builder, version):
    """The commands of debian/tests, with the package's program in another place."""
    run("dpkg-deb", "--extract", str(package), str(builder.folder / "installed"))
    source = built / f"viatty-{version}"
    control = (source / "debian/tests/control").read_text()
    for command in re.findall(r"^Test-Command: (.*)$", control, re.M):
        command = command.replace("/usr/bin/", f"{builder.folder}/installed/usr/bin/")
        said = builder("sh", "-c", f"cd {source} && {command}")
        assert re.search(r"^\d+ passed\b", said, re.M), said


@pytest.mark.needs("apt-get")
def test_apt_finds_all_that_the_package_needs(package):
    assert "Inst viatty " in run("apt-get", "install", "--simulate", str(package))


def test_the_package_needs_the_shared_libraries(package):
    depends = run("dpkg-deb", "--field", str(package), "Depends")
    for library in ("libb64-0d", "libc6", "libtermkey1"):
        assert re.search(rf"(^|, ){library}\b", depends), depends


def test_the_copyright_is_the_licence_whole(package, tmp_path):
    run("dpkg-deb", "--extract", str(package), str(tmp_path))
    text = (tmp_path / "usr/share/doc/viatty/copyright").read_text()
    words = (REPOSITORY / "LICENSE").read_text().partition("Permission ")[2].split()
    assert " ".join(words) in " ".join(text.replace("\n .\n", "\n").split())
