"""A game being played: a position with its history, and the actions that lead on."""

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Self

from cantstop.dice import SecureDice
from cantstop.draw import board_svg, board_text
from cantstop.rules import (
    Busted,
    Dice,
    Event,
    IllegalAction,
    LegalMoves,
    Move,
    Moved,
    Outcome,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
    moves_after,
    parse_dice,
)

if TYPE_CHECKING:
    from cantstop.engine import Hint

_BUST = Phase.BUST


class Game:
    """A game of Can't Stop, from its start or from any position.

    >>> game = Game()
    >>> game.roll("2345")
    <LegalMoves: 5+9, 6+8, 7+7>
    >>> game.move("6+8")
    >>> game.stop()
    >>> game.seat, game.turn
    (1, 2)
    >>> game.undo()
    Stopped()
    """

    def __init__(self, rules: Rules | None = None, *, start: Position | None = None) -> None:
        if rules is not None and start is not None and start.rules != rules:
            raise IllegalAction("The position to start from has other rules than the game.")
        self._start = start or Position.initial(rules or Rules())
        self._positions = [self._start]
        self._events: list[Event] = []

    @classmethod
    def parse(cls, position: str) -> Self:
        """A game that starts from a position text."""
        return cls(start=Position.parse(position))

    @classmethod
    def replay(cls, start: Position, events: Iterable[Event]) -> Self:
        """The game that a list of events makes; an event that the rules forbid is refused."""
        game = cls(start=start)
        for event in events:
            game.push(event)
        return game

    # What there is to know

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._start.rules

    @property
    def start(self) -> Position:
        """The position the game started from."""
        return self._start

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the game: one before each event, and the one now."""
        return tuple(self._positions)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, oldest first."""
        return tuple(self._events)

    @property
    def phase(self) -> Phase:
        """What is to happen next."""
        return self.position.phase

    @property
    def seat(self) -> int:
        """Whose turn it is, counted from 0."""
        return self.position.seat

    @property
    def dice(self) -> Dice | None:
        """The dice on the table."""
        return self.position.dice

    @property
    def runners(self) -> dict[int, int]:
        """The runners on the board: column to space."""
        return {column: space for column, space in enumerate(self.position.runners) if space}

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that the dice on the table allow."""
        return self.position.legal_moves

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.position.outcome

    @property
    def turn(self) -> int:
        """The number of the turn now, or of the last one when the game is over."""
        over = self.outcome is not None
        return sum(isinstance(event, Stopped | Busted) for event in self._events) + (not over)

    @property
    def rolls(self) -> int:
        """How many rolls there have been, the roll-off's included."""
        return sum(isinstance(event, Rolled) for event in self._events)

    @property
    def moves_in_turn(self) -> int:
        """How many moves the turn in progress has had."""
        return reduce(moves_after, self._events, 0)

    def hint(self) -> "Hint":
        """What to do now: every option with its chance to win, the best first.

        >>> game = Game.parse("v1,players=2 -/- 1 2:2,3:3,12:3 -")
        >>> game.hint().best.action
        <Press.STOP: 'stop'>
        """
        return self.position.hint()

    # What can be done

    def roll(self, dice: Dice | str | None = None) -> LegalMoves:
        """Throw the dice: these, or fresh ones. Returns the moves they allow.

        If there is none the turn is lost: the bust follows by itself, and the result is empty.
        """
        if dice is None:
            count = self.position.dice_to_roll
            dice = SecureDice(self.rules.board.sides).roll(count=count)
        elif isinstance(dice, str):
            dice = parse_dice(dice)
        position = self._positions[-1].roll(dice)
        self._append(Rolled(dice), position)
        if position.phase is _BUST:
            self._append(Busted(), position.bust())
        return position.legal_moves

    def move(self, move: Move | Iterable[int] | str) -> None:
        """Use the dice on the table: ``"6+8"``, ``(6, 8)`` or one of the legal moves."""
        if isinstance(move, str):
            move = Move.parse(move)
        elif not isinstance(move, Move):
            move = Move(*move)
        self._append(Moved(move), self._positions[-1].move(move))

    def stop(self) -> None:
        """End the turn and keep its progress."""
        self._append(Stopped(), self._positions[-1].stop())

    def push(self, event: Event) -> None:
        """Let an event happen."""
        self._append(event, self._positions[-1].after(event))

    def _append(self, event: Event, position: Position) -> None:
        self._positions.append(position)
        self._events.append(event)

    def undo(self) -> Event:
        """Take the last event back and return it; a bust goes together with its roll.

        Only where the game started with that roll on the table the bust goes alone.
        """
        if not self._events:
            raise IllegalAction("There is nothing to take back.")
        self._positions.pop()
        event = self._events.pop()
        if isinstance(event, Busted) and self._events:
            return self.undo()
        return event

    def copy(self) -> Self:
        """The same game, to be played on apart."""
        return self.replay(self._start, self._events)

    def __repr__(self) -> str:
        return f"<Game {self.position}>"

    def __str__(self) -> str:
        return board_text(self.position)

    def _repr_svg_(self) -> str:
        """The board, for notebooks to show."""
        return board_svg(self.position)
