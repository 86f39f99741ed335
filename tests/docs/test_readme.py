"""README.md and its companions name nothing that is not there."""

import hashlib
import re
import shlex

import pytest

from documentation import REPOSITORY, commands, generated, options_of

TEXTS = {name: (REPOSITORY / name).read_text()
         for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")}
README, CONTRIBUTING = TEXTS["README.md"], TEXTS["CONTRIBUTING.md"]
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))

# The program, where it stands alone or at the beginning of a command.
CALL = re.compile(r"(?:\./)?(viatty|osc52)( .*)?$")


def blocks(text):
    return re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)


def spans(text):
    """Code within text."""
    return re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def calls(text):
    """Every call of the program: its name and its arguments."""
    lines = [line for block in blocks(text) for line in block.splitlines()]
    for line in lines + spans(text):
        for part in _commands_in(line):
            found = CALL.match(part)
            if found:
                yield found[1], shlex.split(found[2] or "")


def _commands_in(line):
    """The commands of a line, without redirections and comments."""
    hidden = re.sub(r"'[^']*'", lambda quoted: "x" * len(quoted[0]), line)
    start = 0
    for end in re.finditer(r"[|;&<>#]|$", hidden):
        yield line[start : end.start()].strip()
        start = end.end()


def known_options(command):
    own = [] if command == "-" else options_of(command)
    both = own + options_of("-")
    return {o.letter for o in both} - {"-"} | {o.long for o in both}


def option_in(word):
    return word[:2] if re.match(r"-\w", word) else word.partition("=")[0]


def table_rows(text, first):
    """The cells of the table whose heading begins so."""
    table = text[text.index(f"| {first} |") :].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def test_the_readme_can_be_read_in_a_minute():
    assert README.count("\n") <= 110


@EVERY_TEXT
def test_pictures_and_files_it_points_to_are_there(text):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [t for t in targets if not (REPOSITORY / t).is_file()] == []
    for path in re.findall(r"\bsrc/[\w/.]+", text):
        assert (REPOSITORY / path.rstrip(".").replace("NAME.c", "copy.c")
                .replace("NAME.EXTENSION", "vim.vim")).exists(), path


def test_every_picture_is_shown():
    pictures = [p for p in (REPOSITORY / "tests" / "picture").iterdir() if p.suffix in (".png", ".svg")]
    assert pictures
    for picture in pictures:
        assert f"](tests/picture/{picture.name})" in README
        assert picture.stat().st_size <= 300_000
        assert "@media(prefers-reduced-motion:reduce){.f{animation:none" in picture.read_text()


def test_the_picture_shows_what_was_recorded_and_is_printed():
    """The text beside it is of the same recording, with the messages of today's sources."""
    folder = REPOSITORY / "tests" / "picture"
    recorded = (folder / "demo.txt").read_text()
    digest = hashlib.sha256((folder / "demo.svg").read_bytes()).hexdigest()
    assert f"sha256 of demo.svg: {digest}\n" in recorded
    sources = "".join(path.read_text() for path in (REPOSITORY / "src").rglob("*.[cd]*"))
    messages = set(re.findall(r"^viatty[ a-z0-9]*: (.*)(?<!y)$", recorded, re.M))
    assert len(messages) == 4
    for message in messages:
        for part in re.split(r'"[^"]*"|\([^)]*\)|; ', message):
            assert part in sources, part


@EVERY_TEXT
def test_calls_use_commands_and_options_that_exist(text):
    names = ["help", *(command.name for command in commands())]
    for program, arguments in calls(text):
        if program == "osc52":
            arguments = ["copy", *arguments]
        if not arguments:
            continue
        assert arguments[0] in names, arguments
        # after two dashes comes another program's command line
        ours = arguments[1 : (arguments + ["--"]).index("--")]
        for word in ours:
            if word.startswith("-") and word != "-":
                assert option_in(word) in known_options(arguments[0]), arguments


@EVERY_TEXT
def test_options_in_the_text_exist(text):
    every = set().union(*(known_options(c.name) for c in commands()))
    for span in spans(text):
        if span.startswith("-"):
            assert option_in(span.split()[0]) in every, span


@EVERY_TEXT
def test_make_targets_exist(text):
    makefile = re.sub(r"\\\n\t*", " ", (REPOSITORY / "Makefile").read_text())
    rules = " ".join(re.findall(r"^([^\t#=\n]+?):(?!=)", makefile, re.M)).split()
    for line in blocks(text) + spans(text):
        for words in re.findall(r"(?:^|&& |sudo )make((?: [a-z_.-]+)*)", line):
            for target in words.split():
                assert target in rules or target.startswith("deps-") and "deps-%" in rules, target


@pytest.mark.parametrize("name", ["SECURITY.md", "CONTRIBUTING.md"])
def test_the_contact_is_that_of_the_program(name):
    assert "\n<!-- contact -->\n" in TEXTS[name]
    assert TEXTS[name] == generated(TEXTS[name]), "run make generated"


def test_every_folder_of_the_sources_is_described():
    source = REPOSITORY / "src"
    folders = {f"src/{path.name}/" for path in source.iterdir() if path.is_dir()}
    described = re.findall(r"^(src/\w+/) ", CONTRIBUTING, re.M)
    assert set(described) == folders


# ---- what is said of systems --------------------------------------------------


def systems():
    """The status of each system."""
    return {name: status for name, _, status in table_rows(CONTRIBUTING, "System")}


def names(target):
    return {"macos": "macOS", "freebsd": "FreeBSD 14 and later"}[target.split("-")[1]]


def test_the_status_of_a_system_is_what_ci_does():
    script = (REPOSITORY / ".ci" / "portable").read_text()
    targets = re.search(r"^targets='(.*)'$", script, re.M)[1].split()
    built = {names(target) for target in targets}
    assert {name for name, status in systems().items() if status == "built, not run"} == built
    ci = (REPOSITORY / ".ci" / "run").read_text()
    assert "\nstep make portable\n" in ci and "SUITE=trixie" in ci
    assert systems()["Debian 12 and 13"] == "tested"
    assert "\nstep tests/world/readme root\nstep tests/world/readme sudo\n" in ci
    assert "(as root, leave out `sudo`)" in README


def test_the_readme_claims_the_same_of_systems():
    claim = README.partition("are tested.")[0].rpartition("\n")[2].strip()
    assert [claim] == [name for name, status in systems().items() if status == "tested"]
    untried = re.search(r"not been run there\.\n(.*) have not been tried", README, re.S)[1]
    rows = ", ".join(name for name, status in systems().items() if status == "not tested")
    assert set(re.split(r", | and ", untried.strip())) == set(rows.split(", "))


def test_the_package_managers_it_names_are_those_that_deps_knows():
    script = (REPOSITORY / ".ci" / "deps").read_text()
    known = re.search(r"^for manager in (.*) none; do$", script, re.M)[1].split()
    to_build = re.search(r"^\| `make deps` \| .* with (.*) \|$", CONTRIBUTING, re.M)[1]
    assert re.findall(r"\b[a-z]+\b", to_build.replace(" or ", " ")) == known
    packager = re.search(r"`make check-packager` needs, also with ([\w, ]+)", CONTRIBUTING)[1]
    for manager in known:
        assert f"\t{manager}-build)" in script
        also = manager == "apt" or re.search(rf"\b{manager}\b", packager)
        assert (f"\t{manager}-packager)" in script) == bool(also)


def test_make_check_needs_fifteen_packages_at_most():
    script = (REPOSITORY / ".ci" / "deps").read_text().replace("\\\n", " ")
    packages = re.search(r"^\tapt-check\) echo (.*?) ;;$", script, re.M)[1].split()
    words = {10: "ten", 11: "eleven", 12: "twelve"}
    assert len(packages) <= 15 and f"installs {words[len(packages)]} packages" in CONTRIBUTING
