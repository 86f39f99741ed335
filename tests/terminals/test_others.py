"""Terminals that are newer than the suite of Debian 12: what of the clipboard they do."""

from deeds import arrives, copy, nothing_changed, nothing_printed, prepared
from makes import KONSOLE, VTE, ZUTTY, on
from test_title import set_title

from lib import expect
from lib.desktop import eventually

TEXT = "grün ✓ aus einem anderen Terminal\n".encode()


@on(KONSOLE, ZUTTY)
def test_text_arrives(place, results):
    prepared(place)
    expect.sent(copy(place, TEXT))
    arrives(place, TEXT)
    results.record(place, "copy", "works")


@on(VTE)
def test_vte_is_refused_by_the_name_people_know(place, results):
    before = prepared(place)
    expect.refused(copy(place, TEXT), naming="VTE terminal")
    nothing_changed(place, before)
    results.record(place, "copy", "refused")


@on(KONSOLE, VTE, ZUTTY)
def test_the_window_has_the_title(place, results):
    place.clear()
    set_title(place, f"a title in {place.name}")
    eventually(lambda: place.emulator.title() == f"a title in {place.name}", "the title")
    nothing_printed(place)
    results.record(place, "title", "works")


# Behind Screen nothing tells which of the programs around VTE it is.
@on(VTE, places=("alone", "tmux"))
def test_a_program_that_does_not_show_progress_is_named(place):
    place.clear()
    result = place.run(["viatty", "progress", "40"])
    expect.refused(result, naming="no progress is shown by xfce4-terminal")
    nothing_printed(place)
