"""A server that the tmux in PATH cannot talk to is asked with its own program."""

import shutil

import pytest

from lib import expect
from lib.mux import TmuxServer

pytestmark = [pytest.mark.needs("tmux"), pytest.mark.slow]

# What client.c of tmux says, and how it ends.
FOREIGN = {
    "3.5a to 3.7": "echo 'server exited unexpectedly' >&2; exit 1",
    "an older protocol": "echo 'protocol version mismatch (client 8, server 9)' >&2; exit 1",
    "3.3 to 2.4": "echo 'server version is too old for client' >&2; exec sleep 30",
}


class OwnProgram(TmuxServer):
    """A server that runs from a file that may be deleted meanwhile."""

    def __init__(self, sandbox):
        super().__init__(sandbox)
        self.program = sandbox.path / "tmux-of-the-server"
        shutil.copy(shutil.which("tmux"), self.program)
        self.real = shutil.which("tmux")

    def argv(self, *arguments):
        program = self.program if self.program.exists() else self.real
        return [str(program), "-S", str(self.socket), "-f", "/dev/null", *arguments]


@pytest.fixture
def pane(sandbox):
    pane = OwnProgram(sandbox).session()
    pane.server.attach()
    return pane


def put_in_path(sandbox, body):
    sandbox.script("tmux", f"echo asked >>{sandbox.path}/asked\n{body}")


@pytest.mark.parametrize("deleted", [False, True], ids=["kept", "deleted"])
@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_the_copy_arrives(pane, sandbox, body, deleted):
    put_in_path(sandbox, body)
    if deleted:
        pane.server.program.unlink()
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text"))
    pane.settle()
    expect.arrived(pane.terminal, b"text")
    assert (sandbox.path / "asked").read_text() == "asked\n"


@pytest.mark.parametrize("route", ["load-buffer", "client-tty"])
def test_it_stays_with_that_program(pane, sandbox, route):
    put_in_path(sandbox, FOREIGN["3.5a to 3.7"])
    expect.sent(pane.run(["viatty", "copy", "--route", route], stdin=b"text"))
    pane.settle()
    expect.arrived_somehow(pane.terminal, b"text")
    assert (sandbox.path / "asked").read_text() == "asked\n"


def test_without_any_tmux_in_path(pane, sandbox):
    bin = sandbox.path / "bin"
    expect.sent(pane.run(["env", f"PATH={bin}", f"{bin}/viatty", "copy"], stdin=b"text"))
    pane.settle()
    expect.arrived(pane.terminal, b"text")


@pytest.mark.needs("strace")
def test_the_number_in_tmux_starts_no_other_program(pane, sandbox, plain):
    put_in_path(sandbox, FOREIGN["3.5a to 3.7"])
    # A process of ours that is no tmux; around the pane there is one that may be started.
    log = sandbox.path / "log"
    program = sandbox.path / "other"
    shutil.copy(shutil.which("sleep"), program)
    program.chmod(0o755)
    call = f'{program} 30 & TMUX="{pane.server.socket},$!,0" strace -f -e trace=execve '
    call += f"-o {log} viatty copy --string text; kill $!"
    plain.run(["sh", "-c", call])
    assert log.exists()
    assert "/proc/" not in log.read_text()


def test_a_variable_that_names_another_server_does_not_hide_it(pane, sandbox):
    put_in_path(sandbox, FOREIGN["3.5a to 3.7"])
    gone = {"TMUX": f"{pane.server.socket},1,0"}
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text", environment=gone))
    pane.settle()
    expect.arrived(pane.terminal, b"text")
    result = pane.run(["viatty", "doctor", "copy"], environment=gone)
    said = " ".join((result.stdout.decode() + result.stderr).split())
    assert "another machine" not in said
    assert "cannot be asked" not in said and "cannot be queried" not in said


@pytest.mark.needs("tmate")
def test_tmate_is_asked_as_a_tmux(sandbox):
    class Tmate(TmuxServer):
        def argv(self, *arguments):
            return ["tmate", "-S", str(self.socket), "-f", "/dev/null", *arguments]

    server = Tmate(sandbox)
    pane = server.session()
    server.attach()
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text"))
    pane.terminal.wait_for(b"\x1b]52;c;dGV4dA==")
