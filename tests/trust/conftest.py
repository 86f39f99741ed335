"""What these tests share with those of faults: the launcher and its places."""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pty"))

import pytest  # noqa: E402
from faults import Launcher  # noqa: E402
from lib.users import Accounts, Person  # noqa: E402


@pytest.fixture
def shell(sandbox, plain):
    """Starts programs at a plain terminal."""
    return Launcher(sandbox, plain)


@pytest.fixture
def nowhere(sandbox):
    """Starts programs where there is no terminal, and no ancestor that has one."""
    return Launcher(sandbox)


# ---- three people at one machine --------------------------------------------------


@pytest.fixture(scope="session")
def accounts():
    path = Path(tempfile.mkdtemp(prefix="vtu", dir="/tmp"))
    path.chmod(0o711)
    yield Accounts(path)
    shutil.rmtree(path)


@pytest.fixture
def alice(accounts, sandbox):
    return Person(accounts, sandbox, "alice")


@pytest.fixture
def bob(accounts, sandbox):
    return Person(accounts, sandbox, "bob")


@pytest.fixture
def root(accounts, sandbox):
    return Person(accounts, sandbox, "root")


@pytest.fixture
def program(sandbox):
    """By its path: a login has a PATH of its own."""
    return str(sandbox.path / "bin" / "viatty")
