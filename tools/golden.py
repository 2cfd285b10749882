"""Rewrite the golden playthroughs and the counted trees; `git diff` shows what has changed.

A playthrough is a record with comments: after every event the position and everything the rules
say about it. It is the contract that every other implementation of the rules has to meet.
"""

from collections.abc import Iterator
from pathlib import Path

import counted_trees
from cantstop import (
    Busted,
    Event,
    Game,
    Moved,
    Phase,
    Position,
    Record,
    Rolled,
    Rules,
    SeededDice,
    Stopped,
    record_text,
)
from cantstop.record.write import result_text
from cantstop.rules import dice_text
from playthroughs import PLAYTHROUGHS, Playthrough

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
LONGEST = 2000
"""Events: a game that does not end is a bug that its file shows."""
NAMES = ("Ada", "Zoë", "Blaise", 'Émilie "Milie"')


def next_event(game: Game, dice: SeededDice, patience: int) -> Event:
    """What happens next: a simple player who takes the moves in turn, so that all get played."""
    position = game.position
    match position.phase:
        case Phase.BUST:
            return Busted()
        case Phase.MOVE:
            moves = position.legal_moves
            return Moved(moves[game.rolls % len(moves)])
        case Phase.CHOICE if position.may_stop and is_content(position, patience):
            return Stopped()
        case _:
            return Rolled(dice.roll(game.rolls + 1, position.dice_to_roll))


def is_content(position: Position, patience: int) -> bool:
    """Whether the turn has made its steps, or a runner is on a top."""
    tokens, board = position.tokens.spaces[position.seat], position.rules.board
    runners = [(column, space) for column, space in enumerate(position.runners) if space]
    steps = sum(space - tokens[column] for column, space in runners)
    return steps >= patience or any(space == board.top(column) for column, space in runners)


def play(playthrough: Playthrough) -> Record:
    """The game of a playthrough, from its seed."""
    rules = Rules.parse(playthrough.rules)
    dice = SeededDice(playthrough.seed, rules.board.sides)
    game = Game(start=Position.initial(rules, playthrough.youngest))
    while game.outcome is None and len(game.events) < LONGEST:
        game.push(next_event(game, dice, playthrough.patience))
    names = NAMES[: rules.players]
    return Record(game.start, names, game.events, playthrough.edition, dice=dice)


def playthrough_text(playthrough: Playthrough) -> str:
    """The record of a playthrough, one event a line, each with what the rules say after it."""
    record = play(playthrough)
    game = Game(start=record.start)
    headers = record_text(record).partition("\n\n")[0]
    lines = [f"# {playthrough.about}", headers, "", *answers(game.position)]
    for event in record.events:
        if game.position.is_anchor:
            lines.append("")
        lines.append(words(game, event))
        game.push(event)
        lines += answers(game.position)
    return "\n".join([*lines, "", record_text(record).splitlines()[-1], ""])


def words(game: Game, event: Event) -> str:
    """An event as a record has it; the first of a turn comes with the turn's number and seat."""
    position, sides = game.position, game.rules.board.sides
    match event:
        case Rolled(dice) if position.roll_off is not None:
            before = "      " if position.roll_off.sums else "start "
            return f"{before}{position.seat + 1}:{dice_text(dice, sides)}"
        case Rolled(dice):
            before = f"{game.turn}. ({position.seat + 1})" if position.is_anchor else " "
            return f"{before} {dice_text(dice, sides)}"
        case Moved(move):
            return f"  ={move}"
        case Busted():
            return "  =bust"
        case Stopped():
            return "  stop"


def answers(position: Position) -> Iterator[str]:
    """What the rules say about a position, as comments."""
    outcome = position.outcome
    over = f"{result_text(outcome)} ({outcome.ending.value})" if outcome else "-"
    yield f"# {position}"
    yield (
        f"# phase={position.phase.value} moves={','.join(map(str, position.legal_moves)) or '-'}"
        f" may_stop={'yes' if position.may_stop else 'no'} outcome={over}"
    )


def files() -> dict[Path, str]:
    """Everything that is written: path and text."""
    return {
        FOLDER / f"{playthrough.name}.cantstop": playthrough_text(playthrough)
        for playthrough in PLAYTHROUGHS
    }


def main() -> None:
    """Write all files, and remove playthroughs that are no longer listed."""
    texts = files()
    for stale in set(FOLDER.glob("*.cantstop")) - set(texts):
        stale.unlink()
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    counted_trees.main()


if __name__ == "__main__":
    main()
