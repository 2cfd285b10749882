"""``python -m tools.ladder play | measure | compare | write``: see docs/ladder.md."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.arena import Plan, Results, compete
from cantstop.arena.pools import LocalPool
from cantstop.arena.statistics import NINETY_FIVE
from cantstop.bots import LADDER
from cantstop.bots.judgement import Judgement
from cantstop.rules import Rules

from .measure import meet, seconds_to_open
from .tempers import GREEDY, TIMID
from .write import TOP, write_documents

RESULTS = Path(__file__).parent / "results.json"
RULES = Rules()
NAMES = tuple(level.name for level in LADDER)
ROUND = 200
"""Games of every pair after which the ratings are worked out anew."""
TEMPERS = ("tools.ladder.tempers:greedy", "tools.ladder.tempers:timid")


def keep(name: str, found: dict[str, Any]) -> None:
    """Put what was found beside what is known already."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(known | {name: found}, indent=1) + "\n")


def play(options: argparse.Namespace) -> None:
    """The round robin, a few games of every pair at a time; what FILE keeps is not played again."""
    begin = ROUND
    if options.file.exists():  # which cannot be asked for fewer games than it keeps
        begin = json.loads(options.file.read_text())["plan"]["games"]
    for games in range(begin, max(begin, options.games) + 1, ROUND):
        results = _compete(NAMES, options, games)
        if not results.finished:
            break
        assert results.ratings is not None
        above = TOP - results.ratings[-1].value
        ratings = {
            name: [rating.value + above, NINETY_FIVE * rating.error]
            for name, rating in zip(NAMES, results.ratings, strict=True)
        }
        played = min(match.games for match in results.matches)
        print(
            played, *(f"{name} {rating:.0f}" for name, (rating, _) in ratings.items()), flush=True
        )
        matches = [[*match.names, match.games, match.wins[0]] for match in results.matches]
        found = {"games": played, "seed": options.seed, "ratings": ratings, "matches": matches}
        keep("round_robin", found)


def compare(options: argparse.Namespace) -> None:
    """The greedy and the timid player, against each other and the champion's values."""
    match = _compete(TEMPERS, options, options.games).matches[0]
    meeting = meet((GREEDY, TIMID), options.measured, options.seed, RULES)
    keep(
        "compare",
        {
            "games": match.games,
            "greedy_share": match.standings[0].share,
            "interval": list(match.standings[0].interval),
            "greedy": meeting.one.figures(),
            "timid": meeting.other.figures(),
        },
    )


def measure(options: argparse.Namespace) -> None:
    """Every level against the champion."""
    found = {}
    for level in LADDER:
        if options.level in (None, level.name):
            meeting = meet((level.judgement, Judgement()), options.games, options.seed, RULES)
            found[level.name] = meeting.one.figures() | {"share": list(meeting.share)}
            print(level.name, json.dumps(found[level.name]), flush=True)
    if options.level is None:
        keep("levels", found)


def time(options: argparse.Namespace) -> None:
    """How long the first decision takes, for two to four players."""
    found = {}
    for players in (2, 3, 4):
        seconds_to_open(LADDER[0].judgement, players, 5)  # until everything is loaded
        taken = seconds_to_open(LADDER[0].judgement, players, options.games)
        found[str(players)] = [float(np.percentile(taken, share)) for share in (50, 95)]
        print(players, "players: p50 {:.4f} s, p95 {:.4f} s".format(*found[str(players)]))
    keep("seconds", found)


def _compete(names: tuple[str, ...], options: argparse.Namespace, games: int) -> Results:
    plan = Plan.of(names, games=games, rules=RULES, seed=options.seed)
    return compete(plan, LocalPool(options.threads), file=options.file)


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.ladder")
    commands = parser.add_subparsers(required=True)
    for name, action, games in (("play", play, 4000), ("compare", compare, 4000)):
        command = commands.add_parser(name, help=action.__doc__)
        command.add_argument("file", type=Path, help="keeps the games, to go on with later")
        command.add_argument("--games", type=int, default=games)
        command.add_argument("--measured", type=int, default=400)
        command.add_argument("--threads", type=int)
        command.add_argument("--seed", type=int, default=13)
        command.set_defaults(action=action)
    command = commands.add_parser("measure", help=measure.__doc__)
    command.add_argument("--games", type=int, default=400)
    command.add_argument("--seed", type=int, default=13)
    command.add_argument("--level", choices=NAMES, help="only show this one")
    command.set_defaults(action=measure)
    command = commands.add_parser("time", help=time.__doc__)
    command.add_argument("--games", type=int, default=200, help="decisions to take")
    command.set_defaults(action=time)
    command = commands.add_parser("write", help="Write the table and the picture of the docs.")
    command.set_defaults(action=lambda _: write_documents(json.loads(RESULTS.read_text())))
    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
