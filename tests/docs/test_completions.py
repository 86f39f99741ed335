"""What the shells offer is what the table has."""

import re
import shlex
import subprocess

import pytest

from documentation import (
    REPOSITORY,
    VIATTY,
    commands,
    further_names,
    options_of,
    output_of,
    refused_by,
    routes,
    terminals,
)
from lib.terminal import OuterTerminal

FILES = {
    "bash": REPOSITORY / "completions" / "viatty.bash",
    "zsh": REPOSITORY / "completions" / "_viatty",
    "fish": REPOSITORY / "completions" / "viatty.fish",
}
FORMS = ["raw", "esc"]
JOINED = {f"--print={form}" for form in FORMS}
BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"


def quoted(shell):
    """Its file, for a line of a shell: the folder may hold blanks."""
    return shlex.quote(str(FILES[shell]))


def longs(*names):
    return {option.long for name in names for option in options_of(name)}


def taken_by(command):
    """Its own options, and those of viatty that it does not refuse."""
    return longs("-", command) - refused_by(command)


def command_names():
    return {command.name for command in commands()}


# Instead of a command, as in `viatty help copy`.
WORDS = {"help"}


def doctor_features():
    """The words that doctor accepts, as it lists them itself for one that it does not."""
    argv = [VIATTY, "doctor", "--no-probe", "none"]
    asked = subprocess.run(argv, capture_output=True, text=True)
    assert asked.returncode == 2
    listed = re.search(r"hint: the features are (.*)", asked.stderr)[1]
    features = listed.split(", ")
    assert "notify" in features and len(features) == len(set(features))
    return set(features)


@pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in FILES]
)
def test_the_shell_finds_no_error_in_it(shell):
    output_of(shell, "-n", str(FILES[shell]))


@pytest.mark.needs("shellcheck")
def test_shellcheck_finds_nothing_in_the_one_for_bash():
    output_of("shellcheck", "-s", "bash", str(FILES["bash"]))


# ---- what the program tells them -------------------------------------------------

FILES_OF_ANY_NAME = "files"


def offered(*words):
    """For the last of these words, split as bash does: the kind, or the values."""
    kind, *lines = output_of(VIATTY, "__complete", "bash", *words).splitlines()
    return {line.split("\t")[0] for line in lines} if kind == "values" else kind


def test_commands():
    assert offered("viatty", "") == command_names() | WORDS
    assert offered("viatty", "cop") == offered("viatty", "--force", "cop") == {"copy"}
    assert offered("viatty", "help", "") == command_names()


def test_options_of_the_program_and_of_each_command():
    assert offered("viatty", "--") == longs("-") | JOINED
    for name in command_names():
        forms = set() if "--print" in refused_by(name) else JOINED
        assert offered("viatty", name, "--") == taken_by(name) | forms
    letters = {o.letter for n in ("-", "copy") for o in options_of(n)} - {"-"}
    assert letters <= offered("viatty", "copy", "-")


def test_the_other_name_is_copy():
    assert offered("osc52", "--") == offered("viatty", "copy", "--")
    assert offered("/usr/bin/osc52", "") == FILES_OF_ANY_NAME
    # an operand, not the command that refuses it
    assert offered("osc52", "link", "--wra") == {"--wrap"}


@pytest.mark.parametrize("program", [["viatty"], ["viatty", "copy"], ["osc52"]])
def test_the_value_of_an_option(program):
    named = {"auto", "native", "tmux-buffer"}
    assert named < routes()
    assert offered(*program, "--route", "") == offered(*program, "--route", "=") == named
    assert offered(*program, "--route", "=", "tm") == {"tmux-buffer"}
    assert offered(*program, "--route=tm") == {"--route=tmux-buffer"}
    assert offered(*program, "--print", "=") == set(FORMS)
    assert offered(*program, "--term", "") == set(terminals()) | further_names()
    assert offered(*program, "--tty", "/dev/") == FILES_OF_ANY_NAME
    assert offered(*program, "--timeout", "") == set()


def test_an_optional_value_is_not_the_next_word():
    for command in "copy", "raw":
        assert offered("viatty", command, "--string", "") == set()
    assert offered("viatty", "--print", "") == command_names() | WORDS
    assert offered("viatty", "--print", "=", "raw", "") == command_names() | WORDS


def test_operands():
    assert offered("viatty", "copy", "no") == FILES_OF_ANY_NAME
    assert offered("viatty", "copy", "--", "--") == FILES_OF_ANY_NAME
    assert offered("viatty", "raw", "") == offered("viatty", "color", "background", "") == set()
    assert offered("viatty", "setup", "zs") == {"zsh"}
    assert offered("viatty", "doctor", "copy", "pas") == {"paste"}
    assert offered("viatty", "doctor", "") == doctor_features()
    assert "background" in offered("viatty", "color", "")


# ---- shells that are typed into ------------------------------------------------

TYPED = {
    "cop": "copy",
    "copy --prim": "copy --primary",
    "copy --route=tmu": "copy --route=tmux-buffer",
    "copy --route tmu": "copy --route tmux-buffer",
    "copy --print=e": "copy --print=esc",
    "copy --term alac": "copy --term alacritty",
    "copy /dev/nul": "copy /dev/null",
    "--tty /dev/nul": "--tty /dev/null",
    "--tty /dev/null ra": "--tty /dev/null raw",
    "--tty /dev/null raw --fil": "--tty /dev/null raw --filter",
    # options of viatty that a command refuses
    "paste --wra": "paste --wra",
    "raw --wra": "raw --wrap",
    "run mktem": "run mktemp",
    "run --on fai": "run --on fail",
    "run ls /dev/nul": "run ls /dev/null",
    "doctor copy pas": "doctor copy paste",
    "help cop": "help copy",
    "help --verb": "help --verbose",
    "color --reset backg": "color --reset background",
    # command lines, which have completions of their own: `tool` knows alpha and --along
    "run --min 5 mktem": "run --min 5 mktemp",
    "run tool alp": "run tool alpha",
    "run -- tool alp": "run -- tool alpha",
    "run tool --al": "run tool --along",
    "run tool --pro": "run tool --pro",
    "--tty /dev/null run --on fail -- tool x alp": "--tty /dev/null run --on fail -- tool x alpha",
    "title --while building -- tool alp": "title --while building -- tool alpha",
    "title --while -- building tool --al": "title --while -- building tool --along",
    "title --while building -- ls /dev/nul": "title --while building -- ls /dev/null",
    "title building -- tool alp": "title building -- tool alp",
    "title --while --ou": "title --while --outer",
}

# The program is a function that shows its arguments; the marks are broken up, so
# that the shell's echo of them is not taken for its answer.
SAY = "tool() { :; }; viatty() { echo \"<\"\"$*>\"; }; osc52() { echo \"<\"\"$*>\"; }; echo rea''dy\n"


def arguments_of(terminal, line):
    """The arguments that a line has after a press of the Tab key."""
    terminal.forget()
    # What is typed after Tab waits until the shell has completed.
    terminal.type(line + "\t")
    terminal.type("\r")
    found = lambda record: b">\r\n" in record.partition(b"\n<")[2]
    terminal.wait_for(found, what=line)
    return terminal.recorded().partition(b"\n<")[2].partition(b">\r\n")[0].decode().rstrip()


def posix(terminal, argv, setup):
    terminal.start(argv)
    terminal.type(setup + SAY)
    terminal.see("ready\r\n")


def bash(terminal):
    setup = (
        f"PS1=; bind 'set bell-style none'; . {BASH_COMPLETION}; . {quoted('bash')}; "
        "complete -W 'alpha --along' tool\n"
    )
    posix(terminal, ["bash", "--norc", "--noprofile", "-i"], setup)


def zsh(terminal):
    setup = (
        f"PS1=; setopt no_beep; fpath=({shlex.quote(str(FILES['zsh'].parent))} $fpath); "
        "autoload -Uz compinit; compinit -u -D; "
        "_tool() { compadd -- alpha --along }; compdef _tool tool\n"
    )
    posix(terminal, ["zsh", "-f", "-i"], setup)


FISH = """
function fish_prompt; echo 'ready '; end
function fish_title; end
function tool; end
complete -c tool -x -a 'alpha --along'
# fish 4 marks the output, behind the end of the line
function viatty; echo; echo \\<"$argv"\\>; end
function osc52; echo; echo \\<"$argv"\\>; end
source {file}
"""


def fish(terminal):
    setup = terminal.sandbox.at_home("setup.fish", FISH.format(file=quoted("fish")))
    # fish 4.1 waits for a terminal that answers; this one does not.
    terminal.start(["fish", "--no-config", "-i", "-C", f"source {setup}"],
                   fish_features="no-query-term")
    terminal.see("ready")


@pytest.mark.parametrize("start", [
    pytest.param(bash, marks=pytest.mark.needs("bash", BASH_COMPLETION), id="bash"),
    pytest.param(zsh, marks=pytest.mark.needs("zsh"), id="zsh"),
    pytest.param(fish, marks=pytest.mark.needs("fish"), id="fish"),
])
def test_the_shell_completes_a_line(sandbox, start):
    terminal = OuterTerminal(sandbox, term="dumb")
    start(terminal)
    assert {line: arguments_of(terminal, f"viatty {line}") for line in TYPED} == TYPED
    assert arguments_of(terminal, "osc52 --trim") == "--trim-newline"
    if start is zsh:
        # The longest of the commands is progress.
        terminal.type("viatty \t")
        terminal.see("copy      -- copy standard input")
        terminal.see("progress  -- show progress")


# ---- found by themselves -----------------------------------------------------------

# In a namespace where /usr/local has what `make install` installs there, and with the
# environment of a login by ssh or in a container: no XDG_DATA_DIRS.
INSTALLED = """
mkdir -p "$0/etc/fish/completions" &&
mount --bind "$0/usr/local" /usr/local &&
mount --bind "$0/etc/fish/completions" /etc/fish/completions &&
exec env -i HOME="$0" TERM=dumb PATH=/usr/local/bin:/usr/bin:/bin "$@"
"""
# What a shell prints if it completes the program by our file.
FINDS = {
    "bash": (f". {BASH_COMPLETION}; _completion_loader $0; complete -p $0",
             "complete -F _viatty {}"),
    "zsh": ("autoload -Uz compinit; compinit -u -D; echo $_comps[$0]", "_viatty"),
    "fish": ("complete -C \"$argv --versio\"", "--version"),
}


def install(*words):
    subprocess.run(["make", "-s", "-C", REPOSITORY, "--old-file=all", "install",
                    f"PROGRAM={VIATTY}", *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    root = tmp_path_factory.mktemp("installed")
    install(f"DESTDIR={root}")
    return root


def finds(argv, printed, **how):
    """Whether the shell has found our file."""
    said = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, **how)
    # bash says that it has no terminal
    assert said.stdout.split("\t")[0].strip() == printed, said.stderr


@pytest.mark.root
@pytest.mark.needs("make", "unshare", BASH_COMPLETION)
@pytest.mark.parametrize("program", ["viatty", "osc52"])
@pytest.mark.parametrize("shell", [pytest.param(shell, marks=pytest.mark.needs(shell))
                                   for shell in FINDS])
def test_the_shell_finds_the_installed_file(installed, shell, program):
    script, printed = FINDS[shell]
    finds(["unshare", "--mount", "sh", "-c", INSTALLED, installed, shell, "-i", "-c", script,
           program], printed.format(program))


@pytest.fixture(scope="module")
def at_home(tmp_path_factory):
    """A home with what `make PREFIX=$HOME/.local install` puts there."""
    home = tmp_path_factory.mktemp("home")
    install(f"PREFIX={home}/.local")
    return home


@pytest.mark.needs("make", BASH_COMPLETION)
@pytest.mark.parametrize("shell", [pytest.param(shell, marks=pytest.mark.needs(shell))
                                   for shell in FINDS])
def test_the_shell_finds_the_file_below_home(at_home, shell):
    """For zsh with the line of README, for the others without one."""
    readme = (REPOSITORY / "README.md").read_text()
    (folder,) = re.findall(r"zsh finds the completions if `fpath` has\s+`(\S+)`", readme)
    script, printed = FINDS[shell]
    before = f"fpath+=({folder}); " if shell == "zsh" else ""
    finds([shell, "-i", "-c", before + script, "viatty"], printed.format("viatty"),
          env={"HOME": str(at_home), "TERM": "dumb",
               "PATH": f"{at_home}/.local/bin:/usr/bin:/bin"})
