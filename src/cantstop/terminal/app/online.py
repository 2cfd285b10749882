"""A table on a server: everything that happens there is told by it, nothing is decided here."""

from collections.abc import Callable, Sequence
from typing import Any

from cantstop.client import Line, Refused, SeatKeeper, TableLink, game_event
from cantstop.language import message
from cantstop.rules import (
    Dice,
    IllegalAction,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
)
from cantstop.terminal.app.driver import Decision, Entry, Note, Step

_AROUND = {
    "seated": message("{name} sits down."),
    "started": message("The game begins."),
    "substituted": message("A bot plays for {name}."),
    "returned": message("{name} plays again."),
}
_REACTIONS = {
    "cheer": message("{name} cheers!"),
    "applaud": message("{name} applauds."),
    "tease": message("{name} teases."),
    "sympathise": message("{name} feels for you."),
    "gasp": message("{name} gasps!"),
    "laugh": message("{name} laughs."),
}


class OnlineDriver:
    """Follows a table and asks for what the player at this terminal does."""

    may_undo = False

    def __init__(
        self, link: TableLink, secret: str | None, language: str, keeper: SeatKeeper
    ) -> None:
        self.link = link
        self._keeper = keeper
        self._line = Line(link, secret, language, self._heard, self._lost)
        self._changed: Callable[[], None] = lambda: None
        self._up = False
        self._refused: Note | None = None
        self._state: dict[str, Any] = {}
        self._seats: list[dict[str, Any]] = []
        self._position = Position.initial(Rules())
        self._entries: list[Entry] = []
        self._n = 0
        self._turn = 1

    # What there is to see

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat["name"] or "–" for seat in self._seats) or ("–", "–")

    @property
    def colours(self) -> tuple[int, ...]:
        taken = [seat["colour"] for seat in self._seats]
        free = iter(colour for colour in range(4) if colour not in taken)
        return tuple(next(free) if colour is None else colour for colour in taken) or (0, 1)

    @property
    def edition(self) -> str | None:
        return self._state.get("edition")

    @property
    def position(self) -> Position:
        return self._position

    @property
    def turn(self) -> int:
        return self._turn

    @property
    def dice(self) -> Dice:
        for entry in reversed(self._entries):
            if isinstance(entry, Step) and isinstance(entry.event, Rolled):
                return entry.event.dice
        return ()

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def trouble(self) -> Note | None:
        if self._refused is not None:
            return self._refused
        if not self._up:
            return Note(message("There is no line to {server}; trying again."), self._told)
        if self._state.get("stage") == "open":
            return Note(message("Waiting until all seats are taken. The link: {link}"), self._told)
        return None

    @property
    def _told(self) -> dict[str, object]:
        return {"server": self.link.server, "link": self.link}

    @property
    def may_act(self) -> bool:
        seat = self._position.seat
        return (
            self.trouble is None
            and seat in self._state.get("you", ())
            and self._seats[seat]["substitute"] is None
            and self._position.phase not in (Phase.BUST, Phase.OVER)
        )

    def listen(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    # What happens

    async def run(self) -> None:
        try:
            await self._line.stay()
        except Refused as refused:
            if refused.code == "wrong-secret":
                self._keeper.forget(self.link)
            self._refused = Note(refused.template, refused.fields)
            self._changed()

    def _lost(self) -> None:
        self._up = False
        self._changed()

    def _heard(self, kind: str, data: dict[str, Any]) -> None:
        if kind == "state":
            self._begin(data)
        elif kind == "event" and data["n"] == self._n + 1:
            self._happen(data)
            self._turn = data["view"]["turn"]
        self._up = True
        self._changed()

    def _begin(self, state: dict[str, Any]) -> None:
        """Take in the whole truth about the table."""
        self._state, self._seats = state, state["seats"]
        rules = Rules.parse(state["rules"])
        self._position = Position.initial(rules, state["youngest"])
        self._entries = []
        for event in state["log"]:
            self._happen(event)
        self._turn = state["view"]["turn"]

    def _happen(self, data: dict[str, Any]) -> None:
        self._n = data["n"]
        kind, seat = data["kind"], data["seat"]
        event = game_event(kind, data["data"])
        if event is not None:
            before, self._position = self._position, self._position.after(event)
            self._entries.append(Step(before, event, self._position))
            return
        self._around(kind, seat, data["data"])
        text = _AROUND.get(kind) or _REACTIONS.get(data["data"].get("reaction", ""))
        if text is not None:
            name = "" if seat is None else self.names[seat]
            self._entries.append(Note(text, {"name": name}))

    def _around(self, kind: str, seat: int | None, data: dict[str, Any]) -> None:
        """What an event around the game changes."""
        if kind == "seated" and seat is not None:
            self._seats[seat] |= {"name": data["name"], "colour": data["colour"]}
        elif kind == "started":
            self._state["stage"] = "playing"
        elif kind in ("substituted", "returned") and seat is not None:
            self._seats[seat]["substitute"] = data.get("bot")

    async def act(self, decision: Decision) -> None:
        seat, n = self._position.seat, self._n
        match decision:
            case Moved(move):
                await self._line.act("move", seat, n=n, move=str(move))
            case Stopped():
                await self._line.act("stop", seat, n=n)
            case _:
                await self._line.act("roll", seat, n=n)

    async def undo(self) -> None:
        raise IllegalAction("At an online table nothing can be taken back.")
