"""``python -m research.reviews identity | luck | report | drift``: see docs/review.md."""

import argparse
from multiprocessing import get_context
from pathlib import Path

from .drift import lines_of, read
from .drift import run as run_drift
from .identity import exact_sums, sums_of
from .luck import run
from .report import report


def identity(options: argparse.Namespace) -> None:
    """Random games by all rules, and games on boards that are solved."""
    exact = exact_sums(options.exact, options.seed)
    print("exact tables:", exact, flush=True)
    print("best evaluators:", sums_of(options.games, options.seed, options.official), flush=True)


def luck(options: argparse.Namespace) -> None:
    """Play and review bots' games; FOLDER keeps them, and a second run goes on."""
    parts = [
        get_context("spawn").Process(
            target=run, args=(options.folder, options.games, options.seed, part, options.processes)
        )
        for part in range(options.processes)
    ]
    for part in parts:
        part.start()
    for part in parts:
        part.join()


def drift(options: argparse.Namespace) -> None:
    """Play and review games of mixed levels; FOLDER keeps them, and a second run goes on."""
    options.folder.mkdir(parents=True, exist_ok=True)
    for players in options.players:
        file = options.folder / f"drift-{options.seed}-{players}.jsonl"
        run_drift(file, options.games, options.seed, players, options.processes)
        print("\n".join(lines_of(players, list(read(file)))), flush=True)


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(prog="python -m research.reviews")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("identity", help=identity.__doc__)
    command.add_argument("--games", type=int, default=2000)
    command.add_argument("--exact", type=int, default=500)
    command.add_argument("--official", type=float, default=0.25)
    command.add_argument("--seed", type=int, default=15)
    command.set_defaults(action=identity)
    command = commands.add_parser("luck", help=luck.__doc__)
    command.add_argument("folder", type=Path)
    command.add_argument("--games", type=int, default=20_064)
    command.add_argument("--seed", type=int, default=15)
    command.add_argument("--processes", type=int, default=2)
    command.set_defaults(action=luck)
    command = commands.add_parser("report", help=report.__doc__)
    command.add_argument("folder", type=Path)
    command.set_defaults(action=lambda options: report(options.folder))
    command = commands.add_parser("drift", help=drift.__doc__)
    command.add_argument("folder", type=Path)
    command.add_argument("--games", type=int, default=2000)
    command.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    command.add_argument("--seed", type=int, default=27)
    command.add_argument("--processes", type=int, default=2)
    command.set_defaults(action=drift)
    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
