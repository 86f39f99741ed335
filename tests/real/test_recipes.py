"""The recipes of viatty-setup(1) and viatty-copy(1), as a reader would copy them, in the
programs that they are for. Those of agents are in test_agents.py."""

import json
import os
import re
import subprocess
import tomllib

import pytest

from lib.answering import CLIPBOARD, DA1, DA2, KITTY, NAME, AnsweringTerminal, clipboard, name
from lib.processes import until
from lib.program import REPOSITORY
from lib.snippets import recipe
from lib.sshd import Sshd

TEXT = "first line\nsecond line\nthird\n"


def copied(terminal, text):
    """This alone has been copied."""
    until(lambda: terminal.clipboard_so_far(), "it is copied")
    terminal.settle()
    # A program that is still drawing may be in the middle of a sequence.
    assert until(terminal.clipboard_so_far, "the last sequence is whole") == [("c", text)]


# ---- shells ----------------------------------------------------------------------

SHELLS = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bash", "zsh", "fish")]
LINE = {
    "bash": recipe("viatty-setup.1", '"$READLINE_LINE" | viatty'),
    "zsh": recipe("viatty-setup.1", "zle -N viatty-copy-line"),
    "fish": recipe("viatty-setup.1", "commandline | viatty"),
}
FILE = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
PROMPT = {"bash": "PS1='<ready>'\n", "zsh": "PROMPT='<ready>'\n",
          "fish": "function fish_prompt; echo -n '<ready>'; end\nfunction fish_greeting; end\n"}
ARGV = {"bash": ["bash", "--noprofile", "-i"], "zsh": ["zsh", "-d", "-i"], "fish": ["fish", "-i"]}


@pytest.mark.parametrize("shell", SHELLS)
def test_without_viatty_a_new_shell_says_nothing(sandbox, terminal, shell):
    (line,) = [line for line in recipe("viatty-setup.1", "viatty setup bash").splitlines()
               if f"setup {shell}" in line]
    (sandbox.path / "bin" / "viatty").unlink()
    at_prompt(sandbox, terminal, shell, line + "\n")
    assert b"found" not in terminal.recorded() and b"nknown" not in terminal.recorded()


def at_prompt(sandbox, terminal, shell, settings):
    sandbox.at_home(FILE[shell], settings + PROMPT[shell])
    terminal.start(ARGV[shell], SHELL=shell, VIATTY_TIMEOUT="60")
    terminal.see("<ready>")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_being_typed_is_copied(sandbox, terminal, shell):
    at_prompt(sandbox, terminal, shell, LINE[shell])
    typed = "echo 'it is' \"100 %\" \\$HOME"
    terminal.type(typed)
    # the shell may color it
    until(lambda: "HOME" in terminal.recorded().decode(), "it is shown")
    terminal.type("\x18\x19")
    copied(terminal, typed.encode())


INSERTS = {
    "bash": recipe("viatty-setup.1", "p=$(viatty paste"),
    "zsh": recipe("viatty-setup.1", "zle -N viatty-paste"),
    "fish": recipe("viatty-setup.1", "commandline -i (viatty paste"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_clipboard_is_inserted_at_the_prompt(sandbox, shell):
    script = {**KITTY, CLIPBOARD: clipboard(b"pas''ted")}
    terminal = AnsweringTerminal(sandbox, script, term="xterm-kitty")
    at_prompt(sandbox, terminal, shell, INSERTS[shell])
    terminal.type("echo it is \x18\x10")
    terminal.wait_until_asked(CLIPBOARD)
    until(lambda: b"ted" in terminal.recorded(), "it is shown")
    terminal.type("\r")
    # As the shell prints it, without what it has colored.
    until(lambda: b"it is pasted" in terminal.recorded(), "the line is run")


POSIX = SHELLS[:2]
IN_BACKGROUND = recipe("viatty-copy.1", "(sleep 45; viatty")


@pytest.mark.parametrize("shell", POSIX)
def test_a_secret_is_cleared_in_the_background(sandbox, terminal, shell):
    """The test decides when 45 seconds are over."""
    asked, over = sandbox.fresh("asked"), sandbox.fresh("over")
    os.mkfifo(over)
    sandbox.script("sleep", f"echo $* >{asked}.new; mv {asked}.new {asked}; read over <{over}")
    sandbox.script("pass", "echo a secret")
    at_prompt(sandbox, terminal, shell, IN_BACKGROUND)
    terminal.type("secret pass show mail; echo status $?.\r")
    terminal.see("status 0.")
    until(asked.exists, "it sleeps")
    assert asked.read_text() == "45\n"
    writes = [("c", b"a secret"), ("c", b"")]
    assert terminal.clipboard_so_far() == writes[:1]
    over.write_text("over\n")
    until(lambda: terminal.clipboard_so_far() == writes, "it is cleared")


@pytest.mark.parametrize("shell", POSIX)
def test_without_a_secret_nothing_is_copied(sandbox, terminal, shell):
    sandbox.script("pass", "exit 1")
    at_prompt(sandbox, terminal, shell, IN_BACKGROUND)
    terminal.type("secret pass show mail; echo status $?.\r")
    terminal.see("status 4.")
    terminal.settle()
    assert terminal.clipboard() == []


# ---- editors and other programs ----------------------------------------------------


def opened(sandbox, plain, argv, shows="second line", text=TEXT):
    """A program with a file in it."""
    file = sandbox.fresh("text")
    file.write_text(text)
    plain.open([*argv, str(file)])
    plain.terminal.see(shows)
    return file


@pytest.mark.needs("kak")
def test_kakoune_copies_what_is_yanked_or_deleted(sandbox, plain):
    sandbox.at_home(".config/kak/kakrc", recipe("viatty-setup.1", "RegisterModified"))
    opened(sandbox, plain, ["kak"])
    plain.terminal.type("xy")
    copied(plain.terminal, b"first line\n")
    plain.terminal.forget()
    plain.terminal.type("jxd")
    copied(plain.terminal, b"second line\n")


@pytest.mark.needs("micro")
def test_micro_copies_the_selection_and_keeps_it(sandbox, plain):
    sandbox.at_home(".config/micro/bindings.json", recipe("viatty-setup.1", "textfilter"))
    file = opened(sandbox, plain, ["micro"])
    # Ctrl-A, Alt-C, save, quit
    plain.terminal.type("\x01")
    plain.terminal.type("\x1bc")
    copied(plain.terminal, TEXT.encode())
    assert file.read_text() == TEXT
    plain.terminal.type("\x13\x11")


@pytest.mark.needs("nano")
def test_nano_copies_the_buffer_and_keeps_it(sandbox, plain):
    settings = sandbox.fresh("nanorc")
    settings.write_text(recipe("viatty-setup.1", "{execute}"))
    # root's nano does not read HOME
    file = opened(sandbox, plain, ["nano", "--rcfile", str(settings)])
    plain.terminal.type("\x1bc")
    copied(plain.terminal, TEXT.encode())
    plain.terminal.type("\x13")
    plain.terminal.see("Wrote 3 lines")
    assert file.read_text() == TEXT


@pytest.mark.needs("ranger")
def test_ranger_copies_the_path(sandbox, plain):
    keeps_keys = "set flushinput false\n"
    sandbox.at_home(".config/ranger/rc.conf", recipe("viatty-setup.1", "map yc") + keeps_keys)
    folder = sandbox.folder("it's ")
    (folder / "100 %d").write_text(TEXT)
    plain.open(["ranger", str(folder)])
    plain.terminal.see("100 %d")
    plain.terminal.type("yc")
    copied(plain.terminal, f"{folder}/100 %d".encode())


def keys(word):
    """What is typed in less according to the page."""
    text = (REPOSITORY / "man" / "viatty-setup.1").read_text()
    (found,) = re.findall(rf"^\.Ql (\|\{word}\S+)$", text, re.M)
    return found + "\r"


@pytest.mark.needs("less")
@pytest.mark.parametrize("word", [".", "^"], ids=["what it shows", "up to there"])
def test_less_copies(sandbox, plain, word):
    lines = [f"line {number}\n" for number in range(100)]
    opened(sandbox, plain, ["less"], "line 22", "".join(lines))
    plain.terminal.type(" ")
    plain.terminal.see("line 45")
    plain.terminal.type(keys(word))
    copied(plain.terminal, "".join(lines[0 if word == "^" else 23 : 46]).encode())


@pytest.mark.needs("lnav")
@pytest.mark.parametrize("typed", [":pipe-line-to osc52\r", "mc"])
def test_lnav_copies_a_line(sandbox, plain, typed):
    settings = recipe("viatty-setup.1", '"clipboard"')
    sandbox.at_home(".config/lnav/configs/installed/viatty.json", settings)
    if typed[0] == ":":
        assert f".Ic {typed.strip()}\n" in (REPOSITORY / "man" / "viatty-setup.1").read_text()
    opened(sandbox, plain, ["lnav"], "the only line", "the only line\n")
    plain.terminal.type(typed)
    copied(plain.terminal, b"the only line\n")


def repository(sandbox):
    """A repository with one commit and a new file; gives where it is, and the commit."""
    place = sandbox.folder("repository")
    environment = sandbox.environment()
    git = lambda *words: subprocess.run(
        ["git", "-C", str(place), "-c", "user.name=A Person", "-c", "user.email=a@example.org",
         *words], env=environment, check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    (place / "a new file").write_text("text\n")
    return place, git("rev-parse", "HEAD")


@pytest.mark.needs("fzf", "bash")
def test_fzf_copies_the_line(sandbox, plain):
    script = sandbox.fresh("script")
    script.write_text(recipe("viatty-setup.1", "FZF_DEFAULT_OPTS") +
                      "printf '%s\\n' \"it's one\" two | fzf --no-mouse\n")
    plain.open(["bash", str(script)], environment={"FZF_DEFAULT_OPTS": "--reverse"})
    plain.terminal.see("two")
    plain.terminal.type("\x1by")
    copied(plain.terminal, b"it's one")


@pytest.mark.needs("mcedit")
def test_mc_copies_what_its_editor_copies(sandbox, plain):
    sandbox.at_home(".config/mc/ini", recipe("viatty-setup.1", "clipboard_store"))
    text = sandbox.fresh("text")
    text.write_text("a line\nthe next\n")
    plain.open(["mcedit", "-u", str(text)])
    plain.terminal.see("the next")
    # F3, Down, Ctrl-Insert: from the start to the next line.
    plain.terminal.type("\x1bOR")
    plain.terminal.type("\x1bOB")
    plain.terminal.type("\x1b[2;5~")
    copied(plain.terminal, b"a line\n")


@pytest.mark.needs("tig", "git")
def test_tig_copies_the_commit(sandbox, plain):
    sandbox.at_home(".tigrc", recipe("viatty-setup.1", "bind generic"))
    place, commit = repository(sandbox)
    plain.open(["sh", "-c", f"cd '{place}' && exec tig"])
    plain.terminal.see("first")
    # It begins with the changes that are not committed.
    plain.terminal.type("jY")
    copied(plain.terminal, commit.encode())


def test_yazi_gets_a_key_that_copies_the_paths(plain):
    """Debian has no yazi: what it would run, with the paths as arguments."""
    (key,) = tomllib.loads(recipe("viatty-setup.1", "mgr.prepend_keymap"))["mgr"]["prepend_keymap"]
    command, _, line = key["run"].partition(" -- ")
    assert (key["on"], command) == ("<C-y>", "shell")
    assert plain.run(["sh", "-c", line, "yazi", "/a b", "/c'd"]).status == 0
    copied(plain.terminal, b"/a b\n/c'd")


@pytest.mark.needs("lazygit", "git")
def test_lazygit_copies_the_path(sandbox, plain):
    settings = recipe("viatty-setup.1", "copyToClipboardCmd") + "disableStartupPopups: true\n"
    sandbox.at_home(".config/lazygit/config.yml", settings)
    place, _ = repository(sandbox)
    plain.open(["lazygit", "-p", str(place)])
    plain.terminal.see("a new file")
    plain.terminal.type("\x0f")
    copied(plain.terminal, b"a new file")


@pytest.mark.needs("hx")
@pytest.mark.parametrize("keys, letter", [(" y", "c"), ('"+y', "c"), ('"*y', "p")])
def test_helix_copies_the_selection(sandbox, plain, keys, letter):
    sandbox.at_home(".config/helix/config.toml", recipe("viatty-setup.1", "clipboard-provider"))
    text = sandbox.fresh("text")
    text.write_text("it's one\ntwo ✓\n")
    plain.open(["hx", str(text)])
    plain.terminal.see("two")
    plain.terminal.type("%" + keys)
    until(lambda: plain.terminal.clipboard_so_far(), "it is copied")
    plain.settle()
    assert plain.terminal.clipboard() == [(letter, "it's one\ntwo ✓\n".encode())]


# ---- other machines ------------------------------------------------------------------

VSCODE = {NAME: name(b"xterm.js(6.0.0)"), DA2: b"\x1b[>0;276;0c", DA1: b"\x1b[?62;4;9;22c"}
VARIABLES = {"TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.139.1"}


@pytest.mark.needs("ssh", "ssh-keygen")
@pytest.mark.parametrize("passed", [False, True], ids=["queried", "passed on"])
def test_ssh_passes_on_which_terminal_it_is(sandbox, passed):
    sshd = Sshd(sandbox)
    if passed:
        for file, line in ((sshd.client, recipe("viatty-setup.1", "SendEnv TERM")),
                           (sshd.settings, recipe("viatty-setup.1", "AcceptEnv TERM"))):
            with open(file, "a") as settings:
                settings.write(line)
    terminal = AnsweringTerminal(sandbox, VSCODE, environment=VARIABLES)
    result = sshd.login(terminal).run(["viatty", "doctor", "--json"])
    assert json.loads(result.stdout)["terminal"] == ("vscode" if passed else "xtermjs")


# What `docker run` does with these options, but for the other root.
DOCKER = """\
[ "$1 $2" = 'run -it' ] || exit 125
shift 2
set -- "$@" end
while [ "$1" != end ]; do
    case $1 in
    -e) eval "kept=\\"\\$kept $2=\\${$2-}\\"" ; shift ;;
    -v) program=${2%%:*} there=${2#*:}; shift ;;
    debian) ;;
    *) exit 125 ;;
    esac
    shift
done
[ "${there#*:}" = ro ] && there=${there%:ro} && [ "${there%/*}" = /usr/local/bin ] || exit 125
mkdir "$HOME/container" && cp "$program" "$HOME/container/${there##*/}"
exec env -i $kept PS1='<inside>' PATH="$HOME/container:/usr/bin:/bin" sh
"""


def test_a_container_gets_the_program(sandbox, terminal):
    sandbox.script("docker", DOCKER)
    terminal.start(["sh", "-c", recipe("viatty-setup.1", "docker run")])
    terminal.see("<inside>")
    terminal.type("echo hello | viatty copy; echo $TERM.\r")
    terminal.see(f"{terminal.term}.")
    copied(terminal, b"hello\n")


def test_wsl_reads_the_clipboard_of_windows(sandbox, plain):
    sandbox.script("powershell.exe", "printf 'one\\r\\ntwo\\r\\n'")
    wsl = {"WSL_DISTRO_NAME": "Debian", "WSL_INTEROP": "/run/WSL/1_interop"}
    line = recipe("viatty-setup.1", "--route native")
    result = plain.run(["sh", "-c", line], stdin=None, environment=wsl)
    assert (result.status, result.stdout) == (0, b"one\ntwo\n"), result.stderr


# ---- all -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["viatty-setup.1", "viatty-copy.1"])
def test_every_recipe_is_run(page):
    text = (REPOSITORY / "man" / page).read_text()
    blocks = [block for block in re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", text, re.M)
              if not block.startswith("$ ")]
    calls = "".join(path.read_text() for path in (REPOSITORY / "tests").glob("*/test_*.py"))
    words = re.findall(rf"recipe\(\"{page}\", ['\"](.*?)['\"]\)", calls)
    assert blocks and [block for block in blocks if not any(word in block for word in words)] == []
