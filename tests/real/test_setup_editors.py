"""The snippets of `setup vim`, `neovim` and `emacs` in the editors themselves."""

import os
import shutil
import subprocess

import pytest

from lib import expect
from lib.answering import CLIPBOARD, FOOT, clipboard
from lib.processes import Orphan, until
from lib.snippets import StandIn, refuse, replace, snippet

NEEDS_TMUX = pytest.mark.needs("tmux")
LINE = "one\ttab, wörld ✓\n".encode()
# More than a line of any terminal here; % and the rest are not for an editor to expand.
REASON = "viatty copy: not copied: 100% #{pid} " + " ".join(["and so on"] * 20) + " last"
# The names of Debian: vim.basic has no +clipboard. vim.gtk3 has it, and here no display.
VIM = "vim.basic" if shutil.which("vim.basic") else "vim"
# For what takes as long as nobody looks: nothing here is slow by itself.
PATIENT = {"VIATTY_TIMEOUT": "100"}


class Editor:
    """An editor with a snippet as its settings, and a text in it."""

    ARGV = {
        "vim": [VIM, "-N", "-i", "NONE", "-n", "-u"],
        "neovim": ["nvim", "-i", "NONE", "-n", "-u"],
    }

    def __init__(self, sandbox, name, place, text, settings="", lines=None, program=None,
                 environment={}):
        self.place, self._sandbox = place, sandbox
        self._settings, self._text = sandbox.fresh("vimrc"), sandbox.fresh("text")
        self._settings.write_text(f"set nomore\n{settings}\n{lines or snippet(sandbox, name)}")
        self._text.write_bytes(text)
        program = [program] if program else self.ARGV[name][:1]
        argv = [*program, *self.ARGV[name][1:], str(self._settings), str(self._text)]
        self._job = place.open(argv, environment={**PATIENT, **environment})
        self.does(":")
        place.settle()
        place.terminal.forget()

    def does(self, keys, type=None):
        """Type keys in normal mode and wait until all of them were taken."""
        done = self._sandbox.fresh("done")
        type = type or self.place.terminal.type
        type(f"{keys}\x1b\x1b:call writefile(['over'], '{done}')\r")
        until(done.exists, f"the editor has done {keys!r}")

    def messages(self):
        """The messages so far."""
        file = self._sandbox.fresh("messages")
        self.does(f":call writefile(split(execute('messages'), '\\n'), '{file}')\r")
        return file.read_text()

    def saves(self):
        self.does(":w\r")
        return self._text.read_bytes()

    def name(self):
        return self._text.name

    def quits(self, keys):
        self.place.terminal.type(keys)
        return self._job.wait()


def copied(place, *texts, letter="c"):
    """One after the other, these and nothing else."""
    writes = [(letter, text) for text in texts]
    until(lambda: len(place.terminal.clipboard_so_far()) >= len(writes), "it is copied")
    place.settle()
    assert expect.brief(place.terminal.clipboard_so_far()) == expect.brief(writes)


def copies(editor, wanted):
    """Each of these keys copies its text."""
    for keys, text in wanted.items():
        editor.does(keys)
        copied(editor.place, text)
        editor.place.terminal.forget()


def editors(function):
    names = [
        pytest.param("vim", marks=pytest.mark.needs("vim")),
        pytest.param("neovim", marks=pytest.mark.needs("nvim")),
    ]
    return pytest.mark.parametrize("name", names)(function)


@editors
def test_lines_words_blocks_counts_and_motions(sandbox, plain, name):
    """A copy that succeeds says nothing."""
    editor = Editor(sandbox, name, plain, b"abc def\nghi jkl\nmno pqr\na\0b\n\n")
    before = editor.messages()
    wanted = {
        'ggV"+y': b"abc def\n",
        'gg"+y_': b"abc def\n",
        'gg0"+yw': b"abc ",
        'gg0l\x16jl"+y': b"bc\nhi",
        'gg"+2yy': b"abc def\nghi jkl\n",
        'gg2"+yy': b"abc def\nghi jkl\n",
        'gg0wv"+y': b"d",
        'gg0"+y/jkl\r': b"abc def\nghi ",
        # the byte that ends strings, and the empty line
        'G"+yk': b"a\0b\n\n",
    }
    copies(editor, wanted)
    editor.does('gg"*yy')
    copied(plain, b"abc def\n", letter="p")
    assert editor.messages() == before


@editors
def test_a_yank_that_was_not_meant_for_the_clipboard_stays_here(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, b"one\ntwo\n")
    editor.does("yy")
    editor.does('"ayy')
    # Begun and given up; and a put, after which others may yank again.
    editor.does('"+y\x1byy')
    editor.does('"+pyy')
    editor.does('j"+yy')
    assert len(plain.terminal.clipboard_so_far()) <= 1
    copied(plain, b"two\n")


# The provider of neovim needs no help.
NEOVIM = pytest.param("neovim", "nvim", marks=pytest.mark.needs("nvim"))
VIMS = [
    pytest.param("vim", program, marks=pytest.mark.needs(program))
    for program in (VIM, "vim.gtk3")
]


@pytest.mark.parametrize("name, program", [NEOVIM, *VIMS])
def test_leaving_visual_mode_and_putting_copy_nothing(sandbox, plain, name, program):
    editor = Editor(sandbox, name, plain, b"one two\n", program=program)
    editor.does("yiwviw\x1b")
    editor.does('"+\x1byiw')
    editor.does('wviw"+p')
    assert plain.terminal.clipboard_so_far() == []


@editors
def test_what_was_yanked_can_be_put(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, b"abc\ndef\n")
    editor.does('gg"+yyG"+p')
    editor.does('gg0\x16jl"+yG$"+p')
    assert editor.saves() == b"abc\ndef\nabcab\n   de\n"


UNNAMED = {
    "vim": "let g:viatty_unnamed = 1",
    "neovim": "set clipboard=unnamedplus",
}


TIMED = "let t = reltime() | execute 'normal gg\"+yG' | call writefile([string({})], '{}')"


@NEEDS_TMUX
@editors
def test_a_megabyte_arrives_and_is_not_waited_for(sandbox, pane, name):
    text = b"".join(b"%07d %s\n" % (n, b"x" * 55) for n in range(16_000))
    assert len(text) > 1_000_000
    editor = Editor(sandbox, name, pane, text)
    time = sandbox.fresh("time")
    command = TIMED.format("reltimefloat(reltime(t))", time)
    # The terminal takes nothing, and viatty has to wait for it: the editor does not.
    pane.terminal.pause()
    keys = ["send-keys", "-t", pane.id]
    editor.does(f":{command}\r", lambda text: pane.server.run(*keys, "-l", text))
    pane.terminal.resume()
    assert float(time.read_text()) < 5
    copied(pane, text)


@editors
def test_a_viatty_that_cannot_be_started_is_an_error_message(sandbox, plain, name):
    """It does not stop the editor."""
    editor = Editor(sandbox, name, plain, LINE)
    (sandbox.path / "bin" / "viatty").unlink()
    plain.terminal.type('"+yy')
    plain.terminal.see("viatty could not be started")
    editor.does("p")
    assert editor.saves() == LINE * 2


@editors
def test_an_editor_may_have_another_path(sandbox, plain, name, folder="my tools, ö"):
    """viatty is in none of the folders that the editor knows."""
    old, new = (f"{sandbox.path}/{part}/" for part in ("bin", folder))
    lines = snippet(sandbox, name).replace(old, new)
    (sandbox.path / "bin").rename(sandbox.path / folder)
    editor = Editor(sandbox, name, plain, LINE, lines=lines)
    editor.does('"+yy')
    copied(plain, LINE)


@editors
def test_a_copy_that_fails_is_an_error_message(sandbox, plain, name):
    refuse(sandbox, REASON)
    editor = Editor(sandbox, name, plain, LINE)
    plain.terminal.type('"+yy')
    plain.terminal.see("viatty copy: not copied:")
    plain.terminal.see("...")
    # The editor does not wait for Enter.
    assert editor.saves() == LINE
    said = editor.messages()
    assert said.count(REASON) == 1 and said.count("hint: there is none") == 1
    # An error is shown each time.
    plain.terminal.forget()
    plain.terminal.type('"+yy')
    plain.terminal.see("viatty copy: not copied:")
    assert editor.messages().count(REASON) == 2


# Sent, although it is probably lost.
DOUBTS = """\
trap 'exit 7' EXIT
echo 'viatty copy: warning: probably lost: the outer tmux drops copies' >&2
echo 'hint: open it' >&2
"""


@editors
def test_a_warning_is_shown_once(sandbox, plain, name):
    stand_in = StandIn(sandbox, DOUBTS)
    editor = Editor(sandbox, name, plain, LINE)
    plain.terminal.type('"+yy')
    plain.terminal.see("probably lost: the outer tmux drops copies")
    for count in (2, 3):
        editor.does('"+yy')
        until(lambda: len(stand_in.calls()) == count, "it is copied")
    assert editor.saves() == LINE
    said = editor.messages()
    assert (said.count("probably lost"), said.count("hint: open it")) == (1, 1)


# ---- the order of copies ----------------------------------------------------------

# What copies waits with a long text until it is let go, and records the size of each.
WAITS = """\
n=$(wc -c)
while [ "$n" -gt 1000 ] && ! [ -e "{go}" ]; do sleep 0.02; done
echo "$n" >>"{sizes}"
"""


@editors
def test_what_is_yanked_during_a_copy_is_copied_after_it(sandbox, plain, name):
    """Of several texts that would wait, the newest; for each selection."""
    go, sizes = sandbox.fresh("go"), sandbox.fresh("sizes")
    text = b"".join(b"%d %s\n" % (n, b"x" * n) for n in range(100))
    editor = Editor(sandbox, name, plain, text)
    replace(sandbox, WAITS.format(go=go, sizes=sizes))
    editor.does('gg"+yG')
    for keys in ('50G"+yy', 'gg"*yy', '60G"+yy', '70G"+yy'):
        editor.does(keys)
    # One that does not wait would be recorded before this one has run.
    argv = [str(sandbox.path / "bin" / "viatty"), "copy"]
    subprocess.run(argv, stdin=subprocess.DEVNULL, timeout=60, check=True)
    go.touch()
    done = lambda: len(sizes.read_text().splitlines()) >= 4
    until(done, "all are copied")
    assert editor.quits(":qa!\r").status == 0
    first, big, *rest = [int(size) for size in sizes.read_text().split()]
    assert (first, big, sorted(rest)) == (0, len(text), [3, 73])


@editors
def test_quitting_waits_for_all_copies(sandbox, place, name):
    editor = Editor(sandbox, name, place, b"one\ntwo\n" + b"x" * 500_000 + b"\n")
    assert editor.quits('G"+yygg"+yyj"+yy:qa!\r').status == 0
    copied(place, b"x" * 500_000 + b"\n", b"two\n")


# Each takes 1,000 lines into the clipboard, one by one.
MANY = {"a macro": "gg:let @q = '\"+yyj'\r1000@q", ":g": "gg:g/./d\r"}


@editors
@pytest.mark.parametrize("keys", MANY.values(), ids=MANY)
def test_a_thousand_yanks_are_a_few_copies(sandbox, plain, name, keys):
    text = b"".join(b"%d\n" % n for n in range(1001))
    editor = Editor(sandbox, name, plain, text, UNNAMED[name])
    editor.does(keys)
    last = b"1000\n" if "g/" in keys else b"999\n"
    until(lambda: plain.terminal.clipboard_so_far()[-1:] == [("c", last)], "the last is copied")
    plain.settle()
    writes = plain.terminal.clipboard()
    assert writes[-1] == ("c", last) and len(writes) < 20


@pytest.mark.parametrize("name, program", VIMS)
def test_viattycopy_of_vim_with_its_clipboard_and_without(sandbox, plain, name, program):
    editor = Editor(sandbox, name, plain, b"one\ntwo\0\nthree\n", program=program)
    wanted = {
        ":2ViattyCopy\r": b"two\0\n",
        ":%ViattyCopy\r": b"one\ntwo\0\nthree\n",
        ":ViattyCopy expand('%:t')\r": editor.name().encode(),
        ":ViattyCopy getline(1, 2)\r": b"one\ntwo\0\n",
        ':ViattyCopy "a | b"\r': b"a | b",
        'gg"ayyG"Ayy:ViattyCopy @a\r': b"one\nthree\n",
        'gg"+yy': b"one\n",
    }
    copies(editor, wanted)
    editor.does(":ViattyCopy nothing_of_this_name\r")
    plain.settle()
    assert plain.terminal.clipboard() == []


@pytest.mark.needs(VIM)
def test_vim_copies_again_after_a_job_that_could_not_start(sandbox, plain):
    editor = Editor(sandbox, "vim", plain, b"one\n")
    editor.does(":let folder = fnamemodify(tempname(), ':h') | call delete(folder, 'rf')\r")
    editor.does(":silent! ViattyCopy 'lost'\r")
    editor.does(":call mkdir(folder, '', 0700)\r:ViattyCopy 'again'\r")
    copied(plain, b"again")


def provides(program):
    """Whether this editor has a clipboard that scripts may provide."""
    if program == "nvim":
        return True
    query = [program, "-es", "-u", "NONE", "+if !exists('v:clipproviders') | cquit | endif", "+qa"]
    return subprocess.run(query, stdin=subprocess.DEVNULL, timeout=60).returncode == 0


@pytest.mark.parametrize("name, program", [NEOVIM, *VIMS])
def test_commands_that_write_the_register(sandbox, plain, name, program):
    """vim before 9.2 has no clipboard providers, and :ViattyCopy instead."""
    editor = Editor(sandbox, name, plain, b"one\ntwo\n", program=program)
    has = provides(program)
    copies(editor, {
        ":2y +\r" if has else ":2ViattyCopy\r": b"two\n",
        ":%y+\r" if has else ":%ViattyCopy\r": b"one\ntwo\n",
        ":let @+ = 'a text'\r" if has else ":ViattyCopy 'a text'\r": b"a text",
    })


@pytest.mark.needs("vim")
class TestVim:
    def test_it_pastes_what_the_terminal_tells(self, sandbox, place_at):
        desk = place_at({**FOOT, CLIPBOARD: clipboard(b"from the desk\nsecond \xc3\xb6\n")})
        editor = Editor(sandbox, "vim", desk, b"first\nlast\n")
        desk.terminal.type("gg:ViattyPaste\r")
        desk.terminal.wait_until_asked(CLIPBOARD)
        desk.terminal.see("second")
        expected = "first\nfrom the desk\nsecond ö\nlast\n"
        assert editor.saves() == expected.encode()

    def test_it_goes_on_where_the_terminal_tells_nothing(self, sandbox, plain):
        editor = Editor(sandbox, "vim", plain, LINE, "let $VIATTY_TIMEOUT = 0.3")
        plain.terminal.type(":ViattyPaste\r")
        plain.terminal.see("viatty paste: not pasted: the terminal does not report")
        assert editor.saves() == LINE


@pytest.mark.needs("nvim")
class TestNeovim:
    def test_it_pastes_what_viatty_can_read(self, sandbox, plain):
        replace(sandbox, '[ "$1" = paste ] && printf "from the desk\\nsecond ö"')
        editor = Editor(sandbox, "neovim", plain, b"first\nlast\n")
        editor.does("gg:ViattyPaste\r")
        assert editor.saves() == "first\nfrom the desk\nsecond ö\nlast\n".encode()

    def test_where_it_cannot_the_reason_is_an_error_message(self, sandbox, plain):
        editor = Editor(sandbox, "neovim", plain, LINE)
        editor.does(":ViattyPaste\r")
        assert "viatty paste: not pasted: " in editor.messages()
        assert editor.saves() == LINE


@pytest.mark.needs("emacs")
class TestEmacs:
    """emacs -nw: what is killed is copied, by keys as a person types them."""

    @pytest.fixture
    def editor(self, sandbox, plain):
        self.terminal, self.text = plain.terminal, sandbox.fresh("text")
        init = sandbox.fresh("init.el")
        ready = sandbox.fresh("ready")
        init.write_text(
            f"{snippet(sandbox, 'emacs')}\n"
            "(global-set-key (kbd \"<f5>\") (lambda () (interactive)"
            f' (write-region "" nil "{ready}")))\n'
        )
        self.text.write_bytes(b"one \xc3\xb6\ntwo\nthree\n")
        argv = ["emacs", "-nw", "-Q", "-l", str(init), str(self.text)]
        plain.open(argv, environment=PATIENT)
        self.terminal.wait_for(b"three")
        self.terminal.type("\x1b[15~")
        until(ready.exists, "emacs takes keys")
        plain.settle()
        self.terminal.forget()
        return plain

    def test_what_is_killed_is_copied_and_nothing_is_said(self, sandbox, editor):
        # C-SPC C-n M-w: from the start to the second line.
        self.terminal.type("\x00\x0e\x1bw")
        copied(editor, "one ö\n".encode())
        assert "viatty" not in self.messages(sandbox)
        self.terminal.forget()
        # C-x h M-w
        self.terminal.type("\x18h\x1bw")
        copied(editor, self.text.read_bytes())

    def test_a_copy_that_fails_is_shown_in_the_echo_area(self, sandbox, editor):
        refuse(sandbox, REASON)
        self.terminal.type("\x00\x0e\x1bw")
        self.terminal.see("viatty copy: not copied: 100% #{pid}")
        said = self.messages(sandbox)
        assert said.count(REASON) == 1 and said.count("hint: there is none") == 1
        self.terminal.type("\x00\x0e\x1bw")
        until(lambda: self.messages(sandbox).count(REASON) == 2, "it is shown again")

    def test_a_warning_is_shown_once(self, sandbox, editor):
        stand_in = StandIn(sandbox, DOUBTS)
        for count in (1, 2, 3):
            self.terminal.type("\x00\x0e\x1bw")
            until(lambda: len(stand_in.calls()) == count, "it is copied")
            self.messages(sandbox)
        self.terminal.see("probably lost: the outer tmux drops copies")
        said = self.messages(sandbox)
        assert (said.count("probably lost"), said.count("hint: open it")) == (1, 1)

    def test_of_many_copies_the_last_stays(self, sandbox, editor):
        """Those that would wait are replaced."""
        self.terminal.type("\x1b:(dotimes (i 1000) (kill-new (number-to-string i)))\r")
        last = [("c", b"999")]
        until(lambda: self.terminal.clipboard_so_far()[-1:] == last, "the last is copied")
        editor.settle()
        writes = self.terminal.clipboard()
        assert writes[-1:] == last and len(writes) < 20

    def test_leaving_right_behind_the_copy_loses_nothing(self, editor):
        # C-x h M-w C-x C-c
        self.terminal.type("\x18h\x1bw\x18\x03")
        copied(editor, self.text.read_bytes())

    def messages(self, sandbox):
        file = sandbox.fresh("messages")
        form = f'(progn (with-current-buffer "*Messages*" (write-region nil nil "{file}.new" ' \
            f'nil 0)) (rename-file "{file}.new" "{file}"))'
        self.terminal.type(f"\x1b:{form}\r")
        until(file.exists, "emacs writes its messages")
        return file.read_text()

    @pytest.mark.needs("emacsclient")
    def test_a_frame_of_a_daemon_is_copied_from(self, sandbox, place):
        init, text = sandbox.fresh("init.el"), sandbox.fresh("text")
        init.write_text(snippet(sandbox, "emacs"))
        text.write_bytes(b"one\ntwo\n")
        name = sandbox.fresh("emacs").name
        # No descendant of the terminal: it was started at some other time.
        with open(os.devnull, "r+b") as nothing:
            stdio = (nothing.fileno(),) * 3
            argv = ["emacs", "-Q", "-l", str(init), f"--fg-daemon={name}"]
            sandbox.adopt(Orphan(argv, sandbox.environment(), stdio))
        socket = ["emacsclient", "-s", name]
        evaluates = lambda: place.run([*socket, "-e", "t"]).status == 0
        until(evaluates, "the daemon is there")
        place.open([*socket, "-nw", str(text)])
        place.terminal.wait_for(b"two")
        place.settle()
        place.terminal.forget()
        place.terminal.type("\x18h\x1bw")
        copied(place, text.read_bytes())
