"""Three people at one machine."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from lib.users import HELPER, Accounts, Person


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


# A set-user-ID program of a careless site.
HELPS = """\
#include <unistd.h>
int main(int count, char **word)
{
	(void)count;
	return setgid(0) != 0 || setuid(0) != 0 || execvp(word[1], word + 1);
}
"""


@pytest.fixture(scope="session")
def helper(accounts):
    path = accounts.etc.parent / "helper"
    subprocess.run(["cc", "-x", "c", "-", "-o", str(path)], input=HELPS.encode(), check=True)
    path.chmod(0o4755)
    return str(path)


@pytest.fixture
def launcher(request):
    """The words that run a command as another user."""
    return [request.getfixturevalue("helper") if word == HELPER else word for word in request.param]


@pytest.fixture
def program(sandbox):
    """By its path: a login has a PATH of its own."""
    return str(sandbox.path / "bin" / "viatty")
