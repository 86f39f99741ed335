"""The last test: what the others saw is what the table says."""

import os

import pytest
from makes import are_there
from results import cells, distribution, read


def test_the_table_says_what_was_seen(request, results):
    seen = cells(results.rows())
    if os.environ.get("RESULTS") == "write":
        results.write()
    if not read(distribution()):
        pytest.skip(f"RESULTS.md has no table of {distribution()}")
    # What is not installed was skipped, which is no word against the table.
    known = {cell: outcome for cell, outcome in cells(read(distribution())).items() if are_there(*cell[:3])}
    unlike = {cell: (seen[cell], known.get(cell)) for cell in seen}
    unlike = {cell: pair for cell, pair in unlike.items() if pair[0] != pair[1]}
    assert unlike == {}, "seen, and in RESULTS.md"
    if not request.config.option.keyword and len(request.config.args) == 1:
        assert known.keys() == seen.keys(), "RESULTS.md tells of what no test saw"
