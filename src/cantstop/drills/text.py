"""A drill in words: the question, what every answer is worth, and why."""

from collections.abc import Iterator

from cantstop.drills.drill import Drill, Topic
from cantstop.drills.facts import THRESHOLD, Advice, Facts, facts_of
from cantstop.drills.progress import Progress
from cantstop.language import (
    Translator,
    action_text,
    bust_text,
    message,
    points_text,
    stake_text,
    turns_text,
    worth_text,
)
from cantstop.rules import Action, Choice, Move

TOPICS = {
    Topic.MOVE: message("which move"),
    Topic.STOP: message("stop or roll"),
    Topic.OPENING: message("opening"),
    Topic.END: message("end of the game"),
    Topic.VARIANT: message("variant"),
}

_ADVICE = {
    Advice.TOP: message("after reaching a top it is mostly right to stop"),
    Advice.MIDDLE: message("6, 7 and 8 come up most often, and short columns are not easy"),
}


def answer_text(words: Translator, answer: Action, then: Choice | None = None) -> str:
    """An answer, and what to do then."""
    return action_text(words, answer, then)


def verdict_text(words: Translator, drill: Drill, answer: Action) -> str:
    """Whether an answer is right, and what it gives away if not."""
    lost = drill.lost_by(answer)
    if not lost:
        return words.say("Right.")
    return words.say(
        "Not quite: {best} is better by {lost}.",
        best=answer_text(words, drill.best.answer),
        lost=turns_text(words, lost, 2) if drill.is_solo else points_text(words, lost),
    )


def option_lines(words: Translator, drill: Drill) -> Iterator[str]:
    """Every answer with its worth, the best first, and what the figures mean."""
    options = sorted(drill.options, key=lambda option: -option.worth)
    names = [answer_text(words, option.answer, option.then) for option in options]
    width = max(map(len, names))
    for name, option in zip(names, options, strict=True):
        yield f"{name:<{width}}  {worth_text(words, option.worth, solo=drill.is_solo):>6}"
    if drill.is_solo:
        yield words.say("How many turns will follow this one, on average.")
    else:
        yield words.say("The chance to win.")


def reasons(words: Translator, drill: Drill) -> Iterator[str]:
    """Why the best answer is best, a sentence each."""
    facts = facts_of(drill)
    if facts.wins_now:
        yield words.say("Stopping wins the game.")
        return
    if isinstance(drill.best.answer, Move):
        yield from _about_moves(words, drill, facts)
    else:
        assert facts.next_bust is not None
        reason = bust_text(words, drill.position.runners, facts.next_bust)
        yield f"{reason[0].upper()}{reason[1:]}."
        if facts.next_bust:
            yield stake_text(words, facts.at_stake)
    yield _about_rule_of_28(words, drill, facts)
    if facts.advice is not None:
        advice = words.say(_ADVICE[facts.advice.advice])
        if facts.advice.answer == drill.best.answer:
            yield words.say("A rulebook says: {advice}. It holds here.", advice=advice)
        else:
            yield words.say("A rulebook says: {advice}. Not here.", advice=advice)


def _about_moves(words: Translator, drill: Drill, facts: Facts) -> Iterator[str]:
    """How likely a bust is after the best move and after the one that comes next."""
    ranked = sorted(
        zip(drill.options, facts.busts_after, strict=True), key=lambda pair: -pair[0].worth
    )
    (best, best_bust), (second, second_bust), *_ = ranked
    if best.then is Choice.STOP:
        yield words.say("After {best} the turn is best ended.", best=best.answer)
    elif best_bust != second_bust:
        yield words.say(
            "The next roll busts in {less} of cases after {best}, in {bust} after {other}.",
            less=words.percent(best_bust),
            best=best.answer,
            bust=words.percent(second_bust),
            other=second.answer,
        )


def _about_rule_of_28(words: Translator, drill: Drill, facts: Facts) -> str:
    """What the best-known rule of thumb would do."""
    if isinstance(facts.rule_of_28, Move):
        if facts.rule_of_28 == drill.best.answer:
            return words.say("Rule of 28 would choose {move} too.", move=facts.rule_of_28)
        return words.say("Rule of 28 would choose {move}.", move=facts.rule_of_28)
    fields = {"points": facts.points, "threshold": THRESHOLD}
    if drill.position.free_runners and facts.rule_of_28 is Choice.ROLL:
        return words.say("Rule of 28 would roll: a runner is still in hand.")
    if facts.rule_of_28 is Choice.STOP:
        return words.say("Rule of 28 counts {points} of {threshold}, and would stop.", **fields)
    return words.say("Rule of 28 counts {points} of {threshold}, and would roll.", **fields)


def progress_text(words: Translator, progress: Progress) -> str:
    """Rating and streak in a line."""
    rating = progress.rating
    return words.say(
        "Rating {rating} ± {deviation}. Right: {right} of {answered}; in a row: {streak}.",
        rating=round(rating.rating),
        deviation=round(rating.deviation),
        right=progress.right,
        answered=progress.answered,
        streak=progress.streak,
    )
