"""A hint in words: for terminals, pipes and screen readers."""

from collections.abc import Iterator
from fractions import Fraction

from cantstop.engine.analysis import Hint
from cantstop.language import Translator, action_text, bust_text, stake_text, worth_text
from cantstop.odds import usable_chance
from cantstop.rules import Phase


def hint_lines(words: Translator, found: Hint) -> Iterator[str]:
    """Every option with its worth, the best first, and what the figures mean."""
    position, solo = found.position, found.position.rules.players == 1
    names = [action_text(words, option.action, option.then) for option in found.options]
    width = max(map(len, names), default=0)
    error = "" if solo or found.error is None else f" ± {words.decimal(100 * found.error.rms)}"
    for name, option in zip(names, found.options, strict=True):
        yield f"{name:<{width}}  {worth_text(words, option.worth, solo=solo):>6}{error}"
    if position.phase is Phase.BUST:
        yield words.say("This roll is of no use: it is a bust.")
        return
    if solo:
        yield words.say("How many turns will follow this one, on average.")
    else:
        yield words.say("The chance to win.")
    bust, kept = (words.percent(Fraction(share)) for share in (found.bust, 1 - found.bust))
    yield words.say("The turn ends with a stop: {kept}, with a bust: {bust}", kept=kept, bust=bust)


def hint_reasons(words: Translator, found: Hint) -> Iterator[str]:
    """Why: the chance to bust, what that would take, and what the turn may come to."""
    if found.position.phase is Phase.CHOICE:
        bust_chance = 1 - usable_chance(found.position)
        reason = bust_text(words, found.position.runners, bust_chance)
        yield f"{reason[0].upper()}{reason[1:]}."
        if bust_chance:
            yield stake_text(words, found.at_stake)
    if found.options:
        bust, kept = (words.percent(Fraction(share)) for share in (found.bust, 1 - found.bust))
        yield words.say(
            "With best play the turn ends with a stop in {kept} of cases and with a bust in "
            "{bust}.",
            kept=kept,
            bust=bust,
        )
