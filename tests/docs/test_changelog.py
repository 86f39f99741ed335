"""CHANGELOG.md begins with the version that the program prints."""

import re

from documentation import REPOSITORY, release


def test_the_first_section_is_that_of_this_version():
    sections = re.findall(r"^## \[(.+?)\]", (REPOSITORY / "CHANGELOG.md").read_text(), re.M)
    assert sections[0] == release()


def test_a_section_is_read_in_a_minute():
    text = (REPOSITORY / "CHANGELOG.md").read_text()
    assert all(section.count("\n") <= 60 for section in text.split("\n## ")[1:])
    assert [line for line in text.splitlines() if len(line) > 100] == []


def test_the_version_is_written_once():
    """Everything else takes it from there."""
    files = [REPOSITORY / "Makefile", *(REPOSITORY / "src").rglob("*.[ch]"),
             *(p for p in (REPOSITORY / ".packaging").rglob("*") if p.is_file())]
    found = [p.name for p in files if release() in p.read_text()]
    assert len(found) == 1
