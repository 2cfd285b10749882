"""How fast the turn solver is: a whole turn, hints, and a turn as the expert plays it."""

import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median

from cantstop.bots.expert import ExpertBot
from cantstop.engine import hint, race_model, solve_turn
from cantstop.rules import Phase, Position, Rules, Sharing

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


def show(label: str, times: list[float]) -> None:
    """One line: other work on the machine disturbs, so best and median."""
    print(
        f"engine, {label:<44}: best {min(times):6.2f} ms  median {median(times):6.2f} ms  "
        f"worst {max(times):6.2f} ms"
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


def main() -> None:
    """Measure the time of one core, once compiled."""
    model = race_model()
    for rules in GAMES:
        opening = Position.initial(rules)
        solve_turn(opening, model)
        times = [milliseconds(partial(solve_turn, opening, model)) for _ in range(ROUNDS)]
        show(f"all of an opening turn, {rules}", times)
    for rules in GAMES:
        positions = positions_of(rules, seed=1)
        times = [milliseconds(partial(hint, position, model)) for position in positions]
        show(f"a hint, {len(positions)} positions, {rules}", times)
    rolled = [at for at in positions_of(Rules(), seed=2) if at.phase is Phase.MOVE]
    times = [milliseconds(partial(ExpertBot().turn, position)) for position in rolled]
    show("what can come after a roll, as the expert asks", times)


if __name__ == "__main__":
    main()
