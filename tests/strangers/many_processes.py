"""Games on two cores."""

from multiprocessing import get_context

import cantstop


def turns(seed: int) -> int:
    return cantstop.play_game(["careful", "bold"], "win=1", dice=seed).game().turn


if __name__ == "__main__":
    with get_context("spawn").Pool(2) as pool:
        print(pool.map(turns, range(4)) == [turns(seed) for seed in range(4)])
