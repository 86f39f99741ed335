"""A place in which a real program calls viatty, by its own name or another one."""

import shutil
import time

from lib.processes import until

# What the terminal says is on the clipboard.
COPIED = b"COPIED"

# The names by which these programs call a clipboard program, and how.
COMMANDS = {
    "viatty": "viatty paste",
    "xclip": "xclip -o -selection clipboard",
    "wl-paste": "wl-paste --no-newline",
    "xsel": "xsel -o -b",
}


class Place:
    """A terminal, and a script `ask` that calls viatty and notes how it ended."""

    def __init__(self, sandbox, terminal):
        self.sandbox, self.terminal = sandbox, terminal
        self.bin = sandbox.folder("links")
        for name in ("xclip", "wl-paste", "xsel"):
            (self.bin / name).symlink_to(shutil.which("viatty", path=self._path()))
        self.text = sandbox.path / "text"
        self.text.write_text("first line\n")
        self.end = sandbox.path / "end"
        self.prepare("viatty")

    def _path(self):
        return self.terminal.environment["PATH"]

    def prepare(self, name):
        self.sandbox.script(
            self.bin / "ask",
            f"{COMMANDS[name]} >{self.end}.out 2>{self.end}.err\n"
            f"echo $? >{self.end}.new; mv {self.end}.new {self.end}",
        )

    def open(self, argv, **environment):
        environment.setdefault("SHELL", "/bin/sh")
        self.program = self.terminal.start(
            [shutil.which(argv[0]), *map(str, argv[1:])],
            PATH=f"{self.bin}:{self._path()}", **environment,
        )

    def type(self, *keys):
        for key in keys:
            self.terminal.type(key)

    def see(self, text):
        self.terminal.see(text)

    def ended(self):
        """How the call ended, once it has: it took no longer than a moment."""
        began = time.monotonic()
        until(self.end.exists, "viatty has ended")
        took = time.monotonic() - began
        said = self.end.with_suffix(".err").read_text()
        return int(self.end.read_text()), self.end.with_suffix(".out").read_bytes(), said, took

    def ends_silently(self, status):
        """It neither pasted nor said anything, at once, and put no question."""
        ended, output, said, took = self.ended()
        assert (ended, output, said) == (status, b"", "") and took < 5, f"exit {ended}: {said}"
        assert b"52 c" not in self.terminal.asked()

    def ends_with(self, status, words=""):
        """The call pasted, or it refused at once, in these words, and put no question."""
        ended, output, said, took = self.ended()
        assert took < 5, f"{took} s: {said}"
        assert (ended, words in said) == (status, True), f"exit {ended}: {said}"
        assert output == (COPIED if status == 0 else b"")
        assert (b"52 c" in self.terminal.asked()) == (status == 0)
