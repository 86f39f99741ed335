"""The manual pages say what the table says, no more and no less."""

import re
import subprocess

import pytest

from documentation import (
    REPOSITORY,
    VIATTY,
    commands,
    examples_of,
    generated,
    options_of,
    output_of,
    page,
    refused_by,
    release,
    routes,
    section,
    table,
)

PAGES = sorted((REPOSITORY / "man").glob("*.[17]"))
NAMES = [path.stem for path in PAGES if path.suffix == ".1"]
EVERY_PAGE = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)

# In the order of mdoc(7). The page of the program has all, those of commands what they need.
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS",
            "EXAMPLES", "SEE ALSO", "STANDARDS", "AUTHORS", "CAVEATS", "SECURITY CONSIDERATIONS"]
REQUIRED = {"NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"}


def options_on(text):
    """The items of the page that are options: (letter or "", long name, argument)."""
    items = re.findall(r"^\.It (Fl .*)$", section(text, "DESCRIPTION"), re.M)
    return {_option(item) for item in items}


def _option(item):
    words = re.sub(r" (Ns|Oo|Oc|Op|=)(?= )", "", re.sub(r" Oc(?= ,)", "", item))
    letter = re.match(r"Fl (\w)\b", words)
    long = re.search(r"Fl -([a-z][a-z-]*)( Ar (\w+))?$", words)
    assert long, f"no long option in {item!r}"
    return ("-" + letter[1] if letter else "-", "--" + long[1], long[3] or "-")


def in_the_table(command):
    return {(o.letter, o.long, o.argument) for o in options_of(command)}


def test_every_command_has_a_page_and_every_page_a_command():
    assert set(NAMES) == {"viatty"} | {f"viatty-{c.name}" for c in commands()}


def test_the_options_of_each_command_are_those_on_its_page():
    for command in commands():
        on_page = options_on(page(f"viatty-{command.name}"))
        assert on_page == in_the_table(command.name), command.name


def test_the_options_of_every_command_are_those_on_the_page_of_the_program():
    assert options_on(page("viatty")) == in_the_table("-")


def test_the_page_of_doctor_names_the_options_of_viatty_that_it_takes():
    named = page("viatty-doctor").partition("Of the options described in")[2].partition("apply")[0]
    taken = {o.long for o in options_of("-")} - refused_by("doctor") - {"--help", "--version"}
    assert {f"-{option}" for option in re.findall(r"^\.Fl (-\S+)", named, re.M)} == taken


def test_the_page_of_the_program_lists_the_commands():
    listed = re.findall(r"^\.It Ic (\w+)$", page("viatty"), re.M)
    assert listed == [command.name for command in commands()]


def test_each_synopsis_has_the_command_and_its_operands():
    for command in commands():
        synopsis = section(page(f"viatty-{command.name}"), "SYNOPSIS")
        assert f".Cm {command.name}\n" in synopsis
        for word in re.findall(r"[A-Z]+", command.operands):
            assert re.search(rf"\bAr {word}\b", synopsis), (command.name, word)


def test_each_synopsis_has_the_options_of_the_command():
    for command in commands():
        synopsis = section(page(f"viatty-{command.name}"), "SYNOPSIS")
        letters = "".join(re.findall(r"\bFl (\w+)", synopsis))
        for option in options_of(command.name):
            named = option.letter[1:] and option.letter[1:] in letters
            assert named or f"Fl -{option.long[2:]}" in synopsis, option.long


def test_a_user_need_not_know_the_words_of_the_sources():
    """Of layers the page tells that explains --wrap, and a key of --json is called so."""
    for path in [*PAGES, REPOSITORY / "README.md"]:
        text = re.sub(r"^\.It Li .*", "", path.read_text(), flags=re.M)
        found = set(re.findall(r"\b(hop|layer)s?\b", text, re.I))
        assert {word.lower() for word in found} <= (
            {"layer"} if path.stem == "viatty-multiplexers" else set()), path.name


@EVERY_PAGE
def test_no_word_of_a_sentence_is_set_as_a_word_to_type(path):
    assert re.findall(r"^\.(?:Cm|Fl|Ic|Ar|Ev|Pa|Nm) .*, (?:and|or)$", path.read_text(), re.M) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_sections_are_all_there_and_in_their_order(name):
    found = re.findall(r"^\.Sh (.*)$", page(name), re.M)
    assert found == [s for s in SECTIONS if s in found]
    assert set(found) >= (set(SECTIONS) if name == "viatty" else REQUIRED)


def roff_line(example):
    return "$ " + example.line.replace("\\", "\\e").replace("'", "\\(aq")


def as_roff(example):
    """An example as a page has it: its purpose as a sentence, and the line."""
    purpose = example.purpose[0].upper() + example.purpose[1:]
    begin = '.\\" on a terminal\n.Bd -literal -offset 2n\n'
    return f"{purpose}:\n{begin}{roff_line(example)}\n.Ed\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_examples_are_those_of_the_help(name):
    examples = examples_of(name.removeprefix("viatty-"))
    assert len(examples) == (3 if name == "viatty" else 2)
    wanted = ".Pp\n".join(map(as_roff, examples))
    assert section(page(name), "EXAMPLES").startswith(wanted)


def test_the_page_of_the_names_has_the_examples_of_each():
    text = (REPOSITORY / "man" / "viatty-names.7").read_text()
    of_names = {e.of for e in table()[2]} - {"viatty", *(c.name for c in commands())}
    wanted = [roff_line(e) for name in of_names for e in examples_of(name)]
    assert wanted and set(wanted) <= set(section(text, "EXAMPLES").splitlines())


def test_every_exit_status_is_explained():
    statuses = section(page("viatty"), "EXIT STATUS")
    assert re.findall(r"^\.It (\d)$", statuses, re.M) == list("0123457")


def test_the_variables_are_those_the_program_reads():
    source = (REPOSITORY / "src" / "cli" / "options.c").read_text()
    read = re.findall(r'\{ OPTION_\w+, \S+, "([\w-]+)"[^{}]*\.variable = "(\w+)"', source)
    explained = re.findall(
        r"^\.It Ev (VIATTY_\w+)\n\.Fl -([\w-]+)$",
        section(page("viatty"), "ENVIRONMENT"),
        re.M,
    )
    assert read and [(option, variable) for variable, option in explained] == read


def test_the_routes_are_those_the_program_knows():
    described = re.findall(r"^\.It Cm ([a-z-]+)$", page("viatty"), re.M)
    assert {"auto", *described} == routes()


@EVERY_PAGE
def test_the_footer_has_the_version(path):
    assert f"\n.Os viatty {release()}\n" in path.read_text()


@EVERY_PAGE
def test_the_program_is_not_called_like_its_page(path):
    """.Nm alone stands for the name of the page."""
    assert path.stem == "viatty" or "\n.Nm\n" not in path.read_text()


@EVERY_PAGE
def test_no_heading_stands_alone(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith('.\\"')]
    kinds, alone = [], []
    for line, after in zip(lines, lines[1:] + [".Sh"]):
        if line.startswith(".Bl"):
            kinds.append(line.split()[1])
        elif line == ".El":
            kinds.pop()
        # several options may share a text
        item = line.startswith(".It ") and kinds[-1] == "-tag" and not line.startswith(".It Fl ")
        if line[:3] in (".Sh", ".Ss") and after[:3] in (".Sh", ".Ss"):
            alone.append(line)
        elif item and re.match(r"\.(It|El|S[hs])\b", after):
            alone.append(line)
    assert alone == []


@EVERY_PAGE
def test_every_page_of_ours_that_is_referred_to_is_there(path):
    for other in re.findall(r"^\.Xr (viatty\S* [1-8])", path.read_text(), re.M):
        assert other.replace(" ", ".") in [path.name for path in PAGES]


@pytest.mark.parametrize("name", ["terminals", "multiplexers"])
def test_the_tables_of_the_page_are_those_of_the_program(name):
    page = (REPOSITORY / "man" / f"viatty-{name}.7").read_text()
    assert page.count('\n.\\" table ') == page.count('\n.\\" end\n') > 0
    assert page == generated(page), "run make generated"


def test_the_other_names_are_all_described():
    source = (REPOSITORY / "src" / "cli" / "aliases.def").read_text()
    known = re.findall(r'^ALIAS\("([a-z-]+)",', source, re.M)
    text = (REPOSITORY / "man" / "viatty-names.7").read_text()
    items = "".join(re.findall(r"^\.It (Nm .*)$", text, re.M))
    described = re.findall(r"(?<=Nm )[a-z-]+", items)
    assert known and sorted(described) == sorted(known)


@pytest.mark.parametrize("name", ["pbcopy", "wl-copy", "wl-paste", "xclip", "xsel", "notify-send"])
def test_what_another_name_refuses_or_ignores_is_on_its_page(name, tmp_path):
    (tmp_path / name).symlink_to(VIATTY)
    shown = re.sub(r"\n {20,}", "  ", output_of(str(tmp_path / name), "--help"))
    text = (REPOSITORY / "man" / "viatty-names.7").read_text()
    item = re.search(rf"^\.It Nm {name}\b.*?(?=^\.(?:It Nm|El))", text, re.M | re.S)[0]
    for line in re.findall(r"^  .*(?:not supported|has no effect)(?: in a terminal)?$", shown, re.M):
        spellings = re.findall(r"--?[\w-]+", line)
        letter = spellings[0][1:2] if len(spellings) > 1 else ""
        names = [letter, spellings[-1][1:], spellings[-1][2:]]
        assert any(f"Fl {n}" in item for n in names if n), line


@pytest.mark.needs("groff")
@EVERY_PAGE
def test_no_table_is_too_wide(path):
    """Nor is a cell divided in a narrow terminal: groff continues it behind the right margin."""
    groff = lambda width: subprocess.run(
        ["groff", "-mandoc", "-Tutf8", f"-rLL={width}n", f"-rLT={width}n", str(path)],
        capture_output=True, timeout=60, text=True, check=True)
    # What man-db runs at 80 columns; examples are longer where their output is.
    assert groff(78).stderr == ""
    shown = re.sub(r"\x1b\[[\d;]*m", "", groff(58).stdout)
    assert re.findall(r"^ {50,}\S.*", shown, re.M) == []


@pytest.mark.needs("mandoc")
def test_the_page_of_the_program_is_read_in_minutes():
    """By mandoc, whose margins are the same everywhere; groff 1.23 has wider ones."""
    shown = subprocess.run(
        ["mandoc", "-T", "utf8", "-O", "width=80", str(REPOSITORY / "man" / "viatty.1")],
        capture_output=True, timeout=60, check=True)
    assert shown.stdout.count(b"\n") <= 280


def test_the_page_of_setup_has_each_program():
    table = (REPOSITORY / "src" / "commands" / "setup.def").read_text()
    page = (REPOSITORY / "man" / "viatty-setup.1").read_text()
    listed = {word for line in re.findall(r"^\.It Cm (.*)", page, re.M) for word in line.split()}
    programs = re.findall(r"^SETUP\((\w+)", table, re.M)
    assert [name for name in programs if name not in listed] == []
