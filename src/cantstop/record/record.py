"""A game written down: who sat where, under which rules, and everything that happened."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cantstop.dice import Seal, SealedDice, SecureDice, SeededDice
from cantstop.game import Game
from cantstop.record.errors import RecordError
from cantstop.rules import Event, InvalidText, Position, Rules

FORMAT_VERSION = 1

RecordedDice = SecureDice | SeededDice | SealedDice | Seal
"""Where the dice came from; a bare ``Seal`` is one whose secret is not revealed yet."""

LONGEST_NAME = 60


@dataclass(frozen=True)
class Record:
    """Everything a record file holds. Equal records print equal text, and the other way round."""

    start: Position
    names: tuple[str, ...]
    events: tuple[Event, ...] = ()
    edition: str | None = None
    date: str | None = None
    dice: RecordedDice | None = None
    ended: str | None = None
    """Why the game ended without a winner, in one word, if it did."""
    hints: tuple[int, ...] = ()
    """The seats that have had hints, lowest first."""
    cut: RecordError | None = field(default=None, compare=False)
    """Where the text was cut off, if it was: what stands before is all here."""

    def __post_init__(self) -> None:
        if len(self.names) != self.rules.players:
            raise InvalidText(
                "{count} names do not fit {players} seats.",
                count=len(self.names),
                players=self.rules.players,
            )
        for text in (*self.names, self.edition, self.date, self.ended):
            if text is not None:
                check_text(text)
        check_seats(self.hints, self.rules.players)
        self._check_dice()

    def _check_dice(self) -> None:
        seal = self.dice.seal if isinstance(self.dice, SealedDice) else self.dice
        if isinstance(seal, Seal) and len(seal.salts) != self.rules.players:
            raise InvalidText(
                "{count} salts do not fit {players} seats.",
                count=len(seal.salts),
                players=self.rules.players,
            )
        sides = self.rules.board.sides
        if isinstance(self.dice, SecureDice | SeededDice | SealedDice) and self.dice.sides != sides:
            raise InvalidText(
                "Dice with {sides} sides do not fit this board: it takes {due}.",
                sides=self.dice.sides,
                due=sides,
            )

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    def game(self) -> Game:
        """The game, replayed."""
        return Game.replay(self.start, self.events)


def check_seats(seats: Sequence[int], players: int) -> None:
    """Seats that have had hints are named once each, lowest first."""
    if list(seats) != [seat for seat in range(players) if seat in seats]:
        raise InvalidText(
            "The seats with hints have to rise, from 1 to {players}.", players=players
        )


def check_text(text: str) -> None:
    """Names and the like are one printable line."""
    if not text.isprintable() or not text.strip() or len(text) > LONGEST_NAME:
        raise InvalidText(
            "“{text}” cannot be used: it takes 1 to {most} printable characters.",
            text=text[:LONGEST_NAME],
            most=LONGEST_NAME,
        )
