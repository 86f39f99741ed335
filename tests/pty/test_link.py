"""link at a terminal: where links are made, where the URL is shown."""

import json

import pytest

from lib import sequences
from lib.answering import DA1, DA2, DA3, FOOT, NAME, PLAIN, XTERM
from lib.faults import fails

URL, TEXT = b"https://a.example/b", b"the text"
LINK = ["viatty", "link", URL.decode(), TEXT.decode()]
PLAIN_TEXT = TEXT + b" (" + URL + b")"

# options, variables, whether links are made
SURROUNDINGS = {
    "an unknown terminal": ([], {}, True),
    "no TERM": ([], {"TERM": None}, True),
    "xterm": ([], {"XTERM_VERSION": "XTerm(379)"}, False),
    "dumb": ([], {"TERM": "dumb"}, False),
    "ssh from a tmux": ([], {"TERM": "tmux-256color"}, False),
    "Screen": ([], {"TERM": "screen.xterm", "STY": "1.x"}, False),
    "forced": ([], {"TERM": "dumb", "FORCE_HYPERLINK": "1"}, True),
    "forced off": ([], {"FORCE_HYPERLINK": "0"}, False),
    "no color": ([], {"NO_COLOR": "1"}, True),
    "always": (["--when=always"], {"TERM": "dumb", "FORCE_HYPERLINK": "0"}, True),
    "never": (["--when=never"], {}, False),
    "named": (["--term=foot"], {"TERM": "dumb"}, True),
}


def printed(plain, argv, **how):
    """What reaches the terminal, as text and as links."""
    result = plain.run(argv, on_terminal=True, **how)
    assert result.status == 0
    plain.settle()
    recorded = plain.terminal.recorded()
    plain.terminal.forget()
    sequences.parse_strictly(recorded)
    links = [(url, text) for _, url, text in sequences.links(recorded)]
    return recorded, links


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_links_are_made_where_they_are_shown(plain, name):
    options, environment, shown = SURROUNDINGS[name]
    recorded, links = printed(plain, [*LINK, *options], environment=environment)
    assert links == ([(URL, TEXT)] if shown else [])
    assert sequences.printed_text(recorded) == (TEXT if shown else PLAIN_TEXT)
    assert recorded.endswith(b"\r\n")
    # nothing else, and no question above all
    sequence = b"\x1b]8;;" + URL + b"\x1b\\" + TEXT + b"\x1b]8;;\x1b\\"
    assert recorded == (sequence if shown else PLAIN_TEXT) + b"\r\n"


def test_a_file_of_a_directory_that_is_gone_is_not_linked(shell, sandbox):
    place = sandbox.folder("gone")
    line = 'cd "$0" && rmdir "$0" && exec viatty link --when=always --file '
    outcome = shell.run(["sh", "-c", line + "x", str(place)])
    fails(outcome, 4, "not linked: the current directory no longer exists")
    place.mkdir()
    outcome = shell.run(["sh", "-c", line + "/etc/passwd", str(place)])
    assert outcome.status == 0 and b"/etc/passwd" in outcome.stdout


# By their replies, as over ssh: how each replies, and whether it shows links.
REPLIES = {
    "xterm": (XTERM, False),
    "foot": (FOOT, True),
    "an unknown one": (PLAIN, True),
}


@pytest.mark.parametrize("which", REPLIES)
def test_an_unknown_terminal_is_asked_and_doctor_says_the_same(place_at, which):
    script, shown = REPLIES[which]
    place = place_at(script)
    recorded, links = printed(place, LINK)
    queries = b"".join([NAME, DA2, DA3, DA1])
    assert recorded.startswith(queries)
    assert links == ([(URL, TEXT)] if shown else [])
    assert sequences.printed_text(recorded[len(queries):]) == (TEXT if shown else PLAIN_TEXT)
    report = json.loads(place.run(["viatty", "doctor", "--json", "link"]).stdout)
    assert (report["features"][0]["works"] in ("yes", "unknown")) == shown


NOT_ASKED = {
    "always": ([*LINK, "--when=always"], {}),
    "no probe": ([*LINK, "--no-probe"], {}),
    "TERM": (LINK, {"TERM": "foot"}),
}


@pytest.mark.parametrize("how", NOT_ASKED)
def test_a_link_that_need_not_ask_does_not(place_at, how):
    argv, environment = NOT_ASKED[how]
    place = place_at(XTERM)
    printed(place, argv, environment=environment)
    assert place.terminal.asked() == []


def test_what_goes_into_a_file_asks_nothing(place_at):
    place = place_at(XTERM)
    outcome = place.run([*LINK, "-v"])
    assert outcome.stdout == PLAIN_TEXT + b"\n"
    assert "no links are made: standard output is not a terminal" in outcome.stderr
    assert place.terminal.asked() == []


def test_a_format_goes_before_the_names_of_windows(plain):
    environment = {"WT_SESSION": "1", "WSL_DISTRO_NAME": "Ubuntu"}
    words = ["viatty", "link", "--file", "/mnt/c/x", "--format=x:{path}"]
    assert printed(plain, words, environment=environment)[1] == [(b"x:/mnt/c/x", b"/mnt/c/x")]
