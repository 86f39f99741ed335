"""README.md names nothing that is not there."""

import re
import shlex

from documentation import REPOSITORY, commands, options_of

README = (REPOSITORY / "README.md").read_text()

# The program, where it stands alone or at the beginning of a command.
CALL = re.compile(r"(?:\./)?(viatty|osc52)( .*)?$")


def blocks():
    return re.findall(r"^```\w*\n(.*?)^```$", README, re.M | re.S)


def spans():
    """Code within text."""
    text = re.sub(r"^```.*?^```$", "", README, flags=re.M | re.S)
    return re.findall(r"`([^`]+)`", text)


def calls():
    """Every call of the program: its name and its arguments."""
    lines = [line for block in blocks() for line in block.splitlines()]
    for line in lines + spans():
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


def test_pictures_and_files_it_points_to_are_there():
    targets = re.findall(r"\]\((?!https?:)([^)]+)\)", README)
    assert [t for t in targets if not (REPOSITORY / t).is_file()] == []
    shown = {REPOSITORY / target for target in targets if target.endswith(".png")}
    assert shown == set((REPOSITORY / "tests" / "picture").glob("*.png"))
    assert sum(path.stat().st_size for path in shown) < 100_000


def test_there_are_calls_to_look_at():
    assert len(list(calls())) > 10


def test_calls_use_commands_and_options_that_exist():
    names = ["help", "version", *(command.name for command in commands())]
    for program, arguments in calls():
        if program == "osc52":
            arguments = ["copy", *arguments]
        if not arguments:
            continue
        assert arguments[0] in names, arguments
        # behind two dashes stands another program's command line
        ours = arguments[1 : (arguments + ["--"]).index("--")]
        for word in ours:
            if word.startswith("-") and word != "-":
                assert option_in(word) in known_options(arguments[0]), arguments


def test_options_in_the_text_exist():
    every = set().union(*(known_options(c.name) for c in commands()))
    for span in spans():
        if span.startswith("-"):
            assert option_in(span.split()[0]) in every, span


def test_make_targets_exist():
    makefile = (REPOSITORY / "Makefile").read_text().replace("\\\n", " ")
    rules = " ".join(re.findall(r"^([^\t#=\n]+?):(?!=)", makefile, re.M)).split()
    for line in blocks() + spans():
        for words in re.findall(r"(?:^|&& |\$s )make((?: [a-z-]+)*)", line):
            for target in words.split():
                assert target in rules, target


def test_the_files_it_names_are_there():
    for path in re.findall(r"^(src/\S+)", "\n".join(blocks()), re.M):
        assert (REPOSITORY / path).exists(), path
    for path in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (REPOSITORY / path).exists(), path


def test_every_folder_of_the_sources_is_described():
    source = REPOSITORY / "src"
    folders = {f"src/{path.name}/" for path in source.iterdir() if path.is_dir()}
    described = re.findall(r"^(src/\w+/) ", README, re.M)
    assert set(described) == folders


def test_every_exit_status_is_explained():
    assert re.findall(r"^\| (\d) \|", README, re.M) == list("0123456")


def systems():
    """What README says is known of each system."""
    table = README.partition("<!-- systems -->")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:]]
    return {name: known for name, _, known in rows}


def names(target):
    return {
        "macos": "macOS", "freebsd": "FreeBSD 14 and later", "netbsd": "NetBSD 10 and later",
        "openbsd": "OpenBSD",
    }[target.split("-")[1]]


def test_what_is_known_of_a_system_is_what_ci_does():
    script = (REPOSITORY / ".ci" / "portable").read_text()
    targets = re.search(r"^targets='(.*)'$", script, re.M)[1].split()
    built = {names(target) for target in targets}
    assert {name for name, known in systems().items() if known == "built, not run"} == built
    ci = (REPOSITORY / ".ci" / "run").read_text()
    assert "\nstep make portable\n" in ci and "SUITE=trixie" in ci
    assert systems()["Debian 12 and 13"] == "tested"


def test_the_package_managers_it_names_are_those_that_deps_knows():
    script = (REPOSITORY / ".ci" / "deps").read_text()
    known = re.search(r"^for manager in (.*) none; do$", script, re.M)[1].split()
    row = re.search(r"^\| `make deps`, .*$", README, re.M)[0]
    to_build, tests = row.split("; for all tests")
    assert re.findall(r"\b[a-z]+\b", to_build.partition("build with ")[2].replace(" or ", " ")) == known
    for manager in known:
        assert f"\t{manager}-build)" in script
        assert (f"\t{manager}-test)" in script) == bool(re.search(rf"\b{manager}\b", tests))
