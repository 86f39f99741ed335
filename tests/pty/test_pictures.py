"""`viatty ssh --pictures`: Ctrl+V brings the picture on the clipboard to the host.

Scripts stand for wl-paste and for ssh, which runs what it is told on a host that is a folder.
"""

import os
import re
import signal
import time
from pathlib import Path

import pytest

from lib.desktop import SilentTerminal
from lib.processes import family, is_alive, until
from lib.terminal import OuterTerminal

PNG = b"\x89PNG\r\n\x1a\n\0\x16\x1b[200~ and so on"
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"

SSH = """\
printf '%s\\0' "$@" END >>{calls}
case $1 in
-G) printf 'host far\\n{settings}\\n'; exit;;
-F) for command; do :; done
    unset XDG_CACHE_HOME; HOME='{home}'; export HOME; echo $$ >{uploader}
    {upload}; exit;;
esac
{beside}
exec python3 -I -S -c '{session}'
"""
SESSION = """\
import os, tty
tty.setraw(0)
with open("{keys}", "wb", 0) as file:
    os.write(1, b"{prints}ready")
    while (keys := os.read(0, 4096)) != b"\\x04":
        file.write(keys)
"""


class Desk(SilentTerminal):
    """A terminal of a desktop, with `viatty ssh --pictures far` in it."""

    def __init__(self, sandbox, types="image/png", tool="", upload='exec sh -c "$command"', far="far",
                 prints="\\x1b[?2004h", options=(), settings="controlpath none", beside="",
                 **environment):
        super().__init__(sandbox)
        self.hold(types, PNG, tool)
        self.home = sandbox.folder(far)
        self.cache = self.home / ".cache" / "viatty"
        self._calls, self._keys, self.uploader = map(sandbox.fresh, ("calls", "keys", "uploader"))
        session = SESSION.format(prints=prints, keys=self._keys)
        sandbox.script("ssh", SSH.format(calls=self._calls, home=self.home, upload=upload,
                                         session=session, uploader=self.uploader,
                                         settings=settings, beside=beside))
        environment.setdefault("XDG_RUNTIME_DIR", str(sandbox.folder("runtime", 0o700)))
        self.program = self.start(["viatty", "ssh", "--pictures", *options, "far"], **environment)
        self.wait_for(b"ready")

    def get(self, wanted):
        """Wait until the host has these keys, in which %s is the path of a picture; its file."""
        form = re.escape(wanted).replace(b"%s", rb"(/[A-Za-z0-9/_.-]*/picture-[0-9-]*\.[a-z]*)")
        found = until(lambda: re.fullmatch(form, self._keys.read_bytes()), f"the host has {wanted}")
        return Path(os.fsdecode(found[1])) if b"%s" in wanted else None

    def calls(self, begin):
        """The words of the calls of ssh that begin with this."""
        calls = self._calls.read_text().split("\0END\0")
        return [words.split("\0") for words in calls if f"{words}\0".startswith(f"{begin}\0")]

    def end(self):
        self.type(b"\x04")
        self.program.wait()


# ---- a picture ------------------------------------------------------------------------------


def test_its_path_is_pasted_and_old_ones_go(sandbox):
    desk = Desk(sandbox)
    desk.cache.mkdir(parents=True)
    for name, age in (("picture-old.png", 8), ("picture-new.png", 6), ("notes", 8)):
        (desk.cache / name).touch()
        os.utime(desk.cache / name, (time.time() - age * 86400,) * 2)
    desk.type(b"a\x16b")
    file = desk.get(b"ab" + PASTE + b"%s" + PASTED)
    assert file.read_bytes() == PNG and file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in desk.cache.iterdir()) == ["notes", file.name, "picture-new.png"]
    desk.type(b"\x1b[118;5u\x1b[118;5:3uc")
    desk.get(b"ab" + PASTE + os.fsencode(file) + PASTED + b"c" + PASTE + b"%s" + PASTED)
    desk.end()
    desk.see("viatty ssh: sent 2 pictures\r\n")
    assert b"\a" not in desk.recorded()


@pytest.mark.parametrize("types, end", [
    ("TARGETS\\nimage/gif\\nimage/webp", "webp"), ("image/jpeg\\ntext/html", "jpeg"), ("image/gif", "gif"),
])
def test_kinds_of_pictures_and_a_session_without_marks(sandbox, types, end):
    desk = Desk(sandbox, types, prints="")
    desk.type(b"\x16")
    file = desk.get(b"%s")
    assert file.suffix == f".{end}" and file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("types", ["image/png\\ntext/plain;charset=utf-8", "image/bmp", ""])
def test_without_a_picture_or_with_a_text_the_key_passes(sandbox, types):
    desk = Desk(sandbox, types)
    keys = b"a\x16b\x1b[27;5;118~c\x1b[118;133:1u"
    desk.type(keys)
    desk.get(keys)
    desk.end()
    assert not re.search(b"\a|picture", desk.recorded()) and desk.calls("-F") == []


# ---- while it is sent -------------------------------------------------------------------------


def test_keys_flow_while_it_is_sent_and_it_goes_into_no_paste(sandbox):
    # one is sent at a time
    go = sandbox.fresh("go")
    os.mkfifo(go)
    desk = Desk(sandbox, upload=f'read x <{go}; exec sh -c "$command"')
    members = len(family(desk.program.pid))
    desk.type(b"\x16at once")
    desk.get(b"at once")
    desk.type(b"\x16" + PASTE + b"pasted")
    desk.get(b"at once\x16" + PASTE + b"pasted")
    go.write_text("go\n")
    until(lambda: len(family(desk.program.pid)) == members, "it is sent")
    desk.type(b" text" + PASTED)
    desk.get(b"at once\x16" + PASTE + b"pasted text" + PASTED + PASTE + b"%s" + PASTED)


@pytest.mark.parametrize("how", ["its end", "TERM", pytest.param("a minute", marks=pytest.mark.slow)])
def test_at_the_end_nothing_is_left_of_it(sandbox, how):
    desk = Desk(sandbox, upload="echo viatty-ssh: ready; kill -STOP $$; cat")
    desk.type(b"\x16")
    uploader = int(until(lambda: desk.uploader.exists() and desk.uploader.read_text(), "it is sent"))
    until(lambda: b" T " in Path(f"/proc/{uploader}/stat").read_bytes(), "it is slow")
    (folder,) = sandbox.path.glob("runtime*/*")
    assert folder.stat().st_mode & 0o777 == 0o700 and list(folder.iterdir()) == []
    if how == "a minute":
        desk.wait_for(b"\a", 70)
        desk.get(b"\x16")
    if how != "TERM":
        desk.end()
        desk.see("1 of 1 pictures were not sent, the first because: it took more than a minute, or")
    else:
        os.kill(family(desk.program.pid)[1], signal.SIGTERM)
        desk.program.wait()
    assert not folder.exists()
    os.kill(uploader, signal.SIGCONT)
    until(lambda: not is_alive(uploader), "ssh ends, too")


# ---- what fails ---------------------------------------------------------------------------------

READY = "echo viatty-ssh: ready; cat >/dev/null"

FAILURES = {
    "the tool hangs": ({"tool": "exec sleep 100"}, "the tool wl-paste did not finish within 500 ms"),
    "it is too large": ({"tool": '[ "$1" = --list-types ] || exec head -c 16777217 /dev/zero'},
                        "the clipboard is larger than 16777216 bytes"),
    "a menu": ({"upload": 'timeout 1 cat >"$HOME/picture-menu"'}, "the connection of ssh took no second session"),
    "half an answer": ({"upload": f"{READY}; printf 'viatty-ssh: picture /tmp/x'"},
                       "the connection of ssh took no second session"),
    "another path": ({"upload": f"{READY}; printf 'viatty-ssh: picture /tmp/\\033[A\\n'"},
                     "its path there would have to be quoted"),
    "a flood": ({"upload": "yes | head -c 100000"}, "the connection of ssh took no second session"),
    "a path with a space": ({"far": "far away"}, "its path there would have to be quoted"),
    "cut": ({"upload": 'head -c 5 | sh -c "$command"'}, "~/.cache/viatty there cannot be written"),
}


@pytest.mark.parametrize("changes, reason", FAILURES.values(), ids=FAILURES)
def test_the_bell_rings_the_key_passes_and_the_end_says_why(sandbox, changes, reason):
    desk = Desk(sandbox, **changes)
    desk.type(b"a\x16")
    desk.wait_for(b"\a")
    desk.get(b"a\x16")
    desk.end()
    desk.see(f"viatty ssh: warning: 1 of 1 pictures were not sent, the first because: {reason}")
    assert b"hint" not in desk.recorded()
    assert "far" in changes or not any(file.stat().st_size for file in desk.home.rglob("picture-*"))


def test_keys_wait_for_a_second_at_most(sandbox):
    desk = Desk(sandbox, tool="exec sleep 100")
    begin = time.monotonic()
    desk.type(b"\x16ls\r")
    desk.get(b"\x16ls\r")
    assert 0.4 < time.monotonic() - begin < 1.5


def test_escape_passes_while_the_host_prints_without_a_pause(sandbox):
    desk = Desk(sandbox, beside="while sleep 0.01 && echo x; do :; done &")
    desk.type(b"\x1b")
    desk.get(b"\x1b")
    desk.end()


# ---- the connection -----------------------------------------------------------------------------


def test_the_session_shares_a_connection_of_its_own(sandbox):
    desk = Desk(sandbox, options=("-p", "22"))
    (words,) = desk.calls("-o")
    socket = words[5].removeprefix("ControlPath=")
    assert words == ["-o", "ControlMaster=auto", "-o", "ControlPersist=no", "-o",
                     f"ControlPath={socket}", "-p", "22", "far"]
    desk.type(b"\x16")
    desk.get(PASTE + b"%s" + PASTED)
    (upload,) = desk.calls("-F")
    assert upload[:-1] == ["-F", "none", "-T", "-o", "BatchMode=yes", "-o", "ControlMaster=no", "-o",
                           "ProxyCommand=false", "-S", socket, "--", "host"]
    assert not set("'!\n") & set(re.fullmatch("exec sh -c '(.*)'", upload[-1])[1])


def test_a_path_without_a_connection_is_not_shared(sandbox):
    desk = Desk(sandbox, settings="controlmaster false\\ncontrolpath /nonexistent/socket")
    desk.type(b"\x16")
    desk.get(PASTE + b"%s" + PASTED)
    assert desk.calls("-o")[0][1] == "ControlMaster=auto"


@pytest.mark.parametrize("option", ["-N", "-S none"])
def test_a_session_that_cannot_share_one_says_so(sandbox, option):
    desk = Desk(sandbox, options=option.split())
    desk.type(b"\x16")
    desk.get(b"\x16")
    assert desk.calls(option[:2]) == [[*option.split(), "far"]] and desk.calls("-G") == []
    assert f"warning: no pictures, because ssh is called with {option[:2]}" in desk.recorded().decode()


def test_where_no_socket_can_be_it_says_so(sandbox):
    runtime = sandbox.folder("runtime", 0o500)
    desk = Desk(sandbox, XDG_RUNTIME_DIR=str(runtime))
    assert desk.calls("far") == [["far"]]
    assert f"no pictures, because no connection can be shared in {runtime}: " in desk.recorded().decode()


def test_a_long_name_of_that_folder_does_not_matter(sandbox):
    # a socket has at most 107 bytes
    runtime = sandbox.folder("r" * 100, 0o700)
    desk = Desk(sandbox, XDG_RUNTIME_DIR=str(runtime))
    assert desk.calls("-o")[0][5].startswith("ControlPath=/tmp/viatty-")
    desk.end()


def test_without_a_desktop_it_says_so(sandbox):
    sandbox.script("ssh", "exit 0")
    terminal = OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never"})
    terminal.inside().open(["viatty", "ssh", "--pictures", "far"]).wait()
    terminal.see("viatty ssh: warning: no pictures, because types other than text need a desktop tool")
