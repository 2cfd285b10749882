"""A game that goes on by itself from one decision of a learner to the next."""

from collections.abc import Mapping

from cantstop.bots import Decisions, decide
from cantstop.dice import DiceSource
from cantstop.rules import (
    Action,
    Choice,
    Dice,
    InvalidText,
    Phase,
    Position,
    Rules,
    WrongType,
    whole_number,
)

MOST_TURNS = 10_000
"""The most turns of a game; then it is truncated, as its agents never stop."""


def check_max_turns(turns: int) -> int:
    """The number of turns after which a game is truncated; raises unless it is positive."""
    try:
        found = whole_number(turns)
    except TypeError:
        raise WrongType(
            "{name} is a whole number, not “{text}”.", name="max_turns", text=turns
        ) from None
    if found < 1:
        raise InvalidText("{name} is at least {least}.", name="max_turns", least=1)
    return found


class Episode:
    """One game, by the rules.

    The throws for the start, the first roll of every turn, busts and the turns of bots are nothing
    to decide: they happen. ``bots`` are the seats that are theirs.

    >>> from cantstop.dice import SeededDice
    >>> episode = Episode(Rules(players=1), SeededDice(2026))
    >>> episode.position.legal_moves
    <LegalMoves: 2+8, 3+7>
    """

    def __init__(
        self,
        rules: Rules,
        dice: DiceSource,
        bots: Mapping[int, Decisions] | None = None,
        max_turns: int = MOST_TURNS,
    ) -> None:
        self.dice, self.bots, self.max_turns = dice, bots or {}, max_turns
        self.rolls = 0
        self.turns = 0
        """Turns that have ended, of all seats."""
        self.moves = 0
        """Moves that the turn in progress has had."""
        self.position = Position.initial(rules)
        while self.position.phase is Phase.START:
            self.position = self.position.roll(self.throw(2))
        self._advance()

    @property
    def given_up(self) -> bool:
        """Whether the game has gone on for too long."""
        return self.turns >= self.max_turns and self.position.outcome is None

    @property
    def ended(self) -> bool:
        """Whether nothing follows."""
        return self.position.outcome is not None or self.turns >= self.max_turns

    def throw(self, count: int) -> Dice:
        """The dice of the next roll."""
        self.rolls += 1
        return self.dice.roll(self.rolls, count)

    def bot(self, seat: int) -> Decisions | None:
        """Who decides at a seat, if it is not a learner."""
        return self.bots.get(seat)

    def act(self, action: Action) -> None:
        """Do what a learner decides, and go on to the next decision; the rules refuse the rest."""
        self._do(action)
        self._advance()

    def lose_turn(self) -> None:
        """End the turn as a bust does, and go on to the next decision."""
        position = self.position
        self._end_turn(
            Position(
                position.tokens,
                (position.seat + 1) % position.rules.players,
                position.rules.board.no_runners,
            )
        )
        self._advance()

    def _advance(self) -> None:
        while not self.ended:
            position = self.position
            bot = self.bot(position.seat)
            if position.phase is Phase.ROLL:
                self._do(Choice.ROLL)
            elif bot is not None:
                self._do(decide(bot, position, self.moves))
            else:
                return

    def _do(self, action: Action) -> None:
        match action:
            case Choice.STOP:
                self._end_turn(self.position.stop())
            case Choice.ROLL:
                rolled = self.position.roll(self.throw(4))
                if rolled.phase is Phase.BUST:
                    self._end_turn(rolled.bust())
                else:
                    self.position = rolled
            case move:
                self.position = self.position.move(move)
                self.moves += 1

    def _end_turn(self, position: Position) -> None:
        self.position = position
        self.turns += 1
        self.moves = 0
