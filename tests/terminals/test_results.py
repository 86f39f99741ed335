"""The last test: what the others saw is what the table says."""

import os

from makes import are_there
from results import cells, read


def test_the_table_says_what_was_seen(request, results):
    seen = cells(results.rows())
    if os.environ.get("RESULTS") == "write":
        results.write()
    # What is not installed was skipped, which is no word against the table.
    known = {cell: outcome for cell, outcome in cells(read()).items() if are_there(*cell[:3])}
    unlike = {cell: (seen[cell], known.get(cell)) for cell in seen}
    unlike = {cell: pair for cell, pair in unlike.items() if pair[0] != pair[1]}
    assert unlike == {}, "seen, and in RESULTS.md"
    if not request.config.option.keyword:
        assert known.keys() == seen.keys(), "RESULTS.md tells of what no test saw"
