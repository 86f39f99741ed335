"""`viatty ssh --install` on kinds of accounts, and at hosts that are none."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.processes import until
from lib.sshd import Sshd
from lib.surroundings import USER

pytestmark = [
    pytest.mark.root,
    pytest.mark.needs("ssh", "sshd", "ssh-keygen", "infocmp", "tic", "setpriv"),
    pytest.mark.works("unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"),
]

INSTALLED = "viatty and osc52 are in ~/.local/bin there now"
DESCRIBED = "the description of this terminal is in ~/.terminfo there now"
FOUND = "the login shell there finds it"
LOST = "the login shell there does not find viatty"
PATH_LINE = "PATH=$PATH:$HOME/.local/bin"
# What no account has: a terminal of this name.
NEW = "viatty-new|a new terminal,\n\tam, cols#80, lines#24,\n\tcr=\\r, ind=\\n,\n"


@pytest.fixture
def far(sandbox):
    return Sshd(sandbox)


@pytest.fixture
def call(sandbox, far):
    """Calls it without a terminal, so that it asks nobody; the lines that it prints."""
    folder = sandbox.path / "home" / ".ssh"
    folder.mkdir(mode=0o700)
    (sandbox.path / "new.src").write_text(NEW)
    subprocess.run(["tic", "-x", "-o", sandbox.path / "home" / ".terminfo",
                    sandbox.path / "new.src"], check=True)
    ssh = sandbox.script("ssh", f'exec {shutil.which("ssh")} -F {far.client} "$@"')

    def call(*words, status=0, **environment):
        environment = sandbox.environment(TERM="viatty-new", **environment)
        done = subprocess.run([sandbox.path / "bin" / "viatty", "ssh", "--install", *words],
                              env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, start_new_session=True, timeout=60)
        assert (done.returncode, done.stdout) == (status, ""), done
        return [line.removeprefix("viatty ssh: ") for line in done.stderr.splitlines()]

    yield call
    assert ssh.exists() and list(folder.iterdir()) == []


def program(sandbox):
    return (sandbox.path / "bin" / "viatty").read_bytes()


def placed(home):
    """What is in ~/.local/bin, the hidden too."""
    folder = home / ".local" / "bin"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def has_both(sandbox, home):
    there = home / ".local" / "bin" / "viatty"
    return (placed(home) == ["osc52", "viatty"] and there.read_bytes() == program(sandbox)
            and there.stat().st_mode & 0o777 == 0o755
            and os.readlink(there.parent / "osc52") == "viatty")


# ---- login shells ----------------------------------------------------------------

# The file in which the line of the hint is to be, the hint, and the line.
SHELLS = {
    "bash": (".profile", f"add a line to ~/.profile there: {PATH_LINE}"),
    "dash": (".profile", f"add a line to ~/.profile there: {PATH_LINE}"),
    "mksh": (".profile", f"add a line to ~/.profile there: {PATH_LINE}"),
    "ash": (".profile", f"add a line to ~/.profile there: {PATH_LINE}"),
    "zsh": (".zshrc", f"add a line to ~/.zshrc there: {PATH_LINE}"),
    "tcsh": (".cshrc", "add a line to ~/.cshrc there: set path = ($path ~/.local/bin)"),
    "bsd-csh": (".cshrc", "add a line to ~/.cshrc there: set path = ($path ~/.local/bin)"),
    "fish": (None, "run this there, once: fish_add_path ~/.local/bin"),
}
PROGRAMS = {"ash": "busybox"}


@pytest.mark.parametrize("shell", [
    pytest.param(name, marks=pytest.mark.needs(PROGRAMS.get(name, name))) for name in SHELLS
])
def test_the_hint_lets_a_login_shell_find_osc52(sandbox, far, call, shell):
    path = shutil.which(PROGRAMS.get(shell, shell))
    if Path(path).name != shell or shell == "bsd-csh":
        # by the name that it has as a login shell
        link = sandbox.path / "bin" / {"bsd-csh": "csh"}.get(shell, shell)
        link.symlink_to(path)
        path = str(link)
    body = 'exec {shell} -c "$SSH_ORIGINAL_COMMAND"'
    if shell not in ("tcsh", "bsd-csh", "fish"):
        # as the sh that runs the script, too
        tools = sandbox.folder("tools")
        (tools / "sh").symlink_to(shutil.which(PROGRAMS.get(shell, shell)))
        body = f"PATH={tools}:$PATH; {body}"
    far.account(path, body=body)
    file, hint = SHELLS[shell]
    assert call("far") == [DESCRIBED, INSTALLED, LOST, f"hint: {hint}"]
    assert has_both(sandbox, far.home)
    line = hint.partition(": ")[2]
    if file:
        (far.home / file).write_text(f"{line}\n")
    else:
        subprocess.run(far.argv("far", line), check=True, env=sandbox.environment())
    typed = b"echo $TERM; osc52 --version\nexit\n"
    login = subprocess.run(far.argv("-tt", "far"), input=typed, capture_output=True, timeout=60,
                           env=sandbox.environment(TERM="viatty-new"))
    assert b"viatty 1." in login.stdout and b"viatty-new" in login.stdout
    assert call("far") == ["the host has a description of this terminal",
                           "this viatty is in ~/.local/bin there already", FOUND]


@pytest.mark.parametrize("there, named", [
    ((".profile",), ".profile"), ((".profile", ".bash_login"), ".bash_login"),
    ((".bash_login", ".bash_profile"), ".bash_profile"),
])
def test_the_hint_names_the_file_that_bash_reads(far, call, there, named):
    far.account("/bin/bash")
    for name in there:
        (far.home / name).write_text(":\n")
    assert call("far")[-1] == f"hint: add a line to ~/{named} there: {PATH_LINE}"


# ---- homes ----------------------------------------------------------------------

CANNOT = ": viatty is not there"
READ_ONLY = f"the home directory there cannot be written{CANNOT}"
UNWRITABLE = f"~/.local/bin there cannot be written{CANNOT}"
FULL = f"no space is left in the home directory there, or in its quota{CANNOT}"
UNDESCRIBED = "tic there failed to store the description of this terminal"
SET_TERM = "hint: set TERM for this host in ~/.ssh/config here: SetEnv TERM=xterm-256color"


def mounted(home, how):
    """The words of a login where something is mounted on the home."""
    return ["unshare", "-m", "sh", "-c", f'cd / && {how.format(home=home)} && exec "$@"', "sh"]


def become(user):
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


MOUNTS = {
    "read-only": ("mount --bind {home} {home} && mount -o remount,ro,bind {home}", READ_ONLY),
    "full": ("mount -t tmpfs -o size=512k none {home}", FULL),
    "without inodes": ("mount -t tmpfs -o nr_inodes=2 none {home} && touch {home}/a", FULL),
    "noexec": ("mount -t tmpfs -o noexec none {home}",
               f"no program may run in the home directory there{CANNOT}"),
}


@pytest.mark.parametrize("kind", MOUNTS)
def test_a_home_that_takes_no_program(far, call, kind):
    how, said = MOUNTS[kind]
    far.account("/bin/bash", mounted(far.home, how))
    first, *others = call("far", status=1)
    assert others[-1] == said
    assert (first == DESCRIBED) == (kind in ("full", "noexec"))
    assert list(far.home.iterdir()) == []


@pytest.mark.parametrize("kind", ["the folder", "a file above it"])
def test_a_folder_that_cannot_be_written(far, call, kind):
    user = pwd.getpwnam(USER)
    os.chown(far.home, user.pw_uid, user.pw_gid)
    folder = far.home / ".local" / "bin"
    if kind == "the folder":
        folder.mkdir(parents=True)
    else:
        folder.parent.write_text("mine")
    far.account("/bin/bash", become(user))
    assert call("far", status=1) == [DESCRIBED, UNWRITABLE]
    assert placed(far.home) == []


# ---- what is there already ------------------------------------------------------------

BLOCKED = ["~/.local/bin/viatty there is no viatty, and stays", "hint: rename it there"]


@pytest.mark.parametrize("kind", ["a text", "a dangling link", "one that hangs"])
def test_what_is_no_viatty_stays(far, call, kind):
    there = far.home / ".local" / "bin" / "viatty"
    there.parent.mkdir(parents=True)
    if kind == "a dangling link":
        there.symlink_to("elsewhere")
    else:
        there.write_text("mine\n" if kind == "a text" else "#!/bin/sh\nexec sleep 1000\n")
        there.chmod(0o644 if kind == "a text" else 0o755)
    before = there.lstat().st_ino, there.lstat().st_mtime_ns
    far.account("/bin/bash")
    assert call("far", status=1) == [DESCRIBED, *BLOCKED]
    assert placed(far.home) == ["viatty"] and before == (there.lstat().st_ino, there.lstat().st_mtime_ns)


def test_another_version_is_replaced_and_the_same_is_not(sandbox, far, call):
    there = far.home / ".local" / "bin" / "viatty"
    there.parent.mkdir(parents=True)
    there.write_text("#!/bin/sh\necho viatty 0.9\n")
    there.chmod(0o755)
    far.account("/bin/bash")
    assert call("far")[1] == "~/.local/bin/viatty there is replaced by this one"
    assert has_both(sandbox, far.home)
    state = there.stat()
    assert call("far")[1] == "this viatty is in ~/.local/bin there already"
    assert (there.stat().st_ino, there.stat().st_mtime_ns) == (state.st_ino, state.st_mtime_ns)


OTHER = "the host has a viatty of its own, which stays"


@pytest.mark.parametrize("kind", ["in PATH", "by a link"])
def test_a_viatty_of_the_host_stays(sandbox, far, call, kind):
    tools = sandbox.folder("tools")
    shutil.copy(sandbox.path / "bin" / "viatty", tools)
    folder = far.home / ".local" / "bin"
    if kind == "by a link":
        folder.mkdir(parents=True)
        (folder / "viatty").symlink_to(tools / "viatty")
    body = f'PATH={tools}:$PATH; exec {{shell}} -c "$SSH_ORIGINAL_COMMAND"'
    far.account("/bin/bash", **({"body": body} if kind == "in PATH" else {}))
    assert call("far") == [DESCRIBED, OTHER]
    assert placed(far.home) == (["viatty"] if kind == "by a link" else [])


def test_another_osc52_stays(far, call):
    folder = far.home / ".local" / "bin"
    folder.mkdir(parents=True)
    (folder / "osc52").write_text("#!/bin/sh\necho mine\n")
    (folder / "osc52").chmod(0o755)
    far.account("/bin/bash")
    assert call("far")[1:3] == [
        "~/.local/bin/osc52 there is another program, and stays", INSTALLED]
    assert (folder / "osc52").read_text() == "#!/bin/sh\necho mine\n"


# ---- programs and descriptions -------------------------------------------------------------


def test_a_program_that_does_not_run_there_leaves_nothing(sandbox, far, call):
    broken = sandbox.path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    far.account("/bin/bash")
    assert call("far", status=1, VIATTY_STATIC=str(broken)) == [
        DESCRIBED, f"the system there does not run this program{CANNOT}",
        "hint: set VIATTY_STATIC to one that `make static` has built for it"]
    assert placed(far.home) == []


def test_another_kind_of_machine_gets_only_what_is_named(sandbox, far, call):
    tools = sandbox.folder("tools")
    (tools / "uname").write_text("#!/bin/sh\necho Plan9 mips\n")
    (tools / "uname").chmod(0o755)
    far.account("/bin/bash", body=f'PATH={tools}:$PATH; exec {{shell}} -c "$SSH_ORIGINAL_COMMAND"')
    said = call("far", status=1)
    assert said[0].startswith("nothing was sent: the host is Plan9 mips, and this machine is Linux ")
    assert said[1:] == ["hint: set VIATTY_STATIC to a viatty for Plan9 mips"]
    assert list(far.home.iterdir()) == []
    ours = sandbox.path / "bin" / "viatty"
    assert INSTALLED in call("far", VIATTY_STATIC=str(ours))
    assert call("far", status=1, VIATTY_STATIC="/nonexistent") == [
        "cannot read \"/nonexistent\": No such file or directory"]


@pytest.mark.parametrize("kind", ["there", "no tic", "a file in the way", "unknown here"])
def test_the_description_of_the_terminal(sandbox, far, call, kind):
    tools = sandbox.folder("tools")
    without = {"infocmp", "tic", "viatty"} if kind == "no tic" else {"viatty"}
    for folder in ("/bin", "/usr/bin"):
        for name in os.listdir(folder):
            if name not in without and not (tools / name).is_symlink():
                (tools / name).symlink_to(f"{folder}/{name}")
    far.account("/bin/bash", body=f'PATH={tools}; exec {{shell}} -c "$SSH_ORIGINAL_COMMAND"')
    if kind == "there":
        shutil.copytree(sandbox.path / "home" / ".terminfo", far.home / ".terminfo")
        wanted = ["the host has a description of this terminal"]
    elif kind == "no tic":
        wanted = ["the host lacks tic, and so gets no description of this terminal",
                  "hint: install ncurses there, or set TERM for it in ~/.ssh/config here: "
                  "SetEnv TERM=xterm-256color"]
    elif kind == "unknown here":
        shutil.rmtree(sandbox.path / "home" / ".terminfo")
        wanted = []
    else:
        (far.home / ".terminfo").write_text("mine")
        wanted = [UNDESCRIBED, SET_TERM]
    said = call("far")
    assert said[: said.index(INSTALLED)] == wanted


def test_what_infocmp_warns_of_is_not_sent(sandbox, far, call):
    infocmp = shutil.which("infocmp")
    sandbox.script("infocmp", f"printf 'a|warning,\\n\\tam,\\n' >&2; exec {infocmp} \"$@\"")
    far.account("/bin/bash")
    assert call("far")[:2] == [DESCRIBED, INSTALLED]
    assert os.listdir(far.home / ".terminfo") == ["v"]


# ---- start-up files ----------------------------------------------------------------------


def test_a_start_up_file_may_print(sandbox, far, call):
    (far.home / ".bashrc").write_text("printf 'hello, '; echo viatty-ssh: installed\n"
                                      "printf 'viatty-ssh: '\n")
    far.account("/bin/bash", body='exec {shell} -c ". ~/.bashrc; $SSH_ORIGINAL_COMMAND"')
    assert call("far")[:2] == [DESCRIBED, INSTALLED]
    assert has_both(sandbox, far.home)


def test_a_start_up_file_may_leave_a_process(sandbox, far, call):
    """ssh would wait for it, as it has the output."""
    pid = sandbox.fresh("pid")
    far.account("/bin/bash", body=f'sleep 1000 & echo $! >{pid}; exec {{shell}} -c "$SSH_ORIGINAL_COMMAND"')
    assert call("far")[:2] == [DESCRIBED, INSTALLED]
    os.kill(int(pid.read_text()), 9)


@pytest.mark.parametrize("kind", ["hangs", "becomes another program"])
def test_an_interactive_start_up_file_that_does_not_say(sandbox, far, call, kind):
    pid = sandbox.fresh("pid")
    line = f"echo $$ >{pid}; exec sleep 1000" if kind == "hangs" else "exec true"
    (far.home / ".profile").write_text(f"case $- in *i*) {line} ;; esac\n")
    far.account("/bin/bash")
    began = time.monotonic()
    assert call("far") == [DESCRIBED, INSTALLED,
                           "the login shell there did not say whether it finds viatty"]
    assert time.monotonic() - began < 15
    if kind == "hangs":
        until(lambda: not Path(f"/proc/{pid.read_text().strip()}").exists(), "it is killed")


# ---- hosts without a shell ------------------------------------------------------------------


def test_an_account_without_sh_gets_nothing(far, call):
    far.account("/bin/bash", body=f"exec {sys.executable} -c \"$SSH_ORIGINAL_COMMAND\"")
    assert call("far", status=1)[-1] == NOWHERE


OPEN = "echo viatty-ssh: open"
READY = "echo viatty-ssh: ready $(uname -sm)."
NOWHERE = 'nothing was sent: no command of sh runs on "far"'
SILENT = 'nothing was sent: "far" does not answer'

# What ssh prints, and what is said at the end of its output.
FAKES = {
    "says nothing": ("", NOWHERE),
    "repeats the command": ('echo "> $*"', NOWHERE),
    "is cut in the answer": ("echo viatty-ssh: ready Linux x86_6", NOWHERE),
    "forges the end": ("echo viatty-ssh: installed; echo viatty-ssh: end", NOWHERE),
    "forges a system": ("echo 'viatty-ssh: ready \033]0;x\007 y.'", NOWHERE),
    "prints without end": ("head -c 10000000 /dev/zero; yes | head -c 1000000", NOWHERE),
    "closes its output": ("exec >&-; exec sleep 1000", NOWHERE),
    "opens again and again": (f"while {OPEN}; do sleep 1; done & cat >>{{log}}", SILENT),
}


@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=pytest.mark.slow) if FAKES[kind][1] is SILENT else kind for kind in FAKES
])
def test_nothing_is_sent_before_the_host_has_answered(sandbox, call, kind):
    log = sandbox.fresh("log")
    prints, said = FAKES[kind]
    reads = "" if said is SILENT or "exec" in prints else f"timeout 1 head -c 1 >>{log}"
    sandbox.script("ssh", f"{prints.format(log=log)}\n{reads}")
    began = time.monotonic()
    assert call("far", status=1) == [said]
    took = time.monotonic() - began
    assert (15 <= took < 20) if said is SILENT else took < 10
    assert not log.exists() or log.read_bytes() == b""


@pytest.mark.parametrize("kind", ["good words", "an unknown word", "no end", "a flood"])
def test_only_the_words_for_it_say_that_viatty_is_there(sandbox, call, kind):
    words = {"good words": ["described", "found", "end"], "an unknown word": ["Installed", "installed!", "end"],
             "no end": ["described"], "a flood": ["end"]}[kind]
    flood = "head -c 10000000 /dev/zero; echo; " if kind == "a flood" else ""
    answers = "; ".join(f"echo viatty-ssh: {word}" for word in words)
    sandbox.script("ssh", f"{READY}; {flood}{answers}; cat >/dev/null")
    said = call("far", status=1)
    assert said == {"good words": [DESCRIBED, FOUND], "no end": [DESCRIBED, f'no more answers from "far"{CANNOT}']
                    }.get(kind, [])


@pytest.mark.slow
def test_a_password_has_no_limit_of_ours(sandbox, call):
    sandbox.script("ssh", f"sleep 17; {OPEN}; {READY}; cat >/dev/null & echo viatty-ssh: installed; "
                          "echo viatty-ssh: end; wait")
    assert call("far") == [INSTALLED]


def test_a_connection_that_fails_has_the_status_of_ssh(call):
    assert call("-o", "ProxyCommand=false", "far", status=255)[-1:] != [NOWHERE]


CUT = """\
import os, socket, sys, threading
peer, left = socket.create_connection(("127.0.0.1", int(sys.argv[1]))), int(sys.argv[2])
def back():
    while data := peer.recv(65536):
        os.write(1, data)
threading.Thread(target=back, daemon=True).start()
while left > 0 and (data := os.read(0, min(left, 65536))):
    peer.sendall(data)
    left -= len(data)
os._exit(0)
"""


@pytest.mark.parametrize("kilobytes", [6, 100])
def test_a_connection_that_breaks_leaves_nothing(sandbox, far, call, kilobytes):
    proxy = sandbox.fresh("proxy")
    proxy.write_text(CUT)
    far.account("/bin/bash")
    command = shlex.join([sys.executable, "-I", "-S", str(proxy), "%p", str(kilobytes * 1000)])
    said = call("-o", f"ProxyCommand={command}", "far", status=255)
    assert INSTALLED not in said
    until(lambda: placed(far.home) == [], "nothing is left there")


# ---- connections of the user ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["a path in the configuration", "a connection that would stay"])
def test_the_connections_of_the_user_stay_as_they_are(sandbox, far, call, kind):
    far.account("/bin/bash")
    control = sandbox.fresh("control")
    ssh = lambda *words: subprocess.run(far.argv(*words), env=sandbox.environment(), timeout=60,
                                        stdin=subprocess.DEVNULL, capture_output=True)
    if kind == "a connection that would stay":
        words = ["-o", "ControlMaster=auto", "-o", "ControlPersist=yes", "-o", f"ControlPath={control}"]
    else:
        assert ssh("-MNf", "-S", str(control), "far").returncode == 0
        words = ["-o", f"ControlPath={control}"]
    with open(far.client, "a") as settings:
        settings.write("".join(f"    {word}\n" for word in words[1::2]))
    assert call("far")[:2] == [DESCRIBED, INSTALLED]
    assert has_both(sandbox, far.home)
    if kind == "a connection that would stay":
        assert not control.exists()
    else:
        assert ssh("-O", "check", "-S", str(control), "far").returncode == 0
        ssh("-O", "exit", "-S", str(control), "far")


def test_settings_for_a_session_do_not_matter(sandbox, far, call):
    far.account("/bin/bash")
    port = re.search("Port (.*)", far.client.read_text())[1]
    with open(far.client, "a") as settings:
        # that port is in use
        settings.write(f"    RemoteCommand tmux\n    RequestTTY force\n    LocalForward {port} b:2\n"
                       "    ExitOnForwardFailure yes\n    PermitLocalCommand no\n")
    assert call("far")[:2] == [DESCRIBED, INSTALLED]


# ---- the user ------------------------------------------------------------------------------


@pytest.mark.parametrize("key, status", [("\r", 0), ("q\r", 1), ("\x04", 1)])
def test_it_asks_before_it_sends(sandbox, far, call, plain, key, status):
    far.account("/bin/bash")
    shown = plain.start(["viatty", "ssh", "--install", "far"], environment={"TERM": "viatty-new"})
    plain.terminal.see('put viatty, osc52 and the description of viatty-new on "far"? [Y/n] ')
    assert list(far.home.iterdir()) == []
    plain.terminal.type(key)
    result = shown.wait()
    assert result.status == status
    assert has_both(sandbox, far.home) == (status == 0)
    if status:
        assert result.stderr == "viatty ssh: nothing was sent\n"


@pytest.mark.parametrize("words, said", [
    ([], "no host given"), (["-p", "22"], "no host given"), (["--"], "no host given"),
    (["far", "ls"], 'unexpected "ls"'), (["--", "far", "-v"], 'unexpected "-v"'),
    (["-N", "far"], "--install cannot be used with -N of ssh"),
    (["far", "-4tA"], "--install cannot be used with -t of ssh"),
])
def test_what_it_cannot_be_called_with(call, words, said):
    assert call(*words, status=2)[0] == said
