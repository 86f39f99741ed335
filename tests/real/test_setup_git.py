"""The pager of `setup git`, with viatty and after it is gone."""

import os
import re

import pytest

from lib import sequences
from lib.snippets import snippet

pytestmark = pytest.mark.needs("git", "less")

URL = "https://example.org/issues/1"


@pytest.fixture
def git(sandbox, plain):
    """A repository with a commit that names a URL, and somebody who looks at it."""
    place = sandbox.folder("repository")
    person = "[user]\n\tname = A Person\n\temail = person@example.org\n"
    sandbox.at_home(".gitconfig", person + snippet(sandbox, "git"))

    def run(*words, below="", **how):
        argv = ["git", "-C", str(place / below), *words]
        return plain.start(argv, stdin=b"", **how).wait()

    run.place = place
    run("init", "-q")
    assert run("commit", "-q", "--allow-empty", "-m", f"see {URL}").status == 0
    return run


def shown(plain):
    plain.settle()
    return sequences.printed_text(plain.terminal.recorded())


def test_without_viatty_git_shows_what_it_always_did(sandbox, plain, git):
    (sandbox.path / "bin" / "viatty").unlink()
    assert git("log", on_terminal=True).status == 0
    assert f"see {URL}".encode() in shown(plain)
    assert b"viatty" not in shown(plain)


def test_a_url_is_a_link(plain, git):
    assert git("log", on_terminal=True).status == 0
    assert f"see {URL}".encode() in shown(plain)
    links = sequences.osc(plain.terminal.recorded(), 8)
    assert any(link.payload.endswith(f";{URL}".encode()) for link in links)


def links(plain):
    """What is linked, and the path it is linked to."""
    plain.settle()
    found = {}
    for _, url, text, *_ in sequences.links(plain.terminal.recorded()):
        scheme, _, rest = url.decode().partition("://")
        if scheme == "file":
            found[text.decode()] = "/" + rest.partition("/")[2]
    return found


@pytest.fixture
def tree(git):
    """Two files of the same name, of different length, in the last commit and changed."""
    place = git.place
    (place / "sub" / "deep").mkdir(parents=True)
    files = [place / "a.c", place / "sub" / "a.c", place / "sub" / "deep" / "b.c"]
    for file in files:
        file.write_text("".join(f"line {n}\n" for n in range(1, 40)) + "needle\n")
    git("add", ".")
    assert git("commit", "-qm", "files").status == 0
    for file in files:
        file.write_text(file.read_text().replace("line 20\n", "line twenty\n"))
    return place


@pytest.mark.parametrize("color", ["always", "never"])
class TestTree:
    @pytest.mark.parametrize("below", ["", "sub", "sub/deep"])
    def test_grep_links_to_the_file_in_every_directory(self, plain, git, tree, below, color):
        words = ["grep", f"--color={color}", "-n", "needle", "--", "."]
        assert git(*words, below=below, on_terminal=True).status == 0
        names = [path for path in tree.rglob("*.c") if tree / below in path.parents]
        wanted = {f"{os.path.relpath(path, tree / below)}:40": str(path) for path in names}
        assert links(plain) == wanted

    def test_grep_from_below_for_what_is_above(self, plain, git, tree, color):
        words = ["grep", f"--color={color}", "-n", "needle", "--", "../a.c"]
        assert git(*words, below="sub", on_terminal=True).status == 0
        assert links(plain) == {"../a.c:40": str(tree / "a.c")}

    @pytest.mark.parametrize("below", ["", "sub"])
    def test_files_of_a_diff(self, plain, git, tree, below, color):
        words = ["-c", "core.pager=viatty linkify --when always --format " + PLACE,
                 "diff", f"--color={color}"]
        assert git(*words, below=below, on_terminal=True).status == 0
        found = diff_links(plain)
        wanted = []
        for name in ("a.c", "sub/a.c", "sub/deep/b.c"):
            path = f"{tree}/{name}"
            wanted += [(name, path, 1), (name, path, 1)]
        assert found == wanted

    def test_files_of_a_log(self, plain, git, tree, color):
        words = ["-c", "core.pager=viatty linkify --when always --format " + PLACE,
                 "log", "-p", f"--color={color}"]
        assert git(*words, below="sub/deep", on_terminal=True).status == 0
        # They are new in this commit: there is no old name.
        names = ("a.c", "sub/a.c", "sub/deep/b.c")
        assert diff_links(plain) == [(name, f"{tree}/{name}", 1) for name in names]


PLACE = "x://h{path}?{line}"


def diff_links(plain):
    plain.settle()
    found = []
    for _, url, text, *_ in sequences.links(plain.terminal.recorded()):
        place = re.fullmatch(rb"x://h(.*)\?(\d+)", url)
        if place:
            found.append((text.decode(), place[1].decode(), int(place[2])))
    return found


@pytest.mark.needs("delta")
def test_delta_is_kept(sandbox, plain, git, tree):
    """As the snippet says: it formats, and what it prints is linked."""
    advice = re.search(r"^# *(pager = delta.*\\\n)# *(.*\n)", snippet(sandbox, "git"), re.M)
    with open(sandbox.path / "home" / ".gitconfig", "a") as settings:
        settings.write("[core]\n" + advice[1] + advice[2])
    assert git("log", "-1", on_terminal=True).status == 0
    plain.settle()
    plain.terminal.forget()
    assert git("grep", "-n", "needle", below="sub", on_terminal=True).status == 0
    assert "needle" in shown(plain).decode()
    assert str(tree / "sub" / "a.c") in links(plain).values()
