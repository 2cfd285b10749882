"""What our seats add to the dice: a salt that we commit to, and reveal once all others are bound.

Revealed any sooner, it would tell whoever knows the server's secret how to choose theirs. At a slow
table the game goes on meanwhile: there it is revealed with the first roll of the seat
(docs/dice.md), which may be days later, so it is kept in a file.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import msgspec

from cantstop.client.table import RemoteTable
from cantstop.dice import GradualSeal, Seal, SealedSalt, new_salt, salt_commitment
from cantstop.files import PRIVATE_FOLDER, open_atomically, user_data_folder
from cantstop.record import VerificationError
from cantstop.table.events import Committed, Seated
from cantstop.table.table import Seat, Stage
from cantstop.wire.actions import Commit, Reveal, new_action_id

MOST_FILES = 200
"""Seats whose salts are kept; the oldest files are deleted."""

_taken: dict[tuple[str, str], str] = {}
"""Salts of seats that were taken by a request, until a connection asks for them."""


def keep_salt(table: str, secret: str, salt: str) -> None:
    """Keep the salt that a seat has committed to, for the connection to reveal."""
    _taken[table, secret] = salt


SaltAction = Commit | Reveal


class _Binding(msgspec.Struct, frozen=True):
    """What a seat was bound to."""

    salt: str | None
    commitment: str | None
    since: int | None = None
    """At a slow table: the turn of the dice from which the salt counts, once it is known."""

    def gives(self, salt: str) -> bool:
        """Whether this salt is the one that the seat was bound to."""
        return salt == self.salt or salt_commitment(salt) == self.commitment

    def fits(self, now: SealedSalt, turn: int) -> bool:
        """Whether a record says the same, if we saw this in a turn."""
        if self.since is not None:
            return (self.salt, self.since) == (now.salt, now.since)
        if now.salt is None:
            return now.promised == self.commitment
        return self.gives(now.salt) and (now.since or 0) >= turn


class _Kept(msgspec.Struct):
    """What is kept of a seat at a slow table, until its game is checked."""

    salt: str
    commitment: str | None = None
    seen: list[_Binding] | None = None
    turn: int = 1
    """The turn in which we saw that."""


@dataclass
class SeatSalts:
    """What our seats at a table have to commit to and to reveal."""

    salt: str = field(default_factory=new_salt)
    """Ours, for all our seats at this table."""
    _file: Path | None = None
    """Where it is kept, should the table be a slow one."""
    _redraws: int = 0
    _commitment: str | None = None
    _seen: list[_Binding] | None = None
    """What every seat was bound to when we revealed our salt."""
    _turn: int = 1
    _sent: set[tuple[str, int, str]] = field(default_factory=set)

    @classmethod
    def of_seat(cls, table: str, secret: str) -> "SeatSalts":
        """Those of a seat that we hold, with the salt that was kept for it, if there is one."""
        file = _file_of(table, secret)
        salt = _taken.pop((table, secret), None)
        if salt is not None:
            return cls(salt, file)
        try:
            kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
        except (OSError, msgspec.MsgspecError):
            return cls(_file=file)
        return cls(kept.salt, file, _commitment=kept.commitment, _seen=kept.seen, _turn=kept.turn)

    @property
    def commitment(self) -> str:
        """The commitment to our salt."""
        return salt_commitment(self.salt)

    def due(self, table: RemoteTable, *, connecting: bool = False) -> list[SaltAction]:
        """What is due at the table as it is now; ``connecting`` when we have just come."""
        if self._commitment is None:
            self._commitment = table.opened.commitment
        if table.opened.gradual:
            return self._due_in_game(table, connecting=connecting)
        if table.redraws > self._redraws:
            self._redraws = table.redraws
            self._sent.clear()
            self._seen = None
            self.salt = new_salt()  # the one before may be known
        if table.started:
            return []
        mine = sorted(table.mine)
        due = [action for seat in mine if (action := self._due_for(table, seat, connecting))]
        if any(isinstance(action, Reveal) for action in due):
            self._note(table)
        return due

    def before_roll(self, table: RemoteTable) -> Reveal | None:
        """What has to be revealed before we roll at a slow table, if it is here."""
        if not table.owes_salt or table.to_act not in table.mine:
            return None
        return self._reveal_in_game(table, table.to_act)

    def check(self, seal: Seal | GradualSeal) -> None:
        """Compare a seal with what we saw before we revealed our salt, if we were there."""
        if self._seen is None:
            return
        if seal.commitment != self._commitment:
            raise VerificationError("The commitment is not the one that was shown before the game.")
        salts: tuple[str | SealedSalt, ...] = seal.salts if isinstance(seal, Seal) else seal.seats
        for number, (bound, salt) in enumerate(zip(self._seen, salts, strict=True), 1):
            fits = bound.gives(salt) if isinstance(salt, str) else bound.fits(salt, self._turn)
            if not fits:
                raise VerificationError(
                    "The salt of seat {seat} is not the one that was fixed before ours.",
                    seat=number,
                )

    def _due_in_game(self, table: RemoteTable, *, connecting: bool) -> list[SaltAction]:
        """At a slow table, the last one to sit down reveals at once: nobody else has yet."""
        ours = any(table.seats[seat].salt_commitment == self.commitment for seat in table.mine)
        if connecting and ours:
            self._keep()
        if table.stage is not Stage.PLAYING or not table.may_reveal_early:
            return []
        last = _last_bound(table)
        if last not in table.mine:
            return []
        reveal = self._reveal_in_game(table, last)
        sent = reveal and self._once(reveal, self.salt)
        return [sent] if sent else []

    def _reveal_in_game(self, table: RemoteTable, seat: int) -> Reveal | None:
        if table.seats[seat].salt_commitment != self.commitment:
            return None  # it is on the device that sat down
        self._note(table)
        self._keep()
        return Reveal(id=new_action_id(), seat=seat, salt=self.salt)

    def _note(self, table: RemoteTable) -> None:
        """Note what every seat is bound to when we reveal our salt."""
        if self._seen is None:
            self._seen = [self._binding(seat) for seat in table.seats]
            self._turn = table.dice_turn

    def _keep(self) -> None:
        """Write down what is to outlast this program; without a folder for it, it is lost."""
        if self._file is None:
            return
        kept = _Kept(self.salt, self._commitment, self._seen, self._turn)
        with suppress(OSError):
            self._file.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            with open_atomically(self._file, private=True) as file:
                file.write(msgspec.json.encode(kept))
            files = sorted(self._file.parent.glob("*.json"), key=lambda one: one.stat().st_mtime)
            for old in files[:-MOST_FILES]:
                old.unlink(missing_ok=True)

    def _binding(self, seat: Seat) -> _Binding:
        """What a seat is bound to now; ours, if it is reserved, by the commitment of our hello."""
        commitment = self.commitment if seat.is_free else seat.salt_commitment
        return _Binding(seat.salt, commitment, seat.salt_since)

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


def _last_bound(table: RemoteTable) -> int | None:
    """The seat that was the last one to commit to a salt."""
    for entry in reversed(table.log):
        match entry.event:
            case Seated(salt_commitment=str()) | Committed():
                return entry.seat
    return None


def _file_of(table: str, secret: str) -> Path:
    """The file of a seat; its name tells nobody the secret."""
    name = sha256(f"cantstop-seat\n{table}\n{secret}".encode()).hexdigest()[:32]
    return user_data_folder() / "salts" / f"{name}.json"
