"""A position, and what each event turns it into: the reference for every other part."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Self

from cantstop.rules.chance import Chance, chances, ways
from cantstop.rules.errors import IllegalAction, InvalidRules, InvalidText
from cantstop.rules.events import Event, Moved, Rolled, Stopped
from cantstop.rules.lazy import lazy
from cantstop.rules.moves import Dice, LegalMoves, Move, moves_of, splits
from cantstop.rules.outcome import Outcome
from cantstop.rules.settings import Rules, Sharing, Start
from cantstop.rules.start import RollOff
from cantstop.rules.tokens import NOBODY, Tokens


class Phase(Enum):
    """What is to happen next."""

    START = "start"  # a seat throws two dice for the start (M4)
    ROLL = "roll"  # a turn begins: the player has to roll (T8)
    MOVE = "move"  # dice are on the table and can be used
    CHOICE = "choice"  # stop or roll again
    BUST = "bust"  # dice are on the table and are of no use (T7)
    OVER = "over"


@dataclass(frozen=True)
class Position:
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

    tokens: Tokens
    seat: int
    runners: tuple[int, ...]
    dice: Dice | None = None
    roll_off: RollOff | None = None

    @classmethod
    def initial(cls, rules: Rules, first: int = 0) -> Self:
        """The position before anything has happened.

        ``first`` is the seat that the table marks as the youngest; only the rules that let the
        youngest start (M4) take another one than the first seat.
        """
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
        contested = rules.start is Start.ROLL_OFF and rules.players > 1
        return cls(
            Tokens.none(rules),
            first,
            no_runners(rules),
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

    # What there is to know

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.tokens.rules

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.tokens.outcome

    @property
    def phase(self) -> Phase:
        """What is to happen next."""
        if self.tokens.outcome is not None:
            return Phase.OVER
        if self.dice is not None:
            return Phase.MOVE if self._moves else Phase.BUST
        if self.roll_off is not None:
            return Phase.START
        return Phase.CHOICE if any(self.runners) else Phase.ROLL

    @property
    def is_anchor(self) -> bool:
        """Whether a turn begins here."""
        return self.phase is Phase.ROLL

    @property
    def free_runners(self) -> int:
        """How many runners the player still has in hand."""
        runners = self.runners
        return self.tokens.rules.board.runners - len(runners) + runners.count(0)

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that the dice on the table allow; none where there are no dice."""
        # not kept: the two would hold each other, and wait for the garbage collector
        return LegalMoves(lambda: self._moves)

    @lazy
    def _moves(self) -> tuple[Move, ...]:
        if self.dice is None:
            return ()
        return moves_of(
            splits(self.dice), self._steps_left, self.runners, self.free_runners, self.rules.early
        )

    def _steps_left(self, column: int) -> int:
        """How many steps a runner can still make in a column (T2, T6)."""
        tokens = self.tokens
        if tokens.owners[column] != NOBODY:
            return 0
        space = self.runners[column] or tokens.spaces[self.seat][column]
        steps = tokens.rules.board.tops[column] - space
        if tokens.rules.sharing is Sharing.LEAPFROG:
            steps -= len(tokens.opponents_above(self.seat, column, space))
        return steps

    def _next_space(self, column: int, space: int) -> int:
        """The space above, or with V4 the next one without an opponent's token.

        A token on the top would have closed the column, so there always is one.
        """
        space += 1
        if self.tokens.rules.sharing is Sharing.LEAPFROG:
            while self.tokens.opponent_on(self.seat, column, space):
                space += 1
        return space

    @property
    def shared_runners(self) -> tuple[int, ...]:
        """The columns whose runner stands with an opponent's token."""
        return tuple(
            column
            for column, space in enumerate(self.runners)
            if space and self.tokens.opponent_on(self.seat, column, space)
        )

    @property
    def may_stop(self) -> bool:
        """Whether the player may stop now (T8, V3)."""
        return self.phase is Phase.CHOICE and not (
            self.rules.sharing is Sharing.NO_REST and self.shared_runners
        )

    @property
    def may_roll(self) -> bool:
        """Whether dice are to be thrown, or may be."""
        return self.phase in (Phase.START, Phase.ROLL, Phase.CHOICE)

    @property
    def dice_to_roll(self) -> int:
        """How many dice the next roll has: two in the roll-off for the start, else four (T1)."""
        return 4 if self.roll_off is None else 2

    @property
    def chances(self) -> tuple[Chance, ...]:
        """The chance node of the next roll: every distinct roll with its exact probability."""
        return chances(self.rules.board.sides, self.dice_to_roll) if self.may_roll else ()

    # What can happen

    def roll(self, dice: Dice) -> Self:
        """Throw these dice."""
        if self.dice is not None or self.tokens.outcome is not None:
            self._refuse_roll()
        fallen = tuple(sorted(dice))
        if fallen not in ways(self.tokens.rules.board.sides, self.dice_to_roll):
            self._refuse_dice(dice)
        if self.roll_off is not None:
            return self._throw_for_start(sum(dice))
        return self._next(self.tokens, self.seat, self.runners, fallen)

    def _refuse_roll(self) -> None:
        if self.phase is Phase.OVER:
            raise IllegalAction("The game is over.")
        raise IllegalAction("There are dice on the table already; they have to be used first.")

    def _refuse_dice(self, dice: Dice) -> None:
        raise InvalidText(
            "{dice} is not a roll: it takes {count} dice from 1 to {sides}.",
            dice="-".join(map(str, dice)),
            count=self.dice_to_roll,
            sides=self.rules.board.sides,
        )

    def _throw_for_start(self, total: int) -> Self:
        assert self.roll_off is not None
        after = self.roll_off.thrown(total)
        if isinstance(after, RollOff):
            return replace(self, seat=after.seat, roll_off=after)
        return replace(self, seat=after, roll_off=None)

    def move(self, move: Move) -> Self:
        """Use the dice on the table: each column of the move sees a runner step up (T3)."""
        if move not in self._moves:
            self._refuse_move(move)
        runners = list(self.runners)
        spaces = self.tokens.spaces[self.seat]
        for column in move:
            runners[column] = self._next_space(column, runners[column] or spaces[column])
        return self._next(self.tokens, self.seat, tuple(runners))

    def _refuse_move(self, move: Move) -> None:
        if self.phase is Phase.OVER:
            raise IllegalAction("The game is over.")
        if self.dice is None:
            raise IllegalAction("There are no dice on the table: roll first.")
        if self.phase is Phase.BUST:
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
        tokens = self.tokens.advanced(self.seat, self.runners)
        return self._turn_over(tokens, self.seat if tokens.outcome else self._next_seat)

    def _refuse_stop(self) -> None:
        phase = self.phase
        if phase is Phase.OVER:
            raise IllegalAction("The game is over.")
        if phase is Phase.CHOICE:
            raise IllegalAction(
                "No stopping now (V3): a runner shares its space with a token in column {columns}.",
                columns=", ".join(map(str, self.shared_runners)),
            )
        if self.dice is not None:
            raise IllegalAction("There are dice on the table already; they have to be used first.")
        raise IllegalAction("A turn cannot be stopped before its first move.")

    def bust(self) -> Self:
        """Give up the turn because the roll is of no use: only whose turn it is changes (T7)."""
        if self.phase is not Phase.BUST:
            raise IllegalAction("This is not a bust.")
        return self._turn_over(self.tokens, self._next_seat)

    @property
    def _next_seat(self) -> int:
        return (self.seat + 1) % self.rules.players

    def _turn_over(self, tokens: Tokens, seat: int) -> Self:
        return self._next(tokens, seat, no_runners(self.rules))

    def _next(
        self, tokens: Tokens, seat: int, runners: tuple[int, ...], dice: Dice | None = None
    ) -> Self:
        # Filled directly: the __init__ of a frozen dataclass takes nearly three times as long, and
        # a game makes hundreds of positions.
        position = object.__new__(type(self))
        position.__dict__.update(
            tokens=tokens, seat=seat, runners=runners, dice=dice, roll_off=None
        )
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
            case _:  # Busted
                return self.bust()


def no_runners(rules: Rules) -> tuple[int, ...]:
    """Every runner in hand."""
    return (0,) * len(rules.board.tops)
