"""A position, and what each event turns it into: the reference for every other part."""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, Self

from cantstop.rules.chance import Chance, chances, ways
from cantstop.rules.errors import (
    IllegalAction,
    InvalidRules,
    InvalidText,
    WrongType,
    whole_number,
)
from cantstop.rules.events import Busted, Event, Moved, Rolled, Stopped
from cantstop.rules.moves import (
    BITS,
    NO_MOVES,
    AnyDice,
    AnyMove,
    Dice,
    LegalMoves,
    Move,
    Reach,
    Roll,
    read_dice,
)
from cantstop.rules.options import read_rules
from cantstop.rules.outcome import Outcome
from cantstop.rules.settings import Rules, Sharing, Start
from cantstop.rules.start import RollOff
from cantstop.rules.tokens import Tokens

if TYPE_CHECKING:
    from cantstop.engine import Hint


class Phase(Enum):
    """What is to happen next.

    >>> Position.initial().phase, Position.initial().roll("2345").phase
    (<Phase.ROLL: 'roll'>, <Phase.MOVE: 'move'>)
    """

    START = "start"  # a seat throws two dice for the start (M4)
    ROLL = "roll"  # a turn begins: the player has to roll (T8)
    MOVE = "move"  # dice are on the table and can be used
    CHOICE = "choice"  # stop or roll again
    BUST = "bust"  # dice are on the table and are of no use (T7)
    OVER = "over"


# Python 3.11 takes ten times as long to find a member in its enumeration as a name in its module.
_ROLL, _MOVE, _CHOICE, _BUST, _OVER = (Phase.ROLL, Phase.MOVE, Phase.CHOICE, Phase.BUST, Phase.OVER)
_NO_REST, _LEAPFROG = Sharing.NO_REST, Sharing.LEAPFROG


def check_is_position(value: object) -> None:
    """Refuse what is no position."""
    if not isinstance(value, Position):
        raise WrongType(
            "{value} is not a position; a game has its own as “game.position”.", value=repr(value)
        )


class _Draft:
    """A position that is being filled: its fields, and what follows from them.

    A game makes hundreds of positions. The ``__init__`` of a frozen dataclass takes many times as
    long as filling an ordinary object and declaring it a position; who does that fills every slot.
    """

    __slots__ = (
        "dice",
        "legal_moves",
        "may_stop",
        "outcome",
        "phase",
        "reach",
        "roll_off",
        "runners",
        "seat",
        "tokens",
    )

    outcome: Outcome | None
    """How the game ended, or None while it goes on."""
    phase: Phase
    """What is to happen next."""
    reach: Reach
    """Where runners can step now."""
    legal_moves: LegalMoves
    """The moves that the dice on the table allow; none where there are no dice."""
    may_stop: bool
    """Whether the player may stop now (T8, V3)."""


def _nothing() -> None:
    """A default that leaves the slot alone, which a value in the class would hide."""


@dataclass(frozen=True)
class Position(_Draft):
    """Everything that decides what may happen next. Immutable: events make new positions.

    ``runners[column]`` is the space of the runner there, 0 if there is none. ``dice`` lie sorted:
    the order in which they fell changes nothing.

    >>> position = Position.initial(Rules()).roll((5, 2, 4, 3))
    >>> print(position)
    v1,players=2 -/- 1 - 2345
    >>> position.legal_moves
    <LegalMoves: 5+9, 6+8, 7+7>
    >>> position.move(Move(6, 8)).stop().tokens.spaces[0][8]
    1
    """

    __slots__ = ()

    tokens: Tokens
    seat: int
    runners: tuple[int, ...]
    dice: Dice | None = field(default_factory=_nothing)
    roll_off: RollOff | None = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        if not isinstance(self.tokens, Tokens):
            raise WrongType(
                "{value} are not the tokens of a position: Position.initial makes one, and "
                "Position.parse reads one.",
                value=repr(self.tokens),
            )
        put = object.__setattr__
        put(self, "outcome", self.tokens.outcome)
        put(self, "reach", self._find_reach())
        put(self, "legal_moves", self._find_moves())
        put(self, "phase", self._find_phase())
        put(self, "may_stop", self._find_may_stop())

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), (self.tokens, self.seat, self.runners, self.dice, self.roll_off)

    @classmethod
    def initial(
        cls, rules: Rules | str | None = None, first: int = 0, *, players: int | None = None
    ) -> Self:
        """The position before anything has happened, with the usual rules if there are none.

        ``players`` alone is enough where nothing else is special.

        ``first`` is the seat that the table marks as the youngest; only the rules that let the
        youngest start (M4) take another one than the first seat.
        """
        rules = read_rules(rules, players)
        try:
            first = whole_number(first)
        except TypeError:
            raise WrongType("{seat} is not a seat: seats count from 0.", seat=repr(first)) from None
        if not 0 <= first < rules.players:
            raise InvalidRules(
                "Seat {seat} cannot start: there are {players} seats.",
                seat=first + 1,
                players=rules.players,
            )
        if first and rules.start is not Start.YOUNGEST:
            raise InvalidRules(
                "Seat {seat} cannot be named to start: these rules settle it by “{start}”.",
                seat=first + 1,
                start=rules.start.value,
            )
        return cls._initial(rules, first)

    @classmethod
    @lru_cache(maxsize=64)
    def _initial(cls, rules: Rules, first: int) -> Self:
        contested = rules.start is Start.ROLL_OFF and rules.players > 1
        return cls(
            Tokens.none(rules),
            first,
            rules.board.no_runners,
            roll_off=RollOff(tuple(range(rules.players))) if contested else None,
        )

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read a position text; one that no game can reach is refused."""
        from cantstop.rules.text import parse_position  # it needs this class

        return parse_position(text)

    def __str__(self) -> str:
        from cantstop.rules.text import position_text  # it needs this class

        return position_text(self)

    def __repr__(self) -> str:
        return f"<Position {self}>"

    def _repr_svg_(self) -> str:
        """The board, for notebooks to show."""
        from cantstop.draw import board_svg  # far above: the rules do not need to draw

        return board_svg(self)

    # What there is to know

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.tokens.rules

    def _find_phase(self) -> Phase:
        if self.tokens.outcome is not None:
            return _OVER
        if self.dice is not None:
            return _MOVE if self.legal_moves else _BUST
        if self.roll_off is not None:
            return Phase.START
        return _CHOICE if any(self.runners) else _ROLL

    @property
    def is_anchor(self) -> bool:
        """Whether a turn begins here."""
        return self.phase is _ROLL

    @property
    def free_runners(self) -> int:
        """How many runners the player still has in hand."""
        return self.reach[3]

    def _find_reach(self) -> Reach:
        once, twice, taken, _ = self.tokens.reach[self.seat]
        for column, space in enumerate(self.runners):
            if space:
                bit, steps = 1 << column, self.tokens.steps_left(self.seat, column, space)
                taken |= bit
                if steps < 2:
                    twice &= ~bit
                if not steps:
                    once &= ~bit
        free = self.rules.board.runners - taken.bit_count()
        return (once, twice, taken, free) if free else (once & taken, twice & taken, taken, 0)

    def _find_moves(self) -> LegalMoves:
        if self.dice is None or self.roll_off is not None:
            return NO_MOVES
        return self.rules.rolls[self.dice].moves(self.reach)

    @property
    def shared_runners(self) -> tuple[int, ...]:
        """The columns whose runner stands with an opponent's token."""
        return tuple(
            column
            for column, space in enumerate(self.runners)
            if space and self.tokens.opponent_on(self.seat, column, space)
        )

    def _find_may_stop(self) -> bool:
        return self.phase is _CHOICE and not (
            self.rules.sharing is _NO_REST and self.shared_runners
        )

    @property
    def may_roll(self) -> bool:
        """Whether dice are to be thrown, or may be."""
        return self.phase in (Phase.START, _ROLL, _CHOICE)

    @property
    def dice_to_roll(self) -> int:
        """How many dice the next roll has: two in the roll-off for the start, else four (T1)."""
        return 4 if self.roll_off is None else 2

    @property
    def chances(self) -> tuple[Chance, ...]:
        """The chance node of the next roll: every distinct roll with its exact probability."""
        return chances(self.rules.board.sides, self.dice_to_roll) if self.may_roll else ()

    def hint(self) -> "Hint":
        """What to do here: every option with its chance to win, the best first.

        >>> print(Position.parse("v1,players=2 -/- 1 - 1266").hint().options[0].action)
        7+8
        """
        from cantstop.engine import hint  # far above, and NumPy and Numba take a while to load

        return hint(self)

    # What can happen

    def roll(self, dice: AnyDice) -> Self:
        """Throw these dice: ``(2, 3, 4, 5)`` or ``"2345"``."""
        phase, tokens = self.phase, self.tokens
        fallen: Any = dice
        if phase is not _CHOICE and phase is not _ROLL:
            if self.roll_off is not None:
                return self._throw_for_start(dice)
            self._refuse_roll()
        try:
            roll = tokens.rules.rolls[fallen]
            a, b, c, d = fallen
            if not type(a) is type(b) is type(c) is type(d) is int:  # 2.0 is found, being equal
                roll = self._read_roll(dice)
        except (KeyError, TypeError):
            roll = self._read_roll(dice)
        draft: Any = _Draft()
        draft.tokens = tokens
        draft.seat = self.seat
        draft.runners = self.runners
        draft.dice = roll.dice
        draft.roll_off = draft.outcome = None
        draft.reach = reach = self.reach
        draft.legal_moves = moves = roll.moves(reach)
        draft.phase = _MOVE if moves else _BUST
        draft.may_stop = False
        draft.__class__ = self.__class__
        position: Self = draft
        return position

    def _refuse_roll(self) -> NoReturn:
        if self.phase is _OVER:
            raise IllegalAction("The game is over.")
        raise IllegalAction("There are dice on the table already; they have to be used first.")

    def _read_roll(self, dice: AnyDice) -> Roll:
        fallen = read_dice(dice)
        try:
            return self.rules.rolls[fallen]
        except KeyError:
            self._refuse_dice(fallen)

    def _refuse_dice(self, dice: Dice) -> NoReturn:
        raise InvalidText(
            "{dice} is not a roll: it takes {count} dice from 1 to {sides}.",
            dice="-".join(map(str, dice)),
            count=self.dice_to_roll,
            sides=self.rules.board.sides,
        )

    def _throw_for_start(self, dice: AnyDice) -> Self:
        assert self.roll_off is not None
        fallen = read_dice(dice)
        if tuple(sorted(fallen)) not in ways(self.rules.board.sides, self.dice_to_roll):
            self._refuse_dice(fallen)
        after = self.roll_off.thrown(sum(fallen))
        if isinstance(after, RollOff):
            return replace(self, seat=after.seat, roll_off=after)
        return replace(self, seat=after, roll_off=None)

    def move(self, move: AnyMove) -> Self:
        """Use the dice on the table: each column of the move sees a runner step up (T3).

        A move is one of ``legal_moves``, columns such as ``(6, 8)``, or ``"6+8"``.
        """
        if type(move) is not Move:
            move = Move.read(move)
        if not self.legal_moves.count(move):  # ``in`` would read it again
            self._refuse_move(move)
        tokens, seat, runners = self.tokens, self.seat, list(self.runners)
        once, twice, taken, free = self.reach
        rules, spaces = tokens.rules, tokens.spaces[seat]
        tops, leapfrog = rules.board.tops, rules.sharing is _LEAPFROG
        for column in move:
            space = runners[column] + 1
            if space == 1:
                space = spaces[column] + 1
                taken |= BITS[column]
                free -= 1
            left = tops[column] - space
            if leapfrog:  # V4
                space, left = tokens.leapt(seat, column, space)
            runners[column] = space
            if left < 2:
                twice &= ~BITS[column]
                if not left:
                    once &= ~BITS[column]
        if not free:  # T4: no other column can be used any more
            once &= taken
            twice &= taken
        draft: Any = _Draft()
        draft.tokens = tokens
        draft.seat = seat
        draft.runners = tuple(runners)
        draft.dice = draft.roll_off = draft.outcome = None
        draft.reach = (once, twice, taken, free)
        draft.legal_moves = NO_MOVES
        draft.phase = _CHOICE
        draft.may_stop = True
        draft.__class__ = self.__class__
        position: Self = draft
        if rules.sharing is _NO_REST:
            object.__setattr__(position, "may_stop", position._find_may_stop())
        return position

    def _refuse_move(self, move: Move) -> NoReturn:
        if self.phase is _OVER:
            raise IllegalAction("The game is over.")
        if self.dice is None:
            raise IllegalAction("There are no dice on the table: roll first.")
        if self.phase is _BUST:
            raise IllegalAction("This roll is of no use: it is a bust.")
        raise IllegalAction(
            "{move} is not a legal move here; these are: {moves}.",
            move=move,
            moves=", ".join(map(str, self.legal_moves)),
        )

    def stop(self) -> Self:
        """End the turn: runners become tokens (T9), tops are won (W2), the next player is on."""
        if not self.may_stop:
            self._refuse_stop()
        seat = self.seat
        tokens = self.tokens.advanced(seat, self.runners, self.reach)
        if tokens.outcome is not None:
            return self._turn(tokens, seat, _OVER)
        return self._turn(tokens, (seat + 1) % tokens.rules.players, _ROLL)

    def _refuse_stop(self) -> NoReturn:
        phase = self.phase
        if phase is _OVER:
            raise IllegalAction("The game is over.")
        if phase is _CHOICE:
            raise IllegalAction(
                "No stopping now (V3): a runner shares its space with a token in column {columns}.",
                columns=", ".join(map(str, self.shared_runners)),
            )
        if self.dice is not None:
            raise IllegalAction("There are dice on the table already; they have to be used first.")
        raise IllegalAction("A turn cannot be stopped before its first move.")

    def bust(self) -> Self:
        """Give up the turn because the roll is of no use: only whose turn it is changes (T7)."""
        if self.phase is not _BUST:
            raise IllegalAction("This is not a bust.")
        return self._turn(self.tokens, (self.seat + 1) % self.rules.players, _ROLL)

    def _turn(self, tokens: Tokens, seat: int, phase: Phase) -> Self:
        """The position at the start of a turn, or at the end of the game."""
        draft: Any = _Draft()
        draft.tokens = tokens
        draft.seat = seat
        draft.runners = tokens.rules.board.no_runners
        draft.outcome = tokens.outcome
        draft.dice = draft.roll_off = None
        draft.reach = tokens.reach[seat]
        draft.phase = phase
        draft.legal_moves = NO_MOVES
        draft.may_stop = False
        draft.__class__ = self.__class__
        position: Self = draft
        return position

    def after(self, event: Event) -> Self:
        """The position that an event leads to."""
        match event:
            case Rolled(dice):
                return self.roll(dice)
            case Moved(move):
                return self.move(move)
            case Stopped():
                return self.stop()
            case Busted():
                return self.bust()
        raise WrongType(
            "{event} is not an event: events are Rolled, Moved, Stopped and Busted.",
            event=repr(event),
        )
