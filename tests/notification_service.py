"""The desktop that shows a browser's notifications: a D-Bus session with a notification service.

Chromium hands notifications to ``org.freedesktop.Notifications``, and receives a signal when
a user has clicked on one. D-Bus is spoken here as far as this needs it; its specification has the
messages.
"""

import os
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Queue
from shutil import which
from threading import Lock, Thread
from typing import Self

from patience import PATIENCE

CALL, RETURN, SIGNAL = 1, 2, 4
PATH, INTERFACE, MEMBER, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = 1, 2, 3, 5, 6, 7, 8
SERVICE, OBJECT = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
BUS, BUS_OBJECT = "org.freedesktop.DBus", "/org/freedesktop/DBus"


class Writer:
    """Values in the little-endian wire format."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, size: int) -> None:
        self.data += bytes(-len(self.data) % size)

    def number(self, value: int) -> Self:
        self.align(4)
        self.data += struct.pack("<I", value)
        return self

    def text(self, value: str) -> Self:
        self.number(len(value.encode()))
        self.data += value.encode() + b"\0"
        return self

    def signature(self, value: str) -> Self:
        self.data += bytes([len(value)]) + value.encode() + b"\0"
        return self

    def texts(self, values: tuple[str, ...]) -> Self:
        inner = Writer()
        for value in values:
            inner.text(value)
        self.number(len(inner.data))
        self.data += inner.data
        return self


@dataclass
class Reader:
    """Reads what :class:`Writer` writes."""

    data: bytes
    at: int = 0

    def align(self, size: int) -> None:
        self.at += -self.at % size

    def number(self) -> int:
        self.align(4)
        self.at += 4
        return int(struct.unpack_from("<I", self.data, self.at - 4)[0])

    def text(self) -> str:
        length = self.number()
        self.at += length + 1
        return self.data[self.at - length - 1 : self.at - 1].decode()

    def signature(self) -> str:
        length = self.data[self.at]
        self.at += length + 2
        return self.data[self.at - length - 1 : self.at - 1].decode()


@dataclass(frozen=True)
class BusMessage:
    kind: int
    serial: int
    fields: dict[int, str | int]
    body: bytes


@dataclass(frozen=True)
class Shown:
    """A notification that was shown."""

    id: int
    title: str
    text: str


@dataclass
class NotificationService:
    """Notes what is shown, and clicks on it."""

    address: str
    shown: Queue[Shown] = field(default_factory=Queue)
    _serial: int = 0
    _last: int = 0
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        options = dict(part.split("=", 1) for part in self.address.split(":", 1)[1].split(","))
        name = "\0" + options["abstract"] if "abstract" in options else options["path"]
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(name)
        self._stream = self._socket.makefile("rb")
        self._socket.sendall(
            b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n"
        )
        assert self._stream.readline().startswith(b"OK")
        self._socket.sendall(b"BEGIN\r\n")
        self._call_bus("Hello", "", b"")
        self._call_bus("RequestName", "su", bytes(Writer().text(SERVICE).number(0).data))
        Thread(target=self._serve, daemon=True).start()

    def next(self) -> Shown:
        """The next notification that is shown."""
        return self.shown.get(timeout=PATIENCE)

    def click(self, shown: Shown) -> None:
        """Click on a notification."""
        body = Writer().number(shown.id).text("default").data
        fields: dict[int, str | int] = {
            PATH: OBJECT,
            INTERFACE: SERVICE,
            MEMBER: "ActionInvoked",
            SIGNATURE: "us",
        }
        self._send(SIGNAL, fields, bytes(body))

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._stream.close()
        self._socket.close()

    def _call_bus(self, member: str, signature: str, body: bytes) -> None:
        fields: dict[int, str | int] = {
            PATH: BUS_OBJECT,
            INTERFACE: BUS,
            MEMBER: member,
            DESTINATION: BUS,
        }
        if signature:
            fields[SIGNATURE] = signature
        self._send(CALL, fields, body)

    def _send(self, kind: int, fields: dict[int, str | int], body: bytes) -> None:
        inner = Writer()
        for code, value in sorted(fields.items()):
            inner.align(8)
            inner.data += bytes([code])
            if isinstance(value, int):
                inner.signature("u").number(value)
            elif code == SIGNATURE:
                inner.signature("g").signature(value)
            else:
                inner.signature("o" if code == PATH else "s").text(value)
        with self._lock:
            self._serial += 1
            head = struct.pack(
                "<BBBBIII", ord("l"), kind, 0, 1, len(body), self._serial, len(inner.data)
            )
            whole = head + inner.data
            self._socket.sendall(whole + bytes(-len(whole) % 8) + body)

    def _read(self) -> BusMessage | None:
        head = self._stream.read(16)
        if len(head) < 16:
            return None
        _, kind, _, _, length, serial, size = struct.unpack("<BBBBIII", head)
        reader = Reader(head + self._stream.read(size + -size % 8), 16)
        fields: dict[int, str | int] = {}
        while reader.at < 16 + size:
            reader.align(8)
            code = reader.data[reader.at]
            reader.at += 1
            signature = reader.signature()
            if signature == "u":
                fields[code] = reader.number()
            else:
                fields[code] = reader.signature() if signature == "g" else reader.text()
        return BusMessage(kind, serial, fields, self._stream.read(length))

    def _serve(self) -> None:
        while message := self._read():
            if message.kind == CALL and message.fields.get(INTERFACE) == SERVICE:
                self._answer(message)

    def _answer(self, message: BusMessage) -> None:
        member, answer, signature = message.fields[MEMBER], Writer(), ""
        if member == "GetCapabilities":
            answer.texts(("actions", "body"))
            signature = "as"
        elif member == "GetServerInformation":
            for text in ("tests", "tests", "1", "1.2"):
                answer.text(text)
            signature = "ssss"
        elif member == "Notify":
            self._notify(message, answer)
            signature = "u"
        fields: dict[int, str | int] = {
            REPLY_SERIAL: message.serial,
            DESTINATION: message.fields[SENDER],
        }
        if signature:
            fields[SIGNATURE] = signature
        self._send(RETURN, fields, bytes(answer.data))

    def _notify(self, message: BusMessage, answer: Writer) -> None:
        reader = Reader(message.body)
        reader.text()
        replaced = reader.number()
        reader.text()
        title, text = reader.text(), reader.text()
        self._last += 1
        shown = Shown(replaced or self._last, title, text)
        answer.number(shown.id)
        self.shown.put(shown)


@contextmanager
def notification_service() -> Iterator[NotificationService]:
    """A D-Bus session of its own; ``address`` is what a browser needs to know of it."""
    daemon = which("dbus-daemon")
    assert daemon, "dbus-daemon is missing: it comes with the packages of Chromium"
    session = subprocess.Popen(
        [daemon, "--session", "--nofork", "--nopidfile", "--print-address"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert session.stdout is not None
        service = NotificationService(session.stdout.readline().strip())
        yield service
        service.close()
    finally:
        session.terminate()
        session.wait()
        assert session.stdout is not None
        session.stdout.close()
