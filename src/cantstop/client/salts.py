"""What our seats add to the dice: a salt that we commit to, and reveal once all others are bound.

Revealed any sooner, it would tell whoever knows the server's secret how to choose theirs
(docs/dice.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cantstop.dice import Seal, new_salt, salt_commitment
from cantstop.record import VerificationError

Message = Mapping[str, Any]

_taken: dict[tuple[str, str], str] = {}
"""Salts of seats that were taken by a request, until a connection asks for them."""


def keep_salt(table: str, secret: str, salt: str) -> None:
    """Keep the salt that a seat has committed to, for the connection to reveal."""
    _taken[table, secret] = salt


@dataclass(frozen=True)
class SaltAction:
    """An action that is due: ``commit`` or ``reveal``."""

    kind: str
    seat: int
    fields: dict[str, object]


@dataclass
class _SeatSalt:
    salt: str | None = None
    commitment: str | None = None
    is_reserved: bool = False
    """Not taken yet; if it is ours, our hello takes it with our commitment."""

    @property
    def is_bound(self) -> bool:
        return self.salt is not None or self.commitment is not None

    def gives(self, salt: str) -> bool:
        """Whether this salt is the one that the seat was bound to."""
        return salt == self.salt or salt_commitment(salt) == self.commitment


@dataclass
class SeatSalts:
    """The salts of a table as its events tell of them, and what is due for our seats."""

    salt: str = field(default_factory=new_salt)
    """Ours, for all our seats at this table."""
    _mine: frozenset[int] = frozenset()
    _seats: list[_SeatSalt] = field(default_factory=list)
    _started: bool = False
    _commitment: str | None = None
    _seen: list[_SeatSalt] | None = None
    """What every seat was bound to when we revealed our salt."""
    _sent: set[tuple[str, int, str]] = field(default_factory=set)

    @classmethod
    def of_seat(cls, table: str, secret: str) -> "SeatSalts":
        """Those of a seat that we hold, with the salt that was kept for it, if there is one."""
        return cls(_taken.pop((table, secret), "") or new_salt())

    @property
    def commitment(self) -> str:
        """The commitment to our salt."""
        return salt_commitment(self.salt)

    def after_state(self, state: Message) -> list[SaltAction]:
        """What is due when we have connected."""
        self._mine = frozenset(state["you"])
        self._seats = [_SeatSalt(is_reserved=True) for _ in state["seats"]]
        self._started = False
        for event in state["log"]:
            self._apply(event)
        return self._due(connecting=True)

    def after_event(self, event: Message) -> list[SaltAction]:
        """What is due after an event."""
        self._apply(event)
        return self._due()

    def check(self, seal: Seal) -> None:
        """Compare a seal with what we saw before we revealed our salt, if we were there."""
        if self._seen is None:
            return
        if seal.commitment != self._commitment:
            raise VerificationError("The commitment is not the one that was shown before the game.")
        for number, (bound, salt) in enumerate(zip(self._seen, seal.salts, strict=True), 1):
            if not bound.gives(salt):
                raise VerificationError(
                    "The salt of seat {seat} is not the one that was fixed before ours.",
                    seat=number,
                )

    def _apply(self, event: Message) -> None:
        data, number = event["data"], event["seat"]
        match event["kind"]:
            case "opened":
                self._commitment = data["commitment"]
            case "seated":
                self._seats[number] = _SeatSalt(data["salt"], data.get("salt_commitment"))
            case "committed":
                self._seats[number].commitment = data["salt_commitment"]
            case "revealed":
                self._seats[number].salt = data["salt"]
            case "substituted" if "salt" in data:
                self._seats[number] = _SeatSalt(data["salt"])
            case "redrawn":
                self._redraw(data["seats"])
            case "started":
                self._started = True

    def _redraw(self, seats: list[int]) -> None:
        for number in seats:
            self._seats[number] = _SeatSalt()
        self._sent.clear()
        self._seen = None
        self.salt = new_salt()  # the one before may be known

    def _due(self, *, connecting: bool = False) -> list[SaltAction]:
        if self._started:
            return []
        mine = sorted(self._mine)
        due = [action for seat in mine if (action := self._due_for(seat, connecting))]
        if any(action.kind == "reveal" for action in due) and self._seen is None:
            self._seen = [self._bound(number) for number in range(len(self._seats))]
        return due

    def _bound(self, number: int) -> _SeatSalt:
        """What a seat is bound to now."""
        seat = self._seats[number]
        commitment = self.commitment if seat.is_reserved else seat.commitment
        return _SeatSalt(seat.salt, commitment)

    def _due_for(self, number: int, connecting: bool) -> SaltAction | None:
        seat = self._seats[number]
        if seat.salt is not None:
            return None
        if seat.is_reserved or seat.commitment == self.commitment:
            others = (other for at, other in enumerate(self._seats) if at not in self._mine)
            ready = all(other.is_bound for other in others)
            return self._once("reveal", number, self.salt, {}) if ready else None
        if seat.commitment is not None and not connecting:
            return None  # another device of ours has committed: it will reveal
        return self._once("commit", number, self.commitment, {"instead": seat.commitment})

    def _once(self, kind: str, seat: int, value: str, more: dict[str, object]) -> SaltAction | None:
        """An action, unless it was sent before: the connection retries it by itself."""
        if (kind, seat, value) in self._sent:
            return None
        self._sent.add((kind, seat, value))
        key = "salt" if kind == "reveal" else "salt_commitment"
        return SaltAction(kind, seat, {key: value, **more})
