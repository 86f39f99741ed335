"""A clipboard with types: OSC 5522 in a terminal, by kitty's specification."""

import base64

ST = b"\x1b\\"
# Values of DECRPM: reset; not recognized.
KNOWN, UNKNOWN = b"\x1b[?5522;2$y", b"\x1b[?5522;0$y"


def b64(data):
    return base64.b64encode(data)


def keys_of(packet):
    """The metadata of a packet, and its payload, still encoded."""
    metadata, _, payload = packet.partition(b";")
    return dict(pair.split(b"=", 1) for pair in metadata.split(b":")), payload


def reply(kind, status, name=None, mime=None, data=None, end=ST):
    said = b"\x1b]5522;type=" + kind + b":status=" + status
    said += b":id=" + name if name else b""
    said += b":mime=" + b64(mime) if mime is not None else b""
    said += b";" + b64(data) if data is not None else b""
    return said + end


class Clipboard:
    """Pass it to a script as the reply to TYPED.

    holds: type -> data; refuses: the status of every reply; name: maps the ID of a
    request to that of the reply.
    """

    def __init__(self, holds=None, refuses=None, name=lambda name: name, chunk=4096):
        self.holds, self.refuses = dict(holds or {}), refuses
        self.primary = {}
        self.packets, self.names = 0, []
        self.longest_chunk = 0
        self._name, self._chunk = name, chunk
        self._writing = None

    def __call__(self, packet):
        self.packets += 1
        keys, payload = keys_of(packet)
        assert set(keys) <= {b"type", b"id", b"loc", b"mime"}, keys
        return getattr(self, "_" + keys[b"type"].decode())(keys, payload)

    def _target(self, keys):
        return self.primary if keys.get(b"loc") == b"primary" else self.holds

    def _read(self, keys, payload):
        name = self._name(keys[b"id"])
        self.names.append(keys[b"id"])
        if self.refuses:
            return reply(b"read", self.refuses, name)
        said = reply(b"read", b"OK", name)
        for mime in base64.b64decode(payload, validate=True).split():
            if mime == b".":
                held = b" ".join(self._target(keys)) + b"\n"
                said += reply(b"read", b"DATA", name, mime, held)
            data = self._target(keys).get(mime, b"")
            for at in range(0, len(data), self._chunk):
                piece = data[at : at + self._chunk]
                said += reply(b"read", b"DATA", name, mime, piece)
        return said + reply(b"read", b"DONE", name)

    def _write(self, keys, payload):
        self.names.append(keys[b"id"])
        if self.refuses:
            self._writing = None
            return reply(b"write", self.refuses, self._name(keys[b"id"]))
        self._writing = (keys, {})
        return b""

    def _wdata(self, keys, payload):
        if self._writing is None:
            return b""
        begun, contents = self._writing
        if b"mime" in keys:
            mime = base64.b64decode(keys[b"mime"], validate=True)
            data = base64.b64decode(payload, validate=True)
            self.longest_chunk = max(self.longest_chunk, len(data))
            contents.setdefault(mime, []).append(data)
            return b""
        self._writing = None
        target = self._target(begun)
        target.clear()
        target.update({mime: b"".join(data) for mime, data in contents.items()})
        return reply(b"write", b"DONE", self._name(begun[b"id"]))

