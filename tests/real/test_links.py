"""Links in tmux and Screen, and in what grep, gcc and git really print."""

import subprocess

import pytest

from lib import program, sequences

URL = "https://a.example/b"
LINK = ["viatty", "link", URL, "the text"]


@pytest.mark.needs("tmux")
def test_tmux_that_would_lose_the_url_shows_it(pane):
    """A client that tmux knows no links of: all versions drop the URL."""
    assert pane.run(LINK, on_terminal=True).status == 0
    pane.settle()
    assert pane.text() == f"the text ({URL})"


@pytest.mark.needs("tmux")
def test_tmux_shows_the_text_of_a_link_and_nothing_else(pane):
    assert pane.run([*LINK, "--when=always"], on_terminal=True).status == 0
    pane.settle()
    assert pane.text() == "the text"
    cells = pane.server.run("capture-pane", "-e", "-p", "-t", pane.id).encode()
    assert sequences.printed_text(cells).strip() == b"the text"


@pytest.mark.needs("tmux")
def test_verbose_in_tmux_names_what_would_mend_it(pane):
    result = pane.run([*LINK, "-v"], on_terminal=True)
    assert result.status == 0
    pane.settle()
    assert "no links are made: tmux" in pane.text()
    assert "hint: " in pane.text()


@pytest.mark.needs("tmux")
def test_linkify_in_tmux_passes_text_as_it_is(pane):
    text = b"see https://a.example/b here\n"
    assert pane.run(["viatty", "linkify"], stdin=text, on_terminal=True).status == 0
    pane.settle()
    assert pane.text().encode() == text.strip()


@pytest.mark.needs("screen")
def test_screen_shows_the_url_or_the_text_alone(screen):
    assert screen.run(LINK, on_terminal=True).status == 0
    screen.see(f"the text ({URL})")
    assert screen.text() == f"the text ({URL})"
    assert screen.run([*LINK, "--when=always"], on_terminal=True).status == 0
    screen.see(f"({URL})\nthe text")
    assert screen.text() == f"the text ({URL})\nthe text"


# ---- programs ------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.c").write_text("int main(void)\n{\n\treturn wrong;\n}\n")
    (tmp_path / "read me").write_text("return to https://a.example/(x).\n")
    return tmp_path


def output(argv, folder):
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LC_ALL": "C",
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GREP_COLORS": "",
    }
    return subprocess.run(
        argv, cwd=folder, env=environment, timeout=60, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    ).stdout


def links(text, folder, *options):
    """The links that are put in, after a look that nothing else has changed."""
    filter = lambda data, *words: subprocess.run(
        [str(program.path().resolve()), "linkify", *words], cwd=folder, input=data,
        stdout=subprocess.PIPE, timeout=60, check=True,
    ).stdout
    out = filter(text, "--when=always", "--host=h", *options)
    assert filter(out, "--strip") == text
    where = f"file://h{folder.resolve()}/"
    return [
        (url.decode().replace(where, ""), linked.decode())
        for _, url, linked in sequences.links(out)
    ]


@pytest.mark.needs("grep")
@pytest.mark.parametrize("colour", ["always", "never"])
def test_grep(folder, colour):
    text = output(["grep", "-rn", f"--color={colour}", "return", "src"], folder)
    assert text and (b"\x1b" in text) == (colour == "always")
    assert links(text, folder) == [("src/a.c", "src/a.c:3")]


@pytest.mark.needs("gcc")
@pytest.mark.parametrize("colour", ["always", "never"])
def test_gcc(folder, colour):
    option = f"-fdiagnostics-color={colour}"
    text = output(["gcc", option, "-c", "-o", "/dev/null", "src/a.c"], folder)
    assert b"wrong" in text and (b"\x1b[" in text) == (colour == "always")
    found = links(text, folder)
    # gcc marks the function, the error and where it was seen before
    assert ("src/a.c", "src/a.c:3:16") in found
    assert {url for url, _ in found} == {"src/a.c"}


@pytest.mark.needs("git")
def test_git(folder):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "fix #12, https://i.example/12."]):
        subprocess.run(
            [*git, *words], cwd=folder, check=True, timeout=60,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder)},
        )
    commit = output([*git, "rev-parse", "HEAD"], folder).decode().strip()
    rules = ["-e", "#([0-9]+)=https://i.example/\\1", "-e", "[0-9a-f]{40}=https://c.example/\\0"]
    log = output([*git, "log", "--color=always"], folder)
    assert links(log, folder, *rules) == [
        (f"https://c.example/{commit}", commit),
        ("https://i.example/12", "#12"),
        ("https://i.example/12", "https://i.example/12"),
    ]
    (folder / "read me").write_text("now https://b.example\n")
    diff = output([*git, "diff", "--color=always"], folder)
    # the names of both sides and the hunk, then what the file says
    assert [url for url, _ in links(diff, folder)] == [
        "read%20me", "read%20me", "read%20me", "https://a.example/(x)", "https://b.example",
    ]
