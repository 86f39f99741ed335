"""VS Code itself, in a browser: what viatty and doctor say of it is what its page shows."""

import json

import pytest

from lib import program, vscode
from lib.sandbox import Sandbox

# npm's registry may be out of reach: that fails no run.
pytestmark = [
    pytest.mark.needs("chromium"),
    pytest.mark.skipif(not vscode.is_there(), reason="VS Code is not fetched"),
]
TAB = {"terminal__integrated__tabs__title": "${progress}${sequence}"}
TABS = ".single-terminal-tab, .terminal-tabs-entry"
OWN = "VS Code in a browser has a clipboard of its own"


@pytest.fixture(scope="module")
def code():
    sandbox = Sandbox()
    try:
        program.install(sandbox)
        yield vscode.VSCode(sandbox)
    finally:
        sandbox.close()


def doctor(code, feature, **how):
    found = json.loads(code.run("viatty", "doctor", "--json", feature, **how).stdout)
    return found["features"][0]["works"], found["terminal"]


def test_a_copy_stays_in_the_page_and_a_paste_returns_it(code):
    """When this fails because the copy arrives, microsoft/vscode#318254 is mended: the row
    vscode-browser is out of date from that version on."""
    code.own("of the desk")
    copied = code.run("viatty", "copy", stdin="in the page: café")
    assert copied.status == 0 and OWN in copied.said
    pasted = code.run("viatty", "paste")
    assert (pasted.status, pasted.stdout.decode()) == (0, "in the page: café")
    assert OWN in pasted.said
    assert code.clipboard() == "of the desk"
    assert doctor(code, "copy") == ("unknown", "vscode-browser")


def test_vim_copies_by_its_snippet_into_the_page(code):
    snippet = code.run("viatty", "setup", "vim").stdout.decode()
    code.run("viatty", "copy", stdin="before")
    finish = "while len(filter(job_info(), 'job_status(v:val) == \"run\"')) | sleep 20m | endwhile"
    # Without a screen, whose end would take what is typed next.
    edited = code.run("vim", "-Nu", code.file("vimrc", snippet), "-es", "-c", 'normal "+yy',
                      "-c", finish, "-c", "q!", code.file("text", "a yanked line\n"))
    assert edited.status == 0
    assert code.run("viatty", "paste").stdout.decode() == "a yanked line\n"


def test_a_notification_is_shown_in_the_window(code):
    assert doctor(code, "notify") == ("yes", "vscode-browser")
    outcome = code.run("viatty", "notify", "--no-bell", "Build done", "no warnings")
    assert (outcome.status, outcome.said) == (0, "")
    code.shows("Build done", ".notifications-toasts")


def test_in_tmux_it_is_still_vs_code(code):
    assert code.run("tmux", "-L", "code", "-f", "/dev/null", "new-session", "-d").status == 0
    try:
        code.attach("tmux -L code")
        assert doctor(code, "notify") == ("yes", "vscode-browser")
        outcome = code.run("viatty", "notify", "--no-bell", "Within tmux")
        assert (outcome.status, outcome.said) == (0, "")
        code.shows("Within tmux", ".notifications-toasts")
        assert OWN in code.run("viatty", "copy", stdin="text").said
    finally:
        code.detach("tmux -L code")


def test_title_and_progress_are_shown_with_the_setting_that_doctor_names(code):
    found = json.loads(code.run("viatty", "doctor", "--json", "title").stdout)["features"][0]
    assert '"terminal.integrated.tabs.title": "${progress}${sequence}"' in found["setting"]
    for words in (["title", "a title"], ["progress", "40"]):
        assert code.run("viatty", *words).status == 7
    code.does_not_show("a title", TABS)
    code.configure(**TAB)
    assert code.run("viatty", "progress", "40").status == 7
    code.shows("40%", TABS)
    assert code.run("viatty", "progress", "--clear").status == 7
    assert code.run("viatty", "title", "a title").status == 7
    code.shows("a title", TABS)
