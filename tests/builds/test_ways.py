# SPDX-License-Identifier: MIT
"""README's ways to install without root, line by line as it has them."""

import re

import pytest

from building import REPOSITORY, run, sources
from test_builds import works

pytestmark = pytest.mark.timeout(600)

README = (REPOSITORY / "README.md").read_text()


def test_each_line_does_what_it_says(tmp_path):
    block = re.search(r"<!-- ways -->\n```sh\n(.*?)```", README, re.S)[1]
    install, uninstall, static, release, unpack = block.splitlines()
    folder, home = sources(tmp_path / "sources"), tmp_path / "home"
    home.mkdir()

    def type(line):
        printed, status = run(["sh", "-c", line], folder, HOME=str(home))
        assert status == 0, f"{line}: {printed[-2000:]}"

    type(install)
    works(home / ".local/bin/osc52")
    assert (home / ".local/share/man/man1/osc52.1").exists()
    type(uninstall)
    assert not (home / ".local").exists()
    type(static)
    works(home / "bin/viatty")
    assert run(["ldd", home / "bin/viatty"], home)[0].strip() in (
        "statically linked", "not a dynamic executable")
    type(release)
    type(unpack)
    works(home / ".local/bin/osc52")
    assert (home / ".local/share/fish/vendor_completions.d/osc52.fish").exists()
