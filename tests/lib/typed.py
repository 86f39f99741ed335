"""A desktop of Wayland whose programs are scripts, and the process of a terminal there."""

import os
import shutil

# The clipboard is a folder with the name of one type, and the data.
_WL_COPY = """\
case $1 in --type) printf '%s\\n' "$2" >{0}/type; cat >{0}/data ;; *) rm -f {0}/* ;; esac
"""
_WL_PASTE = """\
test -e {0}/type || { echo 'Nothing is copied' >&2; exit 1; }
case $* in *--list-types*) cat {0}/type ;; *"--type $(cat {0}/type)") cat {0}/data ;;
*) echo 'Clipboard content is not available as requested type' >&2; exit 1 ;; esac
"""


class Desktop:
    """What `argv` names is run below a process named kitty, with `environment`."""

    def __init__(self, sandbox):
        self._folder, tools = sandbox.folder("clipboard"), sandbox.folder("tools")
        for name, script in ("wl-copy", _WL_COPY), ("wl-paste", _WL_PASTE):
            sandbox.script(tools / name, script.replace("{0}", str(self._folder)))
        self._kitty = tools / "kitty"
        shutil.copy(shutil.which("sh"), self._kitty)
        self.environment = {
            "WAYLAND_DISPLAY": str(sandbox.socket()),
            "PATH": f"{sandbox.path / 'bin'}:{tools}:{os.environ['PATH']}",
        }

    def argv(self, *words):
        return [str(self._kitty), "-c", '"$@"; exit $?', "sh", *words]

    def holds(self):
        if not (self._folder / "type").exists():
            return {}
        return {(self._folder / "type").read_text()[:-1]: (self._folder / "data").read_bytes()}

    def own(self, kind, data):
        (self._folder / "type").write_text(kind + "\n")
        (self._folder / "data").write_bytes(data)
