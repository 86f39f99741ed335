"""A program that owns the screen: it reads keys in a thread while its child runs.

    reader.py KEYS RESULT COMMAND...

Writes every byte it read to the file KEYS, and the child's status and what it said to
RESULT. It ends with the key q.
"""

import os
import subprocess
import sys
import threading
import tty


def read_keys(file):
    while True:
        keys = os.read(0, 1024)
        file.write(keys)
        if b"q" in keys:
            os._exit(0)


def main(keys, result, *command):
    tty.setraw(0)
    with open(keys, "wb", buffering=0) as file:
        threading.Thread(target=read_keys, args=(file,), daemon=True).start()
        child = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
        with open(result + ".new", "w") as end:
            end.write(f"{child.returncode}\n{child.stdout.decode()}{child.stderr.decode()}")
        os.rename(result + ".new", result)
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
