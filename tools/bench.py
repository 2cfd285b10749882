"""How fast the reference rules play: games a second, and as a ratio to a fixed loop in this run."""

import time
from collections.abc import Callable

from cantstop import Phase, Position, Rules, SeededDice

GAMES = 150
ROUNDS = 7
MOVES_BEFORE_STOP = 3


def play(seed: int) -> int:
    """One two-player game of bots that take the first move and stop after three; its rolls."""
    position, dice = Position.initial(Rules()), SeededDice(seed)
    rolls = moves = 0
    while position.outcome is None:
        if moves == MOVES_BEFORE_STOP:
            position, moves = position.stop(), 0
            continue
        rolls += 1
        position = position.roll(dice.roll(rolls))
        if position.phase is Phase.MOVE:
            position, moves = position.move(position.legal_moves[0]), moves + 1
        else:
            position, moves = position.bust(), 0
    return rolls


def fixed_loop() -> None:
    """A bare loop as a yardstick for how fast Python is here and now."""
    total = 0
    for number in range(1_000_000):
        total += number


def seconds(work: Callable[[], object]) -> float:
    """How much of a core's time a piece of work takes; what else the machine does is not in it."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> None:
    """Measure, and print best and median of several rounds: other work on the machine disturbs."""
    rolls = sum(play(seed) for seed in range(GAMES))
    rounds = sorted(
        (seconds(lambda: [play(seed) for seed in range(GAMES)]), seconds(fixed_loop))
        for _ in range(ROUNDS)
    )
    for label, (games, loop) in (("best", rounds[0]), ("median", rounds[ROUNDS // 2])):
        print(
            f"reference rules, one core, {label:<6}: {GAMES / games:7.0f} games/s  "
            f"{games / rolls * 1e6:5.1f} µs a roll  "
            f"{GAMES / games * loop:6.1f} games in the time of a loop of 1,000,000 additions"
        )


if __name__ == "__main__":
    main()
