"""A recorded game in lines of text, with what every turn was worth."""

from collections.abc import Iterator

from cantstop.game import Game
from cantstop.language import worth_text
from cantstop.review import Review
from cantstop.review.text import decision_sentence
from cantstop.rules import Busted, Rolled, Stopped
from cantstop.terminal.narration import Narrator


def evaluated_game(narrator: Narrator, game: Game, found: Review) -> Iterator[str]:
    """Everything that happened, everybody's chance to win after it, and what was a mistake."""
    positions, errors = game.positions, {}
    for one in found.decisions:
        if one.grade.is_error:
            errors[one.n] = decision_sentence(narrator.words, one)
    yield _worths(narrator, found, 0)
    for n, event in enumerate(game.events, 1):
        yield from narrator.event(positions[n - 1], event, positions[n])
        if n in errors:
            yield f"  {errors[n]}"
        if isinstance(event, Rolled | Stopped | Busted) and positions[n].outcome is None:
            yield _worths(narrator, found, n)
    yield from narrator.ending(game)


def _worths(narrator: Narrator, found: Review, n: int) -> str:
    """Everybody's chance to win after event n; alone, the turns that are still needed."""
    words, worths = narrator.words, found.moments[n].worths
    shown = ", ".join(
        f"{name} {worth_text(words, worth, solo=found.is_solo)}"
        for name, worth in zip(narrator.names, worths, strict=True)
    )
    if found.is_solo:
        return "  " + words.say("Turns still needed: {worths}.", worths=shown)
    return "  " + words.say("Chances to win: {worths}.", worths=shown)
