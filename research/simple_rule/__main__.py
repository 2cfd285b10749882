"""``python -m research.simple_rule COMMAND``, on a GPU (CuPy) if there is one, else on the CPU.

card       plays every rule of the card's form and prints the best ones
search     looks for the best rule of another form: twenty-eight, counting, long
measure    a million games of the bot ``simple`` alone and against each of the others, by the arena

All print what they find and keep it in ``results.json``, from which the guide has its figures. The
same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from cantstop.bots.heuristic import GLENN_LINEAR, RULE_OF_28

from .card import play_all, rows_of_candidates
from .forms import FORMS, strong_rival
from .games import Rows, measured, player, row_of
from .search import Judge, search

RESULTS = Path(__file__).with_name("results.json")
FINAL = 4_000_000
"""Games behind each figure of a rule."""


def judge() -> Judge:
    """Against the best of the published players, and the best of the long form."""
    return Judge(player(), (row_of(GLENN_LINEAR), strong_rival()))


def figures(judge: Judge, rule: Rows) -> dict[str, list[float]]:
    """How a rule does: percent of games won and turns alone, each with its standard error."""
    rivals = {"rule-of-28": row_of(RULE_OF_28), "glenn-linear": row_of(GLENN_LINEAR)}
    found = {}
    for name, rival in {**rivals, "long": strong_rival()}.items():
        wins, error = measured(judge.player, rule, rival, FINAL, 1)
        found[name] = [round(100 * wins, 2), round(100 * error, 2)]
    turns, error = measured(judge.player, rule, None, FINAL, 1)
    return {**found, "alone": [round(turns, 3), round(error, 3)]}


def keep(name: str, found: object) -> None:
    """Print what was found, and put it beside what was found before."""
    print(json.dumps(found, indent=1))
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(kept | {name: found}, indent=1) + "\n", "utf-8")


def main() -> None:
    """One command."""
    reader = argparse.ArgumentParser(
        prog="python -m research.simple_rule",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument("command", choices=("card", "search", "measure"))
    reader.add_argument("--form", choices=sorted(FORMS), default="counting")
    reader.add_argument("--games", type=int, default=4096, help="of a rule's first look (4096)")
    reader.add_argument("--children", type=int, default=4096, help="of a generation (4096)")
    reader.add_argument("--generations", type=int, default=60)
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    if given.command == "measure":
        from .measure import measure  # needs Numba, which a GPU's machine may not have

        keep("measured", measure(given.seed))
    elif given.command == "card":
        who = judge()
        keep(
            "card",
            [
                {"rule": rule, **figures(who, rows_of_candidates([rule]))}
                for _, rule in play_all(who, given.games)[:10]
            ],
        )
    else:
        who, form = judge(), FORMS[given.form]
        best = search(who, form, given.generations, given.children, given.games, given.seed)[None]
        numbers = {name: np.ravel(part).tolist() for name, part in form.named(best).items()}
        keep(given.form, {"numbers": numbers, **figures(who, form.rows(best))})


if __name__ == "__main__":
    main()
