"""Called by the name of another clipboard program: reading, terminals, streams."""

import re

import pytest

from lib import expect
from lib.answering import FOOT, KITTY, clipboard
from lib.faults import nothing_at

NAMES = ["pbcopy", "pbpaste", "wl-copy", "wl-paste", "xclip", "xsel", "notify-send"]
TEXT = b"a text\n"


@pytest.fixture
def links(sandbox):
    for name in NAMES:
        (sandbox.path / "bin" / name).symlink_to("viatty")
    return sandbox


PRINTED = {
    "pbpaste -pboard general -Prefer txt": (b"c", TEXT),
    "wl-paste": (b"c", TEXT + b"\n"),
    "wl-paste --no-newline --type text": (b"c", TEXT),
    "wl-paste -np -s seat0": (b"p", TEXT),
    "xclip -o -sel c -r": (b"c", TEXT[:-1]),
    "xclip -i -o -sel c": (b"c", TEXT),
    "xclip -o -sel sec": (b"q", TEXT),
    "xclip -o -t UTF8_STRING -sel c": (b"c", TEXT),
    "xsel -ob": (b"c", TEXT),
    "xsel --output --clipboard --trim": (b"c", TEXT[:-1]),
    "xsel -o -s -t 20000": (b"q", TEXT),
    "xsel -ob -t 0": (b"c", TEXT),
}


@pytest.mark.parametrize("line", PRINTED)
def test_the_selection_is_printed(links, at, line):
    letter, printed = PRINTED[line]
    shell = at(FOOT, clipboard(TEXT, letter))
    outcome = shell.run(line.split())
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, printed, b"")
    assert shell.terminal.asked()[-2] == b"52 " + letter


@pytest.mark.parametrize("line, status", [("wl-paste", 1), ("pbpaste", 0), ("xclip -o -sel c", 0)])
def test_an_empty_clipboard_is_a_failure_where_it_is_one_on_the_desktop(links, at, line, status):
    outcome = at(FOOT, clipboard(b"")).run(line.split())
    assert (outcome.status, outcome.stdout) == (status, b"")
    assert outcome.said == ("wl-paste: not pasted: nothing is copied\n" if status else "")


def test_who_has_no_terminal_to_read_from_gets_nothing(links, nowhere):
    """Some callers insert whatever is printed, on whichever stream, like xclip.el of emacs."""
    for line in ("pbpaste", "wl-paste", "wl-paste -l", "xclip -o", "xsel -ob", "xclip -o -t image/png"):
        outcome = nowhere.run(line.split())
        assert (outcome.status, outcome.stdout, outcome.stderr) == (1, b"", b""), line
    assert nowhere.run(["viatty", "paste"]).stderr != b""
    # by which neovim finds a clipboard, in provider/clipboard.vim
    outcome = nowhere.run(["xsel", "-o", "-b"])
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, b"", b"")


def test_xclip_filters(links, plain):
    result = plain.run(["xclip", "-filter", "-sel", "c"], stdin=expect.DATA)
    assert (result.status, result.stdout, result.stderr) == (0, expect.DATA, "")
    plain.settle()
    expect.arrived(plain.terminal, expect.DATA)


# ---- xsel goes by what is no terminal ----------------------------------------------


def test_xsel_prints_when_only_its_output_is_no_terminal(links, at):
    shell = at(FOOT, clipboard(TEXT, b"c"))
    result = shell.place.run(["xsel", "-b"], stdin=None)
    assert (result.status, result.stdout, result.stderr) == (0, TEXT, "")


def test_xsel_prints_when_both_are_terminals(links, at):
    shell = at(FOOT, clipboard(b"to be seen"))
    job = shell.place.start(["xsel", "-b"], stdin=None, on_terminal=True)
    assert job.wait().status == 0
    shell.terminal.settle()
    assert b"to be seen" in shell.terminal.recorded()


@pytest.mark.parametrize("on_terminal", [False, True])
def test_xsel_sets_when_there_is_input(links, plain, on_terminal):
    result = plain.run(["xsel", "-b"], stdin=expect.DATA, on_terminal=on_terminal)
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    plain.settle()
    expect.arrived(plain.terminal, expect.DATA)


@pytest.mark.parametrize("line", ["xsel -b <&-", ": | xsel -b"])
def test_xsel_prints_when_neither_is_one_and_there_is_no_input(links, at, line):
    outcome = at(FOOT, clipboard(TEXT)).run(["sh", "-c", line])
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, TEXT, b"")


# ---- typed at the terminal ---------------------------------------------------------


@pytest.mark.parametrize("line", ["pbcopy", "wl-copy", "xclip -sel c", "xsel -ib"])
def test_what_is_typed_is_copied_up_to_the_end_of_file(links, plain, line):
    job = plain.start(line.split(), stdin=None)
    plain.terminal.type(b"typed\n\x04")
    assert job.wait().status == 0
    plain.settle()
    expect.arrived(plain.terminal, b"typed\n")


# ---- what no terminal can do -------------------------------------------------------

UNSUPPORTED = {
    "xclip -l 2": "--loops",
    "xsel -x": "--exchange",
    "wl-copy -o": "--paste-once",
    "wl-paste -w cat -n": "--watch",
    "pbcopy -pboard find": '-pboard "find"',
}


def test_an_unsupported_option_is_named_and_the_real_program_too(links, shell):
    for line, option in UNSUPPORTED.items():
        outcome = shell.run(line.split(), stdin=b"text")
        name = line.split()[0]
        assert outcome.said == (
            f"{name}: no terminal supports {option}\n"
            f"hint: omit it, or run the real {name}\n"
        )
        assert (outcome.status, outcome.stdout) == (4, b"")
    nothing_at(shell.terminal)


# ---- notify-send -------------------------------------------------------------------


def test_notify_send_ignores_what_only_a_desktop_can_do(links, at):
    """An ID that is not printed is given back as nothing."""
    shell = at(KITTY)
    first = shell.run(["notify-send", "-p", "-t", "1500", "app sync", "Copying 10%"])
    assert (first.status, first.stdout, first.stderr) == (0, b"", b"")
    again = shell.run(["notify-send", "-p", "-r", "", "-w", "-A", "undo=Undo", "Copied"])
    assert (again.status, again.stdout, again.stderr) == (0, b"", b"")
    shell.terminal.settle()
    assert len(set(re.findall(rb"\x1b]99;i=([^:]+):", shell.terminal.recorded()))) == 2


CHOOSE = "choose by --term: kitty is sent OSC 99, foot OSC 777, iterm2 OSC 9"
HINTS = [
    ("viatty notify hello", CHOOSE),
    ("notify-send hello", "with viatty notify: " + CHOOSE),
    ("xclip nofile", "with viatty copy: to copy a text: --string TEXT"),
    ("osc52 nofile", "to copy a text: --string TEXT"),
    ("viatty paste -t image/png",
     "run it where the desktop is, as its user; --route native takes your own display"),
    ("wl-paste -t image/png", "with viatty paste: run it where the desktop is, as its user; "
     "--route native takes your own display"),
    # Whoever names the terminal is not told to.
    ("viatty copy -s x --term linux", "use foot, kitty, Alacritty, Ghostty or WezTerm"),
    ("viatty run --term jetbrains true",
     "viatty notify --bell and viatty run --bell ring the bell instead"),
    ("xclip -o -sel s -t image/png",
     "with viatty paste: choose the clipboard (c) or the primary selection (p)"),
    ("xclip -sel x", "see xclip --help"),
    ("xsel --apend", "see xsel --help"),
]


def test_a_hint_says_whose_options_it_names(links, shell):
    for line, hint in HINTS:
        outcome = shell.run(line.split(), environment={"VIATTY_PROBE": "never"})
        assert outcome.said.endswith(f"\nhint: {hint}\n"), line


# ---- help --------------------------------------------------------------------------


def test_help_is_that_of_the_name_and_the_version_is_ours(links, nowhere):
    # -h of notify-send is a hint
    helps = {f"{name} -h": f"usage: {name} [OPTIONS]" for name in NAMES[:-1]}
    versions = ("xclip -version", "xsel --version", "wl-copy -v", "notify-send -v")
    for line, begin in {**helps, **dict.fromkeys(versions, "viatty ")}.items():
        outcome = nowhere.run(line.split())
        assert (outcome.status, outcome.stderr) == (0, b"")
        assert outcome.stdout.decode().startswith(begin)


def test_without_a_terminal_each_says_so_under_its_name(links, nowhere):
    for name in (name for name in NAMES if "paste" not in name):
        line = [name, *{"xsel": ["-i"], "notify-send": ["text"]}.get(name, [])]
        outcome = nowhere.run(line, stdin=b"text")
        assert (outcome.status, outcome.stdout) == (3, b"")
        verdict = "not shown" if name == "notify-send" else "not copied"
        assert outcome.said.startswith(f"{name}: {verdict}: no terminal can be reached")
