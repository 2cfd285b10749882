"""Results for people: a table of the bots, and what the games were like."""

from collections.abc import Iterator
from fractions import Fraction

from cantstop.arena.results import MatchResult, Results, Standing
from cantstop.arena.statistics import NINETY_FIVE
from cantstop.language import Translator

_INDENT = "  "
_BAR = 40
_CUT = Fraction(1, 400)
"""Rows of a distribution that hold less than this share at either end are left out."""


def report(words: Translator, results: Results) -> Iterator[str]:
    """The results, line by line."""
    plan = results.plan
    yield words.say("Rules {rules}, seed {seed}", rules=plan.rules, seed=plan.seed)
    if not results.finished:
        yield words.say("Interrupted: these are the results so far.")
    for match in results.matches:
        yield ""
        if not match.games:
            yield words.say("No games yet: {names}", names=", ".join(match.names))
        elif plan.rules.players == 1:
            yield from _solo(words, match)
        else:
            yield from _match(words, match)
            yield from _luck_free(words, match)
        yield from _remarks(words, match)
    if results.ratings is not None:
        yield ""
        yield from _ratings(words, results)


def _match(words: Translator, match: MatchResult) -> Iterator[str]:
    yield words.say_count("One game", "{count} games", match.games)
    width = max(map(len, (*match.names, words.say("bot"))))
    head = [words.say("wins"), words.say("share"), words.say("95% interval"), words.say("busts")]
    yield f"  {words.say('bot'):<{width}}" + "".join(f"{title:>18}" for title in head)
    for standing in match.standings:
        cells = [
            f"{standing.wins:,.10g}",
            _percent(words, standing.share),
            _interval(words, standing),
            _percent(words, standing.busts_per_turn),
        ]
        yield f"  {standing.name:<{width}}" + "".join(f"{cell:>18}" for cell in cells)
    first = match.first_player_share
    yield _INDENT + words.say(
        "Whoever starts wins {share} ± {error}.",
        share=_percent(words, first.mean),
        error=_percent(words, first.error),
    )
    yield _INDENT + words.say(
        "{turns} turns and {rolls} rolls a game.",
        turns=_mean(match.turns_per_game.mean, match.turns_per_game.error),
        rolls=_mean(match.rolls_per_game.mean, match.rolls_per_game.error),
    )


def _luck_free(words: Translator, match: MatchResult) -> Iterator[str]:
    if match.luck_free is None:
        return
    yield _INDENT + words.say(
        "Share of wins with the luck of all rolls subtracted (control variate; ± 1.96 standard "
        "errors):"
    )
    width = max(map(len, match.names))
    for name, found in zip(match.names, match.luck_free, strict=True):
        share = f"{_INDENT * 2}{name:<{width}}  {100 * found.share.mean:.3f} %"
        if found.share.error is not None:
            share += f" ± {100 * NINETY_FIVE * found.share.error:.3f}"
        yield share
    if match.games_worth is not None:
        yield _INDENT * 2 + words.say(
            "Counting wins alone would take {times} times as many games.",
            times=f"{match.games_worth:,.0f}",
        )


def _solo(words: Translator, match: MatchResult) -> Iterator[str]:
    (name,) = match.names
    yield words.say_count("{name}: one game", "{name}: {count} games", match.games, name=name)
    yield _INDENT + words.say(
        "{turns} turns and {rolls} rolls a game; {busts} of the turns are busts.",
        turns=_mean(match.turns_per_game.mean, match.turns_per_game.error),
        rolls=_mean(match.rolls_per_game.mean, match.rolls_per_game.error),
        busts=_percent(words, match.busts_per_turn),
    )
    counts = match.turn_counts
    shares = [Fraction(count, match.games) for count in counts]
    shown = [turns for turns, share in enumerate(shares) if share >= _CUT]
    for turns in range(min(shown), max(shown) + 1):
        bar = "█" * round(_BAR * shares[turns] / max(shares))
        yield f"  {turns:>6}{words.percent(shares[turns]):>9}  {bar}".rstrip()


def _remarks(words: Translator, match: MatchResult) -> Iterator[str]:
    if match.unfinished:
        yield _INDENT + words.say_count(
            "One game was given up because it would not end.",
            "{count} games were given up because they would not end.",
            match.unfinished,
        )


def _ratings(words: Translator, results: Results) -> Iterator[str]:
    assert results.ratings is not None
    width = max(map(len, results.plan.bots))
    yield words.say("Ratings on Elo's scale; the mean of the field is 1500.")
    field = zip(results.ratings, results.plan.bots, strict=True)
    for rating, name in sorted(field, reverse=True):
        yield f"  {name:<{width}}{rating.value:>9.0f} ± {rating.error:.1f}"


def _percent(words: Translator, share: float | None) -> str:
    return "?" if share is None else words.percent(Fraction(share))


def _interval(words: Translator, standing: Standing) -> str:
    return " – ".join(_percent(words, end) for end in standing.interval)


def _mean(mean: float, error: float | None) -> str:
    return f"{mean:.2f}" + ("" if error is None else f" ± {error:.2g}")
