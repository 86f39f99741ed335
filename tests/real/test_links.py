"""Links in tmux and Screen."""

import pytest

from lib import sequences

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


@pytest.mark.needs("screen")
def test_screen_shows_the_url_or_the_text_alone(screen):
    assert screen.run(LINK, on_terminal=True).status == 0
    screen.see(f"the text ({URL})")
    assert screen.text() == f"the text ({URL})"
    assert screen.run([*LINK, "--when=always"], on_terminal=True).status == 0
    screen.see(f"({URL})\nthe text")
    assert screen.text() == f"the text ({URL})\nthe text"
