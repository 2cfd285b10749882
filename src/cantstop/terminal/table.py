"""A game being played, with its seats and its dice."""

from dataclasses import dataclass, field

from cantstop.dice import Seal, SealedDice, SecureDice, SeededDice
from cantstop.game import Game
from cantstop.record import Record
from cantstop.rules import IllegalAction, Moved, Rolled, Stopped
from cantstop.terminal.seats import Seat, seat_named, shown_names

TableDice = SecureDice | SeededDice | SealedDice


@dataclass
class Table:
    """Everything that a save keeps: the game, who sits where, and where the dice come from."""

    game: Game
    seats: tuple[Seat, ...]
    dice: TableDice
    edition: str | None = None
    date: str | None = None
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.names = shown_names(self.seats)

    @classmethod
    def of_record(cls, record: Record) -> "Table":
        """The table as a record left it."""
        if isinstance(record.dice, Seal):
            raise IllegalAction(
                "This game cannot go on: its dice are sealed, and the secret is not in the record."
            )
        return cls(
            record.game(),
            tuple(map(seat_named, record.names)),
            record.dice or SecureDice(record.rules.board.sides),
            record.edition,
            record.date,
        )

    def record(self) -> Record:
        """The game so far, to be written down."""
        return Record(
            self.game.start,
            tuple(map(str, self.seats)),
            self.game.events,
            self.edition,
            self.date,
            self.dice,
        )

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.game.seat]

    @property
    def name(self) -> str:
        """The name on screen of the seat whose turn it is."""
        return self.names[self.game.seat]

    def roll(self) -> None:
        """Throw the dice that are due; where none are, the rules refuse."""
        position = self.game.position
        due = position.may_roll
        dice = self.dice.roll(self.game.rolls + 1, position.dice_to_roll) if due else ()
        self.game.push(Rolled(dice))

    @property
    def may_take_back(self) -> bool:
        """Whether the last thing that happened was a person's decision."""
        if not self.game.events or not isinstance(self.game.events[-1], Moved | Stopped):
            return False
        return self.seats[self.game.positions[-2].seat].bot is None

    def take_back(self) -> None:
        """Undo a person's last move or stop: possible until dice are thrown again."""
        if not self.may_take_back:
            raise IllegalAction(
                "There is nothing to take back: only a player's last move or stop can be, and "
                "only until the dice are thrown again."
            )
        self.game.undo()
