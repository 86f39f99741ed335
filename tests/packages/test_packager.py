"""The tests pass where packages are built, and building twice gives the same."""

import re

import pytest

pytestmark = [
    pytest.mark.needs("dpkg-buildpackage", "dh"),
    # Compiles the program, and runs the tests on one processor.
    pytest.mark.timeout(1000),
]


@pytest.fixture(scope="module")
def checked(debian):
    return debian("checked")


def test_the_build_runs_the_tests_without_root_terminal_network_and_xdist(checked):
    _, said = checked
    passed, failed = re.findall(r"^(\d+) passed, (\d+) failed, ", said, re.M)[-1]
    assert int(passed) > 1000 and failed == "0"
    for suite in ("replay", "golden", "docs"):
        assert re.search(rf"^== .*\b{suite}\b", said, re.M)


def test_the_package_is_the_same_each_time(checked, built):
    (package,) = built.glob("viatty_*.deb")
    assert (checked[0] / package.name).read_bytes() == package.read_bytes()
