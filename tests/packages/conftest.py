"""What the tests of packages share: a way to run programs, and the source archive."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from lib import program

REPOSITORY = program.REPOSITORY
HELLO = ["--print=esc", "--wrap=none", "--string", "hello"]
COPIED = "\\e]52;c;aGVsbG8=\\e\\\\\n"

# dpkg looks for tools of the system administrator.
PATH = f"{os.environ['PATH']}:/usr/local/sbin:/usr/sbin:/sbin"

# The static program is named where it has been built.
STATIC = os.environ.get("VIATTY_STATIC")
collect_ignore = [] if STATIC else ["test_static.py"]


def run(*words, timeout=120, **how):
    """What a program prints; it has to end well."""
    environment = {"PATH": PATH, "LC_ALL": "C.UTF-8", **how.pop("environment", {})}
    result = subprocess.run(
        words,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        start_new_session=True,
        **how,
    )
    assert result.returncode == 0, f"{words}: {result.stdout}"
    return result.stdout


def files(root, but=()):
    """All files of a root, links too; `but` are directories at its top."""
    found = {p.relative_to(root) for p in root.rglob("*") if p.is_symlink() or not p.is_dir()}
    return {str(path) for path in found if path.parts[0] not in but}


@pytest.fixture(scope="session")
def version():
    return run("make", "-s", "version", cwd=REPOSITORY).strip()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """`make dist` writes into the folder of the sources: their owner's alone."""
    for item in items:
        if "archive" in item.fixturenames:
            item.add_marker(pytest.mark.root)


# git reads no repository of another user, as this is in a root directory of .ci/run, unasked.
OWNED = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": str(REPOSITORY),
}


@pytest.fixture(scope="session")
def archive(version, tmp_path_factory):
    """What `make dist` makes of the last commit."""
    folder = tmp_path_factory.mktemp("dist")
    with open(REPOSITORY / "Makefile") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("make", "-s", "dist", cwd=REPOSITORY, environment=OWNED)
        made = shutil.copy2(REPOSITORY / f"viatty-{version}.tar.gz", folder)
    return Path(made)


@pytest.fixture(scope="session")
def builder():
    """
    Runs commands in a folder as whoever builds packages: without a network or pytest's
    plugins and, where the tests are root's, as a user that owns nothing else.
    """
    folder = Path(tempfile.mkdtemp(prefix="viatty-packages-", dir="/tmp"))
    apart = []
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
        # Some containers allow no namespaces; nothing here asks for the network then.
        if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0:
            apart = ["unshare", "--net"]
        apart += ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def build(*words, **environment):
        settings = {
            "HOME": str(folder), "SOURCE_DATE_EPOCH": "1700000000",
            "PYTEST_ADDOPTS": "-p no:xdist -p no:timeout", **environment,
        }
        return run(*apart, *words, cwd=folder, timeout=900, environment=settings)

    build.folder = folder
    yield build
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def debian(builder, archive):
    """Builds Debian's packages in a folder of that name: the folder, and what was printed."""
    for file in (archive, REPOSITORY / ".packaging" / "deb"):
        shutil.copy2(file, builder.folder)

    def build(name, **environment):
        said = builder("./deb", archive.name, name, **environment)
        return builder.folder / name, said

    return build


@pytest.fixture(scope="session")
def built(debian):
    """Debian's packages, built without the tests."""
    return debian("built", DEB_BUILD_OPTIONS="nocheck")[0]
