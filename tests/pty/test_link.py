"""link at a terminal: where links are made, where the URL is shown."""

import json

import pytest

from lib import sequences
from lib.answering import DA1, DA2, DA3, FOOT, NAME, PLAIN, XTERM, name
from lib.faults import fails

URL, TEXT = b"https://a.example/b", b"the text"
LINK = ["viatty", "link", URL.decode(), TEXT.decode()]
PLAIN_TEXT = TEXT + b" (" + URL + b")"

# variables -> whether links are made by default
SURROUNDINGS = {
    "an unknown terminal": ({}, True),
    "no TERM": ({"TERM": None}, True),
    "xterm": ({"XTERM_VERSION": "XTerm(379)"}, False),
    "dumb": ({"TERM": "dumb"}, False),
    "ssh from a tmux": ({"TERM": "tmux-256color"}, False),
    "Screen": ({"TERM": "screen.xterm", "STY": "1.x"}, False),
    "forced": ({"TERM": "dumb", "FORCE_HYPERLINK": "1"}, True),
    "forced off": ({"FORCE_HYPERLINK": "0"}, False),
    "no color": ({"NO_COLOR": "1"}, True),
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
    environment, shown = SURROUNDINGS[name]
    recorded, links = printed(plain, LINK, environment=environment)
    assert links == ([(URL, TEXT)] if shown else [])
    assert sequences.printed_text(recorded) == (TEXT if shown else PLAIN_TEXT)
    assert recorded.endswith(b"\r\n")
    # nothing else, and no question above all
    sequence = b"\x1b]8;;" + URL + b"\x1b\\" + TEXT + b"\x1b]8;;\x1b\\"
    assert recorded == (sequence if shown else PLAIN_TEXT) + b"\r\n"


def test_when_goes_before_what_is_found(plain):
    dumb = {"TERM": "dumb", "FORCE_HYPERLINK": "0"}
    assert printed(plain, [*LINK, "--when=always"], environment=dumb)[1]
    assert not printed(plain, [*LINK, "--when=never"])[1]


def test_the_terminal_that_is_named_counts(plain):
    assert not printed(plain, [*LINK, "--term=xterm"])[1]
    assert printed(plain, [*LINK, "--term=foot"], environment={"TERM": "dumb"})[1]


def test_a_file_of_a_directory_that_is_gone_is_not_linked(shell, sandbox):
    place = sandbox.folder("gone")
    line = 'cd "$0" && rmdir "$0" && exec viatty link --when=always --file '
    outcome = shell.run(["sh", "-c", line + "x", str(place)])
    fails(outcome, 4, "not linked: the current directory no longer exists")
    place.mkdir()
    outcome = shell.run(["sh", "-c", line + "/etc/passwd", str(place)])
    assert outcome.status == 0 and b"/etc/passwd" in outcome.stdout


def test_verbose_says_why(shell):
    outcome = shell.run([*LINK, "-v"])
    assert outcome.status == 0
    assert "no links are made: standard output is not a terminal" in outcome.said
    assert outcome.stdout == PLAIN_TEXT + b"\n"


# By their replies, as over ssh: how each replies, and whether it shows links.
REPLIES = {
    "xterm": (XTERM, False),
    "mlterm": ({NAME: name(b"mlterm(3.9.4)"), DA2: b"\x1b[>24;279;0c", DA1: PLAIN[DA1]}, False),
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
    "forced": (LINK, {"FORCE_HYPERLINK": "1"}),
    "never": ([*LINK, "--when=never"], {}),
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
    assert place.run(LINK).stdout == PLAIN_TEXT + b"\n"
    assert place.terminal.asked() == []


# The variables, a file, and its URL; None: its name is printed without a link.
WINDOWS = {
    "a file of WSL": ({"WSL_DISTRO_NAME": "Ubuntu"}, "/etc/hosts", b"file://wsl.localhost/Ubuntu/etc/hosts"),
    "one of Windows": ({"WSL_DISTRO_NAME": "Ubuntu"}, "/mnt/c/Users/x y.txt", b"file:///C:/Users/x%20y.txt"),
    "a drive": ({"WSL_DISTRO_NAME": "Ubuntu"}, "/mnt/d", b"file:///D:/"),
    "no drive": ({"WSL_DISTRO_NAME": "Ubuntu"}, "/mnt/cd/x", b"file://wsl.localhost/Ubuntu/mnt/cd/x"),
    "over ssh": ({"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, "/etc/hosts", None),
}


@pytest.mark.parametrize("where", WINDOWS)
def test_windows_terminal_gets_the_names_that_it_opens(plain, where):
    environment, file, url = WINDOWS[where]
    environment = {"WT_SESSION": "1", **environment}
    _, links = printed(plain, ["viatty", "link", "--file", file], environment=environment)
    assert links == ([(url, file.encode())] if url else [])
    _, links = printed(plain, ["viatty", "link", "--file", file, "--format=x:{path}"],
                       environment=environment)
    assert [link.startswith(b"x:/" + file[1:3].encode()) for link, _ in links] == [True]
