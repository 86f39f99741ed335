# SPDX-License-Identifier: MIT
"""README's ways to install without root, line by line as it has them."""

import re
import shutil

import pytest

from building import REPOSITORY, run, sources
from test_builds import works

pytestmark = pytest.mark.timeout(600)

README = (REPOSITORY / "README.md").read_text()
# What a shell prints that has found the completion in ~/.local.
FINDS = {
    "bash": (". /usr/share/bash-completion/bash_completion; _completion_loader osc52; "
             "complete -p osc52", "complete -F _viatty osc52"),
    "fish": ("complete -C 'osc52 --versio'", "--version"),
    "zsh": ("fpath+=(" + re.search(r"if `fpath` has\s+`(.*?)`", README)[1] +
            "); autoload -Uz compinit; compinit -u -D; echo $_comps[osc52]", "_viatty"),
}


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
    for shell, (script, expected) in FINDS.items():
        if shutil.which(shell):
            printed, _ = run([shell, "-c", script], home, HOME=str(home),
                             PATH=f"{home}/.local/bin:/usr/bin:/bin")
            assert printed.partition("\t")[0].strip() == expected
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
