"""A position, and what each event turns it into: the reference for every other part."""

from collections.abc import Sequence
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
    ENTER,
    IN_HAND,
    NO_MOVES,
    RUNNER,
    RUNNERS,
    SECOND_STEP,
    STEP,
    WHOLE_DIGIT,
    AnyDice,
    AnyMove,
    Dice,
    LegalMoves,
    Move,
    Reach,
    Roll,
    columns_of,
    read_dice,
)
from cantstop.rules.options import read_rules
from cantstop.rules.outcome import Outcome
from cantstop.rules.settings import Rules, Sharing, Start
from cantstop.rules.start import RollOff
from cantstop.rules.tokens import Tokens

if TYPE_CHECKING:
    from cantstop.engine import Evaluator, Hint


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
_NO_REST = Sharing.NO_REST


def check_is_position(value: object) -> None:
    """Raise WrongType unless the value is a Position.

    Raises:
        WrongType: If it is not a position.
    """
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
        "outcome",
        "phase",
        "reach",
        "roll_off",
        "seat",
        "standing",
        "tokens",
    )

    outcome: Outcome | None
    """How the game ended, or None while it goes on."""
    phase: Phase
    """What is to happen next."""
    reach: Reach
    """Where runners can step now."""
    standing: tuple[int, ...]
    """What a stop would leave to the player: a column's space is the runner's, else the token's."""
    legal_moves: LegalMoves
    """The moves that the dice on the table allow; none where there are no dice."""

    @property
    def runners(self) -> tuple[int, ...]:
        """Derived, because a game seldom asks for it: ``standing`` is what moves and stops need."""
        runners = [0] * len(self.standing)
        for column in columns_of(self.reach & RUNNERS):
            runners[column] = self.standing[column]
        return tuple(runners)


def _nothing() -> Any:  # noqa: ANN401 - for fields of any type
    """A default that leaves the draft's slot or property alone, which a value would hide."""


@dataclass(frozen=True, init=False)
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
    """The tokens of all seats, with the rules."""
    seat: int
    """Whose turn it is; seats count from 0."""
    runners: tuple[int, ...] = field(default_factory=_nothing)
    """The space of the runner in each column, 0 where there is none; the index is the column."""
    dice: Dice | None = field(default_factory=_nothing)
    """The dice on the table, lowest first, or None."""
    roll_off: RollOff | None = field(default_factory=_nothing)
    """Who still throws for the start (M4), or None where that is settled."""

    def __init__(
        self,
        tokens: Tokens,
        seat: int,
        runners: Sequence[int],
        dice: Dice | None = None,
        roll_off: RollOff | None = None,
    ) -> None:
        if not isinstance(tokens, Tokens):
            raise WrongType(
                "{value} are not the tokens of a position: Position.initial makes one, and "
                "Position.parse reads one.",
                value=repr(tokens),
            )
        put = object.__setattr__
        put(self, "tokens", tokens)
        put(self, "seat", seat)
        put(self, "dice", dice)
        put(self, "roll_off", roll_off)
        put(self, "outcome", tokens.outcome)
        own = tokens.spaces[seat]
        standing = [runner or token for runner, token in zip(runners, own, strict=True)]
        put(self, "standing", tuple(standing))
        put(self, "reach", self._find_reach(runners))
        put(self, "legal_moves", self._find_moves())
        put(self, "phase", self._find_phase())

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

        Raises:
            WrongType: If the rules, the seat or the number of players are of another kind.
            InvalidText: If the text of the rules cannot be read.
            InvalidRules: If there are no such rules, or this seat cannot start by them.
        """
        rules = read_rules(rules, players)
        try:
            first = whole_number(first)
        except TypeError:
            raise WrongType("{seat} is not a seat: seats count from 0.", seat=repr(first)) from None
        if not 0 <= first < rules.players:
            raise InvalidRules(
                "Seat {seat} cannot start: the number of seats is {players}.",
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
        """Read a position text; one that no game can reach is refused.

        Raises:
            InvalidText: If the text is not a position.
            InvalidRules: If there are no such rules.
            ImpossiblePosition: If no game can reach it.
        """
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
        return _CHOICE if self.reach & RUNNERS else _ROLL

    @property
    def is_anchor(self) -> bool:
        """Whether a turn begins here."""
        return self.phase is _ROLL

    @property
    def free_runners(self) -> int:
        """How many runners the player still has in hand."""
        return self.reach & IN_HAND

    def _find_reach(self, runners: Sequence[int]) -> Reach:
        reach = self.tokens.reach[self.seat]
        for column, space in enumerate(runners):
            if space:
                reach |= RUNNER[column]
                if reach & IN_HAND:  # otherwise there are more runners than a turn has
                    reach -= 1
                steps = self.tokens.steps_left(self.seat, column, space)
                if steps < 2:
                    reach &= ~SECOND_STEP[column]
                if not steps:
                    reach &= ~STEP[column]
        return reach if reach & IN_HAND else reach & (reach & RUNNERS) * WHOLE_DIGIT

    def _find_moves(self) -> LegalMoves:
        if self.dice is None or self.roll_off is not None:
            return NO_MOVES
        return self.rules.rolls[self.dice].moves(self.reach)

    @property
    def shared_runners(self) -> tuple[int, ...]:
        """The columns whose runner stands with an opponent's token."""
        return tuple(
            column
            for column in columns_of(self.reach & RUNNERS)
            if self.tokens.opponent_on(self.seat, column, self.standing[column])
        )

    @property
    def may_stop(self) -> bool:
        """Whether the player may stop now (T8, V3)."""
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

    def hint(self, evaluator: "Evaluator | None" = None) -> "Hint":
        """What to do here: every option with its chance to win, the best first.

        Without another evaluator it is the best one for the game.

        >>> print(Position.parse("v1,players=2 -/- 1 - 1266").hint().options[0].action)
        7+8
        """
        from cantstop.engine import hint  # far above, and it takes a moment to load

        return hint(self, evaluator)

    # What can happen

    def roll(self, dice: AnyDice) -> Self:
        """Throw these dice: ``(2, 3, 4, 5)`` or ``"2345"``.

        Raises:
            IllegalAction: If no dice can be thrown now.
            InvalidText: If these are not dice of the game.
            WrongType: If they are neither numbers nor a text.
        """
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
        draft.standing = self.standing
        draft.dice = roll.dice
        draft.roll_off = draft.outcome = None
        draft.reach = reach = self.reach
        draft.legal_moves = moves = roll[
            reach & (roll.relevant_to_last if reach & IN_HAND == 1 else roll.relevant)
        ]
        draft.phase = _MOVE if moves else _BUST
        draft.__class__ = type(self)
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

        Raises:
            IllegalAction: If there are no dice, or they do not allow this move.
            InvalidText: If the text is not a move.
            WrongType: If it is neither columns nor a text.
        """
        for legal in self.legal_moves:
            if move is legal:
                break
        else:
            move = self._read_move(move)
        tokens, seat, reach = self.tokens, self.seat, self.reach
        standing, own, rules = [*self.standing], tokens.spaces[seat], tokens.rules
        plain_below = rules.plain_below
        for column in move:
            space = standing[column]
            if space == own[column]:  # a runner would be above its token
                reach += ENTER[column]
            if space < plain_below[column]:
                standing[column] = space + 1
                continue
            standing[column], left = tokens.step(seat, column, space)
            if left < 2:
                reach &= ~SECOND_STEP[column]
                if not left:
                    reach &= ~STEP[column]
        if not reach & IN_HAND and self.reach & IN_HAND:  # T2: only runners that are out go on
            reach &= (reach & RUNNERS) * WHOLE_DIGIT
        draft: Any = _Draft()
        draft.tokens = tokens
        draft.seat = seat
        draft.standing = tuple(standing)
        draft.dice = draft.roll_off = draft.outcome = None
        draft.reach = reach
        draft.legal_moves = NO_MOVES
        draft.phase = _CHOICE
        draft.__class__ = type(self)
        position: Self = draft
        return position

    def _read_move(self, move: AnyMove) -> Move:
        read = Move.read(move)
        if not self.legal_moves.count(read):  # ``in`` would read it again
            self._refuse_move(read)
        return read

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
        """End the turn: runners become tokens (T9), tops are won (W2), the next player is on.

        Raises:
            IllegalAction: If the player may not stop now (``may_stop``).
        """
        if self.phase is not _CHOICE or self.tokens.rules.sharing is _NO_REST:
            self._check_may_stop()
        seat = self.seat
        tokens = self.tokens.advanced(seat, self.standing, self.reach)
        if tokens.outcome is not None:
            return self._turn(tokens, seat, _OVER)
        return self._turn(tokens, (seat + 1) % len(tokens.spaces), _ROLL)

    def _check_may_stop(self) -> None:
        phase = self.phase
        if self.may_stop:
            return
        if phase is _OVER:
            raise IllegalAction("The game is over.")
        if phase is _CHOICE:
            raise IllegalAction(
                "No stopping now (V3): no rest on a space that is shared with a token, here in "
                "{columns}.",
                columns=", ".join(map(str, self.shared_runners)),
            )
        if self.dice is not None:
            raise IllegalAction("There are dice on the table already; they have to be used first.")
        raise IllegalAction("A turn cannot be stopped before its first move.")

    def bust(self) -> Self:
        """Give up the turn because the roll is of no use: only whose turn it is changes (T7).

        Raises:
            IllegalAction: If the dice on the table can be used, or there are none.
        """
        if self.phase is not _BUST:
            raise IllegalAction("This is not a bust.")
        return self._turn(self.tokens, (self.seat + 1) % self.rules.players, _ROLL)

    def _turn(self, tokens: Tokens, seat: int, phase: Phase) -> Self:
        """The position at the start of a turn, or at the end of the game."""
        draft: Any = _Draft()
        draft.tokens = tokens
        draft.seat = seat
        draft.standing = tokens.spaces[seat]
        draft.outcome = tokens.outcome
        draft.dice = draft.roll_off = None
        draft.reach = tokens.reach[seat]
        draft.phase = phase
        draft.legal_moves = NO_MOVES
        draft.__class__ = type(self)
        position: Self = draft
        return position

    def after(self, event: Event) -> Self:
        """The position that an event leads to.

        Raises:
            IllegalAction: If it cannot happen here.
            WrongType: If it is not an event.
        """
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
