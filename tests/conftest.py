"""Fixtures of all tests, and the rule for programs that are not installed."""

import functools
import os
import subprocess
import sys
from pathlib import Path

# Nothing is left behind in the source tree.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import pytest  # noqa: E402

from lib import doctor, expect, program, surroundings, versions  # noqa: E402
from lib.answering import CLIPBOARD, AnsweringTerminal  # noqa: E402
from lib.faults import Launcher  # noqa: E402
from lib.mux import ScreenSession, TmuxServer  # noqa: E402
from lib.sandbox import Sandbox  # noqa: E402
from lib.terminal import FENCE, OuterTerminal  # noqa: E402

surroundings.settle()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """The process that was started waits; the one that runs tests is apart."""
    both = os.geteuid() == 0 and surroundings.WHO not in os.environ
    if surroundings.are_apart() and not both:
        surroundings.answer_for_all()
        return None
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture:
        capture.suspend_global_capture(in_=True)
    if not surroundings.are_apart():
        return surroundings.run_again()
    if config.getoption("--failed-to"):
        Path(config.getoption("--failed-to")).touch()
        os.chmod(config.getoption("--failed-to"), 0o666)
    folders = [os.environ[n] for n in ("GCOV_PREFIX", "VIATTY_LOGS") if n in os.environ]
    return surroundings.run_as_both(sys.orig_argv[1:], config.args, folders)


def pytest_addoption(parser):
    parser.addoption("--only-with", metavar="PROGRAMS", type=lambda names: names.split(","),
                     help="leave out the tests that need another program than these, or root")
    parser.addoption("--failed-to", metavar="FILE", help="where to write the names of failed tests")


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*programs): programs the test runs, files it reads")
    config.addinivalue_line("markers", "root: only root may do this unasked")
    config.addinivalue_line("markers", "user: what root has not")
    config.addinivalue_line("markers", "works(*argv): what root may do, but not in each container")
    config.addinivalue_line("markers", "slow: moves megabytes or waits for a deadline")
    config.addinivalue_line("markers", "unsanitized: not for a build with sanitizers")
    # Known here too, so that the tests run without the plugin.
    config.addinivalue_line("markers", "timeout(seconds): a deadline for the test")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """What a sanitizer cannot do is no test of that build, nor of this release of a
    system what needs a program that only other releases have."""
    programs = config.getoption("--only-with")
    wanted = [
        item for item in items
        if not (program.is_sanitized() and item.get_closest_marker("unsanitized"))
        and not any((name, versions.codename()) in versions.ABSENT for name in _needed(item))
        and (not programs or _needed(item) <= set(programs))
    ]
    who = os.environ.get(surroundings.WHO)
    if who == "user" and (roots := [item.nodeid for item in wanted if _is_of_root(item)]):
        surroundings.want_root([f"{config.rootpath}/{name}" for name in roots])
    # With --only-with, a user has none of root's.
    if who or programs:
        wanted = [item for item in wanted if _is_of_root(item) == (who == "root")]
    config.hook.pytest_deselected(items=list(set(items) - set(wanted)))
    items[:] = wanted


def _is_of_root(item):
    roots = any(item.get_closest_marker(name) for name in ("root", "works"))
    # Nobody logs in as the user of surroundings.
    roots = (roots or "ssh" in _needed(item)) and not item.get_closest_marker("user")
    # What root has fetched is in root's home.
    fetched = (surroundings.NOWHERE, os.environ["VIATTY_NPM"])
    return roots or any(name.startswith(fetched) for name in _needed(item)) or any(
        "fetch" in marker.kwargs.get("reason", "") for marker in item.iter_markers("skipif"))


def _needed(item):
    return {name for marker in item.iter_markers("needs") for name in marker.args}


def pytest_terminal_summary(terminalreporter, config):
    """For tests/check: a name with its parameters, one a line."""
    reports = [r for kind in ("failed", "error") for r in terminalreporter.getreports(kind)]
    # xdist's processes have the option, too
    if config.getoption("--failed-to") and not hasattr(config, "workerinput"):
        names = dict.fromkeys(report.nodeid for report in reports)
        with open(config.getoption("--failed-to"), "a") as file:
            file.write("".join(f"{n}\n" for n in names))


def pytest_runtest_setup(item):
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            if not program.is_there(name):
                _miss(f"{name} is {program.MISSING[os.path.isabs(name)]}")
    for marker in item.iter_markers("works"):
        if not _works(marker.args):
            _miss(f"{marker.args[0]} is not allowed to do this: {marker.args}")
    if item.get_closest_marker("root") and os.geteuid() != 0:
        pytest.skip("becoming another user without a password needs root")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    """Nothing that a test has started outlives it, and what has tried is told."""
    outcome = yield
    # A desktop, say, is there for all the tests that come.
    if Sandbox.open:
        return
    left = surroundings.end_what_is_left()
    if left and not outcome.excinfo:
        pytest.fail("these processes were left behind:\n" + "\n".join(left), pytrace=False)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """What was cut off left things behind; what no test knew of is a failure."""
    left = surroundings.end_what_is_left()
    if left and session.exitstatus == pytest.ExitCode.OK:
        print("\nthese processes were left behind:", *left, sep="\n")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def sandbox():
    if not os.access(program.path(), os.X_OK):
        _miss(f"{program.path()} is not built")
    sandbox = Sandbox()
    try:
        program.install(sandbox)
        yield sandbox
    finally:
        sandbox.close()


@pytest.fixture
def terminal(sandbox):
    """An outer terminal with nothing in it, that answers no more than any does."""
    return OuterTerminal(sandbox, answers=FENCE)


@pytest.fixture
def plain(terminal):
    """A shell in an outer terminal, no multiplexer."""
    return terminal.inside()


@pytest.fixture
def shell(sandbox, plain):
    """Starts programs at a plain terminal, amid faults."""
    return Launcher(sandbox, plain)


@pytest.fixture
def nowhere(sandbox):
    """Starts programs where there is no terminal, and no ancestor that has one."""
    return Launcher(sandbox)


@pytest.fixture
def place_at(sandbox):
    """A shell in a terminal that answers by a script."""
    return lambda script, **how: AnsweringTerminal(sandbox, script, **how).inside()


@pytest.fixture
def at(sandbox, place_at):
    """Starts programs in such a place; answer: to the question for the clipboard."""

    def at(script, answer=None, **how):
        script = script if answer is None else {**script, CLIPBOARD: answer}
        return Launcher(sandbox, place_at(script, **how))

    return at


@pytest.fixture
def tmux(sandbox):
    """A tmux server with default options that nobody is attached to."""
    return TmuxServer(sandbox)


@pytest.fixture
def pane(tmux):
    """A pane of a default tmux, shown in one outer terminal."""
    pane = tmux.session()
    tmux.attach()
    return pane


@pytest.fixture(params=["in a terminal", pytest.param("in tmux", marks=pytest.mark.needs("tmux"))])
def place(request):
    """A shell in a plain terminal, and one in a pane of a default tmux."""
    return request.getfixturevalue("pane" if request.param == "in tmux" else "plain")


@pytest.fixture
def screen(sandbox, terminal):
    """A window of GNU Screen, shown in one outer terminal."""
    return ScreenSession(sandbox, terminal)


@pytest.fixture
def second_opinion(monkeypatch):
    """After each copy doctor has to have said of the place what then happened."""
    monkeypatch.setattr(expect, "copy", doctor.has_second_opinion(expect.copy))


@functools.cache
def _works(argv):
    try:
        return subprocess.run(argv, capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


def _miss(reason):
    """Somebody's machine may lack a program; the machine that judges may not."""
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        pytest.skip(reason)
    pytest.fail(f"{reason}, and CI runs every test")
