"""MIME types: by a desktop tool where the terminal runs on this machine, else refused."""

import json

import pytest

from lib.answering import CLIPBOARD, FOOT, KITTY, clipboard
from lib.faults import fails, nothing_at
from lib.typed import Desktop

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64
SVG = b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>\n"
RECOGNIZED = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1",
    "image/gif": b"GIF89a\1\0\1\0\x80\0\0\0",
    "image/webp": b"RIFF\x1a\0\0\0WEBPVP8L\0",
    "application/pdf": b"%PDF-1.7\n%\xb5\xb5\xb5\xb5\n",
}


class Local:
    """Runs programs where the terminal runs on this machine."""

    def __init__(self, shell):
        self.terminal, self.sandbox, self._shell = shell.terminal, shell.sandbox, shell
        self._desktop = Desktop(shell.sandbox)
        self.holds, self.own = self._desktop.holds, self._desktop.own

    def run(self, words, **how):
        return self._shell.run(
            self._desktop.argv(*words), environment=self._desktop.environment, **how)


@pytest.fixture
def local(at):
    # the terminal replies to a paste that it holds no text
    return Local(at({**KITTY, CLIPBOARD: clipboard(b"")}))


def run_as(place, name, *words, data=b""):
    path = place.sandbox.path / "bin" / name
    if name != "viatty" and not path.exists():
        path.symlink_to("viatty")
    return place.run([name, *words], stdin=data)


def copy(place, *options, data=b""):
    return place.run(["viatty", "copy", *options], stdin=data)


def paste(place, *options):
    return place.run(["viatty", "paste", *options])


def done(outcome, printed=b""):
    assert (outcome.status, outcome.stderr) == (0, b""), outcome.said
    assert outcome.stdout == printed


# ---- where the terminal runs on this machine -----------------------------------------


def test_a_desktop_tool_copies_and_pastes_the_type(local):
    done(copy(local, "-t", "image/png", data=PNG))
    assert local.holds() == {"image/png": PNG}
    done(paste(local, "--list-types", "--max", "1"), b"image/png\n")
    done(paste(local, "-t", "image/png"), PNG)
    fails(paste(local, "-t", "text/html"), 1, 'no data of type "text/html"')
    fails(paste(local, "-t", "image/png", "--max", "99"), 4, "larger than 99 bytes")
    local.terminal.settle()
    assert local.terminal.clipboard() == []


@pytest.mark.parametrize("mime, data", RECOGNIZED.items(), ids=RECOGNIZED)
def test_what_is_no_text_is_recognized(local, mime, data):
    done(copy(local, data=data))
    assert local.holds() == {mime: data}


def test_the_other_names_take_types(local):
    done(run_as(local, "xclip", "-selection", "c", "-t", "image/png", data=PNG))
    assert local.holds() == {"image/png": PNG}
    done(run_as(local, "xclip", "-sel", "c", "-t", "image/png", "-o"), PNG)
    done(run_as(local, "xclip", "-sel", "c", "-o", "-t", "TARGETS"), b"image/png\n")
    done(run_as(local, "wl-copy", "-t", "image/jpeg", data=PNG))
    assert local.holds() == {"image/jpeg": PNG}
    done(run_as(local, "wl-paste", "-t", "image/jpeg"), PNG)
    done(run_as(local, "wl-paste", "--list-types"), b"image/jpeg\n")
    done(run_as(local, "wl-copy", data=PNG))
    assert local.holds() == {"image/png": PNG}
    done(run_as(local, "wl-copy", "--type", "text/html", "<b>hi</b>"))
    done(run_as(local, "wl-paste", "-nt", "text/html"), b"<b>hi</b>")
    done(run_as(local, "wl-paste", "-t", "text/html"), b"<b>hi</b>\n")


def test_a_clipboard_with_an_image_only_is_named(local):
    local.own("image/png", PNG)
    fails(paste(local), 1, ["no plain text, but image/png", "--type image/png"])


@pytest.mark.parametrize("kind", ["x/$(touch${IFS}here)", "x/a&b"])
def test_a_hint_is_safe_to_type_whatever_the_clipboard_names(local, kind):
    """Whoever copied chose the name, and a shell would run it."""
    local.own(kind, PNG)
    fails(paste(local), 1, [f"no plain text, but {kind}", "hint: --type TYPE prints it"])


def test_empty_input_is_refused_and_clears_if_it_may(local):
    fails(copy(local, "-t", "image/png"), 4, "empty")
    done(copy(local, "-t", "image/png", "--allow-empty"))
    local.terminal.settle()
    assert local.terminal.clipboard() == [("c", b"")]


def test_an_empty_clipboard_has_no_types(local):
    done(paste(local, "--list-types"))
    fails(run_as(local, "wl-paste", "--list-types"), 1, ["nothing is copied"])


# ---- elsewhere, as over ssh ----------------------------------------------------------

REFUSAL = (
    "types other than text need a desktop tool, and none is used: ",
    "run it where the desktop is, as its user; --route native takes your own display",
)
REFUSED = {
    "copy": ["viatty", "copy", "-t", "image/png"],
    "paste": ["viatty", "paste", "-t", "image/png"],
    "xclip that pastes": ["xclip", "-selection", "c", "-t", "image/png", "-o"],
    "wl-copy": ["wl-copy", "--type", "text/html"],
    "wl-paste": ["wl-paste", "--list-types"],
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_without_a_desktop_it_is_refused_and_nothing_is_sent(at, words):
    shell = at(KITTY)
    outcome = run_as(shell, *words, data=PNG)
    fails(outcome, 4, REFUSAL)
    nothing_at(shell.terminal)


def test_doctor_says_what_copy_says(at, local):
    doctor = lambda place: json.loads(place.run(["viatty", "doctor", "types", "--json"]).stdout)
    (found,) = doctor(local)["features"]
    assert (found["works"], found["route"], found["tool"]) == ("yes", "native", "wl-copy")
    (found,) = doctor(at(KITTY))["features"]
    assert found["works"] == "no" and found["reason"].startswith(REFUSAL[0])
    assert found["hint"] == REFUSAL[1]


def test_an_image_is_copied_as_text_with_a_warning(at):
    shell = at(KITTY)
    outcome = copy(shell, data=PNG)
    assert outcome.status == 0
    assert outcome.said.startswith("viatty copy: warning: copied as text, not as image/png\nhint: ")
    done(copy(shell, "-q", data=PNG))
    done(copy(shell, "-t", "text/plain", data=PNG))
    shell.terminal.settle()
    assert shell.terminal.clipboard() == 3 * [("c", PNG)]


def test_where_the_terminal_does_not_store_an_image_it_is_refused(at):
    fails(copy(at(FOOT), data=PNG), 4, ["NUL", "encode"])


# ---- text ----------------------------------------------------------------------------


def test_a_text_is_a_text(local):
    """An editor that copies a line of an SVG wants to paste it."""
    texts = [SVG, b"GIF89a is a format\n", b"%PDF-1.7\n is its first line"]
    for text in texts:
        done(copy(local, data=text))
    local.terminal.settle()
    assert local.terminal.clipboard() == [("c", text) for text in texts]
    assert local.holds() == {}


@pytest.mark.parametrize("kind", ["text/plain;charset=utf-8", "STRING", "TEXT"])
def test_a_type_that_means_text_is_text_everywhere(at, kind):
    shell = at({**KITTY, CLIPBOARD: clipboard(b"hello")})
    done(copy(shell, "-t", kind, data=b"hello"))
    done(run_as(shell, "xclip", "-sel", "c", "-t", kind, data=b"hello"))
    done(paste(shell, "-t", kind), b"hello")
    done(run_as(shell, "xclip", "-sel", "c", "-t", kind, "-o"), b"hello")
    shell.terminal.settle()
    assert shell.terminal.clipboard() == 2 * [("c", b"hello")]
