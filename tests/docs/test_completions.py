"""What the shells offer is what the table has."""

import os
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
from shells import Shell

FILES = {
    "bash": REPOSITORY / "completions" / "viatty.bash",
    "zsh": REPOSITORY / "completions" / "_viatty",
    "fish": REPOSITORY / "completions" / "viatty.fish",
}
FORMS = ["raw", "esc"]
JOINED = {f"--print={form}" for form in FORMS}
# The scripts ask the program.
PATH = f"{os.path.dirname(VIATTY)}:{os.environ['PATH']}"


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


# ---- bash ----------------------------------------------------------------------

BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"
# Outside of a completion compopt is an error: here it says what it was asked.
BASH = """
if [[ -r /usr/share/bash-completion/bash_completion ]]; then
    . /usr/share/bash-completion/bash_completion
fi
. {file}
compopt() {{ echo "compopt $*"; }}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_viatty
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def by_bash(*words):
    """What bash offers for the last of these words, split as bash does."""
    script = BASH.format(file=quoted("bash"), words=shlex.join(words))
    return set(output_of("bash", "-c", script, env={**os.environ, "PATH": PATH}).split("\n")) - {""}


@pytest.mark.needs("bash")
class TestBash:
    FILES = {"compopt -o default"}

    def test_commands(self):
        assert by_bash("viatty", "") == command_names() | WORDS
        assert by_bash("viatty", "cop") == {"copy"}
        assert by_bash("viatty", "--force", "cop") == {"copy"}

    def test_options_of_the_program_and_of_each_command(self):
        assert by_bash("viatty", "--") == longs("-") | JOINED
        for name in command_names():
            forms = set() if "--print" in refused_by(name) else JOINED
            assert by_bash("viatty", name, "--") == taken_by(name) | forms

    def test_letters(self):
        letters = {o.letter for n in ("-", "copy") for o in options_of(n)} - {"-"}
        assert letters <= by_bash("viatty", "copy", "-")

    def test_the_other_name_is_copy(self):
        assert by_bash("osc52", "--") == by_bash("viatty", "copy", "--")
        assert by_bash("/usr/bin/osc52", "") == self.FILES

    @pytest.mark.parametrize("program", [["viatty"], ["viatty", "copy"], ["osc52"]])
    def test_the_value_of_an_option(self, program):
        named = {"auto", "native", "tmux-buffer"}
        assert named < routes()
        assert by_bash(*program, "--route", "") == named
        assert by_bash(*program, "--route", "=") == named
        assert by_bash(*program, "--route", "=", "tm") == {"tmux-buffer"}
        assert by_bash(*program, "--route=tm") == {"--route=tmux-buffer"}
        assert by_bash(*program, "--print", "=") == set(FORMS)
        assert by_bash(*program, "--term", "") == set(terminals()) | further_names()
        assert by_bash(*program, "--tty", "/dev/") == self.FILES
        assert by_bash(*program, "--timeout", "") == set()

    def test_an_option_of_another_command_has_no_value(self):
        assert by_bash("viatty", "copy", "--string", "") == set()
        assert by_bash("viatty", "raw", "--string", "") == set()

    def test_an_optional_value_is_not_the_next_word(self):
        assert by_bash("viatty", "--print", "") == command_names() | WORDS
        assert by_bash("viatty", "--print", "=", "raw", "") == command_names() | WORDS


    def test_a_command_in_two_folders_is_offered_once(self, tmp_path):
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "twofold").touch(0o755)
        script = BASH.format(file=quoted("bash"), words="viatty run twof")
        path = f"{tmp_path}/a:{tmp_path}/b:{PATH}"
        assert output_of("bash", "-c", script, env={**os.environ, "PATH": path}) == "twofold\n"

    def test_operands(self):
        assert by_bash("viatty", "copy", "no") == self.FILES
        assert by_bash("viatty", "copy", "--", "--") == self.FILES
        assert by_bash("viatty", "raw", "") == set()
        assert "neovim" in by_bash("viatty", "setup", "")
        assert by_bash("viatty", "setup", "zs") == {"zsh"}
        assert by_bash("viatty", "doctor", "cop") == {"copy"}
        assert by_bash("viatty", "doctor", "copy", "pas") == {"paste"}
        assert "background" in by_bash("viatty", "color", "")
        assert by_bash("viatty", "color", "background", "") == set()

    def test_help_completes_the_commands(self):
        assert by_bash("viatty", "help", "") == command_names()

    def test_doctor_completes_every_feature_that_it_knows(self):
        assert by_bash("viatty", "doctor", "") == doctor_features()


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


def arguments_of(shell, line):
    """The arguments that a line has after a press of the Tab key."""
    # What is typed after Tab waits until the shell has completed.
    shell.type(line + "\t")
    shell.type("\r")
    shell.wait_for("\n<")
    return shell.wait_for(">\r\n").rstrip()


def posix(argv, setup, home):
    shell = Shell(argv, {"PATH": PATH, "TERM": "dumb", "HOME": str(home)})
    shell.type(setup + SAY)
    shell.wait_for("ready\r\n")
    return shell


def bash(home):
    setup = (
        f"PS1=; bind 'set bell-style none'; . {BASH_COMPLETION}; . {quoted('bash')}; "
        "complete -W 'alpha --along' tool\n"
    )
    return posix(["bash", "--norc", "--noprofile", "-i"], setup, home)


def zsh(home):
    setup = (
        f"PS1=; setopt no_beep; fpath=({shlex.quote(str(FILES['zsh'].parent))} $fpath); "
        "autoload -Uz compinit; compinit -u -D; "
        "_tool() { compadd -- alpha --along }; compdef _tool tool\n"
    )
    return posix(["zsh", "-f", "-i"], setup, home)


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


def fish(home):
    (home / "setup.fish").write_text(FISH.format(file=quoted("fish")))
    argv = ["fish", "--no-config", "-i", "-C", f"source {home}/setup.fish"]
    environment = {
        "PATH": PATH, "TERM": "dumb", "HOME": str(home),
        # fish 4.1 waits for a terminal that answers; this one does not.
        "fish_features": "no-query-term",
    }
    shell = Shell(argv, environment)
    shell.wait_for("ready")
    return shell


@pytest.mark.parametrize("start", [
    pytest.param(bash, marks=pytest.mark.needs("bash", BASH_COMPLETION), id="bash"),
    pytest.param(zsh, marks=pytest.mark.needs("zsh"), id="zsh"),
    pytest.param(fish, marks=pytest.mark.needs("fish"), id="fish"),
])
def test_the_shell_completes_a_line(start, tmp_path):
    with start(tmp_path) as shell:
        assert {line: arguments_of(shell, f"viatty {line}") for line in TYPED} == TYPED
        assert arguments_of(shell, "osc52 --trim") == "--trim-newline"


@pytest.mark.needs("zsh")
def test_zsh_lines_up_what_it_describes(tmp_path):
    """The longest of the commands is progress."""
    setup = (
        f"PS1=; PATH={PATH}; fpath=({shlex.quote(str(FILES['zsh'].parent))} $fpath); "
        "autoload -Uz compinit; compinit -u -D; print ready\n"
    )
    environment = {"TERM": "dumb", "HOME": str(tmp_path), "PATH": PATH}
    with Shell(["zsh", "-f", "-i"], environment) as shell:
        shell.type(setup)
        shell.wait_for("ready\r\n")
        shell.type("viatty \t")
        shell.wait_for("copy      -- copy standard input")
        shell.wait_for("progress  -- show progress")


# ---- fish ----------------------------------------------------------------------


@pytest.fixture
def by_fish(tmp_path):
    """What fish offers at the end of a line, without the descriptions."""

    def ask(line):
        script = f"source {quoted('fish')}; complete -C {shlex.quote(line)}"
        environment = {"PATH": PATH, "HOME": str(tmp_path)}
        text = output_of("fish", "--no-config", "-c", script, env=environment)
        return {offer.split("\t")[0] for offer in text.splitlines()}

    return ask


@pytest.mark.needs("fish")
class TestFish:
    """As all of them it shows what the program offers, which TestBash looks at."""

    def test_options_of_the_program_and_of_each_command(self, by_fish):
        assert by_fish("viatty --") - JOINED == longs("-")
        for name in command_names():
            assert by_fish(f"viatty {name} --") - JOINED == taken_by(name)

    @pytest.mark.parametrize("option", ["copy -n", "copy -s", "copy -t", "paste -p", "notify -u"])
    def test_after_an_option_that_is_an_operator_of_test(self, by_fish, option):
        """test(1) would complain of it, and output_of() takes no complaint."""
        by_fish(f"viatty {option} ")

    def test_the_other_name_is_copy(self, by_fish):
        assert by_fish("osc52 --") == by_fish("viatty copy --")
        # an operand, not the command that refuses it
        assert by_fish("osc52 link --wra") == {"--wrap"}
        assert "/dev/null" in by_fish("osc52 /dev/nul")


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
