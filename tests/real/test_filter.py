"""raw --filter: images through real multiplexers, and text in the pane."""

import pytest

from lib import expect
from lib.mux import ScreenSession, TmuxServer
from lib.processes import until

ST = b"\x1b\\"
KITTY = b"\x1b_Ga=T,f=24,s=1,v=1;/wAA" + ST
SIXEL = b"\x1bP0;1;0q#1;2;100;0;0#1~-" + ST
ITERM = b"\x1b]1337;File=inline=1:AAAA\x07"
IMAGES = {"kitty": KITTY, "sixel": SIXEL, "iTerm2": ITERM}

FILTER = ["viatty", "raw", "--filter"]
TEXT = b"before \x1b[31mred\x1b[m %s after\n"


def filtered(place, stream, *options):
    result = place.run([*FILTER, *options], stdin=stream)
    place.settle()
    return result


def drew(place):
    """The text of the stream, from which nothing of the image is to be seen."""
    assert place.text().split("\n")[0].split() == ["before", "red", "after"]


@pytest.fixture
def open_pane(pane):
    pane.server.option("-g", "allow-passthrough", "on")
    return pane


@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
@pytest.mark.parametrize("multiplexer", [
    pytest.param("open_pane", marks=pytest.mark.needs("tmux")),
    pytest.param("screen", marks=pytest.mark.needs("screen")),
])
def test_images_pass_and_the_text_is_drawn(request, multiplexer, image):
    place = request.getfixturevalue(multiplexer)
    result = filtered(place, TEXT % image)
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    assert place.terminal.recorded().count(image) == 1
    drew(place)


@pytest.mark.needs("tmux")
def test_a_link_and_what_draws_stay_with_their_text(open_pane):
    """Wrapped, the link would reach the terminal before its text, and a movement elsewhere."""
    link = b"\x1b]8;;http://a\x1b\\linked\x1b]8;;\x1b\\"
    result = open_pane.run(FILTER, stdin=b"first\x1b[3;5H" + link + KITTY)
    assert (result.status, result.stderr) == (0, "")
    open_pane.terminal.wait_for(KITTY)
    until(lambda: "    linked" in open_pane.text().split("\n"), "the text is in its place")
    # a terminal without hyperlinks, by its TERM
    assert b"http://a" not in open_pane.terminal.recorded()


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_raw_wraps_all_that_it_is_given(pane, passthrough):
    pane.server.option("-g", "allow-passthrough", passthrough)
    title = b"\x1b]2;a title\x07"
    result = pane.run(["viatty", "raw"], stdin=title + ITERM)
    pane.settle()
    if passthrough == "off":
        expect.refused(result, naming="allow-passthrough")
    else:
        expect.sent(result)
    for sequence in (title, ITERM):
        assert (sequence in pane.terminal.recorded()) == (passthrough == "on")
    assert pane.server.ask("#{pane_title}", pane.id) != "a title"


@pytest.mark.needs("tmux")
def test_a_tmux_that_drops_them_gets_the_text_alone(pane):
    pane.server.option("-g", "allow-passthrough", "off")
    result = filtered(pane, TEXT % KITTY + TEXT % ITERM)
    assert result.status == 4
    assert "allow-passthrough on" in result.stderr
    assert b"Ga=T" not in pane.terminal.recorded()
    assert "Ga=T" not in pane.server.ask("#{pane_title}", pane.id)
    drew(pane)


@pytest.mark.needs("tmux")
def test_an_image_of_a_megabyte_arrives_and_a_larger_one_is_told(open_pane):
    fits = b"\x1b_G" + b"A" * (1_048_570 - 5) + ST
    result = filtered(open_pane, TEXT % fits)
    assert result.status == 0, result.stderr
    assert open_pane.terminal.recorded().count(fits) == 1
    open_pane.terminal.forget()
    open_pane.run(["clear"], on_terminal=True)
    larger = b"\x1b_G" + b"B" * (1_048_570 - 4) + ST
    result = filtered(open_pane, TEXT % larger + KITTY)
    assert result.status == 4
    assert "1048571 bytes" in result.stderr
    assert b"BBBB" not in open_pane.terminal.recorded()
    assert KITTY in open_pane.terminal.recorded()
    drew(open_pane)


@pytest.mark.needs("screen")
def test_screen_passes_images_of_any_size(screen):
    image = b"\x1bPq" + b"#0~-" * 500_000 + ST
    result = filtered(screen, TEXT % image)
    assert result.status == 0, result.stderr
    assert screen.terminal.recorded().count(image) == 1
    drew(screen)


# Of many strings of Screen; between two of its own tmux resets modes, which Screen 5
# passes on.
LONG_IMAGES = [b"\x1b_G" + b"A" * 200_000 + ST, b"\x1bPq" + b"#0~-" * 50_000 + ST]


@pytest.mark.needs("tmux", "screen")
@pytest.mark.parametrize("image", LONG_IMAGES, ids=["kitty", "sixel"])
def test_tmux_in_screen(sandbox, screen, image):
    server = TmuxServer(sandbox)
    pane = server.session()
    server.option("-g", "allow-passthrough", "on")
    server.attach_inside(screen, screen.device)
    result = filtered(pane, TEXT % image)
    assert result.status == 0, result.stderr
    assert screen.terminal.recorded().count(image) == 1
    drew(pane)


@pytest.mark.needs("tmux", "screen")
def test_screen_in_tmux(sandbox, open_pane):
    screen = ScreenSession(sandbox, open_pane, lines=23)
    result = filtered(screen, TEXT % KITTY)
    assert result.status == 0, result.stderr
    assert open_pane.terminal.recorded().count(KITTY) == 1
    drew(screen)
