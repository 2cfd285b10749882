"""A player who speaks the protocol, for tests: opens tables, sits down, plays."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

Json = dict[str, Any]

_ids = itertools.count(1)


def human(name: str = "Anne", **more: Any) -> Json:
    return {"kind": "human", "name": name, **more}


def bot(name: str = "careful") -> Json:
    return {"kind": "bot", "bot": name}


OPEN = {"kind": "open"}


def open_table(server: TestClient, *seats: Json, mode: str = "online", **settings: Any) -> Json:
    """Open a table and return the answer."""
    answer = server.post("/api/tables", json={"mode": mode, "seats": list(seats), **settings})
    assert answer.status_code == 201, answer.text
    opened: Json = answer.json()
    return opened


def sit_down(server: TestClient, table: str, name: str, **more: Any) -> Json:
    """Take a free seat and return the answer."""
    answer = server.post(f"/api/tables/{table}/seats", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    seated: Json = answer.json()
    return seated


class Refusal(Exception):
    """The server did not accept an action."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Player:
    """One socket, and everything that came over it."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[Json] = []
        self.state: Json = {}
        self.events: list[Json] = []
        self.presence: Json = {}
        self.bot_in: Json = {}
        """Seconds until a bot may play for each seat that is expected back."""

    @property
    def view(self) -> Json:
        view: Json = self.events[-1]["view"] if self.events else self.state["view"]
        return view

    @property
    def n(self) -> int:
        n: int = self.events[-1]["n"] if self.events else self.state["n"]
        return n

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]

    def say(self, kind: str, /, **data: Any) -> None:
        self.socket.send_json({"t": kind, "d": data})

    def hear(self) -> Json:
        """The next message, taken note of."""
        message: Json = self.socket.receive_json()
        self.heard.append(message)
        match message["t"]:
            case "state":
                self.state, self.events = message["d"], []
            case "event":
                self.events.append(message["d"])
            case "presence":
                self.presence = message["d"]
                self.bot_in = self.presence.pop("bot_in", {})
        return message

    def hear_until(self, what: Callable[[Json], bool]) -> Json:
        while not what(message := self.hear()):
            pass
        return message

    def hear_event(self, kind: str) -> Json:
        """Listen until an event of that kind has come."""
        event: Json = self.hear_until(
            lambda message: message["t"] == "event" and message["d"]["kind"] == kind
        )["d"]
        return event

    def catch_up(self, n: int) -> None:
        """Listen until event n has come."""
        while self.n < n:
            self.hear()

    def act(
        self,
        kind: str,
        seat: int,
        *,
        action: str | None = None,
        absent: int | None = None,
        **fields: Any,
    ) -> int:
        """Do something and listen until it is accepted; returns the number of its event.

        ``absent`` is the field ``for``, which cannot be a name in Python.
        """
        if absent is not None:
            fields["for"] = absent
        name = action or f"action-{next(_ids)}"
        self.say("act", id=name, kind=kind, seat=seat, **fields)
        answer = self.hear_until(
            lambda message: message["t"] in ("ack", "refused") and message["d"]["id"] == name
        )
        if answer["t"] == "refused":
            raise Refusal(**answer["d"]["error"])
        n: int = answer["d"]["n"]
        return n

    def play_on(self, *, moves: int = 2) -> None:
        """The seat in turn takes one step of a plain game: a number of moves, then a stop."""
        view, seat = self.view, self.view["seat"]
        if view["phase"] == "move":
            self.act("move", seat, move=view["moves"][-1]["move"])
        elif view["may_stop"] and self._moves_made() >= moves:
            self.act("stop", seat)
        else:
            self.act("roll", seat)

    def _moves_made(self) -> int:
        turn = itertools.takewhile(
            lambda event: event["kind"] not in ("stopped", "busted"), reversed(self.events)
        )
        return sum(event["kind"] == "moved" for event in turn)


@contextmanager
def at_table(
    server: TestClient,
    table: str,
    secret: str | None = None,
    *,
    salt: str | None = None,
    promised: str | None = None,
    after: int | str | None = None,
    **more: Any,
) -> Iterator[Player]:
    """A client connected to a table, with the greeting and the state."""
    query = "" if after is None else f"?after={after}"
    with server.websocket_connect(f"/api/tables/{table}/socket{query}", **more) as socket:
        player = Player(socket)
        added = {"salt": salt, "salt_commitment": promised}
        player.say("hello", secret=secret, **{key: said for key, said in added.items() if said})
        player.hear_until(lambda message: message["t"] == "presence")
        yield player


def pass_time(server: TestClient, seconds: float) -> None:
    """Let time pass at once for everything that a server's timers wait for."""

    def skip() -> None:
        loop: Any = asyncio.get_running_loop()
        really = loop.time
        loop.time = lambda: really() + seconds

    assert server.portal is not None
    server.portal.call(skip)


def play_to_the_end(*players: Player, moves: int = 2) -> None:
    """Let the players of a table, by their seats, play until the game is over."""
    seats = {seat: player for player in players for seat in player.state["you"]}
    while True:
        seat = players[0].view["seat"]
        actor = seats.get(seat)
        if players[0].view["outcome"] is not None:
            break
        if actor is None:  # a bot's turn
            players[0].hear()
        else:
            actor.play_on(moves=moves)
        newest = max(player.n for player in players)
        for player in players:
            player.catch_up(newest)
    for player in players:
        if "finished" not in player.kinds:
            player.hear_event("finished")
