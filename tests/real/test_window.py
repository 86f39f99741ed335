"""A terminal whose program is in no table is the one that runs the terminal device."""

import subprocess
import sys

import pytest

from lib.processes import EMULATOR

VTE = {"VTE_VERSION": "8401"}


@pytest.mark.parametrize("names, said, arrives", [
    ("java", {"TERMINAL_EMULATOR": "JetBrains-JediTerm"}, True),
    ("gjs", VTE, True),
    ("a new terminal", VTE, True),
    ("sshd", VTE, False),
    ("expect", VTE, False),
    ("konsole", VTE, False),
    ("gjs", {**VTE, "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, False),
    ("jupyter-lab", {"JUPYTER_SERVER_ROOT": "/"}, False),
    ("gjs > an agent", VTE, False),
])
def test_a_copy_goes_to_the_desktop_of_a_terminal_in_no_table(sandbox, names, said, arrives):
    copied = sandbox.fresh("copied")
    sandbox.script("wl-copy", f"cat >{copied}")
    environment = sandbox.environment(
        TERM="xterm-256color", VIATTY_PROBE="never", WAYLAND_DISPLAY=str(sandbox.socket()), **said)
    argv = ["viatty", "copy", "-s", "text"]
    for name in reversed(names.split(" > ")):
        argv = [sys.executable, "-I", "-S", "-c", EMULATOR, name, *argv]
        argv = ["sh", "-c", 'exec "$@" </dev/null', "sh", *argv]
    done = subprocess.run(argv, env=environment, start_new_session=True, capture_output=True)
    assert (done.returncode, copied.exists()) == ((0, True) if arrives else (4, False)), done
    assert not arrives or copied.read_text() == "text"
