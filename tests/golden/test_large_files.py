"""Files and sizes that a program of 32 bits cannot count in a long."""

import pytest

from lib import program

GIB, SMALL = 1 << 30, 1000
HELLO = ["viatty", "copy", "--print=esc", "--wrap=none"]


def has_32_bits():
    """The class of an ELF file is its fifth byte."""
    return program.path().read_bytes()[4] == 1


@pytest.fixture
def file_of(sandbox):
    def sparse(size):
        path = sandbox.path / "large"
        with path.open("wb") as file:
            file.truncate(size)
        return str(path)

    return sparse


# from stdin, and by name
@pytest.mark.parametrize("how", ["named", "read"])
# beyond an off_t and a size_t of 32 bits
@pytest.mark.parametrize("size", [3 * GIB, 4 * GIB + 3])
def test_a_file_of_any_size_is_read(plain, file_of, size, how):
    command = [*HELLO, "--max", "1000"]
    path = file_of(size)
    if how == "read":
        command = ["sh", "-c", '"$@" <"$0"', path, *command]
    else:
        command.append(path)
    result = plain.run(command)
    assert result.status == 4
    assert result.stderr.startswith(
        "viatty copy: not copied: the input is larger than --max 1000\n"
    )


@pytest.mark.parametrize("size", ["3000000000", "4294967296", "999999999999999999"])
def test_a_limit_of_any_size_is_one(plain, size):
    result = plain.run([*HELLO, "--max", size, "--string", "hello"])
    assert (result.status, result.stderr) == (0, "")


# One that has 64 cannot be given too much.
@pytest.mark.parametrize("limit", [[], ["--max", "3000000000"]])
def test_more_than_32_bits_can_hold_is_refused_with_the_limit(plain, file_of, limit):
    result = plain.run([*HELLO, *limit, file_of(SMALL if not has_32_bits() else GIB)])
    if has_32_bits():
        assert result.status == 4
        assert "larger than the limit of 268435455 bytes" in result.stderr
    else:
        assert result.status == 0
