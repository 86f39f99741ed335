"""raw --filter: images through real multiplexers, and text in the pane."""

import fcntl
import os
import struct
import termios

import pytest

from lib import expect
from lib.mux import ScreenSession, TmuxServer
from lib.processes import until
from lib.terminal import OuterTerminal

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


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
def test_tmux_passes_images_and_draws_the_text(open_pane, image):
    result = filtered(open_pane, TEXT % image)
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    assert open_pane.terminal.recorded().count(image) == 1
    drew(open_pane)


@pytest.mark.needs("tmux")
def test_an_image_is_no_title_of_the_pane(open_pane):
    open_pane.run(FILTER, stdin=b"\x1b]2;mine\x07" + KITTY + b"end")
    until(lambda: "end" in open_pane.text(), "the image was read")
    assert open_pane.server.ask("#{pane_title}", open_pane.id) == "mine"


@pytest.mark.needs("tmux")
def test_what_tmux_interprets_it_gets(open_pane):
    open_pane.run(FILTER, stdin=b"\x1b]2;a title\x07" + ITERM)
    open_pane.await_title("a title")
    open_pane.settle()
    assert b"a title" not in open_pane.terminal.recorded()
    assert ITERM in open_pane.terminal.recorded()


def test_raw_sets_the_modes_of_the_pane(pane):
    """As a program would that died: none of them needs passthrough."""
    flags = lambda: pane.server.ask("#{mouse_all_flag}#{mouse_sgr_flag}#{cursor_flag}", pane.id)
    for modes, state in (("?1003;1006h", "111"), ("?25l", "110"), ("?1003l", "010")):
        expect.sent(pane.run(["viatty", "raw", "-e", rf"\e[{modes}"]))
        pane.settle()
        assert flags() == state
    expect.sent(pane.run(["viatty", "raw", "-e", r"\e[?1006l\e[?25h\e]2;a title\a"]))
    pane.settle()
    assert flags() == "001"
    # What is not all tmux's own goes to the terminal, or nowhere.
    for modes in ("?5522h", "?25;5522h", "25h", "?h"):
        result = pane.run(["viatty", "raw", "-e", rf"\e[{modes}"])
        expect.refused(result, naming="allow-passthrough")


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("passthrough", ["on", "off"])
def test_raw_without_the_filter_leaves_it_to_tmux_too(pane, passthrough):
    """The example of the manual, with and without a way past tmux."""
    pane.server.option("-g", "allow-passthrough", passthrough)
    for number, title in enumerate(["build finished", "\u2713"]):
        result = pane.run(["viatty", "raw", "-e", f"\\e]{2 * number};{title}\\e\\\\"])
        assert (result.status, result.stderr) == (0, "")
        pane.await_title(title)
    together = pane.run(["viatty", "raw", "-e", r"\e]2;a title\a\e]1337;File=:AA\a"])
    pane.settle()
    if passthrough == "off":
        assert together.status == 4 and "allow-passthrough on" in together.stderr
    assert b"finished" not in pane.terminal.recorded()
    assert (b"\x1b]1337;File=:AA\x07" in pane.terminal.recorded()) == (passthrough == "on")


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
@pytest.mark.parametrize("features", [",*:sixel", ""])
@pytest.mark.parametrize("pixels", [10, 0])
def test_sixel_images_a_tmux_draws_itself_need_no_passthrough(
    sandbox, tmux, features, pixels
):
    """Built with it, 3.6 tells so; for a terminal that does not show them they are words."""
    pane = tmux.session()
    tmux.option("-as", "terminal-features", features)
    terminal = OuterTerminal(sandbox)
    window = struct.pack("HHHH", 24, 80, 80 * pixels, 24 * pixels)
    fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, window)
    tmux.attach(terminal=terminal)
    drawn = features and pixels and tmux.ask("#{sixel_support}") == "1"
    image = b"\x1bPq#1;2;100;0;0#1" + b"!99~-" * 9 + ST
    result = filtered(pane, TEXT % image)
    assert result.status == (0 if drawn else 4), result.stderr
    assert (b"#1;2;100;0;0" in terminal.recorded()) == bool(drawn)
    assert b"SIXEL" not in terminal.recorded()


@pytest.mark.needs("tmux")
def test_text_alone_is_no_failure_there(pane):
    pane.server.option("-g", "allow-passthrough", "off")
    result = filtered(pane, TEXT % b"\x1b]8;;http://a\x07\x1b]8;;\x07")
    assert (result.status, result.stderr) == (0, "")
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


@pytest.mark.slow
@pytest.mark.needs("tmux")
def test_a_program_slower_than_tmux_waits_for_a_string(open_pane):
    """tmux gives a string five seconds from its beginning: here it begins when whole."""
    script = "printf 'before \\033_GAA'; sleep 6; printf 'BB\\033\\\\ after'"
    argv = ["sh", "-c", f"({script}) | viatty raw --filter"]
    result = open_pane.run(argv)
    open_pane.settle()
    assert result.status == 0, result.stderr
    assert b"\x1b_GAABB" + ST in open_pane.terminal.recorded()
    assert open_pane.text().split() == ["before", "after"]


@pytest.mark.needs("tmux")
def test_text_is_there_before_the_end_of_the_input(open_pane, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    job = open_pane.start(["sh", "-c", f"viatty raw --filter <{fifo}"])
    with open(fifo, "wb", buffering=0) as pipe:
        pipe.write(b"first " + ITERM + b"second \x1b_half")
        until(lambda: "first second" in open_pane.text(), "the text is drawn")
        open_pane.terminal.wait_for(ITERM)
        assert not job.is_done()
    assert job.wait().status == 0


@pytest.mark.needs("screen")
@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
def test_screen_passes_images_and_draws_the_text(screen, image):
    result = filtered(screen, TEXT % image)
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    assert screen.terminal.recorded().count(image) == 1
    drew(screen)


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
@pytest.mark.parametrize("image", [ITERM, *LONG_IMAGES], ids=["iTerm2", "kitty, long", "sixel, long"])
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
@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
def test_screen_in_tmux(sandbox, open_pane, image):
    screen = ScreenSession(sandbox, open_pane, lines=23)
    result = filtered(screen, TEXT % image)
    assert result.status == 0, result.stderr
    assert open_pane.terminal.recorded().count(image) == 1
    drew(screen)
