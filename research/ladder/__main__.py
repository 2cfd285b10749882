"""``python -m research.ladder play | join | measure | compare | time | write``; docs/ladder.md."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.arena import Plan, Results, compete
from cantstop.arena.pools import LocalPool
from cantstop.arena.statistics import NINETY_FIVE, MatchWins, ratings
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
"""Games of every pair after which the ratings are recomputed."""
TEMPERS = ("research.ladder.tempers:greedy", "research.ladder.tempers:timid")


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
        _rate([results])


def join(options: argparse.Namespace) -> None:
    """The round robins of several files together, with a seed each: a process plays on one core."""
    _rate([_finished(file) for file in options.files])


def _finished(file: Path) -> Results:
    plan = json.loads(file.read_text(encoding="utf-8"))["plan"]
    again = Plan.of(NAMES, games=plan["games"], rules=RULES, seed=plan["seed"])
    return compete(again, pool=LocalPool(1), file=file)


def _rate(all_results: list[Results]) -> None:
    """Ratings of all games together, kept and printed."""
    seats = all_results[0].plan.matches
    matches = [
        [sum(results.matches[match].wins[side] for results in all_results) for side in (0, 1)]
        for match in range(len(seats))
    ]
    rated = ratings(
        len(NAMES), [MatchWins(pair, tuple(won)) for pair, won in zip(seats, matches, strict=True)]
    )
    above = TOP - rated[-1].value
    found = {
        name: [rating.value + above, NINETY_FIVE * rating.error]
        for name, rating in zip(NAMES, rated, strict=True)
    }
    played = int(min(map(sum, matches)))
    print(played, *(f"{name} {rating:.0f}" for name, (rating, _) in found.items()), flush=True)
    keep(
        "round_robin",
        {
            "games": played,
            "seeds": [results.plan.seed for results in all_results],
            "ratings": found,
            "matches": [
                [NAMES[one], NAMES[other], int(sum(won)), won[0]]
                for (one, other), won in zip(seats, matches, strict=True)
            ],
        },
    )


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
    return compete(plan, pool=LocalPool(options.threads), file=options.file)


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(prog="python -m research.ladder")
    commands = parser.add_subparsers(required=True)
    for name, action, games in (("play", play, 4000), ("compare", compare, 4000)):
        command = commands.add_parser(name, help=action.__doc__)
        command.add_argument("file", type=Path, help="keeps the games, to go on with later")
        command.add_argument("--games", type=int, default=games)
        command.add_argument("--measured", type=int, default=400)
        command.add_argument("--threads", type=int)
        command.add_argument("--seed", type=int, default=13)
        command.set_defaults(action=action)
    command = commands.add_parser("join", help=join.__doc__)
    command.add_argument("files", type=Path, nargs="+")
    command.set_defaults(action=join)
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
