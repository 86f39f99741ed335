"""The snippets of `setup vim`, `neovim` and `emacs` in the editors themselves."""

import os
import shutil
import subprocess

import pytest

from lib import expect
from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard
from lib.processes import Orphan, until
from lib.program import Inside
from lib.snippets import refuse, snippet

NEEDS_TMUX = pytest.mark.needs("tmux")
LINE = "one\ttab, wörld ✓\n".encode()
# The console of Linux has no clipboard, and viatty says so.
CONSOLE = {"TERM": "linux"}
# More than a line of any terminal here; % and the rest are not for an editor to expand.
REASON = "viatty copy: not copied: 100% #{pid} " + " ".join(["and so on"] * 20) + " last"
# The names of Debian: vim.basic has no +clipboard. vim.gtk3 has it, and here no display.
VIM = "vim.basic" if shutil.which("vim.basic") else "vim"
# For what takes as long as nobody looks: nothing here is slow by itself.
PATIENT = {"VIATTY_TIMEOUT": "100"}


@pytest.fixture(params=["in a terminal", pytest.param("in tmux", marks=NEEDS_TMUX)])
def place(request):
    return request.getfixturevalue("pane" if request.param == "in tmux" else "plain")


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


def editors(function):
    names = [
        pytest.param("vim", marks=pytest.mark.needs("vim")),
        pytest.param("neovim", marks=pytest.mark.needs("nvim")),
    ]
    return pytest.mark.parametrize("name", names)(function)


@editors
@pytest.mark.parametrize("keys", ['"+yy', 'V"+y', '"+y_', '"+dd'])
def test_a_line(sandbox, place, name, keys):
    editor = Editor(sandbox, name, place, LINE + b"two\n")
    editor.does(keys)
    copied(place, LINE)


@editors
def test_words_blocks_counts_and_motions(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, b"abc def\nghi jkl\nmno pqr\n")
    wanted = {
        'gg0"+yw': b"abc ",
        'gg0l\x16jl"+y': b"bc\nhi",
        'gg"+2yy': b"abc def\nghi jkl\n",
        'gg2"+yy': b"abc def\nghi jkl\n",
        'gg0wv"+y': b"d",
        'gg0"+y/jkl\r': b"abc def\nghi ",
    }
    for keys, text in wanted.items():
        editor.does(keys)
        copied(plain, text)
        plain.terminal.forget()


@editors
def test_the_primary_selection(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, LINE)
    editor.does('"*yy')
    copied(plain, LINE, letter="p")


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


@editors
def test_the_empty_line_and_the_byte_that_ends_strings(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, b"\na\0b\n")
    editor.does('gg"+yG')
    copied(plain, b"\na\0b\n")


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


@editors
def test_every_yank_if_so_wished(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, b"one\ntwo\n", UNNAMED[name])
    editor.does("yy")
    copied(plain, b"one\n")


@editors
@pytest.mark.parametrize("quit", ['"+yy:qa!\r', '"+yyZQ'])
def test_quitting_right_behind_the_yank_loses_nothing(sandbox, place, name, quit):
    editor = Editor(sandbox, name, place, LINE)
    assert editor.quits(quit).status == 0
    copied(place, LINE)


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
def test_a_viatty_that_is_gone_does_not_stop_the_editor(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, LINE)
    (sandbox.path / "bin" / "viatty").unlink()
    editor.does('"+yy')
    editor.does("p")
    assert editor.saves() == LINE * 2


@editors
@pytest.mark.parametrize("folder", ["tools", "my tools, ö"])
def test_an_editor_may_have_another_path(sandbox, plain, name, folder):
    """viatty is in none of the folders that the editor knows."""
    old, new = (f"{sandbox.path}/{part}/" for part in ("bin", folder))
    lines = snippet(sandbox, name).replace(old, new)
    (sandbox.path / "bin").rename(sandbox.path / folder)
    editor = Editor(sandbox, name, plain, LINE, lines=lines)
    editor.does('"+yy')
    copied(plain, LINE)


@editors
def test_a_copy_that_fails_is_an_error_message(sandbox, place, name):
    refuse(sandbox, REASON)
    editor = Editor(sandbox, name, place, LINE)
    place.terminal.type('"+yy')
    place.terminal.see("viatty copy: not copied:")
    place.terminal.see("...")
    # The editor does not wait for Enter.
    assert editor.saves() == LINE
    said = editor.messages()
    assert said.count(REASON) == 1 and "hint" not in said


@editors
def test_it_says_what_viatty_says(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, LINE, environment=CONSOLE)
    plain.terminal.type('"+yy')
    plain.terminal.see("viatty copy: ")
    plain.terminal.see("Linux")
    said = [line for line in editor.messages().splitlines() if "Linux console" in line]
    assert len(said) == 1 and said[0].startswith("viatty copy: ")


@editors
def test_a_copy_that_succeeds_says_nothing(sandbox, place, name):
    editor = Editor(sandbox, name, place, LINE)
    before = editor.messages()
    editor.does('"+yy')
    copied(place, LINE)
    assert editor.messages() == before


@editors
def test_a_viatty_that_cannot_be_started_is_an_error_message(sandbox, plain, name):
    editor = Editor(sandbox, name, plain, LINE)
    (sandbox.path / "bin" / "viatty").unlink()
    plain.terminal.type('"+yy')
    plain.terminal.see("viatty could not be started")
    assert editor.saves() == LINE


# The provider of neovim needs no help.
NEOVIM = pytest.param("neovim", "nvim", marks=pytest.mark.needs("nvim"))
VIMS = [
    pytest.param("vim", program, marks=pytest.mark.needs(program))
    for program in (VIM, "vim.gtk3")
]


@pytest.mark.parametrize("name, program", VIMS)
class TestVimCopies:
    """:ViattyCopy, with +clipboard and without."""

    @pytest.mark.parametrize(
        "command, text",
        [
            ("2ViattyCopy", b"two\0\n"),
            ("%ViattyCopy", b"one\ntwo\0\nthree\n"),
            ("ViattyCopy expand('%:t')", b"text"),
            ("ViattyCopy getline(1, 2)", b"one\ntwo\0\n"),
            ('ViattyCopy "a | b"', b"a | b"),
        ],
    )
    def test_lines_and_expressions(self, sandbox, plain, name, program, command, text):
        editor = Editor(sandbox, name, plain, b"one\ntwo\0\nthree\n", program=program)
        editor.does(f":{command}\r")
        if text == b"text":
            text = editor.name().encode()
        copied(plain, text)

    def test_a_register(self, sandbox, plain, name, program):
        editor = Editor(sandbox, name, plain, b"one\ntwo\n", program=program)
        editor.does('"ayyj"Ayy:ViattyCopy @a\r')
        copied(plain, b"one\ntwo\n")

    def test_an_error_in_the_expression_copies_nothing(self, sandbox, plain, name, program):
        editor = Editor(sandbox, name, plain, b"one\n", program=program)
        editor.does(":ViattyCopy nothing_of_this_name\r")
        plain.settle()
        assert plain.terminal.clipboard() == []

    def test_a_line_is_yanked(self, sandbox, plain, name, program):
        editor = Editor(sandbox, name, plain, LINE, program=program)
        editor.does('"+yy')
        copied(plain, LINE)


def provides(program):
    """Whether this editor has a clipboard that scripts may provide."""
    if program == "nvim":
        return True
    query = [program, "-es", "-u", "NONE", "+if !exists('v:clipproviders') | cquit | endif", "+qa"]
    return subprocess.run(query, stdin=subprocess.DEVNULL, timeout=60).returncode == 0


@pytest.mark.parametrize("name, program", [NEOVIM, *VIMS])
@pytest.mark.parametrize(
    "command, without, text",
    [
        ("2y +", "2ViattyCopy", b"two\n"),
        ("%y+", "%ViattyCopy", b"one\ntwo\n"),
        ("let @+ = 'a text'", "ViattyCopy 'a text'", b"a text"),
    ],
)
def test_commands_that_write_the_register(
    sandbox, plain, name, program, command, without, text
):
    """vim before 9.2 has no clipboard providers, and :ViattyCopy instead."""
    editor = Editor(sandbox, name, plain, b"one\ntwo\n", program=program)
    editor.does(f":{command if provides(program) else without}\r")
    copied(plain, text)


@pytest.mark.needs("vim")
class TestVim:
    @pytest.fixture
    def desk(self, sandbox):
        """A terminal that tells what is on the clipboard."""
        told = {**FOOT, CLIPBOARD: clipboard(b"from the desk\nsecond \xc3\xb6\n")}
        terminal = AnsweringTerminal(sandbox, told)
        return Inside(terminal.runner(), terminal)

    def test_it_pastes_what_the_terminal_tells(self, sandbox, desk):
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


@pytest.mark.needs("emacs")
class TestEmacs:
    """emacs -nw: what is killed is copied, by keys as a person types them."""

    @pytest.fixture
    def editor(self, sandbox, place):
        self.terminal, self.text = place.terminal, sandbox.fresh("text")
        init = sandbox.fresh("init.el")
        ready = sandbox.fresh("ready")
        init.write_text(
            f"{snippet(sandbox, 'emacs')}\n"
            "(global-set-key (kbd \"<f5>\") (lambda () (interactive)"
            f' (write-region "" nil "{ready}")))\n'
        )
        self.text.write_bytes(b"one \xc3\xb6\ntwo\nthree\n")
        argv = ["emacs", "-nw", "-Q", "-l", str(init), str(self.text)]
        place.open(argv, environment=PATIENT)
        self.terminal.wait_for(b"three")
        self.terminal.type("\x1b[15~")
        until(ready.exists, "emacs takes keys")
        place.settle()
        self.terminal.forget()
        return place

    def test_what_is_killed_is_copied(self, editor):
        # C-SPC C-n M-w: from the start to the second line.
        self.terminal.type("\x00\x0e\x1bw")
        copied(editor, "one ö\n".encode())

    def test_a_copy_that_succeeds_says_nothing(self, sandbox, editor):
        self.terminal.type("\x00\x0e\x1bw")
        copied(editor, "one ö\n".encode())
        assert "viatty" not in self.messages(sandbox)

    def test_a_copy_that_fails_is_shown_in_the_echo_area(self, sandbox, editor):
        refuse(sandbox, REASON)
        self.terminal.type("\x00\x0e\x1bw")
        self.terminal.see("viatty copy: not copied: 100% #{pid}")
        said = self.messages(sandbox)
        assert said.count(REASON) == 1 and "hint" not in said

    def test_leaving_right_behind_the_copy_loses_nothing(self, editor):
        # C-x h M-w C-x C-c
        self.terminal.type("\x18h\x1bw\x18\x03")
        copied(editor, self.text.read_bytes())

    def messages(self, sandbox):
        file = sandbox.fresh("messages")
        form = f'(with-current-buffer "*Messages*" (write-region nil nil "{file}" nil 0))'
        self.terminal.type(f"\x1b:{form}\r")
        until(file.exists, "emacs writes its messages")
        return file.read_text()

    def test_a_whole_buffer_is_copied(self, editor):
        # C-x h M-w
        self.terminal.type("\x18h\x1bw")
        copied(editor, self.text.read_bytes())

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
            sandbox.adopt(_Killed(Orphan(argv, sandbox.environment(), stdio)))
        socket = ["emacsclient", "-s", name]
        evaluates = lambda: place.run([*socket, "-e", "t"]).status == 0
        until(evaluates, "the daemon is there")
        place.open([*socket, "-nw", str(text)])
        place.terminal.wait_for(b"two")
        place.settle()
        place.terminal.forget()
        place.terminal.type("\x18h\x1bw")
        copied(place, text.read_bytes())


class _Killed:
    def __init__(self, program):
        self.close = program.kill
