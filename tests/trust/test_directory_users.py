# SPDX-License-Identifier: MIT
"""Users that /etc/passwd does not have, those of LDAP and the like, are known by getent(1)."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from lib import program

OWNER = 61234567
# musl reads /etc/passwd only.
PROGRAMS = {str(program.path()), os.environ.get("VIATTY_STATIC")} - {None}


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="viatty-", dir="/tmp") as path:
        os.chmod(path, 0o755)
        yield Path(path)


@pytest.mark.root
@pytest.mark.needs("setpriv")
@pytest.mark.parametrize("viatty", sorted(PROGRAMS))
def test_the_owner_of_a_server_is_named(viatty, folder):
    path, getent = folder / "tmux", folder / "getent"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    os.chown(path, OWNER, OWNER)
    # another user may have no access to the repository
    shutil.copy(viatty, folder / "viatty")
    getent.write_text(f"#!/bin/sh\necho 'ada:*:{OWNER}:{OWNER}:Ada:/home/ada:/bin/sh'\n")
    getent.chmod(0o755)
    result = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
         folder / "viatty", "copy", "-s", "x"],
        env={"PATH": f"{folder}:/usr/bin:/bin", "TERM": "tmux", "TMUX": f"{path},1,0"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )
    assert "it is the server of another user, ada" in result.stderr
