# SPDX-License-Identifier: MIT
"""Which command lines notify when they finish: __finished, for the hooks of the shells."""

import os
import re
import subprocess

import pytest

from lib import program

UNSEEN = """\
man ls
less
/usr/bin/less file
LANG=C less file
sudo -u root less file
sudo EDITOR=vi su
sudo -E -- less x
sudo -i
/usr/bin/sudo less x
env -u LANG A=b less x
time less x
sudo env A=b time -f %e less x
  less x
less;true
git log -p
git --no-pager log
cat
python3 -m http.server 8000
npm run dev
npm start
docker compose up
docker logs -f web
"""

SEEN = """\
make
make less
git push log
true; less x
'less' x
vim x
python3
python3 -m pip install x
npm run build
docker compose build
sudo make install
sudo -u less make
time make
"""

def finished(line, status=0, seconds=12, **environment):
    """The text of the notification, or None."""
    result = subprocess.run(
        ["viatty", "__finished", "--proto", "9", "-w", "none", "--print=raw", str(status),
         str(seconds)],
        executable=os.path.abspath(program.path()),
        env=environment,
        cwd=os.path.dirname(__file__),
        input=f"{line}\n".encode(),
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    if not result.stdout:
        return None
    return re.fullmatch(rb"\x1b\]9;(.*)\x1b\\", result.stdout)[1].decode()


def lines(text):
    return pytest.mark.parametrize("line", text.splitlines())


@lines(UNSEEN)
def test_what_nobody_is_seen_to_use_does_not_notify(line):
    assert finished(line) is None


@lines(UNSEEN)
def test_of_these_a_failure_notifies(line):
    assert finished(line, 1).endswith(": failed with status 1 after 12 s in golden")


@lines(SEEN)
def test_any_other_notifies(line):
    assert finished(line).endswith(": done after 12 s in golden")


@lines("""\
viatty run make
sudo viatty run make
time viatty -q run make
env A=b /usr/local/bin/viatty run make
viatty run --min 30 -- make
""")
@pytest.mark.parametrize("lists", [{}, {"VIATTY_NOTIFY_IGNORE": ""},
                                   {"VIATTY_NOTIFY_ONLY": "viatty viatty-run"}])
def test_viatty_run_notifies_itself(line, lists):
    assert finished(line, 1, **lists) is None


@pytest.mark.parametrize("status", [130, 147, 148, 149, 150])
def test_a_command_that_a_key_has_ended_does_not_notify(status):
    assert finished("make", status) is None
    assert finished("make", status - 8) is not None or status == 130


@pytest.mark.parametrize("status, seconds, how", [
    (0, 3, "done after 3 s"),
    (0, 125, "done after 2 min 05 s"),
    (2, 7500, "failed with status 2 after 2 h 05 min"),
    (137, 12, "failed with status 137 (Killed) after 12 s"),
])
def test_how_it_ended(status, seconds, how):
    assert finished("make", status, seconds) == f"make: {how} in golden"


def test_at_home_the_directory_is_a_tilde():
    assert finished("make", HOME=os.path.dirname(__file__)) == "make: done after 12 s in ~"


@pytest.mark.parametrize("line, shown", [
    (" sh -c 'sleep 2' secret", "sh"),
    ("\tA=secret sleep 2", "sleep"),
    (" A='a secret' sleep 2", "a command"),
    (" A=$(a secret) sleep 2", "a command"),
    (" A=a\\ secret sleep 2", "a command"),
    (" /usr/bin/sleep 2", "sleep"),
    (" sudo -u secret sleep 2", "sleep"),
    (" (sleep 2; secret)", "a command"),
    ("", "a command"),
])
def test_of_a_hidden_line_only_the_program_is_shown(line, shown):
    assert finished(line) == f"{shown}: done after 12 s in golden"


def test_lines_become_one():
    assert finished("echo a\nmake").startswith("echo a make: done")


class TestTheUsersLists:
    def left_out(self, *found, **lists):
        known = {f"VIATTY_NOTIFY_{name.upper()}": text for name, text in lists.items()}
        return [line for line in found if finished(line, **known) is None]

    def test_one_is_used_instead(self):
        names = "make git-push pipenv-shell"
        assert self.left_out("make x", "sudo make", "git push", "git commit", "pipenv shell",
                             "pipenv install", "less", ignore=names) == [
            "make x", "sudo make", "git push", "pipenv shell"]
        assert self.left_out("less", "cat", ignore="") == []

    @pytest.mark.parametrize("names", ["+make git-push", "+ make git-push", "+\nmake\tgit-push"])
    def test_one_that_begins_with_a_plus_is_added(self, names):
        assert self.left_out("make x", "git push", "git log", "git fetch", "vim", "cc x",
                             ignore=names) == ["make x", "git push", "git log"]

    def test_one_names_all_that_notify(self):
        assert self.left_out("make x", "cargo build", "cargo test", "sudo make", "ls", "less x",
                             only="make cargo-build less") == ["cargo test", "ls"]
        assert self.left_out("make x", "less", only=" ") == ["less"]


@pytest.mark.parametrize("line", [
    "'", '"', "\\", "a\\", "|", "||", ";;;", "(((", "<", "> >", "2>", "-x", "--", "env -u", "env A=b",
    "x" * 70000, "-" * 200, "less" * 100 + " x", "a-" * 60 + " b c d", "\x01\x7f", "$((1<2))",
])
def test_no_line_is_too_strange(line):
    assert finished(line).endswith(": done after 12 s in golden")


@pytest.mark.parametrize("words", [("0",), ("a", "1"), ("256", "1"), ("0", "-1"),
                                   ("0", "1", "2")])
def test_it_takes_a_status_and_seconds(words):
    result = subprocess.run(["viatty", "__finished", *words], input=b"make",
                            executable=os.path.abspath(program.path()), env={},
                            capture_output=True, start_new_session=True, timeout=60)
    assert (result.returncode, result.stdout) == (2, b"")
