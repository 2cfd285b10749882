"""A game being played, with its seats and its dice."""

from dataclasses import dataclass, field
from datetime import datetime

from cantstop.bots import Choice, decide
from cantstop.dice import Seal, SealedDice, SecureDice, SeededDice
from cantstop.game import Game
from cantstop.record import Record
from cantstop.rules import (
    Event,
    IllegalAction,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
    edition_named,
)
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
    def new(
        cls,
        rules: Rules,
        seats: tuple[Seat, ...],
        dice: TableDice,
        edition: str | None = None,
        first: int = 0,
    ) -> "Table":
        """A table where nothing has happened yet; ``first`` is the youngest's seat."""
        name = None if edition is None else edition_named(edition).name
        today = datetime.now().astimezone().date().isoformat()
        return cls(Game(start=Position.initial(rules, first)), seats, dice, name, today)

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
    def waits_for_person(self) -> bool:
        """Whether a person decides; before a bot rolls, its forerunner may still think again."""
        if self.seat.bot is None:
            return True
        return self.game.phase is Phase.ROLL and self.may_take_back

    def bot_decision(self) -> Event | None:
        """What the bot in turn does now; None is to roll."""
        assert self.seat.bot is not None
        decision = decide(self.seat.bot, self.game.position, self.game.moves_in_turn)
        match decision:
            case Choice.STOP:
                return Stopped()
            case Choice.ROLL:
                return None
        return Moved(decision)

    def act(self, decision: Event | None) -> None:
        """Let a decision happen; None is to roll."""
        if decision is None:
            self.roll()
        else:
            self.game.push(decision)

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
