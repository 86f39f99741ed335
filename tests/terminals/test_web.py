"""xterm.js in a browser, by itself and with what VS Code adds: cells, links, progress.

In tmux no reply tells who draws, and no variable does without VS Code's: there viatty
sends what it refuses elsewhere.
"""

from deeds import arrives, copy, nothing_changed, nothing_printed, prepared
from makes import WEB, XTERMJS, XTERMJS_VSCODE, on
from test_copy import EVERY_BYTE, text_of
from test_link import TEXT, link
from test_picture import SEQUENCES

from lib import expect
from lib.desktop import eventually

# What the page makes of the states: hidden, percent, and a word for the color.
STATES = {
    ("40",): [False, 40, "normal"],
    ("--error", "60"): [False, 60, "error"],
    ("--pause", "70"): [False, 70, "warning"],
    ("--busy",): [False, 70, "busy"],
    ("--clear",): [True, 0, ""],
}


def is_known(place):
    return place.emulator.make is XTERMJS_VSCODE or place.name != "tmux"


def ignored_by(place):
    """The status of what VS Code shows by a setting, which it does not tell."""
    return 7 if place.emulator.make is XTERMJS_VSCODE else 0


def in_page(place, expression):
    return place.emulator.window.evaluate(expression)


@on(*WEB)
def test_bytes_that_would_empty_the_clipboard_are_refused(place, results):
    before = prepared(place)
    if is_known(place):
        expect.refused(copy(place, EVERY_BYTE), naming="not valid UTF-8")
        nothing_changed(place, before)
    expect.sent(copy(place, EVERY_BYTE, "--force"))
    arrives(place, b"")
    results.record(place, "any bytes", "emptied")


@on(*WEB, places=["alone"])
def test_nul_and_carriage_return_are_kept(place):
    data = b"NUL \0, CR \r, CR LF \r\n, the end"
    prepared(place)
    expect.sent(copy(place, data))
    arrives(place, data)


@on(XTERMJS, places=["alone"])
def test_the_longest_sequence_it_reads_is_the_longest_that_is_sent(place, results):
    largest = place.emulator.make.largest
    before = prepared(place)
    expect.refused(copy(place, text_of(largest + 1)), naming="too large")
    nothing_changed(place, before)
    results.record(place, "larger", "refused")
    data = text_of(largest)
    expect.sent(copy(place, data))
    arrives(place, data)
    results.record(place, "largest", f"{largest:,}")


@on(XTERMJS)
def test_the_addon_alone_has_no_primary_selection(place, results):
    before = prepared(place)
    expect.sent(copy(place, b"selected", "-p"))
    nothing_changed(place, before)
    results.record(place, "primary", "not")


@on(*WEB)
def test_progress_is_shown_or_refused(place, results):
    place.clear()
    known = is_known(place)
    # Without what the terminal has replied outside of tmux, earlier in this login.
    nowhere = place.emulator.sandbox.fresh("nothing-remembered")
    nowhere.mkdir(mode=0o700)
    progress = ["env", f"XDG_RUNTIME_DIR={nowhere}", "viatty", "progress"]
    if not known:
        expect.refused(place.run([*progress, "40"]), naming="progress")
        place.settle()
        assert in_page(place, "bar.hidden")
    for arguments, shown in STATES.items():
        forced = [] if known else ["--force"]
        result = place.run([*progress, *forced, *arguments])
        assert result.status == ignored_by(place), result.stderr
        seen = lambda: in_page(place, "[bar.hidden, bar.value, bar.className]")
        eventually(lambda: seen() == shown, f"{arguments} is shown: {shown}")
    nothing_printed(place)
    results.record(place, "progress", "works" if known else "refused")


@on(*WEB)
def test_the_link_is_opened_by_a_click(place, results):
    """Where it is text, the addon for web links finds the URL in it."""
    url = f"https://example.org/{place.name}?a=%3B"
    place.clear()
    before = len(place.emulator.opened())
    link(place, url)
    place.settle()
    first = in_page(place, "shown()")[0]
    if place.name == "alone":
        assert first == TEXT
        at, outcome = 2, "works"
    else:
        assert first == f"{TEXT} ({url})"
        at, outcome = first.index(url) + 2, "as text"
    place.emulator.seat.click(at, 0)
    eventually(lambda: place.emulator.opened()[before:] == [url], f"{url} is opened")
    results.record(place, "link", outcome)


@on(*WEB, places=["alone"])
def test_no_cell_is_changed_by_what_is_sent(place):
    place.stand_still()
    place.clear()
    place.print(b"a line that stays\r\n")
    eventually(lambda: in_page(place, "shown()")[0] == "a line that stays", "the line is there")
    before, at = in_page(place, "shown()"), place.cursor()
    for name, arguments in SEQUENCES.items():
        result = place.run(["viatty", *arguments], stdin=expect.sample(3_000))
        assert result.status == (ignored_by(place) if name == "title" else 0), result.stderr
        assert (name, place.cursor()) == (name, at)
        assert (name, in_page(place, "shown()")) == (name, before)
    place.move_again()
