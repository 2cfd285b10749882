"""The figures of docs/two-players.md: ``python -m research.two_players COMMAND``.

seats      what each seat wins in every game, as the training measured it
openings   the first turn: the best openings, and when to stop, alone and with others
courage    how likely a bust is in a turn of best play, by how the game stands
advice     what bots, rulebooks and rules of thumb lose against best play
pictures   the charts and boards of the page, from what the others have found

All but the last print JSON and keep it in ``results.json``; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from .advice import ADVICE, advice_figures
from .courage import courage_figures
from .first_turn import PLAYERS, different_openings, first_turn_figures, opening_values
from .pictures import draw_all

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
MEASURED = HERE.parent / "train" / "results" / "measured.json"


def seats() -> dict[str, Any]:
    """What each seat wins, in points, with 95 % intervals."""
    measured = json.loads(MEASURED.read_text("utf-8"))
    return {
        rules: {"seats": found["seats"]["seats"], "interval": found["seats"]["interval"]}
        for rules, found in measured.items()
    }


def openings() -> dict[str, Any]:
    """The first turn for one to four players."""
    return {
        str(players): {
            "values": opening_values(players),
            "first_turn": first_turn_figures(players),
            "different": different_openings(players) if players > 1 else [],
        }
        for players in PLAYERS
    }


def keep(name: str, found: dict[str, Any]) -> None:
    """Print what was found, and put it beside what was found before."""
    print(json.dumps(found, indent=1))
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(kept | {name: found}, indent=1) + "\n", "utf-8")


def main() -> None:
    """One command."""
    reader = argparse.ArgumentParser(
        prog="python -m research.two_players",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument("what", choices=("seats", "openings", "courage", "advice", "pictures"))
    reader.add_argument("--games", type=int, default=200, help="an even number (200)")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--only", choices=tuple(ADVICE), help="one advice alone")
    given = reader.parse_args()
    if given.games < 4 or given.games % 2:
        reader.error("--games has to be an even number, 4 or more")
    match given.what:
        case "seats":
            keep("seats", seats())
        case "openings":
            keep("openings", openings())
        case "courage":
            keep("courage", courage_figures(given.games, given.seed))
        case "advice":
            for name in [given.only] if given.only else ADVICE:
                keep(f"advice: {name}", advice_figures(name, given.games, given.seed))
        case _:
            draw_all(json.loads(RESULTS.read_text("utf-8")))


if __name__ == "__main__":
    main()
