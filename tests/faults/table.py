"""Every command, where its faults are tried, and what it has done when it succeeds."""

import json
import re
import shlex
import shutil
import termios
from dataclasses import dataclass

from lib import expect, sequences
from lib.answering import (
    CLIPBOARD,
    FOOT,
    KITTY,
    TITLE,
    AnsweringTerminal,
    clipboard,
    notification,
    title,
)
from lib.faults import WRAPS
from lib.processes import until
from lib.terminal import OuterTerminal

TEXT = expect.sample(1000)
LONG = expect.sample(100_000)


# ---- places --------------------------------------------------------------------------


class Plain:
    """A terminal that records and says nothing."""

    # What comes to it is the same each time, for nobody else draws on it.
    is_alone = True

    def __init__(self, sandbox):
        self.terminal = self.open(sandbox)
        self.start = self.terminal.start

    def open(self, sandbox):
        # Nobody asks who it is, for it would not answer.
        return OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never"})

    def take(self, run):
        """What has come to the terminal since the run before this."""
        self.terminal.settle()
        return self._record()

    def _record(self):
        record = self.terminal.recorded()
        self.terminal.forget()
        return record


class Answering(Plain):
    # What nobody reads is shown as if it were typed.
    _ECHO = re.compile(rb"\^\[[^\x1b]*")

    script = {**FOOT, CLIPBOARD: clipboard(TEXT), TITLE: title(b"kept")}

    def open(self, sandbox):
        self._runtime = sandbox.folder("runtime", 0o700)
        where = {"XDG_RUNTIME_DIR": str(self._runtime)}
        return AnsweringTerminal(sandbox, self.script, environment=where)

    def take(self, run):
        # Each run asks, as if nothing were remembered of the terminal.
        shutil.rmtree(self._runtime / "viatty", ignore_errors=True)
        # What a run that was ended has not read, and its echo, is not for the next one.
        self.terminal.settle()
        until(self.terminal.has_said_all, "the terminal has said all")
        termios.tcflush(self.terminal.slave, termios.TCIFLUSH)
        return self._ECHO.sub(b"", super().take(run))


class Showing(Answering):
    """A terminal that shows notifications."""

    script = {
        **KITTY,
        notification(b"?", b"viatty"): b"\x1b]99;i=n1:p=?;p=title,body,?\x1b\\",
    }


class Tmux(Plain):
    """A pane of tmux with its default settings, shown in one terminal."""

    is_alone = False

    def __init__(self, sandbox):
        # Imported where it is needed: tmux may not be installed.
        from lib.mux import TmuxServer

        server = TmuxServer(sandbox)
        self.pane = server.session()
        self.terminal = server.attach()
        self.terminal.forget()
        self.start = self.pane.open

    def take(self, run):
        record = super().take(run)
        # What came by another way than straight to the terminal comes later.
        if run.how == "exit" and run.status == 0 and not record:
            self.pane.settle()
            record += self._record()
        return record


# ---- what success is -----------------------------------------------------------------


def copied(text, letter="c", unwrap=WRAPS["none"]):
    def check(run, stream):
        assert sequences.clipboard_writes(unwrap(stream)) == [(letter, text)]

    return check


def copied_or_warned(run, stream):
    """Where tmux cannot be asked the way is not known, and that is said."""
    if "warning: " not in run.said:
        copied(TEXT)(run, stream)


def reported(run, stream):
    copied(TEXT)(run, stream)
    assert json.loads(run.stdout)["sent"] is True


def pasted(run, stream):
    assert run.stdout == TEXT


def printed(pattern):
    def check(run, stream):
        assert re.search(pattern, run.stdout), run.stdout
        assert stream == b""

    return check


def passed(text):
    return printed(rb"\A%s\Z" % re.escape(text))


def explained(run, stream):
    assert b"copy" in run.stdout


def drawn(sequence):
    def check(run, stream):
        assert stream == sequence

    return check


def holds(part):
    def check(run, stream):
        assert part in stream

    return check


def notified(run, stream):
    """As the terminal is known to take it, or as most do, and that is said."""
    by_most = stream.endswith(b"\x1b]9;text\x1b\\")
    assert by_most or stream.endswith(b";dGV4dA==\x1b\\")
    assert not by_most or "warning: " in run.said or run.is_mute


def shown_or_warned(output, *shown):
    return notified_or_warned(output, re.escape(b"".join(shown)))


def notified_or_warned(output, pattern):
    """The output matters more than what is shown; that it is not shown is said."""

    def check(run, stream):
        assert run.stdout == output
        excused = "warning: " in run.said or run.is_mute
        assert excused or re.fullmatch(pattern, stream), stream

    return check


# ---- the table -----------------------------------------------------------------------

# Of viatty(1). No fault makes a command line wrong, or a terminal say no.
FAILED = frozenset({1, 3, 4, 5})
# tmux cannot be asked whether it passes copies on.
PROBABLY_LOST = frozenset({7})
# Of what neither tells a terminal anything nor asks it.
FILTERED = frozenset({1})
# Of what runs a command: not waited for, not run, not found.
NOT_RUN = frozenset({1, 126, 127})


@dataclass(frozen=True)
class Command:
    """succeeds: what it has done if its status is the one of success.

    unwrap: what the layers around it do. fails: what else it may end with.
    of_child: it may end as its command did, by a signal that was handed on.
    restored: whether nothing that it has set while its command ran is left in this stream,
    however it ended, unless that is said.
    tried: how; see test_calls.py.
    """

    place: type
    line: str
    stdin: bytes
    succeeds: object
    unwrap: object = WRAPS["none"]
    status: int = 0
    fails: frozenset = FAILED
    of_child: bool = False
    restored: object = None
    tried: str = "briefly"

    @property
    def argv(self):
        return shlex.split(self.line)

    @property
    def called(self):
        """The command that it is."""
        return re.sub(r'^sh -c ".* exec ', "", self.line).split()[1]


def copy_for(wrap, text, tried):
    unwrap = WRAPS[wrap]
    line = f"viatty copy --wrap {wrap}"
    return Command(Plain, line, text, copied(text, unwrap=unwrap), unwrap, tried=tried)


def runs(line, succeeds, status=0, restored=None, **how):
    how |= {"fails": NOT_RUN, "of_child": True, "status": status, "restored": restored}
    return Command(Plain, line, b"", succeeds, **how)


def pops(stream):
    return stream.count(KEPT) == stream.count(RESTORED)


def prints(line, stdin, text):
    return Command(Plain, line, stdin, passed(text), fails=FILTERED)


def asks(line, succeeds, place=Answering, **how):
    return Command(place, f"viatty {line} --timeout 3", b"", succeeds, **how)


RAW = b"\x1b]2;title\x07"
NAMED, KEPT, RESTORED = b"\x1b]0;text\x1b\\", b"\x1b[22;0t", b"\x1b[23;0t"
RED = b"\x1b]11;#ff0000\x1b\\"
HALF = b"\x1b]9;4;1;50\x1b\\"
URL = b"https://example.org/"
LINK = b"\x1b]8;;%s\x1b\\%s\x1b]8;;\x1b\\" % (URL, URL)
SAID = rb"\x1b\]9;(printf|sh): %s after \d+\.\d s in \w+: [^\x1b]*\x1b\\"
TITLED = "viatty title --no-probe --term kitty --while text --"
RUN = "viatty run --no-probe --term iterm2 --"
THREE = 'sh -c "printf out; exit 3"'
# Its terminal may be gone.
QUIET = "sh -c 'printf out 2>&-'"

COMMANDS = {
    "copy": Command(Plain, "viatty copy", TEXT, copied(TEXT), tried="thoroughly"),
    "copy-long": Command(Plain, "viatty copy", LONG, copied(LONG), tried="thoroughly"),
    "copy-json": Command(Plain, "viatty copy --json -v", TEXT, reported),
    "copy-for-tmux": copy_for("tmux", LONG, "thoroughly"),
    "copy-for-screen": copy_for("screen", TEXT, "briefly"),
    "copy-in-tmux": Command(
        *(Tmux, "viatty copy --no-probe", TEXT, copied_or_warned),
        fails=FAILED | PROBABLY_LOST, tried="thoroughly",
    ),
    "paste": asks("paste", pasted, tried="thoroughly"),
    "title": Command(Plain, "viatty title --no-probe text", b"", drawn(NAMED)),
    "title-while": runs(
        f"{TITLED} printf out",
        shown_or_warned(b"out", KEPT, NAMED, RESTORED),
        restored=pops,
    ),
    "title-while-3": runs(
        f"{TITLED} {THREE}", shown_or_warned(b"out", KEPT, NAMED, RESTORED), 3, pops
    ),
    "progress": Command(Plain, "viatty progress --term kitty 50", b"", drawn(HALF)),
    "color": Command(Plain, "viatty color --no-probe background #f00", b"", drawn(RED)),
    "progress-asks": asks("progress 50", holds(HALF), Showing),
    "link": prints(f"viatty link --when always {URL.decode()}", b"", LINK + b"\n"),
    "notify": Command(Plain, "viatty notify --no-probe text", b"", holds(b"text")),
    "notify-asks": asks("notify text", notified, Showing),
    "run": runs(f"{RUN} printf out", notified_or_warned(b"out", SAID % b"done")),
    "run-3": runs(
        f"{RUN} {THREE}", notified_or_warned(b"out", SAID % b"failed with status 3"), 3
    ),
    "doctor": Command(
        *(Answering, "viatty doctor --timeout 0.5", b"", explained), tried="thoroughly"
    ),
    "doctor-json": Command(Answering, "viatty doctor --json --timeout 0.5", b"", explained),
    "raw": Command(Plain, "viatty raw --no-probe", RAW, drawn(RAW), tried="thoroughly"),
    "raw-filter": Command(
        *(Plain, "viatty raw --filter --no-probe", b"text" + RAW, drawn(b"text" + RAW))
    ),
    "relay": runs(
        f'sh -c "true && exec viatty relay {QUIET} >/dev/tty"',
        holds(b"out"),
        tried="by signals",
    ),
    "setup": Command(
        *(Plain, "viatty setup tmux", b"", printed(rb"copy-command")), fails=FILTERED
    ),
    "print": Command(Plain, "viatty copy -Pesc -s text", b"", printed(rb"52;c;")),
    "help": Command(Plain, "viatty --help", b"", printed(rb"usage: viatty")),
}
