"""What `viatty setup` prints, and where it finds it again."""

import json
import re
import subprocess

import pytest
from faults import well_said

from lib.program import REPOSITORY
from lib.runner import Result

SNIPPETS = {path.stem: path for path in (REPOSITORY / "src" / "setup").iterdir()}


@pytest.fixture
def setup(sandbox):
    """Run viatty setup without a terminal, in a home of its own."""

    def run(*words, **environment):
        done = subprocess.run(
            [str(sandbox.path / "bin" / "viatty"), "setup", *words],
            env=sandbox.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def home(sandbox):
    return sandbox.path / "home"


def lines(result):
    return result.stdout.decode().splitlines()


# ---- printing ------------------------------------------------------------------


def test_there_is_a_snippet_for_every_program(setup):
    known = re.search(r"it knows (.*)", setup("nothing").stderr.decode())[1]
    assert set(known.split(", ")) == set(SNIPPETS)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_is_its_source_less_what_is_for_other_versions(setup, name):
    result = setup(name, "--for", "9.9")
    assert (result.status, result.stderr) == (0, b"")
    source = SNIPPETS[name].read_text().replace("@VERSION@", "9.9")
    unconditional = [line for line in source.splitlines() if not line.startswith("@")]
    printed = lines(result)
    rest = iter(printed)
    assert all(line in rest for line in unconditional)
    assert "@" not in "".join(line[:1] for line in printed)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_begins_with_what_it_is_and_how_to_add_it(setup, name):
    first, *rest = lines(setup(name))
    assert f"viatty setup {name}" in first
    assert any(f"viatty setup {name}" in line for line in rest)
    assert first[0] in '#";'


@pytest.mark.parametrize("name", SNIPPETS)
def test_lines_are_short_enough_to_read(name):
    for line in SNIPPETS[name].read_text().splitlines():
        shown = re.sub(r"^@\S+ ", "", line).expandtabs(8)
        assert len(shown) <= 90 or not shown.startswith(("#", '"', ";")), line


def test_tmux_gets_what_its_version_has(setup):
    oldest, old, new = (
        setup("tmux", "--for", version).stdout.decode() for version in ("2.3", "3.1c", "3.2")
    )
    assert "-t vi-copy" in oldest and "copy-mode-vi" not in oldest
    assert "-T copy-mode-vi" in old and "set-option" not in old
    assert "-T copy-mode-vi" in new and "set-option -s copy-command" in new


def test_a_program_that_is_not_there_is_taken_to_be_new(setup, sandbox):
    result = setup("tmux", PATH=str(sandbox.path / "bin"))
    assert result.stdout == setup("tmux", "--for", "99.9").stdout.replace(
        b"tmux 99.9", b"tmux newest"
    )


@pytest.mark.parametrize("said", ["echo tmux 2.3", "echo tmux 2.3; exit 1", "sleep 100"])
def test_the_version_is_that_of_the_program_in_the_path(setup, sandbox, said):
    tmux = sandbox.path / "bin" / "tmux"
    tmux.write_text(f"#!/bin/sh\n{said}\n")
    tmux.chmod(0o755)
    first, *_ = lines(setup("tmux"))
    assert ("for tmux 2.3" if said == "echo tmux 2.3" else "for tmux newest") in first


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "ssh"])
def test_what_shells_read_at_every_start_starts_no_program(setup, sandbox, name):
    shell = sandbox.path / "bin" / name
    shell.write_text(f"#!/bin/sh\ntouch {sandbox.path}/started\n")
    shell.chmod(0o755)
    assert setup(name).status == 0
    assert not (sandbox.path / "started").exists()


@pytest.mark.parametrize(
    "words",
    [[], ["pine"], ["tmux", "vim"], ["tmux", "--for", "new"], ["\x1b[2J"]],
    ids=["none", "unknown", "two", "version", "escape"],
)
def test_what_it_does_not_know_is_an_error_of_usage(setup, words):
    result = setup(*words)
    assert (result.status, result.stdout) == (2, b"")
    well_said(result)


# ---- syntax --------------------------------------------------------------------

CHECKS = {
    "bash": ["bash", "-n"],
    "zsh": ["zsh", "-n"],
    "fish": ["fish", "--no-config", "-n"],
    "ssh": ["bash", "-n"],
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.needs(a[0])) for n, a in CHECKS.items()]
)
def test_the_shell_finds_no_error_in_it(name):
    done = subprocess.run([*CHECKS[name], SNIPPETS[name]], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.needs("shellcheck")
@pytest.mark.parametrize("name", ["bash", "ssh"])
def test_shellcheck_finds_nothing_in_it(name):
    # SC2016, SC2029: what is in single quotes is meant for PS0 or the far side.
    check = ["shellcheck", "-s", "bash", "-e", "SC2016,SC2029", SNIPPETS[name]]
    done = subprocess.run(check, capture_output=True, text=True, timeout=60)
    assert done.stdout == ""


@pytest.mark.needs("git")
def test_git_reads_it(setup, home):
    (home / ".gitconfig").write_bytes(setup("git").stdout)
    pager = ["git", "config", "--get", "core.pager"]
    done = subprocess.run(pager, env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
                          capture_output=True, text=True, timeout=60)
    assert done.stdout == "(viatty linkify --when always || cat) | less -FRX\n"


# ---- is it in place? -----------------------------------------------------------

FILES = {
    "tmux": ".tmux.conf",
    "screen": ".screenrc",
    "vim": ".vimrc",
    "neovim": ".config/nvim/plugin/viatty.vim",
    "emacs": ".emacs.d/init.el",
    "bash": ".bashrc",
    "zsh": ".zshrc",
    "fish": ".config/fish/config.fish",
    "ssh": ".zshrc",
    "git": ".gitconfig",
}
# Nothing of tmux or git to ask.
ALONE = {"PATH": "/nonexistent"}


def put(home, name, text):
    file = home / FILES[name]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text)


@pytest.mark.parametrize("name", FILES)
def test_what_was_appended_to_its_file_is_in_place(setup, home, name):
    missing = setup("--check", name, **ALONE)
    assert missing.status == 1
    assert "viatty setup" in lines(missing)[-1]
    put(home, name, b"their = own\n" + setup(name, **ALONE).stdout)
    found = setup("--check", name, **ALONE)
    assert (found.status, found.stdout.decode()) == (0, f"in place: ~/{FILES[name]}\n")


@pytest.mark.parametrize("name", FILES)
def test_a_line_that_is_lost_is_named(setup, home, name):
    text = setup(name, **ALONE).stdout.decode()
    comment = text[0]
    own = [line.strip() for line in text.splitlines() if line.strip()[:1] != comment]
    wanted = [line for line in own if "viatty" in line and own.count(line) == 1]
    lost = wanted[0]
    put(home, name, text.replace(lost, "", 1).encode())
    result = setup("--check", name, **ALONE)
    assert result.status == 1
    if len(wanted) > 1:
        assert lines(result)[0] == f"~/{FILES[name]} lacks:"
        assert lost in lines(result)


@pytest.mark.parametrize(
    "line, status",
    [
        ("source <(viatty setup zsh)", 0),
        ('  eval "$(viatty setup zsh)"  ', 0),
        ("viatty setup zsh | source", 0),
        ("# source <(viatty setup zsh)", 1),
        ("source <(viatty setup zshell)", 1),
        ("source <(viatty setup bash)", 1),
        ("fi", 1),
    ],
)
def test_a_line_that_runs_setup_stands_for_all(setup, home, line, status):
    put(home, "zsh", f"PROMPT='%% '\n{line}\n".encode())
    assert setup("--check", "zsh").status == status


def test_files_of_any_kind_are_read_without_harm(setup, home):
    (home / ".bashrc").mkdir()
    (home / ".bash_profile").symlink_to("/dev/tty")
    (home / ".profile").write_bytes(bytes(range(256)) * 100)
    assert setup("--check", "bash").status == 1
    (home / ".zshrc").write_bytes(b"\0\nsource <(viatty setup zsh)")
    assert setup("--check", "zsh", HOME=None).status == 1


def test_json_says_the_same(setup, home):
    missing = json.loads(setup("--check", "--json", "screen").stdout)
    assert (missing["in_place"], missing["where"]) == (False, None)
    assert len(missing["missing"]) == 1 and missing["missing"][0].startswith("bind y ")
    put(home, "screen", setup("screen").stdout)
    found = json.loads(setup("--check", "--json", "screen").stdout)
    assert (found["in_place"], found["where"]) == (True, "~/.screenrc")
    assert found["missing"] == []


@pytest.mark.needs("git")
def test_git_is_asked_itself(setup, home, sandbox):
    assert setup("--check", "git").status == 1
    other = sandbox.path / "other"
    other.write_bytes(setup("git").stdout)
    (home / ".gitconfig").write_text(f"[include]\n\tpath = {other}\n")
    found = setup("--check", "git")
    assert (found.status, found.stdout) == (0, b"in place: git says so\n")
