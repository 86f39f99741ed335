"""Clients of xclip, xsel, wl-clipboard and notify-send, with viatty under these names.

Debian has pyperclip, atotto's package for Go, node and zsh; npm clipboardy and node-notifier,
where `.ci/deps modules` has put them. oh-my-zsh and tmux-yank are known by the lines they run."""

import os
import subprocess
from pathlib import Path

import pytest

from lib import sequences
from lib.answering import FOOT, KITTY, clipboard

NAMES = ("xclip", "xsel", "wl-copy", "wl-paste", "notify-send")
TEXT = "gr\u00fcn, two\nlines"
MODULES = Path(os.environ.get("VIATTY_NPM", "/nonexistent"), "node_modules")
ATOTTO = Path("/usr/share/gocode/src/github.com/atotto/clipboard")
HERE = {"DISPLAY": ":77"}


@pytest.fixture
def links(sandbox):
    for name in NAMES:
        (sandbox.path / "bin" / name).symlink_to("viatty")
    return sandbox


def written(terminal):
    terminal.settle()
    return [(letters, text.decode()) for letters, text in
            sequences.clipboard_writes(terminal.recorded())]


def copies_and_pastes(shell, argv, environment=None):
    """A program that copies TEXT, and prints what it has pasted."""
    outcome = shell.run(argv, environment={**HERE, **(environment or {})})
    assert (outcome.status, outcome.stderr) == (0, b""), outcome
    assert written(shell.terminal) == [("c", TEXT)]
    return outcome.stdout.decode()


def module(name):
    return pytest.mark.skipif(not (MODULES / name).is_dir(),
                              reason=f"{name} of npm is not there: .ci/deps modules fetches it")


PYPERCLIP = """\
import sys, pyperclip
pyperclip.set_clipboard(sys.argv[1])
pyperclip.copy(sys.argv[2])
sys.stdout.write(pyperclip.paste())
"""


@pytest.mark.needs("/usr/lib/python3/dist-packages/pyperclip")
@pytest.mark.parametrize("name", ["xclip", "xsel"])
def test_pyperclip(links, at, name):
    python = "/usr/bin/python3"
    shell = at(FOOT, clipboard(b"from the desk"))
    assert copies_and_pastes(shell, [python, "-c", PYPERCLIP, name, TEXT]) == "from the desk"


GO = """\
package main

import ("fmt"; "os"; "github.com/atotto/clipboard")

func main() {
	if err := clipboard.WriteAll(os.Args[1]); err != nil { panic(err) }
	text, err := clipboard.ReadAll()
	if err != nil { panic(err) }
	fmt.Print(text)
}
"""


@pytest.mark.needs("go")
@pytest.mark.skipif(not ATOTTO.is_dir(), reason="golang-github-atotto-clipboard-dev is missing")
def test_atotto_for_go(links, at):
    source = links.path / "main.go"
    source.write_text(GO)
    program = links.path / "bin" / "client"
    subprocess.run(["go", "build", "-o", str(program), str(source)], check=True, timeout=100,
                   env={"PATH": os.environ["PATH"], "GOPATH": "/usr/share/gocode",
                        "GO111MODULE": "off", "GOCACHE": str(links.path / "go"), "HOME": "/"})
    for names in (["xclip"], ["xsel"], ["wl-copy", "wl-paste"]):
        # It takes the first that it finds.
        folder = links.folder("only")
        for name in names:
            (folder / name).symlink_to(links.path / "bin/viatty")
        only = {"PATH": str(folder)}
        if "wl-copy" in names:
            only["WAYLAND_DISPLAY"] = "wayland-77"
        shell = at(FOOT, clipboard(b"from the desk"))
        assert copies_and_pastes(shell, [str(program), TEXT], only) == "from the desk"


CLIPBOARDY = """\
import clipboard from "{module}"
{wait}clipboard.write{sync}({text})
process.stdout.write({wait}clipboard.read{sync}())
"""


@module("clipboardy")
@pytest.mark.needs("node")
@pytest.mark.parametrize("wait, sync", [("", "Sync"), ("await ", "")])
def test_clipboardy(links, at, wait, sync):
    main = links.path / "main.mjs"
    main.write_text(CLIPBOARDY.format(module=MODULES / "clipboardy" / "index.js", wait=wait,
                                      sync=sync, text=repr(TEXT)))
    shell = at(FOOT, clipboard(b"from the desk"))
    assert copies_and_pastes(shell, ["node", str(main)]) == "from the desk"


NOTIFIER = """\
const {{ NotifySend }} = require("{module}")
new NotifySend().notify({{ title: "Build", message: "no warnings", urgency: "low", time: 3000,
  hint: "string:x-canonical-private-synchronous:build" }}, (error) => process.exit(error ? 1 : 0))
"""


@module("node-notifier")
@pytest.mark.needs("node")
def test_node_notifier(links, at):
    main = links.path / "main.cjs"
    main.write_text(NOTIFIER.format(module=MODULES / "node-notifier"))
    shell = at(KITTY)
    outcome = shell.run(["node", str(main)])
    assert outcome.status == 0, outcome
    shell.terminal.settle()
    assert b"p=title:e=1:u=0" in shell.terminal.recorded()
