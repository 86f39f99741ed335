"""What is copied: files, texts, standard input, and all that is wrong with them."""

import pytest

from lib import expect, faults, sequences
from lib.faults import arrives, fails, nothing_at

COPY = ("viatty", "copy")


def refuses(shell, options, status, naming=(), **how):
    """A message, the status, and not a byte at the terminal or on stdout."""
    outcome = shell.run([*COPY, *options], **how)
    fails(outcome, status, naming)
    assert outcome.stdout == b""
    nothing_at(shell.terminal)
    return outcome


# ---- standard input ----------------------------------------------------------------


def test_any_amount_arrives_as_one_sequence_and_nothing_else(shell):
    for size in (1, 2, 3, 1_000, 100_000, 8_000_000):
        data = expect.sample(size)
        arrives(shell.run(COPY, stdin=data), shell.terminal, data)
        tokens = sequences.parse_strictly(shell.terminal.recorded())
        assert [(token.kind, token.terminator) for token in tokens] == [("osc", sequences.ST)]
        shell.terminal.forget()


# ---- operands ----------------------------------------------------------------------


def test_a_missing_file_is_named_and_the_hint_is_how_to_copy_a_text(shell):
    outcome = refuses(shell, ["no such file"], 1, ['"no such file"', "No such file"])
    assert outcome.said.endswith("hint: to copy a text: --string TEXT\n")


@pytest.mark.root
def test_a_file_that_this_user_may_not_read_is_named(shell):
    secret = shell.sandbox.fresh("secret")
    secret.write_text("secret")
    secret.chmod(0o600)
    naming = [f'"{secret}"', "Permission denied"]
    refuses(shell, [str(secret)], 1, naming, user=faults.NOBODY)


# ---- standard input ----------------------------------------------------------------


@pytest.mark.parametrize("operands", [(), ("-",)])
@pytest.mark.parametrize("file, why", [(None, ""), (("/", "r"), "Is a directory")])
def test_a_standard_input_that_cannot_be_read_fails(shell, operands, file, why):
    refuses(shell, operands, 1, ["standard input", why], descriptors={0: file})


@pytest.mark.parametrize("words", ["copy", "copy -", "copy --tee", "raw --force"])
def test_nothing_is_sent_when_standard_input_fails_in_the_middle(shell, words):
    outcome = shell.run(["viatty", *words.split()], descriptors={0: "memory"})
    fails(outcome, 1, ["standard input", "Input/output error"])
    assert len(outcome.stdout) == (5000 if "--tee" in words else 0)
    nothing_at(shell.terminal)


@pytest.mark.parametrize("command, verb", [("copy", "copy"), ("raw", "send")])
def test_a_terminal_as_standard_input_is_no_reason_to_wait(shell, command, verb):
    outcome = shell.run(["viatty", command], descriptors={0: ("/dev/tty", "r")})
    fails(outcome, 2, [f"nothing to {verb}", "standard input is a terminal", "hint: "])
    nothing_at(shell.terminal)


def test_a_terminal_named_by_a_dash_is_read(shell):
    started = shell.start([*COPY, "-"], descriptors={0: ("/dev/tty", "r")})
    shell.terminal.type("typed\n\x04")
    assert started.wait().status == 0
    shell.terminal.settle()
    assert ("c", b"typed\n") in shell.terminal.clipboard()


def test_nothing_to_copy_leaves_the_clipboard_alone(shell):
    for options, what in [
        ([], "standard input is empty"),
        (["-"], "standard input is empty"),
        (["-s", ""], "the text is empty"),
        (["/dev/null"], "the file is empty"),
        (["/dev/null", "-"], "all inputs are empty"),
        (["-n", "-s", "\n"], "the input is only a newline"),
    ]:
        refuses(shell, options, 4, ["not copied: ", what, "hint: ", "--clear"])


# ---- --max -------------------------------------------------------------------------

# Around what a first read takes, and what a pipe holds.
MAXIMA = [1, 2047, 2048, 2049, 65536, 100_000]


def test_exactly_the_maximum_is_copied_and_one_byte_more_refused(shell):
    for size in MAXIMA:
        data = b"x" * size
        refuses(shell, [f"--max={size}"], 4, [f"--max {size}", "hint: "], stdin=data + b"x")
        outcome = shell.run([*COPY, f"--max={size}"], stdin=data)
        arrives(outcome, shell.terminal, data)
        shell.terminal.forget()


def test_through_a_pipe_the_maximum_holds_as_well(shell):
    line = "head -c $1 /dev/zero | viatty copy --max 70000"
    fails(shell.run(["sh", "-c", line, "sh", "70001"]), 4, "--max 70000")
    nothing_at(shell.terminal)
    outcome = shell.run(["sh", "-c", line, "sh", "70000"])
    arrives(outcome, shell.terminal, bytes(70000))


# ---- --tee -------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"a\0\xff\n", bytes(range(256)) * 1000])
def test_tee_passes_on_standard_input_only_byte_for_byte(shell, tmp_path, data):
    (tmp_path / "file").write_bytes(b"file ")
    outcome = shell.run([*COPY, "--tee", str(tmp_path / "file"), "-"], stdin=data)
    arrives(outcome, shell.terminal, b"file " + data)
    assert outcome.stdout == data


@pytest.mark.parametrize("stdout", [None, ("/dev/full", "w")], ids=["closed", "full"])
def test_tee_sends_nothing_when_standard_output_fails(shell, stdout):
    outcome = shell.run([*COPY, "--tee"], stdin=b"data", descriptors={1: stdout})
    fails(outcome, 1, "standard output")
    nothing_at(shell.terminal)


def test_tee_ends_with_the_reader_of_its_output_and_sends_nothing(shell):
    data = b"x" * 1_000_000
    line = "{ viatty copy --tee; echo $? >&2; } | true"
    outcome = shell.run(["sh", "-c", line], stdin=data)
    # As every filter: by SIGPIPE, which a shell counts as 128 and 13.
    assert outcome.stderr == b"141\n"
    nothing_at(shell.terminal)


# ---- selections --------------------------------------------------------------------


def test_clear_sends_no_data_and_reads_none(shell):
    how = {"descriptors": {0: ("/dev/tty", "r")}}
    arrives(shell.run([*COPY, "--clear"], **how), shell.terminal, b"")


# ---- the command line --------------------------------------------------------------

def test_output_that_cannot_be_written_is_a_failure(shell):
    for line in (
        "viatty --help >/dev/full",
        "viatty setup bash >&-",
        "viatty doctor --no-probe >&-",
        "viatty copy --help >/dev/full",
        "viatty --version >&-",
        "viatty copy --print >/dev/full",
        "viatty copy --print=esc >&-",
    ):
        fails(shell.run(["sh", "-c", line], stdin=b"data"), 1, "standard output")
    nothing_at(shell.terminal)
