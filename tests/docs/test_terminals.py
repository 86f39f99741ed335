"""The table of terminals says nothing that real ones have shown to be wrong."""

import re
import sys

import pytest
from documentation import REPOSITORY, generated, terminals

sys.path.insert(0, str(REPOSITORY / "tests" / "terminals"))

import results  # noqa: E402

# Column of the results -> feature of the table.
FEATURES = {
    "copy": "COPY",
    "primary": "PRIMARY",
    "clear": "CLEAR",
    "paste": "PASTE",
    "title": "TITLE",
    "notify9": "NOTIFY9",
    "notify777": "NOTIFY777",
    "notify99": "NOTIFY99",
    "link": "LINK",
}
# The table is about the current version, the results about the one that ran.
CHANGED_SINCE = {
    ("alacritty", "PASTE"): "0.13 has turned it off",
    ("foot", "NOTIFY99"): "1.18 has brought it",
}
# Nobody sat at the keyboard to allow it.
UNDECIDED = {("kitty", "PASTE")}
WORKS, FAILS = {"YES", "ASKS"}, {"NO", "OFF", "EMPTIES"}


def shipped():
    """(terminal, feature, outcome) of each terminal alone, as it is shipped."""
    for (name, settings, place, column), outcome in results.cells(results.read()).items():
        if settings == "as shipped" and place == "alone" and column in FEATURES:
            yield name, FEATURES[column], outcome


def support(name, feature):
    found = re.search(rf"\b([A-Z]+)\({feature}\)", terminals()[name])
    return found[1]


@pytest.mark.parametrize("name, feature, outcome", list(shipped()))
def test_the_table_of_terminals_agrees_with_the_results(name, feature, outcome):
    if (name, feature) in CHANGED_SINCE or (name, feature) in UNDECIDED:
        return
    assert support(name, feature) in (WORKS if outcome == "works" else FAILS)


def test_every_terminal_of_the_results_can_be_named():
    ids = {row[0] for row in results.read()}
    assert ids <= set(terminals())
    for name in ids:
        assert name in generated("bash")
