"""The table of what was run on which processor is that of the build and of CI."""

import re

from documentation import REPOSITORY


def rows():
    text = (REPOSITORY / "tests" / "processors" / "RESULTS.md").read_text()
    head, *lines = re.findall(r"^\| (.*) \|$", text, re.M)
    titles = head.split(" | ")
    cells = [line.split(" | ") for line in lines]
    assert all(len(row) == len(titles) for row in cells)
    return [dict(zip(titles, row)) for row in cells]


def first_words(name):
    text = (REPOSITORY / ".packaging" / name).read_text()
    return re.findall(r"^([a-z]\S*) ", text, re.M)


def test_every_processor_that_is_built_for_has_a_row():
    linux = {row["Processor"] for row in rows() if row["System"] == "Linux"}
    assert linux == {"x86_64", *first_words("processors")}
    named = {f"{row['System'].lower()}-{row['Processor']}" for row in rows()}
    assert set(first_words("releases")) <= named


def test_those_of_ci_are_those_that_it_runs():
    ci = (REPOSITORY / ".ci" / "run").read_text()
    asked = re.search(r'check-processors ONLY="(.*?)"', ci)[1].split()
    run = {row["Processor"] for row in rows() if row["CI"] == "runs"}
    assert run == {"x86_64", *asked}
    built = {f"{row['Processor']}-{row['System'].lower()}" for row in rows()
             if row["CI"] == "builds"}
    script = (REPOSITORY / ".ci" / "portable").read_text()
    assert built == set(re.search(r"^targets='(.*)'$", script, re.M)[1].split())
    assert "\nstep make portable\n" in ci


def test_what_was_not_linked_was_not_run():
    for row in rows():
        results = [row[title] for title in ("Replay", "Golden")]
        if row["Links"] != "yes" or row["Runs"] == "not":
            assert results == ["-"] * 2, row
        elif row["CI"] == "runs":
            assert all(re.fullmatch(r"\d+", count) for count in results), row
