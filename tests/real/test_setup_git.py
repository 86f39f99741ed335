"""The pager of `setup git`, with viatty and after it is gone."""

import pytest

from lib import sequences
from lib.snippets import snippet

pytestmark = pytest.mark.needs("git", "less")

URL = "https://example.org/issues/1"


@pytest.fixture
def git(sandbox, plain):
    """A repository with a commit that names a URL, and somebody who looks at it."""
    home, place = sandbox.path / "home", sandbox.fresh("repository")
    person = "[user]\n\tname = A Person\n\temail = person@example.org\n"
    (home / ".gitconfig").write_text(person + snippet(sandbox, "git"))

    def run(*words, **how):
        argv = ["git", "-C", str(place), *words]
        return plain.start(argv, stdin=b"", **how).wait()

    place.mkdir()
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


def test_a_url_is_a_link(plain, git):
    assert git("log", on_terminal=True).status == 0
    assert f"see {URL}".encode() in shown(plain)
    links = sequences.osc(plain.terminal.recorded(), 8)
    assert any(link.payload.endswith(f";{URL}".encode()) for link in links)
