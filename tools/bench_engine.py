"""How fast the turn solver is: a whole turn, hints, a turn and games as the strongest bots play."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles

from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.arena.solving import SolvingGames
from cantstop.bots.compiled import compiled_bots
from cantstop.bots.expert import ChampionBot, ExpertBot
from cantstop.engine import best_evaluator, hint, race_model, solve_turn
from cantstop.record import read_record
from cantstop.review import review
from cantstop.rules import Phase, Position, Rules, Sharing

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
ROUNDS = 15
GAMES = (
    Rules(),
    Rules(players=3),
    Rules(players=4),
    Rules(players=1),
    Rules(early=True),
    Rules(columns_to_win=5, sharing=Sharing.NO_REST),
    Rules(sharing=Sharing.LEAPFROG),
)


def milliseconds(work: Callable[[], object]) -> float:
    """How much time of a core a piece of work takes."""
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1e3


def show(label: str, times: list[float], others: list[float] | None = None) -> None:
    """One line: other work on the machine disturbs, so best and median.

    ``others`` are the times of the same work with the race model, taken in turns with these.
    """
    ratio = f"  {min(times) / min(others):4.2f} x the race model's best" if others else ""
    print(
        f"engine, {label:<44}: best {min(times):6.2f} ms  median {median(times):6.2f} ms  "
        f"95 % {quantiles(times, n=20)[-1]:6.2f} ms  worst {max(times):6.2f} ms{ratio}"
    )


def positions_of(rules: Rules, seed: int) -> list[Position]:
    """Positions of a game that the expert plays: one of every phase of each turn."""
    dice, bot = Random(seed), ExpertBot()
    position, found = Position.initial(rules), []
    while position.outcome is None:
        found.append(position)
        position = position.roll(tuple(dice.choices(range(1, 7), k=4)))
        found.append(position)
        if position.phase is Phase.BUST:
            position = position.bust()
            continue
        position = position.move(bot.choose(position, 0))
        if position.may_stop and bot.stop(position, 0):
            position = position.stop()
    return found


def arena_games() -> None:
    """Games of the strongest bots, all in turns: compiled, with luck counted, and by the rules."""
    rules, rounds, games = Rules(), 6, 10
    works: dict[str, Callable[[int, int], object]] = {}
    for name, kind in (("champion", ChampionBot), ("expert", ExpertBot)):
        forms, seatings = compiled_bots((name, name)), seatings_of((name, name))
        assert forms is not None
        works[name] = partial(SolvingGames(rules, forms, 1).play, seatings)
        works[f"{name}, control variate"] = partial(
            SolvingGames(rules, forms, 1, control=True).play, seatings
        )
        works[f"{name}, by the rules"] = partial(
            ReferenceGames(rules, [kind(), kind()], 1).play, seatings
        )
    times: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):  # the first is for compiling
        for name, play in works.items():
            first = turn * games
            times[name].append(milliseconds(partial(play, first, first + games)) / games)
    least = min(times["expert, by the rules"][1:])
    for name, found in times.items():
        best = min(found[1:])
        print(
            f"arena, a game of the {name:<27}: best {best:6.2f} ms  "
            f"median {median(found[1:]):6.2f} ms  {1e3 / best:5.0f} games a second of a core  "
            f"x {least / best:.2f}"
        )


def reviews() -> None:
    """Whole games looked at again."""
    for name in ("classic-two", "classic-four", "solo"):
        record = read_record((GOLDEN / f"{name}.cantstop").read_text("utf-8"))
        times = [milliseconds(partial(review, record)) for _ in range(ROUNDS + 1)][1:]
        show(f"a review, {name}, {len(record.events)} events", times)


def main() -> None:
    """Measure the time of one core, once compiled."""
    race = race_model()
    for rules in GAMES:
        opening, best = Position.initial(rules), best_evaluator(rules)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS + 1):  # the first is for compiling
            for found, evaluator in zip(times, (best, race), strict=True):
                found.append(milliseconds(partial(solve_turn, opening, evaluator)))
        show(f"all of an opening turn, {rules}", times[0][1:], times[1][1:])
    for rules in GAMES:
        positions, best = positions_of(rules, seed=1), best_evaluator(rules)
        found = [milliseconds(partial(hint, position, best)) for position in positions]
        show(f"a hint, {len(positions)} positions, {rules}", found)
    rolled = [at for at in positions_of(Rules(), seed=2) if at.phase is Phase.MOVE]
    for kind in (ChampionBot, ExpertBot):
        found = [milliseconds(partial(kind().turn, position)) for position in rolled]
        show(f"what can come after a roll, as the {kind().name} asks", found)
    reviews()
    arena_games()


if __name__ == "__main__":
    main()
