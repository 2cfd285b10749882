"""Holds a conversation with a server and writes it down; ``conversations.py`` has the format."""

import itertools
from typing import Any

from conversations import Json, Talk

SHORT: Json = {"edition": "custom", "win": 1}
OPEN = {"kind": "open"}


def human(name: str, salt: str | None = None, **more: Any) -> Json:  # noqa: ANN401
    """A person's seat."""
    return {"kind": "human", "name": name, **more} | ({} if salt is None else {"salt": salt})


def bot(name: str) -> Json:
    """A bot's seat."""
    return {"kind": "bot", "bot": name}


class Socket:
    """One end of a socket in a conversation."""

    def __init__(self, recorder: "Recorder", name: str) -> None:
        self._recorder = recorder
        self.name = name
        self.view: Json = {}
        self.moves = 0

    def say(self, message: Json | str) -> None:
        """Send something."""
        self._recorder.say({"at": self.name, "say": message})

    def hear(self, *kinds: str) -> Json:
        """Listen until a message or an event of one of these kinds has come, or the end."""
        while True:
            line = self._recorder.hear(self.name)
            if "closed" in line:
                assert not kinds, line
                return line
            message = line["hear"]
            data: Json = message["d"]
            if message["t"] in ("state", "event") and "view" in data:
                self.view = data["view"]
            if message["t"] == "event":
                self._count(data["kind"])
            if message["t"] in kinds or data.get("kind") in kinds:
                return data

    def _count(self, kind: str) -> None:
        if kind in ("stopped", "busted", "finished"):
            self.moves = 0
        self.moves += kind == "moved"

    def act(self, kind: str, seat: int, **more: Any) -> Json:  # noqa: ANN401
        """Ask for something and listen for the answer."""
        action = {"id": f"action-{next(self._recorder.ids)}", "kind": kind, "seat": seat}
        self.say({"t": "act", "d": action | more})
        return self.hear("ack", "refused")

    def step(self, moves: int = 2) -> None:
        """Whoever is in turn takes the next step of a plain game."""
        seat = self.view["seat"]
        if self.view["phase"] == "move":
            self.act("move", seat, move=self.view["moves"][-1]["move"])
        elif self.view["may_stop"] and self.moves >= moves:
            self.act("stop", seat)
        else:
            self.act("roll", seat)

    def ping(self) -> None:
        """Make sure that nothing else is waiting."""
        self.say({"t": "ping"})
        self.hear("pong")

    def leave(self) -> None:
        """Go, after making sure that nothing is waiting; the others are notified."""
        self.ping()
        self._recorder.leave(self)


class Recorder:
    """Holds a conversation and writes it down."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self.lines: list[Json] = []
        self.ids = itertools.count(1)
        self._there: dict[Socket, str] = {}

    def say(self, line: Json) -> None:
        """Do something."""
        self.lines.append(line)
        self._talk.say(line)

    def hear(self, who: str | None = None) -> Json:
        """Take down what comes."""
        self.lines.append(self._talk.hear(who))
        return self.lines[-1]

    def hear_end(self, who: str) -> None:
        """Take down how a socket ends, whatever comes before that."""
        while "closed" not in (end := self._talk.hear(who)):
            pass
        self.lines.append({**end, "skip": True})

    def ask(self, request: str, **more: Any) -> Any:  # noqa: ANN401
        """Send a request; returns the body of its answer."""
        self.say({"ask": request, **more})
        return self.hear().get("body")

    def connect(self, name: str, path: str, **more: Any) -> Socket:  # noqa: ANN401
        """Open a socket and say nothing yet."""
        self.say({"at": name, "connect": path, **more})
        self.hear()
        return Socket(self, name)

    def join(
        self,
        name: str,
        table: str,
        secret: str | None = None,
        *,
        salt: str | None = None,
        pace: str | None = None,
        after: int | str | None = None,
    ) -> Socket:
        """Come to a table."""
        query = "" if after is None else f"?after={after}"
        socket = self.connect(name, f"/api/tables/{table}/socket{query}")
        hello = {"secret": secret} | ({} if salt is None else {"salt": salt})
        hello |= {} if pace is None else {"pace": pace}
        socket.say({"t": "hello", "d": hello})
        expected = socket.hear("presence")["expected"]
        self._tell_others(table)
        self._there[socket] = table
        while expected:  # until everybody who is away has been away for long enough
            expected = socket.hear("presence")["expected"]
            self._tell_others(table, socket)
        return socket

    def leave(self, socket: Socket) -> None:
        """Close a socket."""
        self.say({"at": socket.name, "leave": True})
        self._tell_others(self._there.pop(socket))

    def _tell_others(self, table: str, but: Socket | None = None) -> None:
        for other, where in self._there.items():
            if where == table and other is not but:
                other.hear("presence")

    def finish(self, *sockets: Socket) -> None:
        """Everybody leaves a table at once: nobody is left to notify, now or in two seconds."""
        for socket in sockets:
            socket.ping()
        for socket in sockets:
            del self._there[socket]
            self.say({"at": socket.name, "leave": True})

    def wait(self, table: str, seat: int = 0) -> None:
        """Until a seat is in turn: bots play on by themselves when a server starts."""
        self.say({"wait": f"/api/tables/{table}", "seat": seat})
