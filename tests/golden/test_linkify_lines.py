# SPDX-License-Identifier: MIT
"""linkify, line by line: what becomes a link, and what passes as it is.

In the rows <URL|text> is a hyperlink, and % the folder with the FILES. A row is what is
printed: the input is the same without the hyperlinks.
"""

import re
import subprocess

import pytest

from test_linkify import argv, environment

FILES = ["a.c", "src/b.c", "etc/x", "b c.c", "ä.c", "12", "2026-11-22", "app/[id]/page.tsx",
         "app/(shop)/page.tsx", "posts.$id.tsx", "$id.tsx", "a,b.c", "a=b.c", "a&b.c", "it's.c",
         "q?x.c", "x;y.c", "b\\s.c", "@x+y.c", "文件.c", "c(1).txt", "s.sh", "name", "my dir/a.pl"]

OPTIONS = {
    "rules with paths": ["--rule", "at ([^ ]+) l([0-9]+)(c([0-9]+))?=path:\\1:\\2:\\4",
                         "--rule", "<([^>]+)>=path:\\1"],
    "rules": ["--rule", "#([0-9]+)=https://i/\\1", "--rule", "[0-9a-f]{8,40}=https://c/\\0?a=\\\\",
              "--rule", "a\\=(b)?(c)?=x:\\2\\1", "--rule", "^W(.*)$=w:\\1", "--rule", b"\xc3=u:\\0"],
    "links taken out": ["--strip"],
}


WIDE = b"https://a.example/" + 62 * b"a"

ROWS = {
    "URLs": [
        b'<http://a.b|http://a.b>',
        b'see <https://a.b/c?d=e#f|https://a.b/c?d=e#f> now',
        b'<HTTP://A.B/|HTTP://A.B/>',
        b'<http://a.b|http://a.b> <http://c.d|http://c.d>\n',
        b'<http://a:80/x:12|http://a:80/x:12>',
        b'<http://[::1]:80/|http://[::1]:80/>',
        b'git+<https://a.b/|https://a.b/>',
        b'<mailto:a@b.c|mailto:a@b.c>.',
        b'mailto:a mailto:b) <mailto:a@b|mailto:a@b>',
        b'mailto:mailto:(a <mailto:b@c|mailto:b@c>',
        b'mailto:b,<http://a.b|http://a.b>',
        b'mailto:<mailto:a@b|mailto:a@b>',
        b'<file://%/etc/x|file://%/etc/x>!',
        b'<http://a/%41%25zz|http://a/%41%zz>',
        b'<http://a/;x;y=1|http://a/;x;y=1>',
        b'<http://a/%C3%A4|http://a/\xc3\xa4>',
        b'http://', b'http://.', b'http:/a', b'http:a', b'xhttp://a', b'1http://a',
        b'ssh://a', b'mailto:', b'mailto:a', b'://a', b':', b'http://)',
    ],
    "the punctuation around": [
        b'(<http://a/b|http://a/b>)',
        b'(<http://a/b|http://a/b>).',
        b'<http://a/b_(c)|http://a/b_(c)>',
        b'(<http://a/b_(c)|http://a/b_(c)>)',
        b'[x](<http://a/b|http://a/b>) y',
        b'[<http://a|http://a>](<http://b|http://b>)',
        b'"<http://a/b|http://a/b>"',
        b"'<http://a/b|http://a/b>',",
        b'`<http://a/b|http://a/b>`',
        b'{<http://a/b|http://a/b>}',
        b'<http://a/b|http://a/b>...',
        b'<http://a/b|http://a/b>?!',
        b'<http://a/b|http://a/b>:',
        b'<http://a/b|http://a/b>(',
        b'**<http://a/b|http://a/b>**',
        b'\xe2\x80\x9c<http://a/b|http://a/b>\xe2\x80\x9d',
        b'<http://a/b|http://a/b>\xe3\x80\x82',
        b'<http://a/b|http://a/b>\xe2\x80\xaex',
        b'<http://a/b|http://a/b>\xff',
        b'<http://a/b|http://a/b>\xc2\x9bx',
        b'<http://a/b|http://a/b>\tc',
        b'<http://a/b|http://a/b>\r\n',
    ],
    # 80 columns, where no terminal says another number
    "URLs that go on in the next line": [
        WIDE + b'\nbb/c.html x\n',
        WIDE + b'\r\n\x1b[4mbb/c.html\x1b[m\n',
        WIDE[:-1] + b'.\nhtml\n',
        b'\x1b[34m' + WIDE + b'\x1b[m\nbb\n',
        b'\xc3\xa4' + WIDE[1:] + b'\nbb\n',
        b'<%s|%s>\n' % (WIDE, WIDE), b'<%s|%s>' % (WIDE, WIDE),
        b'<%s|%s>\n see\n' % (WIDE, WIDE), b'<%s|%s>\n\n' % (WIDE, WIDE),
        b'<%s|%s>\nbb\n' % (WIDE[:-1], WIDE[:-1]), b'<%sa|%sa>\nbb\n' % (WIDE, WIDE),
        b'<%s|%s> x\nbb\n' % (WIDE[:-2], WIDE[:-2]),
    ],
    "headings": [
        # eslint and stylelint
        b'\n%/src/b.c\n  <file://h%/src/b.c#3.5|3:5>  error  x\n'
        b'  <file://h%/src/b.c#12.1|12:1>  warning  y\n\n',
        b'\x1b[4m%/src/b.c\x1b[24m\n  \x1b[2m<file://h%/src/b.c#3.5|3:5>\x1b[22m  \x1b[31merror\n',
        b'b c.c\r\n <file://h%/b%20c.c#3.5|3:5>  x\r\n',
        b'none.c\n  3:5  error\n', b'  3:5  error\n', b'a.c\ntext\n  3:5  error\n',
        b'a.c\n3:5  error\n', b'a.c\n  3:5 error\n', b'a.c\n  3:5x  error\n', b'12\n 3:5  x\n',
        b'a.c\n  0:5  x\n', b'\n  3:5  error\n',
    ],
    "names in the home directory": [
        b'File <file://h%/a.c#12.1|~/a.c:12>, in f\n', b'~a.c:12', b'x~/a.c:12', b'~/none.c:3',
    ],
    "diffs": [
        b'--- a/<file://h%/a.c#1.1|a.c>\n'
        b'+++ b/<file://h%/src/b.c#1.1|src/b.c>\n@@ -1,2 +3,4 @@ f(<file://h%/a.c#3.1|a.c:3>)\n',
        b'--- a/<file://h%/a.c#1.1|a.c>\n+++ b/<file://h%/src/b.c#1.1|src/b.c>\n@@ -1 +7 @@\n',
        b'--- /dev/null\n+++ w/<file://h%/a.c#1.1|a.c>\r\n',
        b'--- a/<file://h%/b%20c.c#1.1|b c.c>\n',
        b'--- a/<file://h%/a.c#1.1|a.c>\n+++ b/<file://h%/src/b.c#1.1|src/b.c>\n'
        b'--- a/<file://h%/a.c#1.1|a.c>\n+++ /dev/null\n@@ -1 +1 @@\n',
        b'x\n+++ b/<file://h%/a.c#1.1|a.c>\n@@ -1 +1 @@\n',
        b'--- a/<file://h%/a.c#1.1|a.c>\n+++ b/<file://h%/a.c#1.1|a.c>\n@@ -1 +2 @@ f\n',
        b'@@ -1 +1 @@\n',
    ],
    "positions": [
        b'<file://h%/a.c#3.1|a.c:3>',
        b'<file://h%/a.c#3.4|a.c:3:4>',
        b'<file://h%/a.c#3.4|a.c:3:4>: error: x',
        b'<file://h%/a.c#3.1|a.c:3>:text',
        b'<file://h%/a.c#3.1|a.c:3>:4text',
        b'<file://h%/a.c#3.1|a.c:3>,',
        b'<file://h%/a.c#3.1|a.c:3>.This', b'<file://h%/a.c#3.4|a.c(3,4)><file://h%/a.c#5.1|a.c:5>',
        b'  --> <file://h%/src/b.c#10.5|src/b.c:10:5>\n',
        b'<file://h%/etc/x#1.1|%/etc/x:1>',
        b'(<file://h%/a.c#3.1|a.c:3>)',
        b'"<file://h%/a.c#3.1|a.c:3>"',
        b'in <file://h%/a.c#3.1|a.c:3>, <file://h%/a.c#4.1|a.c:4>',
        b'<file://h%/a.c#3.4|a.c(3,4)>: error',
        b'file=<file://h%/a.c#3.1|a.c:3>',
        b'<file://h%/%C3%A4.c#3.1|\xc3\xa4.c:3>',
        b'x=y.c:3', b'a.c:12345678901', b'a.c:0', b'a.c:', b'a.c:x', b'a.c:3x',
        b'a.c', b'a.c 3', b'none.c:3', b'12:30:45', b'x::a.c:3', b':3', b'a.c(3,4',
        b'a.c(3,)', b'a.c(,4)', b'(3,4)', b'a.c (3,4)',
    ],
    "names with other characters": [
        *(b'<file://h%%/%s#15.12|%s:15:12>: x' % pair for pair in (
            (b'app/%5Bid%5D/page.tsx', b'app/[id]/page.tsx'),
            (b'app/%28shop%29/page.tsx', b'app/(shop)/page.tsx'),
            (b'app/%28shop%29/page.tsx', b'%/app/(shop)/page.tsx'),
            (b'posts.%24id.tsx', b'posts.$id.tsx'), (b'%24id.tsx', b'$id.tsx'),
            (b'a%2Cb.c', b'a,b.c'), (b'a%3Db.c', b'a=b.c'), (b'a%26b.c', b'a&b.c'),
            (b'it%27s.c', b"it's.c"), (b'q%3Fx.c', b'q?x.c'), (b'x%3By.c', b'x;y.c'),
            (b'b%5Cs.c', b'b\\s.c'), (b'%40x%2By.c', b'@x+y.c'))),
        b'(<file://h%/app/%5Bid%5D/page.tsx#15.12|app/[id]/page.tsx:15:12>)',
        b'[<file://h%/app/%28shop%29/page.tsx#1.1|app/(shop)/page.tsx:1>]',
        b'"<file://h%/a%2Cb.c#1.1|a,b.c:1>"',
        b"'<file://h%/it%27s.c#1.1|it's.c:1>'",
        b'{<file://h%/a%26b.c#1.1|a&b.c:1>}',
        b'x,<file://h%/a%2Cb.c#1.1|a,b.c:1>',
        b'<file://h%/app/%5Bid%5D/page.tsx#15.12|app/[id]/page.tsx(15,12)>',
        b'<file://h%/c%281%29.txt#3.1|c(1).txt:3>',
        b'<file://h%/app/%5Bid%5D/page.tsx#3.4|file://%/app/[id]/page.tsx:3:4>',
        *(before.encode() + b'<file://h%/a.c#5.1|a.c:5:1>' + after.encode() for before, after in (
            "││", "“”", "«»", "→ ", "（）", "🔥 ", "、。")),
        '错误：<file://h%/%E6%96%87%E4%BB%B6.c#3.1|文件.c:3:1>'.encode(),
        b'app/[no]/page.tsx:1', b'no(a).c:3', b'x[a.d:3', b'a,c.c:3', b'aa.c:3',
        b'xa,b.c:1', b'a,b.cc:1',
        # the longest of 16 names, in a row of borders too
        b'((((((((((((((((((((<file://h%/a%2Cb.c#1.1|a,b.c:1>',
    ],
    "positions of programs": [
        b'  File <file://h%/a.c#12.1|"a.c", line 12>, in f\n',
        b'<file://h%/etc/x#1.15|file://%/etc/x:1:15>',
        b'    at f (<file://h%/etc/x#1.15|file://%/etc/x:1:15>)\n',
        b'<file://h%/etc/x#7.1|file://%/etc/x:7>',
        b'<file://%/etc/x|file://%/etc/x>',
        b'<file://other%/etc/x:2|file://other%/etc/x:2>',
        b'<file:///none:1:2|file:///none:1:2>',
        b'<file://%/etc/x%00:1|file://%/etc/x%00:1>',
        b'<file://%/etc/x:0|file://%/etc/x:0>',
        b'<file://h%/etc/x#1.1|file://%/etc/x:1:0>',
        b'<http://h%/etc/x:1|http://h%/etc/x:1>',
        b'File "<stdin>", line 1', b'File "none.c", line 1', b'File "a.c", line 0',
        b'File "a.c", line x', b'File "a.c", lin', b'File "a.c"', b'File "',
        b'File "", line 3', b'b c.c:3:4: x b c.c:3', b'  b c.c(3,4): x',
        b'(/m \x1b[2Cy/c.js:2)',
        b'oops at <file://h%/a.c#4.1|a.c line 4>.\n',
        b'oops at <file://h%/my%20dir/a.pl#4.1|my dir/a.pl line 4>, <STDIN> line 3.\n',
        b'<file://h%/s.sh#3.1|s.sh: line 3>: fooo: command not found\n',
        b'PHP Warning:  x in <file://h%/a.c#2.1|%/a.c on line 2>\n',
        b'#0 <file://h%/a.c#2.1|%/a.c(2)>: f()\n',
        b'awk: <file://h%/s.sh#4.1|s.sh: line 4>: syntax error\n',
        b'sed: file <file://h%/s.sh#3.1|s.sh line 3>: unknown command\n',
        b'In <file://h%/s.sh#2.1|s.sh line 2>:\n',
        b'<file://h%/s.sh#4.1|s.sh (line 4)>: \n',
        b'<file://h%/s.sh#5.1|s.sh: 5>: Syntax error\n',
        b'<file://h%/s.sh#5.1|s.sh[5]>: not found\n',
        b'<file://h%/a.c#103.1|a.c(103)>: Error', b'<file://h%/a.c#1.1|a.c(1)>: error C2065',
        b'<file://h%/a.c#3.1|a.c(3)>', b'see <file://h%/a.c#3.1|a.c(3)>.\n',
        b'<file://h%/src/b.c#3.4|src/b.c(3,4>,5,6): error', b'<file://h%/a.c#3.4|a.c(3,4>-7): x',
        b'<file://h%/a.c#3.4|a.c:(3,4)>-(5,6): error:', b'<file://h%/a.c#3.4|a.c:3.4>-7: error',
        b'<file://h%/a.c#5.1|"a.c", line 5>: x', b"<file://h%/b%20c.c#5.1|'b c.c', line 5>: x",
        b'(file <file://h%/a.c#5.1|"a.c" line 5>)', b'at <file://h%/a.c#3.1|a.c at line 3>',
        b'<file://h%/a.c#3.1|%/a.c, line 3>: x',
        b'name(3)', b'name: 3: x', b'name[3]: x', b'line 3', b' line 3', b'no line 3',
        b'a.c line 0', b'a.c line 3rd', b'a.c lines 3', b'xa.c line 3', b'"xa.c", line 3',
        b'"no a.c", line 3', b'c(1).t', b'a.c(0)', b'a.c[3] ',
    ],
    "sequences": [
        b'\x1b[31m<http://a|http://a>\x1b[m',
        b'<http://a.b|ht\x1b[1mtp://\x1b[ma.b>',
        b'<http://a/b|http://a\x1b(B\x1b[m/b>',
        b'<http://a|http://a>\x1b[2Cb',
        b'<http://a|http://a>\x1b]0;t\x07b',
        b'\x1b]0;http://a\x07 <http://b|http://b>',
        b'\x1bPhttp://a\x1b\\<http://b|http://b>',
        b'\x1bPq\nhttp://a\n\x1b\\<http://b|http://b>',
        b'\x1b]0;a\nhttp://a\x07<http://b|http://b>',
        b'\x1b[3\xc3\xa4 http://a\n<http://b|http://b>',
        b'\x1b[ 0q\n<http://a|http://a>',
        b'\x1b[0\x18\n<http://a|http://a>',
        b'\x1b]0;a\nb\x1b[mhttp://b', b'\x1b\x1b[mhttp://a', b'\x1b[ 0\nhttp://a',
        b'\x1b[0\nhttp://a', b'\x1b[1?\n\nhttp://a', b'\x1b(\nhttp://a', b'\x1b\nhttp://a',
        b'\x1b\n[\nhttp://a', b'\x1b\n]0;\nhttp://a', b'\x1b[ 0qhttp://a',
        b'\x1b[ 0\n1 hhttp://a', b'\x1b[0\n\x1b[mhttp://a', b'http://a\x1b', b'http://a\x1b[',
        b'http://a \x1b]8;;b',
    ],
    "links that are there": [
        b'http://\x1b]8;;x:y\x1b\\a\x1b]8;;\x1b\\', b'\x1b]8;;x:y\x1b\\http://a',
    ],
    "rules": [
        b'see <https://i/12|#12>, <https://i/3|#3>\n',
        b'<https://c/deadbeef01?a=%5C|deadbeef01>',
        b'<https://a/deadbeef01#12|https://a/deadbeef01#12>',
        b'<https://i/12|#12>:<http://a|http://a>',
        b'<x:cb|a=bc> <x:c|a=c> <x:|a=>',
        b'<w:a%20b|Wa b>\n<w:c|Wc>\nxW',
        b'\x1b[1m<https://i/12|#1\x1b[m2> <https://i/3|#3>',
        b'<u:%C3|\xc3\xa4>',
    ],
    "rules with paths": [
        b'<file://h%/a.c#4.1|at a.c l4>', b'<file://h%/a.c#4.5|at %/a.c l4c5>',
        b'<file://h%/a%2Cb.c#1.1|at a,b.c l1>', b'at no.c l4', b'at src l4',
        (b'<b c.c>', b'\x1b]8;;file://h%/b%20c.c#1.1\x1b\\<b c.c>\x1b]8;;\x1b\\'),
    ],
    "links taken out": [
        (b'<http://a|x>y', b'xy'),
        (b'\x1b]8;id=1;b\x07x\x1b]8;;\x07y', b'xy'),
        (b'\x1b[31m\x1b]8;;b\x07x\x1b[m\x1b]8;;\x07y', b'\x1b[31mx\x1b[my'),
        (b'\x1b\x1b]8;;b\x07]8;;c\x07d', b'\x1b\x18]8;;c\x07d'),
        (b'\x1b]0;t\x1b]8;;b\x07x\x07', b'\x1b]0;t\x18x\x07'),
        (b'\x1b]0;t\nu\x1b]8;;b\x07x\x07', b'\x1b]0;t\nu\x18x\x07'),
        (b'\x1b[0\n\x1b]8;;b\x07x\x07', b'\x1b[0\n\x18x\x07'),
        (b'\x1b[ 0\n1\x1b]8;;b\x07mx', b'\x1b[ 0\n1\x18mx'),
        *((same, same) for same in (
            b'http://a a.c:3', b'\x1b]8;;b', b'\x1b]8;b\x07', b'\x1b]0;t\x07')),
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linkify").resolve()
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


LINK = re.compile(rb"<([a-zA-Z][^|<>]*)\|(.*?)>", re.S)


def spelt(row, folder):
    """<URL|text> as the bytes it stands for."""
    row = re.sub(rb"%(?=/)", lambda _: bytes(folder), row)
    link = lambda m: b"\x1b]8;;" + m[1] + b"\x1b\\" + m[2] + b"\x1b]8;;\x1b\\"
    return LINK.sub(link, row)


@pytest.mark.parametrize("what", ROWS)
def test_lines(folder, what):
    words = ["linkify", "--when=always", "--host=h", "--format=file://h{path}#{line}.{col}"]
    for row in ROWS[what]:
        line, wanted = row if isinstance(row, tuple) else (LINK.sub(rb"\2", row), row)
        result = subprocess.run(
            argv(*words, *OPTIONS.get(what, [])), env={**environment(), "HOME": str(folder)}, cwd=folder,
            input=spelt(line, folder), capture_output=True, start_new_session=True, timeout=60,
        )
        assert result.stdout == spelt(wanted, folder), line
        assert result.returncode == 0
