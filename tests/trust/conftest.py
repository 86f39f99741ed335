"""Three people at one machine."""

import shutil
import tempfile
from pathlib import Path

import pytest

from lib.users import Accounts, Person


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
