"""The examples on the manual pages, among them those of --help, and in README.md are run.

A line `$ command` in a literal block is a command, and what follows it up to the
next one is what it prints. Blocks marked `.\\" on a terminal` are run by bash at a
terminal that plays kitty, in the home of somebody who works: EFFECTS says what each of
them has to do there. Lines without `$` are settings of other programs. A line that makes
a directory is run with the next one, which needs it.
"""

import base64
import os
import re
import subprocess
from collections import namedtuple

import pytest

from documentation import REPOSITORY, VIATTY, table
from lib import sequences
from lib.answering import (
    CLIPBOARD,
    KITTY,
    AnsweringTerminal,
    clipboard,
    color,
    colored,
)
from lib.typed import Desktop

Example = namedtuple("Example", "page command output needs_terminal")

BLOCK = re.compile(
    r'^(\.\\" on a terminal\n)?\.Bd -literal.*?\n(.*?)^\.Ed$', re.M | re.S
)
ROFF = {r"\e": "\\", r"\(aq": "'", r"\(dq": '"', r"\-": "-", r"\&": ""}


def plain(text):
    """What a literal line of roff looks like to the reader."""
    text = re.sub(r"\\(?:\(..|.)", lambda escape: ROFF[escape[0]], text)
    assert not re.search(r"^[.']", text, re.M), "a line that roff takes for a request"
    return text


def with_its_directory(lines):
    """Each line to run, `mkdir` together with the line behind it."""
    before = ""
    for line in lines:
        if line.startswith("mkdir "):
            before += f"{line.rstrip()} && "
        else:
            yield before + line
            before = ""


def examples():
    for path in sorted((REPOSITORY / "man").glob("*.[17]")):
        for marked, block in BLOCK.findall(path.read_text()):
            items = re.split(r"^\$ ", plain(block), flags=re.M)[1:]
            for item in with_its_directory(items):
                # up to the first line that the next one does not continue
                command, output = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", item, re.S).groups()
                yield Example(path.stem, command, output, bool(marked))


EXACT = [e for e in examples() if not e.needs_terminal]
ON_A_TERMINAL = [e for e in examples() if e.needs_terminal]
# The other names of the program that have options of their own.
NAMES = {e.of for e in table()[2]} - {c.name for c in table()[0]} - {"viatty"}


def readme_examples():
    """Its lines, without their comments."""
    text = (REPOSITORY / "README.md").read_text()
    block = re.search(r"^<!-- examples -->\n```sh\n(.*?)^```$", text, re.M | re.S)[1]
    for line in block.splitlines():
        yield Example("README", re.split(r" +# ", line)[0], "", True)


ON_A_TERMINAL += readme_examples()


def named(example):
    return f"{example.page}: {example.command}"


# ---- with their output -----------------------------------------------------------


@pytest.fixture
def environment(tmp_path):
    """The program by its names, and a terminal with nothing around."""
    for name in ("viatty", "osc52", *NAMES):
        (tmp_path / name).symlink_to(VIATTY)
    kept = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


@pytest.mark.parametrize("example", EXACT, ids=named)
def test_an_example_prints_what_the_page_says(example, environment):
    result = subprocess.run(
        ["sh", "-c", example.command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    assert (result.stdout, result.returncode) == (example.output, 0)


# ---- on a terminal ---------------------------------------------------------------

MAKEFILE = r"""
all:
	@printf '[1/2] main.o\nsrc/main.c:3:5: warning: unused\n[2/2] main\n'
test:
	@echo tested
"""
# Programs that a test cannot call: what they would print or run.
STUBS = {
    "login-shell": "env",
    "sudo": 'echo "$@"',
    "timg": r"printf '\033_Ga=T,f=100;aW1hZ2U=\033\\'",
    "pass": "echo secret",
    "docker": "echo a shell there",
    "ssh": 'while case $1 in -[opO]) shift ;; -*) ;; *) false ;; esac; do shift; done; shift; '
           'sh -c "${*:-echo a shell there}"',
}
# What has to be set for a line.
VARIABLES = {
    "ssh -t host 'VIATTY_OUTER_TMUX=copies exec $SHELL -l'": {"SHELL": "login-shell"},
}
# What is asked, and is answered before.
KEYS = {
    "viatty ssh --install host": "y\r",
}
FILES = {
    "Makefile": MAKEFILE.encode(),
    "notes.txt": b"pears\napples\n",
    "src/main.c": b"int\nmain(void)\n{ /* TODO */ }\n",
    "shot.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    ".ssh/id_ed25519.pub": b"ssh-ed25519 AAAA user@host\n",
    # What is there stays.
    **dict.fromkeys([".tmux.conf", ".screenrc", ".emacs.d/init.el"], b"# mine\n"),
}
# What another program has copied.
CLIPPED = b"b\na\n"
# And what one on Windows has, for this line.
CLIPPED_ON_WINDOWS = {"viatty paste | tr -d '\\r' >notes.txt": b"b\r\na\r\n"}
PICTURE = b"another picture"


class Desk:
    """A home with files and a repository, at a terminal that answers as kitty."""

    def __init__(self, sandbox, clipped=CLIPPED):
        self.home = sandbox.path / "home"
        self._sandbox = sandbox
        for name, data in FILES.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_bytes(data)
        for name, line in STUBS.items():
            (sandbox.path / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
            (sandbox.path / "bin" / name).chmod(0o755)
        for name in NAMES:
            (sandbox.path / "bin" / name).symlink_to("viatty")
        self.git("init", "-q")
        self.git("add", "src")
        self.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "begin")
        (self.home / "src/main.c").write_bytes(FILES["src/main.c"] + b"/* more */\n")
        self.desktop = Desktop(sandbox)
        self.desktop.own("image/png", PICTURE)
        colors = ("foreground", "background", "cursor", *range(16))
        self.terminal = AnsweringTerminal(sandbox, {
            **KITTY,
            CLIPBOARD: clipboard(clipped),
            **{color(which): colored(which, b"rgb:12/34/56") for which in colors},
        })

    def git(self, *words):
        return subprocess.run(
            ["git", *words], cwd=self.home, env=self._sandbox.environment(), check=True,
            capture_output=True, timeout=60,
        ).stdout

    def run(self, line):
        argv, variables = ["bash", "-c", f"cd; {line}"], VARIABLES.get(line, {})
        if " -t image/png" in line or "--list-types" in line:
            argv, variables = self.desktop.argv(*argv), self.desktop.environment
        self.terminal.type(KEYS.get(line, ""))
        status = self.terminal.start(argv, **variables).wait()
        self.terminal.settle()
        return status

    @property
    def record(self):
        return self.terminal.recorded()


Copied = namedtuple("Copied", "data")
File = namedtuple("File", "name part")


def happened(desk, effect):
    """These bytes came to the terminal, these were copied, or this is in a file, behind what was there."""
    if callable(effect):
        effect(desk)
    elif isinstance(effect, Copied):
        [(letters, data)] = sequences.clipboard_writes(desk.record)
        assert letters == "c" and re.fullmatch(effect.data, data), data
    elif isinstance(effect, File):
        data = (desk.home / effect.name).read_bytes()
        assert effect.part in data and data.startswith(FILES.get(effect.name, b""))
    else:
        for part in [effect] if isinstance(effect, bytes) else effect:
            assert part in desk.record


def written(name, data):
    """The file holds this and nothing else."""

    def check(desk):
        assert (desk.home / name).read_bytes() == data

    return check


def is_an_image(desk):
    assert desk.desktop.holds() == {"image/png": FILES["shot.png"]}


def copies_the_changes(desk):
    happened(desk, Copied(re.escape(desk.git("diff"))))


def copies_the_commit(desk):
    happened(desk, Copied(desk.git("rev-parse", "HEAD").rstrip()))


def links(desk):
    assert b"https://example.org" in [link[1] for link in sequences.links(desk.record)]


def notifies(*texts):
    return b"\x1b]99;", *(base64.b64encode(text.encode()) for text in texts)


def is_linked(desk):
    assert os.readlink(desk.home / ".local/bin/xclip").endswith("/viatty")


def is_quiet(desk):
    assert b"tested" in desk.record and b"]99;" not in desk.record


DATE = Copied(rb".*\d\d:\d\d:\d\d.*\n")
MADE = b"src/main.c:3:5: warning: unused"

# What each line does; nothing else is known to be an example.
EFFECTS = {
    'mkdir -p ~/.local/bin && ln -s "$(command -v viatty)" ~/.local/bin/xclip': is_linked,
    "sudo ln -s viatty /usr/local/bin/wl-copy": b"ln -s viatty /usr/local/bin/wl-copy",
    "ssh -t host 'VIATTY_OUTER_TMUX=copies exec $SHELL -l'": b"VIATTY_OUTER_TMUX=copies",
    "viatty relay ssh host": b"a shell there",
    "viatty relay docker exec -it web sh": b"a shell there",
    "viatty ssh host": b"a shell there",
    "viatty ssh --install host": b"the host has a viatty of its own",
    "viatty run make": notifies(),
    "git diff | osc52": copies_the_changes,
    "git rev-parse HEAD | viatty copy -n": copies_the_commit,
    r"git diff --color | sed 's/\x1b\[[0-9;:]*[mK]//g' | viatty copy": copies_the_changes,
    "viatty copy ~/.ssh/id_ed25519.pub": Copied(FILES[".ssh/id_ed25519.pub"]),
    "make 2>&1 | viatty copy --tee": Copied(rb"(?s).*%s.*" % MADE),
    "viatty copy -t image/png shot.png": is_an_image,
    "viatty paste >notes.txt": written("notes.txt", CLIPPED),
    "viatty paste | tr -d '\\r' >notes.txt": written("notes.txt", CLIPPED),
    "viatty paste | sort | viatty copy": Copied(b"a\nb\n"),
    "viatty paste --list-types": b"image/png",
    "viatty paste -t image/png >shot.png": written("shot.png", PICTURE),
    "viatty title deploying": b"\x1b]0;deploying\x1b\\",
    "viatty title --while building -- make -j4": (b"\x1b]0;building\x1b\\", MADE),
    "viatty title ''": b"\x1b]0;\x1b\\",
    "viatty color --theme": b"dark",
    "viatty color cursor '#fa0'": b"\x1b]12;#ffaa00\x1b\\",
    "viatty color --reset cursor": b"\x1b]112\x1b\\",
    "viatty progress 12/80": b"\x1b]9;4;1;15\x1b\\",
    "viatty progress --clear": b"\x1b]9;4;0;0\x1b\\",
    "viatty link https://example.org 'the report'": links,
    "viatty link --file src/main.c:3": b"main.c:3",
    'echo "See $(viatty link -n --when always https://example.org this)."': links,
    "make; viatty notify 'Build finished' \"status $?\"": notifies("Build finished", "status 0"),
    "viatty notify -u critical 'Disk full'": notifies("Disk full"),
    "notify-send 'Build finished' 'No warnings'": notifies("Build finished", "No warnings"),
    "notify-send -u critical 'Disk full'": notifies("Disk full"),
    "df -h . | viatty notify 'Free space' -": notifies("Free space"),
    "viatty run make -j4": notifies(),
    "viatty run --min 10 --on fail -- make test": is_quiet,
    "viatty doctor": (b"copy, title, ", b"path to the screen:"),
    "viatty doctor copy paste": (b"copy", b"paste"),
    "viatty doctor --json": b'"copy"',
    "timg -pk photo.png | viatty raw --filter": b"\x1b_Ga=T,f=100;aW1hZ2U=\x1b\\",
    r"printf '\033]1337;SetMark\007' | viatty raw": b"\x1b]1337;SetMark\x07",
    "viatty setup tmux": b"copy-command",
    "viatty setup": b"neovim",
    "mkdir -p ~/.vim/plugin && viatty setup vim > ~/.vim/plugin/viatty.vim":
        File(".vim/plugin/viatty.vim", b"TextYankPost"),
    "mkdir -p ~/.config/tmux && viatty setup tmux > ~/.config/tmux/viatty.conf":
        File(".config/tmux/viatty.conf", b"copy-command"),
    "echo 'source-file ~/.config/tmux/viatty.conf' >> ~/.tmux.conf":
        File(".tmux.conf", b"viatty.conf"),
    "viatty setup screen >> ~/.screenrc": File(".screenrc", b"viatty"),
    "mkdir -p ~/.config/nvim/plugin && viatty setup neovim > ~/.config/nvim/plugin/viatty.vim":
        File(".config/nvim/plugin/viatty.vim", b"viatty"),
    "mkdir -p ~/.emacs.d && viatty setup emacs >> ~/.emacs.d/init.el":
        File(".emacs.d/init.el", b"viatty"),
    "date | pbcopy": DATE,
    "pbcopy <notes.txt": Copied(FILES["notes.txt"]),
    "pbpaste >notes.txt": written("notes.txt", CLIPPED),
    "pbpaste | sort | pbcopy": Copied(b"a\nb\n"),
    "date | wl-copy": DATE,
    "wl-copy --trim-newline <notes.txt": Copied(FILES["notes.txt"].removesuffix(b"\n")),
    "wl-paste >notes.txt": written("notes.txt", CLIPPED + b"\n"),
    "wl-paste -n | wc -c": b"%d" % len(CLIPPED),
    "date | xclip -selection clipboard": DATE,
    "xclip -sel clip -o >notes.txt": written("notes.txt", CLIPPED),
    "date | xsel -ib": DATE,
    "xsel -ob >notes.txt": written("notes.txt", CLIPPED),
}


@pytest.mark.needs("git", "make")
@pytest.mark.parametrize("example", ON_A_TERMINAL, ids=named)
def test_an_example_does_on_a_terminal_what_it_is_for(example, sandbox):
    desk = Desk(sandbox, CLIPPED_ON_WINDOWS.get(example.command, CLIPPED))
    assert example.output == ""
    status = desk.run(example.command)
    assert status == 0, desk.record
    happened(desk, EFFECTS[example.command])


def test_every_effect_is_that_of_an_example():
    assert set(EFFECTS) == {e.command for e in ON_A_TERMINAL}


def test_the_page_of_every_command_has_an_example_with_its_output():
    pages = {path.stem for path in (REPOSITORY / "man").glob("*.1")}
    assert {e.page for e in EXACT if e.output} >= pages
