"""What our seats add to the dice: a salt that we commit to, and reveal once all others are bound.

Revealed any sooner, it would tell whoever knows the server's secret how to choose theirs
(docs/dice.md).
"""

from dataclasses import dataclass, field

from cantstop.client.table import RemoteTable
from cantstop.dice import Seal, new_salt, salt_commitment
from cantstop.record import VerificationError
from cantstop.table.table import Seat
from cantstop.wire.actions import Commit, Reveal, new_action_id

_taken: dict[tuple[str, str], str] = {}
"""Salts of seats that were taken by a request, until a connection asks for them."""


def keep_salt(table: str, secret: str, salt: str) -> None:
    """Keep the salt that a seat has committed to, for the connection to reveal."""
    _taken[table, secret] = salt


SaltAction = Commit | Reveal


@dataclass(frozen=True)
class _Binding:
    """What a seat was bound to."""

    salt: str | None
    commitment: str | None

    def gives(self, salt: str) -> bool:
        """Whether this salt is the one that the seat was bound to."""
        return salt == self.salt or salt_commitment(salt) == self.commitment


@dataclass
class SeatSalts:
    """What our seats at a table have to commit to and to reveal."""

    salt: str = field(default_factory=new_salt)
    """Ours, for all our seats at this table."""
    _redraws: int = 0
    _commitment: str | None = None
    _seen: list[_Binding] | None = None
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

    def due(self, table: RemoteTable, *, connecting: bool = False) -> list[SaltAction]:
        """What is due at the table as it is now; ``connecting`` when we have just come."""
        self._commitment = table.opened.commitment
        if table.redraws > self._redraws:
            self._redraws = table.redraws
            self._sent.clear()
            self._seen = None
            self.salt = new_salt()  # the one before may be known
        if table.started:
            return []
        mine = sorted(table.mine)
        due = [action for seat in mine if (action := self._due_for(table, seat, connecting))]
        if any(isinstance(action, Reveal) for action in due) and self._seen is None:
            self._seen = [self._binding(seat) for seat in table.seats]
        return due

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

    def _binding(self, seat: Seat) -> _Binding:
        """What a seat is bound to now; ours, if it is reserved, by the commitment of our hello."""
        return _Binding(seat.salt, self.commitment if seat.is_free else seat.salt_commitment)

    def _due_for(self, table: RemoteTable, number: int, connecting: bool) -> SaltAction | None:
        seat = table.seats[number]
        if seat.salt is not None:
            return None
        if seat.is_free or seat.salt_commitment == self.commitment:
            others = (other for at, other in enumerate(table.seats) if at not in table.mine)
            ready = all(other.is_bound for other in others)
            reveal = Reveal(id=new_action_id(), seat=number, salt=self.salt)
            return self._once(reveal, self.salt) if ready else None
        if seat.salt_commitment is not None and not connecting:
            return None  # another device of ours has committed: it will reveal
        commit = Commit(
            id=new_action_id(),
            seat=number,
            salt_commitment=self.commitment,
            instead=seat.salt_commitment,
        )
        return self._once(commit, self.commitment)

    def _once(self, action: SaltAction, value: str) -> SaltAction | None:
        """An action, unless it was sent before: the connection retries it by itself."""
        sent = action.kind, action.seat, value
        if sent in self._sent:
            return None
        self._sent.add(sent)
        return action
