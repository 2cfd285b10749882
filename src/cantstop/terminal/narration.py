"""The game in words: what happened, where the tokens stand, and what may be done."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cantstop.draw.seats import clean
from cantstop.game import Game
from cantstop.language import Translator, name_text, resigned_text, round_of, turns_text
from cantstop.odds import par, usable_chance
from cantstop.record import Record
from cantstop.rules import (
    Busted,
    Ending,
    Event,
    Move,
    Moved,
    Outcome,
    Position,
    Rolled,
    RollOff,
    Stopped,
)


def score_text(words: Translator, score: Sequence[tuple[str, int]]) -> str:
    """The score of a series of rematches.

    >>> score_text(Translator(), [("Anne", 2), ("fox", 1)])
    'Anne 2 – 1 Fox'
    """
    shown = [(clean(name_text(words, name)), wins) for name, wins in score]
    if len(shown) == 2:
        (one, wins), (other, losses) = shown
        return f"{one} {wins} – {losses} {other}"
    return " · ".join(f"{name} {wins}" for name, wins in shown)


def risk_text(words: Translator, position: Position) -> str:
    """How likely a bust is with the next roll."""
    chance = 1 - usable_chance(position)
    if not chance:
        return words.say("The next roll cannot be a bust.")
    return words.say("The next roll is a bust in {chance} of cases.", chance=words.percent(chance))


@dataclass(frozen=True)
class Narrator:
    """Describes a game in sentences of the reader's language."""

    words: Translator
    names: tuple[str, ...]
    """As they are shown: bots have their names in the reader's language."""

    def __post_init__(self) -> None:
        shown = tuple(name_text(self.words, name) for name in self.names)
        object.__setattr__(self, "names", shown)

    # Where everybody stands

    def standings(self, position: Position) -> Iterator[str]:
        """One line a seat: the columns it has won, and its tokens."""
        for seat, name in enumerate(self.names):
            won = position.tokens.won_by(seat)
            tokens = [
                self._place(position, column, space)
                for column, space in enumerate(position.tokens.spaces[seat])
                if space and column not in won
            ]
            state = self._state(won, ", ".join(tokens))
            yield self.words.say("{name}: {state}.", name=name, state=state)

    def _state(self, won: tuple[int, ...], tokens: str) -> str:
        if won and tokens:
            return self.words.say("{won}; {tokens}", won=self._columns_won(won), tokens=tokens)
        if won:
            return self._columns_won(won)
        return tokens or self.words.say("no tokens yet")

    def _columns_won(self, columns: tuple[int, ...]) -> str:
        return self.words.say_count(
            "column {columns} won",
            "columns {columns} won",
            len(columns),
            columns=self.words.join(columns),
        )

    def runners(self, position: Position) -> str:
        """Where the runners stand, and how many are still in hand."""
        return self.words.say(
            "Runners: {places}. In hand: {free}.",
            places=", ".join(self._runners(position)),
            free=position.free_runners,
        )

    def _runners(self, position: Position) -> Iterator[str]:
        for column, space in enumerate(position.runners):
            if space:
                yield self._place(position, column, space)

    def _place(self, position: Position, column: int, space: int) -> str:
        top = position.rules.board.top(column)
        if space == top:
            return self.words.say("{column} on the top", column=column)
        return self.words.say(
            "{column} on space {space} of {top}", column=column, space=space, top=top
        )

    # What a move does

    def menu(self, position: Position) -> Iterator[str]:
        """The legal moves, numbered, each with what it does."""
        for number, move in enumerate(position.legal_moves, 1):
            yield self._item(number, move, self.effect(position, move))

    def effect(self, position: Position, move: Move) -> str:
        """What a move does to the runners."""
        after = position.move(move)
        return ", ".join(self._step(position, after, column) for column in sorted(set(move)))

    def _step(self, before: Position, after: Position, column: int) -> str:
        top, space = before.rules.board.top(column), after.runners[column]
        say = self.words.say
        if space == top:
            step = say("{column} to the top", column=column)
        else:
            step = say("{column} to space {space} of {top}", column=column, space=space, top=top)
        return step if before.runners[column] else say("{step} (new)", step=step)

    def odds(self, position: Position) -> Iterator[str]:
        """How likely a bust is: with the next roll, or with the one after each move."""
        if position.roll_off is not None:
            yield self.words.say("There are no odds before the first turn.")
        elif position.dice is None:
            yield risk_text(self.words, position)
        for number, move in enumerate(position.legal_moves, 1):
            yield self._item(number, move, risk_text(self.words, position.move(move)))

    def _item(self, number: int, move: Move, text: str) -> str:
        return f"  {number}) " + self.words.say("{move}: {text}", move=move, text=text)

    # What happened

    def turn(self, position: Position, turn: int) -> str:
        """The heading of a turn."""
        number = round_of(turn, len(self.names))
        return self.words.say("Round {round}: {name}", round=number, name=self.names[position.seat])

    def dice(self, position: Position) -> str:
        """The dice on the table."""
        return self.words.say("On the table: {dice}.", dice=self.words.join(position.dice or ()))

    def event(self, before: Position, event: Event, after: Position) -> Iterator[str]:
        """What an event was."""
        name = self.names[before.seat]
        say = self.words.say
        match event:
            case Rolled(dice) if before.roll_off is not None:
                yield from self._throw(name, dice, after)
            case Rolled(dice):
                yield say("{name} rolls {dice}.", name=name, dice=self.words.join(dice))
            case Moved(move):
                effect = self.effect(before, move)
                yield say("{name} moves {move}: {effect}.", name=name, move=move, effect=effect)
            case Busted():
                yield say("Nothing fits. Bust! {name} loses the progress of this turn.", name=name)
            case Stopped():
                places = ", ".join(self._runners(before))
                yield say("{name} stops: {places}.", name=name, places=places)
                yield from self._wins(before, after)

    def _throw(self, name: str, dice: tuple[int, ...], after: Position) -> Iterator[str]:
        yield self.words.say(
            "{name} throws {dice}, which makes {sum}.",
            name=name,
            dice=self.words.join(dice),
            sum=sum(dice),
        )
        match after.roll_off:
            case None:
                yield self.words.say("{name} starts.", name=self.names[after.seat])
            case RollOff(contenders, ()):
                yield self.words.say("{names} tie and throw again.", names=self._named(contenders))

    def _wins(self, before: Position, after: Position) -> Iterator[str]:
        seat = before.seat
        columns = after.tokens.won_since(before.tokens)
        won, goal = after.tokens.counts[seat], after.rules.columns_to_win
        fields = {"name": self.names[seat], "columns": self.words.join(columns)}
        if columns and won <= goal:
            yield self.words.say_count(
                "{name} wins column {columns}: {won} of {goal}.",
                "{name} wins columns {columns}: {won} of {goal}.",
                len(columns),
                **fields,
                won=won,
                goal=goal,
            )
        elif columns:  # two at once can make more than it takes
            yield self.words.say_count(
                "{name} wins column {columns}.",
                "{name} wins columns {columns}.",
                len(columns),
                **fields,
            )

    def whole_game(self, game: Game) -> Iterator[str]:
        """Everything that happened in a game, and how it ended or where the tokens stand."""
        positions = game.positions
        for before, event, after in zip(positions, game.events, positions[1:], strict=False):
            yield from self.event(before, event, after)
        yield from self.ending(game)

    def ending(self, game: Game) -> Iterator[str]:
        """How a game ended, or where the tokens stand."""
        if game.outcome is None:
            yield from self.standings(game.position)
        else:
            yield from self.outcome(game.position, game.turn, game.outcome)
            yield from self.against_par(game.start, game.turn)

    # How it ended

    def given_up(self, record: Record) -> str:
        """How a game ended that nobody plays on, since others have resigned."""
        winners = record.winners(None)
        if winners is None:
            return self.words.say("The game was given up: nobody has won.")
        return resigned_text(self.words, self.names, winners[0])

    def outcome(self, position: Position, turn: int, outcome: Outcome) -> Iterator[str]:
        """How the game ended, in its last turn."""
        tokens = position.tokens
        if outcome.ending is Ending.NONE_OPEN:
            yield self.words.say("No column is open any more, so the game is over.")
        if len(self.names) == 1:
            yield self.words.say_count(
                "{name} has finished in {count} turn, {columns}.",
                "{name} has finished in {count} turns, {columns}.",
                turn,
                name=self.names[0],
                columns=self._with_columns(tokens.won_by(0)),
            )
        elif outcome.winner is not None:
            yield self.words.say(
                "{name} wins the game in round {round}, {columns}.",
                name=self.names[outcome.winner],
                round=round_of(turn, len(self.names)),
                columns=self._with_columns(tokens.won_by(outcome.winner)),
            )
        else:
            yield self.words.say_count(
                "{names} share the win with {count} column each.",
                "{names} share the win with {count} columns each.",
                tokens.counts[outcome.winners[0]],
                names=self._named(outcome.winners),
            )

    def par(self, start: Position) -> Iterator[str]:
        """What to aim at in a solo game, where that is known."""
        needed = par(start)
        if needed is not None:
            yield self.words.say(
                "Best play needs {turns} on average.", turns=turns_text(self.words, needed, 1)
            )

    def against_par(self, start: Position, turns: int) -> Iterator[str]:
        """How the length of a solo game compares with best play, where that is known."""
        needed = par(start)
        if needed is None:
            return
        say, count = self.words.say, self.words.decimal(abs(turns - needed))
        fields = {"turns": turns_text(self.words, needed, 1), "count": count}
        if count == self.words.decimal(0):
            yield say("Best play needs {turns} on average, as this game did.", **fields)
        elif turns < needed:
            yield say("Best play needs {turns} on average: this game took {count} fewer.", **fields)
        else:
            yield say("Best play needs {turns} on average: this game took {count} more.", **fields)

    def _with_columns(self, columns: tuple[int, ...]) -> str:
        return self.words.say_count(
            "with column {columns}",
            "with columns {columns}",
            len(columns),
            columns=self.words.join(columns),
        )

    def _named(self, seats: Iterable[int]) -> str:
        return self.words.join(self.names[seat] for seat in seats)
