"""Links in tmux and Screen, and in what grep, gcc and git really print."""

import subprocess
from urllib.parse import quote

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
        "PATH": "/usr/bin:/bin",
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
@pytest.mark.parametrize("color", ["always", "never"])
def test_grep(folder, color):
    text = output(["grep", "-rn", f"--color={color}", "return", "src"], folder)
    assert text and (b"\x1b" in text) == (color == "always")
    assert links(text, folder) == [("src/a.c", "src/a.c:3")]


@pytest.mark.needs("gcc")
@pytest.mark.parametrize("color", ["always", "never"])
def test_gcc(folder, color):
    option = f"-fdiagnostics-color={color}"
    text = output(["gcc", option, "-c", "-o", "/dev/null", "src/a.c"], folder)
    assert b"wrong" in text and (b"\x1b[" in text) == (color == "always")
    found = links(text, folder)
    # gcc marks the function, the error and where it was seen before
    assert ("src/a.c", "src/a.c:3:16") in found
    assert {url for url, _ in found} == {"src/a.c"}


def places(text, folder, *options):
    return {url: linked for url, linked in links(text, folder, "--format=kitty", *options)}


@pytest.mark.needs("rg")
@pytest.mark.parametrize("color", ["always", "never"])
def test_ripgrep(folder, color):
    text = output(["rg", "--no-heading", "-n", f"--color={color}", "return", "src"], folder)
    assert text.startswith(b"\x1b") == (color == "always")
    assert links(text, folder) == [("src/a.c", "src/a.c:3")]


# A script with a mistake, the command that finds it, and the line that is linked.
SCRIPTS = {
    "perl": ("my dir/a.pl", "use strict;\n\ndie 'oops';\n", ["perl", "{}"], 3),
    "bash": ("a.sh", "true\nfooo\n", ["bash", "{}"], 2),
    "dash": ("a.sh", "true\n\nfooo\n", ["dash", "./{}"], 3),
    "zsh": ("a.zsh", "true\nfooo\n", ["zsh", "./{}"], 2),
    "fish": ("a.fish", "true\nfooo\n", ["fish", "{}"], 2),
    "sed": ("a.sed", "p\n\nk\n", ["sed", "-f", "{}"], 3),
    "mawk": ("a.awk", "BEGIN {\n\n)\n", ["mawk", "-f", "{}"], 3),
    "shellcheck": ("a.sh", "#!/bin/sh\n\necho $x\n", ["shellcheck", "{}"], 3),
    "php": ("a.php", "<?php\n\nthrow new E();\n", ["php", "{}"], 3),
    "node": ("app/[id]/(x)/a.js", "\nthrow 1;\n", ["node", "{}"], 2),
    "grep": ("app/[id]/$x,y.c", "\n\nreturn\n", ["grep", "-rn", "return", "app"], 3),
}


@pytest.mark.parametrize("program", [
    pytest.param(name, marks=pytest.mark.needs(name)) for name in SCRIPTS])
def test_a_message_of(folder, program):
    name, text, words, line = SCRIPTS[program]
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    said = output([word.replace("{}", name) for word in words], folder)
    urls = [url for url, _ in links(said, folder, "--format=x:{path}?{line}")]
    assert f"x:{folder.resolve()}/{quote(name)}?{line}" in urls, said


@pytest.mark.needs("python3")
def test_python(folder):
    (folder / "my dir").mkdir()
    script = folder / "my dir/p.py"
    script.write_text("def f():\n    raise ValueError\n\nf()\n")
    broken = folder / "broken.py"
    broken.write_text("\n(]\n")
    text = output(["python3", str(script)], folder)
    assert list(places(text, folder)) == ["my%20dir/p.py#4", "my%20dir/p.py#2"]
    assert f'"{script}", line 2' in dict(links(text, folder)).values()
    text = output(["python3", str(broken)], folder)
    assert list(places(text, folder)) == ["broken.py#2"]


@pytest.mark.needs("node")
@pytest.mark.parametrize("name", ["dir/c.js", "my dir/m.mjs"])
def test_node(folder, name):
    """A script is named by its path, a module by its URL."""
    script = folder / name
    script.parent.mkdir()
    script.write_text("function f() {\n  throw new Error('x');\n}\nf();\n")
    text = output(["node", str(script)], folder)
    assert (b"file:///" in text) == name.endswith(".mjs")
    form = ["--format", "x:{path}?{line}:{col}"]
    where = f"x:{folder.resolve()}/{name.replace(' ', '%20')}?"
    found = [url for url, _ in links(text, folder, *form)]
    # where it is thrown, then the stack; modules of node itself are no files
    assert found == [where + "2:1", where + "2:9", where + "4:1"]


def committed(folder, message):
    """Makes it a repository with one commit, and gives how git is called there."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", message]):
        subprocess.run(
            [*git, *words], cwd=folder, check=True, timeout=60,
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        )
    return git


@pytest.mark.needs("git")
def test_git(folder):
    git = committed(folder, "fix #12, https://i.example/12.")
    commit = output([*git, "rev-parse", "HEAD"], folder).decode().strip()
    rules = ["--rule", "#([0-9]+)=https://i.example/\\1", "--rule", "[0-9a-f]{40}=https://c.example/\\0"]
    log = output([*git, "log", "--color=always"], folder)
    assert links(log, folder, *rules) == [
        (f"https://c.example/{commit}", commit),
        ("https://i.example/12", "#12"),
        ("https://i.example/12", "https://i.example/12"),
    ]
    (folder / "read me").write_text("now https://b.example\n")
    diff = output([*git, "diff", "--color=always"], folder)
    # the names of both sides, then what the file says
    assert [url for url, _ in links(diff, folder)] == [
        "read%20me", "read%20me", "https://a.example/(x)", "https://b.example",
    ]


def diffed(git, place):
    """The files that a diff is linked to, which is printed and piped in this folder."""
    diff = output([*git, "diff"], place)
    urls = {url for url, _ in links(diff, place, "--host=none")}
    return {url.removeprefix("file://") for url in urls if url.startswith("file:")}


@pytest.mark.needs("git")
@pytest.mark.parametrize("below", ["src", "src/deep/deeper"])
def test_a_diff_in_a_directory_below_the_top(folder, below):
    """git names the files from the top, whichever directory it is called in."""
    (folder / "src/deep/deeper").mkdir(parents=True)
    git = committed(folder, "first")
    (folder / "src/a.c").write_text("int f;\n")
    (folder / "read me").write_text("now\n")
    top = folder.resolve()
    assert diffed(git, folder / below) == {f"{top}/src/a.c", f"{top}/read%20me"}


@pytest.mark.needs("git")
def test_a_diff_in_a_linked_working_tree(folder):
    git = committed(folder, "first")
    output([*git, "worktree", "add", "-q", "other"], folder)
    (folder / "other/read me").write_text("now\n")
    assert diffed(git, folder / "other/src") == {f"{folder.resolve()}/other/read%20me"}
