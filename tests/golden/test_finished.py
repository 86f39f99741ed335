# SPDX-License-Identifier: MIT
"""Which command lines notify when they finish: __finished, for the hooks of the shells."""

import os
import re
import subprocess

import pytest

from lib import program

SOMEBODY = """\
vim file
LANG=C command top
true; vim
true | vim
ls | less
true|less
make&&vim x
git log -p
git -c color.ui=always commit
git -C dir --no-pager rebase -i main
git add -p
/usr/bin/vim +1 file
\\vim x
'vim' x
vi\\
m x
make
vim x
sudo -u root vim x
sudo EDITOR=vi visudo
sudo -E -- vim x
sudo -i
sudo -su root
env -u LANG A=b vim x
env -i vim x
(vim x)
{ vim x; }
( cd dir && vim x )
time vim x
time -p vim x
nice -n 5 vim x
timeout 10 vim x
timeout -k 1 10 vim x
! vim x
if vim x; then true; fi
exec -a name vim
builtin read x
begin; vim x; end
not vim x
nohup nice sudo vim x
strace -o out -f vim x
find . | xargs -n 1 vim
vim x 2>errors
>log vim x
>log 2>&1 vim x
vim <(sort file)
echo $(vim x)
ssh host
ssh -p 22 host
ssh -p22 host
ssh -v host; true
ssh -tt host make
ssh host -t make
ssh -o BatchMode=yes -N -L 1:h:1 host
viatty-ssh host
mosh host
bash
bash --norc
bash -l
zsh
sh -i script
fish
sudo bash
python3
python3 -q
python3.11
python3 -i script.py
ipython
node
irb
ghci Main.hs
psql
psql -h host -U me db
psql db me
mysql -u root -p db
mariadb
sqlite3 db
redis-cli -h host -p 6379
mongosh
docker exec -it box bash
docker exec -i -t box sh
docker run --rm -ti image
docker run --name x --interactive --tty image
docker -H tcp://h run -it image
docker attach box
docker compose exec web bash
docker-compose exec web bash
podman run -ti image
kubectl exec -it pod -- bash
kubectl -n ns exec pod -it -- bash
kubectl edit pod x
passwd
su - user
crontab -e
cat
bc -l
read line
read -p question line
make -j4 menuconfig
pipenv shell
nix develop
vagrant ssh
npm init
gh pr create
claude
sudo nmtui
python3 -m http.server 8000
ping host
tail -f log
npm run dev
npm start
docker compose logs
"""

NOBODY = """\
make
make -j8 all
make vim
env sleep 2; true vim; true top
echo 'a; vim x'
echo "a; vim x"
echo a\\; vim
echo less
git push log
git push
git commit -m 'a message'
git commit --message=text
git add .
ssh -o BatchMode=yes host make
ssh host make -t
ssh host ls -t
tar c . | ssh host
sudo make install
sudo -u vim make
sudo -l
time make
bash script
bash -c 'make'
bash -lc make
sh ./configure
python3 script.py
python3 -m pip install x
python3 -c 'print(1)'
python3 <script.py
echo 1 | python3
node server.js
psql -c 'select 1' db
psql -f file db
psql db <dump
mysql db <dump
cat dump | mysql -u root db
sqlite3 db .dump
redis-cli get x
docker run --rm image make
docker run -d image
docker run --init -t image make
docker build -t image .
docker exec box make
docker compose up -d
kubectl apply -f x
kubectl get pods
cat a b
tar c . | cat
echo 1 | bc
while read f; do make "$f"; done
claude -p question
codex exec task
code file
npm run build
npm install
pipenv install
tail -n 5 log
sort <(cmd) >out
nix build
./bash-it
vimtutor-like
"""

ENDED = ["python3 -m http.server", "ping host", "npm run dev"]


def finished(line, status=0, seconds=12, shown="shown", **environment):
    """The text of the notification, or None."""
    result = subprocess.run(
        ["viatty", "__finished", "--proto", "9", "-w", "none", "--print=raw", str(status),
         str(seconds)],
        executable=os.path.abspath(program.path()),
        env=environment,
        cwd=os.path.dirname(__file__),
        input=f"{shown}\n{line}\n".encode(),
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    if not result.stdout:
        return None
    return re.fullmatch(rb"\x1b\]9;(.*)\x1b\\", result.stdout)[1].decode()


def lines(text):
    """A line that ends in a backslash, and make, go on in the next one."""
    found = re.findall(r"(?:make\n(?=vim x)|.*\\\n)?.+", text)
    return pytest.mark.parametrize("line", found)


@lines(SOMEBODY)
def test_the_person_was_there(line):
    assert finished(line) is None


@lines(NOBODY)
def test_nobody_was_there(line):
    assert finished(line) == "shown: done after 12 s in golden"


@pytest.mark.parametrize("line", ENDED)
def test_a_server_notifies_if_it_fails(line):
    assert finished(line, 1) == "shown: failed with status 1 after 12 s in golden"
    assert finished("vim x", 1) is None


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
    assert finished("make", status, seconds) == f"shown: {how} in golden"


def test_at_home_the_directory_is_a_tilde():
    assert finished("make", HOME=os.path.dirname(__file__)) == "shown: done after 12 s in ~"


@pytest.mark.parametrize("line, shown", [
    ("sh -c 'sleep 2' secret", "sh"),
    ("A=secret sleep 2", "sleep"),
    ("A='a secret' /usr/bin/sleep 2", "sleep"),
    ("sudo -u secret sleep 2", "sleep"),
    ("A='a secret'", "a command"),
    ("", "a command"),
])
def test_of_a_hidden_line_only_the_program_is_shown(line, shown):
    assert finished(line, shown="") == f"{shown}: done after 12 s in golden"


def test_the_line_that_is_shown_counts_where_there_is_no_other():
    assert finished("", shown="make") == "make: done after 12 s in golden"
    assert finished("", shown="vim x") is None


class TestTheUsersLists:
    def left_out(self, *found, **lists):
        known = {f"VIATTY_NOTIFY_{name.upper()}": text for name, text in lists.items()}
        return [line for line in found if finished(line, **known) is None]

    def test_one_is_used_instead(self):
        names = "make git-push pipenv-shell"
        assert self.left_out("make x", "sudo make", "git push", "git commit", "pipenv shell",
                             "pipenv install", "vim", ignore=names) == [
            "make x", "sudo make", "git push", "pipenv shell"]
        assert self.left_out("vim", "python3", ignore="") == []

    @pytest.mark.parametrize("names", ["+make git-push", "+ make git-push", "+\nmake\tgit-push"])
    def test_one_that_begins_with_a_plus_is_added(self, names):
        assert self.left_out("make x", "git push", "git log", "git fetch", "vim", "cc x",
                             ignore=names) == ["make x", "git push", "git log", "vim"]

    def test_one_names_all_that_notify(self):
        assert self.left_out("make x", "cargo build", "cargo test", "true; sudo make", "ls", "vim",
                             only="make cargo-build vim") == ["cargo test", "ls"]
        assert self.left_out("make x", "vim", only=" ") == ["vim"]


@pytest.mark.parametrize("line", [
    "'", '"', "\\", "a\\", "|", "||", ";;;", "(((", "<", "> >", "2>", "-x", "--", "sudo", "env A=b",
    "x" * 70000, "-" * 200, "vim" * 100 + " x", "a-" * 60 + " b c d", "\x01\x7f", "$((1<2))",
])
def test_no_line_is_too_strange(line):
    assert finished(line) == "shown: done after 12 s in golden"


@pytest.mark.parametrize("words", [(), ("0",), ("a", "1"), ("256", "1"), ("0", "-1"),
                                   ("0", "1", "2")])
def test_it_takes_a_status_and_seconds(words):
    result = subprocess.run(["viatty", "__finished", *words], input=b"make",
                            executable=os.path.abspath(program.path()), env={},
                            capture_output=True, start_new_session=True, timeout=60)
    assert (result.returncode, result.stdout) == (2, b"")
