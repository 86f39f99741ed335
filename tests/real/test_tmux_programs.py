"""Which tmux a server is asked with, and what is said where that is of another version."""

import pytest

from lib import expect
from lib.mux import TmuxServer
from lib.processes import until

# What client.c of tmux says, and how it ends.
FOREIGN = {
    "3.5a to 3.7": "echo 'server exited unexpectedly' >&2; exit 1",
    "an older protocol": "echo 'protocol version mismatch (client 8, server 9)' >&2; exit 1",
    "3.3 to 2.4": "echo 'server version is too old for client' >&2; exec sleep 30",
}


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_another_version_is_said(tmux, sandbox, body):
    pane = tmux.session()
    tmux.attach()
    sandbox.script("tmux", body)
    result = pane.run(["viatty", "doctor", "copy"])
    said = " ".join(result.stdout.decode().split())
    assert result.status == 4
    assert "another version of tmux runs there" in said
    assert "tmux set -g set-clipboard on" in said


@pytest.mark.needs("tmate")
def test_tmate_is_asked_as_a_tmux(sandbox):
    class Tmate(TmuxServer):
        def argv(self, *arguments):
            return ["tmate", "-S", str(self.socket), "-f", "/dev/null", *arguments]

        # What it says of the network covers the status line.
        def settle(self):
            until(self.clients, "it is shown")

    server = Tmate(sandbox)
    pane = server.session()
    server.attach()
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text"))
    pane.terminal.wait_for(b"\x1b]52;c;dGV4dA==")
