"""A game played at this terminal: who sits where, the game so far, and where the dice come from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from cantstop.bots import Bot, bot_named, decide
from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
)
from cantstop.game import Game
from cantstop.record import Record
from cantstop.record.record import ENDED_BY_RESIGNING, check_text
from cantstop.rules import (
    Action,
    Busted,
    Choice,
    Dice,
    IllegalAction,
    InvalidText,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
    edition_named,
)

BOT_PREFIX = "bot:"

MOST_KEYS = 9
"""The highest face of a die that one key can enter."""

_SUBSTITUTE = bot_named("careful")
"""Plays on for whoever has resigned, as on a server: it risks little with what is not its own."""

LocalDice = SecureDice | SeededDice | SealedDice | EnteredDice | DailyDice


@dataclass(frozen=True)
class Thrown:
    """Dice that a player threw on the table beside the terminal, and entered."""

    dice: Dice


Decision = Action | Thrown
"""What a player, or a bot, does."""


@dataclass(frozen=True)
class LocalSeat:
    """A place for one player at this terminal: a person, or a bot."""

    name: str
    bot: Bot | None = None

    @classmethod
    def parse(cls, text: str) -> "LocalSeat":
        """The seat of a person, or of a bot: ``Anne``, ``bot:careful:3``."""
        name = text.strip()
        check_text(name)
        if not name.lower().startswith(BOT_PREFIX):
            return cls(name)
        bot = bot_named(name[len(BOT_PREFIX) :])
        return cls(bot.name, bot)

    def __str__(self) -> str:
        """The seat as records and the command line write it."""
        return self.name if self.bot is None else f"{BOT_PREFIX}{self.bot.name}"


def display_names(seats: Sequence[LocalSeat]) -> tuple[str, ...]:
    """The names on screen: a bot that shares its name with another seat gets its seat's number."""
    times = Counter(seat.name for seat in seats)
    return tuple(
        f"{seat.name} {number}" if seat.bot is not None and times[seat.name] > 1 else seat.name
        for number, seat in enumerate(seats, 1)
    )


def check_names(seats: Sequence[LocalSeat]) -> None:
    """Refuse two people with one name: at one terminal nothing else tells them apart."""
    people = Counter(seat.name for seat in seats if seat.bot is None)
    for name, times in people.items():
        if times > 1:
            raise InvalidText("Two players cannot both be called “{name}”.", name=name)


def check_dice(seats: Sequence[LocalSeat], dice: LocalDice) -> None:
    """Refuse bots where the players throw the dice themselves."""
    if isinstance(dice, EnteredDice) and any(seat.bot is not None for seat in seats):
        raise InvalidText("If the players throw the dice, no bot can play.")


@dataclass
class LocalGame:
    """Everything that a save file holds: the game, the seats and the dice."""

    game: Game
    seats: tuple[LocalSeat, ...]
    dice: LocalDice
    edition: str | None = None
    date: str | None = None
    hints: tuple[int, ...] = ()
    """The seats that have had hints, lowest first: the record says so."""
    resigned: tuple[int, ...] = ()
    """The seats that have resigned, lowest first: a bot plays on for them while others play."""
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        check_dice(self.seats, self.dice)
        self.names = display_names(self.seats)

    @classmethod
    def new(
        cls,
        rules: Rules,
        seats: tuple[LocalSeat, ...],
        dice: LocalDice,
        edition: str | None = None,
        first: int = 0,
    ) -> "LocalGame":
        """A game before its first event; ``first`` is the youngest's seat."""
        name = None if edition is None else edition_named(edition).name
        today = datetime.now().astimezone().date().isoformat()
        return cls(Game(start=Position.initial(rules, first)), seats, dice, name, today)

    @classmethod
    def from_record(cls, record: Record) -> "LocalGame":
        """The game as a record left it."""
        if isinstance(record.dice, GradualSeal | GradualDice):
            raise IllegalAction(
                "This game cannot go on here: it was played over days, and its dice need the "
                "salts of all players."
            )
        if isinstance(record.dice, Seal | DaySeal):
            raise IllegalAction(
                "This game cannot go on: its dice are sealed, and the secret is not in the record."
            )
        return cls(
            record.game(),
            tuple(map(LocalSeat.parse, record.names)),
            record.dice or SecureDice(record.rules.board.sides),
            record.edition,
            record.date,
            record.hints,
            record.resigned,
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
            ended=ENDED_BY_RESIGNING if self.is_given_up else None,
            hints=self.hints,
            resigned=self.resigned,
        )

    @property
    def only_person(self) -> int | None:
        """The seat of the only person at this terminal; None where several play, or bots alone."""
        people = [at for at, seat in enumerate(self.seats) if seat.bot is None]
        return people[0] if len(people) == 1 else None

    def note_hint(self, seat: int) -> None:
        """A seat has had a hint: the record is to say so."""
        self.hints = tuple(sorted({*self.hints, seat}))

    @property
    def seat(self) -> LocalSeat:
        """The seat whose turn it is; a bot has that of whoever has resigned."""
        seat = self.seats[self.game.seat]
        return replace(seat, bot=_SUBSTITUTE) if self.game.seat in self.resigned else seat

    def resign(self) -> None:
        """Whoever is in turn gives up: of two the other wins, of more the others play on."""
        if self.game.outcome is not None or self.is_given_up:
            raise IllegalAction("The game is over.")
        if self.seat.bot is not None:
            raise IllegalAction("It is not your turn.")
        if self.enters_dice and len(self.seats) > 2:
            raise IllegalAction(
                "No bot can throw your dice: with three or more, all play to the end."
            )
        self.resigned = tuple(sorted({*self.resigned, self.game.seat}))

    @property
    def is_given_up(self) -> bool:
        """Whether resignations have ended the game: one seat is left, or only bots."""
        left = [seat for at, seat in enumerate(self.seats) if at not in self.resigned]
        playing = len(left) > 1 and any(seat.bot is None for seat in left)
        return bool(self.resigned) and not playing and self.game.outcome is None

    @property
    def enters_dice(self) -> bool:
        """Whether the players throw the dice themselves, and enter what they show."""
        return isinstance(self.dice, EnteredDice)

    @property
    def needs_lines(self) -> bool:
        """Whether dice are entered that have more faces than a key can name: they take a line."""
        return self.enters_dice and self.game.rules.board.sides > MOST_KEYS

    @property
    def name(self) -> str:
        """The name on screen of the seat whose turn it is."""
        return self.names[self.game.seat]

    @property
    def waits_for_person(self) -> bool:
        """Whether a person decides; before a bot rolls, the person before it may still undo."""
        if self.seat.bot is None:
            return True
        return self.game.phase is Phase.ROLL and self.may_undo

    def bot_decision(self) -> Decision:
        """What the bot in turn does now."""
        assert self.seat.bot is not None
        return decide(self.seat.bot, self.game.position, self.game.moves_in_turn)

    def apply(self, action: Decision | Busted) -> None:
        """Apply a decision, or a bust, to the game; what the rules forbid is refused."""
        match action:
            case Choice.ROLL:
                self._roll()
            case Choice.STOP:
                self.game.push(Stopped())
            case Busted():
                self.game.push(action)
            case Thrown(dice):
                self.game.push(Rolled(dice))
            case _:
                self.game.push(Moved(action))

    def _roll(self) -> None:
        """Throw the dice that are due; where none are, the rules refuse."""
        position = self.game.position
        self.game.push(Rolled(self._thrown(position.dice_to_roll) if position.may_roll else ()))

    def _thrown(self, count: int) -> Dice:
        if isinstance(self.dice, DailyDice):
            return self.dice.roll_in_turn(self.game.turn, self.game.moves_in_turn + 1, count)
        return self.dice.roll(self.game.rolls + 1, count)

    @property
    def may_undo(self) -> bool:
        """Whether the last event was a person's decision, or something that people entered."""
        if self.enters_dice:
            return bool(self.game.events) and not self.is_given_up
        if not self.game.events or not isinstance(self.game.events[-1], Moved | Stopped):
            return False
        seat = self.game.positions[-2].seat
        return self.seats[seat].bot is None and seat not in self.resigned and not self.is_given_up

    def undo(self) -> None:
        """Undo a person's last move or stop: possible until dice are thrown again.

        What people have entered can be wrong: there everything can be undone, a bust with its roll.
        """
        if self.enters_dice and not self.may_undo:
            raise IllegalAction("There is nothing to take back.")
        if not self.may_undo:
            raise IllegalAction(
                "There is nothing to take back: only a player's last move or stop can be, and "
                "only until the dice are thrown again."
            )
        self.game.undo()
