"""``python -m research.ratings collect | fit | measure``: see docs/ratings.md."""

import argparse
from pathlib import Path

from .games import collect, read
from .measure import RESULTS, measure, write
from .model import fitted


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(prog="python -m research.ratings")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("collect", help="play and review games; a second run goes on")
    command.add_argument("file", type=Path)
    command.add_argument("--players", type=int, default=2)
    command.add_argument("--games", type=int, default=708)
    command.add_argument("--seed", default="31")
    command.set_defaults(action=lambda it: collect(it.file, it.players, it.games, it.seed))
    command = commands.add_parser("fit", help="the constants, from games of two")
    command.add_argument("file", type=Path)
    command.set_defaults(action=lambda it: print(fitted(list(read(it.file)))))
    command = commands.add_parser("measure", help="write results.json from the files of games")
    command.add_argument("files", type=Path, nargs="+")
    command.add_argument("--careers", type=int, default=40)
    command.add_argument("--clubs", type=int, default=3)
    command.add_argument("--out", type=Path, default=RESULTS)
    command.set_defaults(action=lambda it: write(measure(it.files, it.careers, it.clubs), it.out))
    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
