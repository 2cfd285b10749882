"""Makes the drills of the package and measures them; docs/drills.md tells what for.

make         plays games and writes the file; a second run goes on where the first one stopped
renew        works out again what the answers of the file's drills are worth, and drops the drills
             whose best answer is no longer better by the margin
check        looks at every drill of the file again
rollouts     plays on from the best and the second-best answer of some of them
difficulty   compares difficulties with people's answers that they were not fitted to
settle       lets scripted players answer, and says where their ratings settle

All but the first print JSON and keep it in ``results.json``; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from cantstop.drills import read_drills
from cantstop.drills.file import write_drills

from .check import check, is_clear, renewed, rollouts
from .make import PACKAGE, SEED, answers, make
from .ratings import difficulty, settle

RESULTS = Path(__file__).parent / "results.json"


def tell(line: str) -> None:
    """Say how far it is."""
    print(line, file=sys.stderr, flush=True)


def keep(name: str, found: dict[str, Any]) -> None:
    """Print what was found, and put it beside what was found before."""
    print(json.dumps(found, indent=1))
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(kept | {name: found}, indent=1) + "\n", "utf-8")


def main() -> None:
    """One command; exit code 1 if a drill is not as it should be."""
    reader = argparse.ArgumentParser(
        prog="python -m research.drills",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument(
        "what", choices=("make", "renew", "check", "rollouts", "difficulty", "settle")
    )
    reader.add_argument("--folder", type=Path, default=Path("build/drills"), help="of make")
    reader.add_argument("--file", type=Path, default=PACKAGE)
    reader.add_argument("--seed", type=int, default=SEED)
    reader.add_argument("--count", type=int, default=300, help="drills with rollouts (300)")
    reader.add_argument("--games", type=int, default=24, help="of each answer (24)")
    reader.add_argument("--answers", type=int, default=1000, help="of scripted players (1,000)")
    given = reader.parse_args()
    if given.what == "make":
        print(json.dumps(make(given.folder, given.seed, given.file), indent=1))
        return
    if given.what == "renew":
        drills, notes = read_drills(given.file)
        kept = [drill for drill in map(renewed, drills) if is_clear(drill)]
        size = write_drills(given.file, kept, notes)
        print(json.dumps({"drills": len(kept), "dropped": len(drills) - len(kept), "bytes": size}))
        return
    if given.what == "difficulty":
        keep("difficulty", difficulty(answers(given.folder)))
        return
    drills, _ = read_drills(given.file)
    match given.what:
        case "check":
            found = check(drills, tell)
            keep("check", found)
            sys.exit(bool(found["wrong"] or found["race_model_disagrees"]))
        case "rollouts":
            found = rollouts(drills, given.count, given.games, given.seed, tell)
            keep("rollouts", found)
            sys.exit(bool(found["against"]))
        case _:
            keep("settle", settle(drills, given.answers, given.seed))


if __name__ == "__main__":
    main()
