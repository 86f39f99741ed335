"""What `viatty setup` prints."""

import re
import subprocess

import pytest

from lib.faults import well_said
from lib.program import REPOSITORY

# those in sh are for `viatty ssh`
SNIPPETS = {path.stem: path for path in (REPOSITORY / "src" / "setup").iterdir()
            if path.suffix != ".sh"}


@pytest.fixture
def setup(nowhere):
    """Runs viatty setup without a terminal."""
    return lambda *words, **environment: nowhere.run(
        ["viatty", "setup", *words], environment=environment)


def lines(result):
    return result.stdout.decode().splitlines()


# ---- printing ------------------------------------------------------------------


def test_there_is_a_snippet_for_every_program(setup):
    """With a line on each, which fits 80 columns."""
    known = [line.split(None, 1) for line in lines(setup())]
    assert sorted(name for name, what in known) == sorted(SNIPPETS)
    assert all(10 < len(what) < 70 for name, what in known)


def test_a_snippet_is_its_source_with_the_path(setup, sandbox):
    """It begins with what it is and how to add it, in lines that are short enough to read."""
    path = str(sandbox.path / "bin" / "viatty")
    for name, file in SNIPPETS.items():
        result = setup(name)
        assert (result.status, result.stderr) == (0, b"")
        source = file.read_text().replace("@VIATTY@", path)
        assert result.stdout.decode() == source
        first, *rest = lines(result)
        assert f"viatty setup {name}" in first and first[0] in '#";/'
        assert any(f"viatty setup {name}" in line for line in rest)
        for line in file.read_text().splitlines():
            shown = line.expandtabs(8)
            assert len(shown) <= 90 or not shown.startswith(("#", '"', ";")), line


def test_the_path_is_the_one_that_leads_to_it(sandbox):
    """PATH's own name, not the file behind it; the file where PATH has another one."""
    real = (sandbox.path / "bin" / "viatty").resolve()

    def run(folder, *words):
        return subprocess.run(
            [str(real), "setup", *words],
            env=sandbox.environment(PATH=f"relative::/nonexistent:{folder}"),
            capture_output=True, text=True, timeout=60,
        )

    def path(folder, complains=False):
        done = run(folder, "tmux")
        assert ("cannot be quoted" in done.stderr) == complains
        return re.search("copy-command \"'(.*)' copy --from-tmux\"", done.stdout)[1]

    folder = sandbox.path / "my tools, ö"
    folder.mkdir()
    (folder / "viatty").symlink_to(real)
    assert path(folder) == f"{folder}/viatty"
    assert path("/nonexistent") == str(real)
    other = sandbox.path / "other"
    other.mkdir()
    (other / "viatty").write_text("#!/bin/sh\n")
    assert path(other) == str(real)
    for hostile in ("a'b", "a#(b)", "$HOME", 'a"b', "a\nb"):
        copy = sandbox.path / hostile
        copy.mkdir()
        (copy / "viatty").symlink_to(real)
        assert path(copy, complains=True) == "viatty"
        # This one does not name it with a path.
        assert run(copy, "bash").stderr == ""
        assert run(copy, "-q", "tmux").stderr == ""


@pytest.mark.parametrize("words", [["tmux", "vim"], ["\x1b[2J"]])
def test_what_it_does_not_know_is_an_error_of_usage(setup, words):
    result = setup(*words)
    assert (result.status, result.stdout) == (2, b"")
    well_said(result)


def test_what_only_the_page_has_is_an_error_that_names_it(setup):
    result = setup("claude")
    assert result.status == 2 and b"viatty-setup(1)" in result.stderr.splitlines()[1]


def test_a_program_may_be_named_by_its_command(setup):
    assert setup("nvim").stdout == setup("neovim").stdout
