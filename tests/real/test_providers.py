"""Programs that look for another clipboard program, and find a link to viatty."""

import shutil

import pytest

from lib import expect
from lib.processes import until


@pytest.fixture
def path(sandbox):
    """A PATH on which no clipboard program is but what a test puts there."""
    only = sandbox.path / "only"
    only.mkdir()
    (only / "sh").symlink_to(shutil.which("sh"))
    return only


# What neovim's `:help clipboard` lists, with the variable it looks at. There is no X
# or Wayland server behind either value.
PROVIDERS = {
    "xclip": (["xclip"], {"DISPLAY": ":9999", "WAYLAND_DISPLAY": None}),
    "xsel": (["xsel"], {"DISPLAY": ":9999", "WAYLAND_DISPLAY": None}),
    "wl-copy": (["wl-copy", "wl-paste"], {"WAYLAND_DISPLAY": "none", "DISPLAY": None}),
}


@pytest.mark.needs("nvim")
@pytest.mark.parametrize("register, letter", [("+", "c"), ("*", "p")])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_neovim_yanks(plain, sandbox, path, provider, register, letter):
    names, variables = PROVIDERS[provider]
    for name in names:
        (path / name).symlink_to(sandbox.path / "bin" / "viatty")
    settings, done = sandbox.fresh("init.vim"), sandbox.fresh("done")
    settings.write_text(
        "autocmd VimEnter * call setline(1, ['one', 'two'])"
        f' | execute \'normal! "{register}2yy\''
        f" | call writefile([provider#clipboard#Executable()], '{done}')\n"
    )
    nvim = [shutil.which("nvim"), "-u", str(settings), "-i", "NONE", "-n"]
    plain.open(nvim, environment={"PATH": str(path), **variables})
    until(lambda: done.exists() and done.read_text(), "neovim has yanked")
    plain.terminal.wait_for(b"\x1b]52;" + letter.encode() + b";b25lCnR3bwo=")
    plain.settle()
    expect.arrived(plain.terminal, b"one\ntwo\n", letter)
    assert done.read_text().strip() == provider
