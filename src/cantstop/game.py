"""A game being played: a position with its history, and the actions that lead on."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Self

from cantstop.dice import DiceSource, dice_source
from cantstop.draw import board_svg, board_text
from cantstop.rules import (
    AnyDice,
    AnyMove,
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
    WrongType,
    read_dice,
    read_rules,
)

if TYPE_CHECKING:
    from cantstop.engine import Evaluator, Hint

_BUST = Phase.BUST

_STOPPED, _BUSTED = Stopped(), Busted()

_Happened = Dice | Move | Stopped | Busted
"""An event in short: dice for ``Rolled``, a move for ``Moved``. Who plays on needs no more."""

_Step = tuple[Position, "_Step | None", _Happened | None, int, int, int]
"""What has happened so far: the position, the step before and what led on from there, how many
turns have ended, how many rolls there were, and how many moves the turn in progress has had.

Copies of a game share their steps, so that a copy costs nothing. They are plain tuples, because a
game has hundreds of them, and anything with names takes four times as long to make."""


def _event(happened: _Happened) -> Event:
    if isinstance(happened, Stopped | Busted):
        return happened
    if isinstance(happened, Move):
        return Moved(happened)
    return Rolled(read_dice(happened))  # numbers of NumPy's, say: events are plain


class Game:
    """A game of Can't Stop, from its start or from any position.

    ``rules`` are ``Rules`` or their text; ``players`` alone is enough where nothing else is
    special. ``dice`` throw what ``roll`` is not given: a source of dice, or a number as the seed of
    one; without it nobody can foresee them.

    >>> game = Game(players=2)
    >>> game.roll("2345")
    <LegalMoves: 5+9, 6+8, 7+7>
    >>> game.move("6+8")
    >>> game.stop()
    >>> game.seat, game.turn
    (1, 2)
    >>> game.undo()
    Stopped()
    >>> Game("players=3,win=4", dice=7).roll()
    <LegalMoves: 5+11, 7+9, 8+8>
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        players: int | None = None,
        dice: DiceSource | int | None = None,
        start: Position | None = None,
    ) -> None:
        if start is None:
            start = Position.initial(rules, players=players)
        elif not isinstance(start, Position):
            raise WrongType(
                "{start} is not a position to start from; Game.parse reads the text of one.",
                start=repr(start),
            )
        elif rules is not None or players is not None:
            named = start.rules if rules is None else rules
            if read_rules(named, players) != start.rules:
                raise IllegalAction("The starting position has other rules than the game.")
        self._start = start
        self._dice = dice_source(dice, start.rules.board.sides)
        self._step: _Step = (start, None, None, 0, 0, 0)

    @classmethod
    def parse(cls, position: str) -> Self:
        """A game that starts from a position text."""
        return cls(start=Position.parse(position))

    @classmethod
    def replay(
        cls, start: Position, events: Iterable[Event], dice: DiceSource | int | None = None
    ) -> Self:
        """The game that a list of events makes; an event that the rules forbid is refused."""
        game = cls(start=start, dice=dice)
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
    def dice_source(self) -> DiceSource:
        """Where the dice come from that ``roll`` is not given."""
        return self._dice

    @property
    def position(self) -> Position:
        """The position now."""
        return self._step[0]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the game: one before each event, and the one now."""
        found = [step[0] for step in self._steps()]
        return tuple(reversed(found))

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, oldest first."""
        found = [_event(step[2]) for step in self._steps() if step[2] is not None]
        return tuple(reversed(found))

    @property
    def last_event(self) -> Event | None:
        """What happened last, or None at the start."""
        happened = self._step[2]
        return None if happened is None else _event(happened)

    def _steps(self) -> Iterator[_Step]:
        """The steps of the game, the last one first."""
        step: _Step | None = self._step
        while step is not None:
            yield step
            step = step[1]

    @property
    def phase(self) -> Phase:
        """What is to happen next."""
        return self._step[0].phase

    @property
    def seat(self) -> int:
        """Whose turn it is, counted from 0."""
        return self._step[0].seat

    @property
    def dice(self) -> Dice | None:
        """The dice on the table."""
        return self._step[0].dice

    @property
    def runners(self) -> tuple[int, ...]:
        """The space of the runner in each column, 0 where there is none: ``runners[7]``."""
        return self._step[0].runners

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that the dice on the table allow."""
        return self._step[0].legal_moves

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._step[0].outcome

    @property
    def turn(self) -> int:
        """The number of the turn now, or of the last one when the game is over."""
        return self._step[3] + (self.outcome is None)

    @property
    def rolls(self) -> int:
        """How many rolls there have been, the roll-off's included."""
        return self._step[4]

    @property
    def moves_in_turn(self) -> int:
        """How many moves the turn in progress has had."""
        return self._step[5]

    def hint(self, evaluator: "Evaluator | None" = None) -> "Hint":
        """What to do now: every option with its chance to win, the best first.

        Without another evaluator it is the best one for the game.

        >>> game = Game.parse("v1,players=2 -/- 1 2:2,3:3,12:3 -")
        >>> game.hint().best.action
        <Choice.STOP: 'stop'>
        """
        return self.position.hint(evaluator)

    # What can be done

    def roll(self, dice: AnyDice | None = None) -> LegalMoves:
        """Throw the dice: these, or those of the game's source. Returns the moves they allow.

        If there is none the turn is lost: the bust follows by itself, and the result is empty.
        """
        now = self._step
        before, _, _, ends, rolls, moves = now
        if dice is None:
            dice = self._dice.roll(rolls + 1, before.dice_to_roll)
        if type(dice) is not tuple:
            dice = read_dice(dice)
        position = before.roll(dice)
        now = self._step = position, now, dice, ends, rolls + 1, moves
        if position.phase is _BUST:
            self._step = position.bust(), now, _BUSTED, ends + 1, rolls + 1, 0
        return position.legal_moves

    def move(self, move: AnyMove) -> None:
        """Use the dice on the table: ``"6+8"``, ``(6, 8)`` or one of the legal moves."""
        if type(move) is not Move:
            move = Move.read(move)
        now = self._step
        position, _, _, ends, rolls, moves = now
        self._step = position.move(move), now, move, ends, rolls, moves + 1

    def stop(self) -> None:
        """End the turn and keep its progress."""
        now = self._step
        position, _, _, ends, rolls, _ = now
        self._step = position.stop(), now, _STOPPED, ends + 1, rolls, 0

    def push(self, event: Event) -> None:
        """Let an event happen."""
        now = self._step
        before, _, _, ends, rolls, moves = now
        position = before.after(event)
        match event:
            case Rolled(dice):
                self._step = position, now, read_dice(dice), ends, rolls + 1, moves
            case Moved(move):
                self._step = position, now, Move.read(move), ends, rolls, moves + 1
            case Stopped():
                self._step = position, now, _STOPPED, ends + 1, rolls, 0
            case Busted():
                self._step = position, now, _BUSTED, ends + 1, rolls, 0

    def undo(self) -> Event:
        """Take the last event back and return it; a bust goes together with its roll.

        Only where the game started with that roll on the table the bust goes alone.

        Raises:
            IllegalAction: If nothing has happened yet.
        """
        _, before, happened, *_ = self._step
        if before is None or happened is None:
            raise IllegalAction("There is nothing to take back.")
        self._step = before
        if happened is _BUSTED and before[2] is not None:
            return self.undo()
        return _event(happened)

    def copy(self) -> Self:
        """The same game, to be played on apart; it takes no longer where much has happened."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        # the steps are a chain, as long as the game: each would be one call deeper
        return type(self).replay, (self._start, self.events, self._dice)

    def __repr__(self) -> str:
        return f"<Game {self.position}>"

    def __str__(self) -> str:
        return board_text(self.position)

    def _repr_svg_(self) -> str:
        """The board, for notebooks to show."""
        return board_svg(self.position)
