"""Does a test fail when the code is wrong? One small mistake in each package, one at a time.

Each mistake is made in a copy of the sources; the tests that are named beside it run there and have
to fail, after they have passed on the copy as it is. ``--only rules,web`` for some of the packages.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("src", "tests", "tools", "docs", "examples", "pyproject.toml", "README.md")


@dataclass(frozen=True)
class Mutation:
    """A mistake: what stands in a file, what would be wrong, and the tests that have to notice."""

    file: str
    right: str
    wrong: str
    tests: str

    @property
    def package(self) -> str:
        """The package or module that it is in."""
        return self.file.partition("/")[0].removesuffix(".py")


MUTATIONS = (
    Mutation(  # T5: with one runner in hand and two new columns the player picks
        "rules/moves.py", "if reach & IN_HAND == 1 and not", "if reach & IN_HAND == 2 and not",
        "tests/rules/test_turn.py",
    ),
    Mutation(  # a bust is taken back together with its roll
        "game.py", "if happened is _BUSTED and before[2] is not None:", "if False:",
        "tests/test_game.py",
    ),
    Mutation(  # dice of a seed are thrown again
        "record/verify.py", "if dice != due:", "if len(dice) != len(due):",
        "tests/record/test_record_verify.py",
    ),
    Mutation(  # bytes that would favour low dice are thrown away
        "dice/derive.py", "limit = 256 - 256 % sides", "limit = 256", "tests/dice",
    ),
    Mutation(  # the best move of each roll counts, not the worst
        "odds/exact.py", "times * max(_survival", "times * min(_survival", "tests/odds",
    ),
    Mutation(  # who was refused may ask again after the next roll
        "table/permissions.py", "table.refused_since == table.last_play", "False",
        "tests/server/test_takeback.py",
    ),
    Mutation(  # a field of the wrong type is named, not taken for nonsense
        "wire/codec.py", "raise WrongField(field_of(error)) from None", "raise NotJson from None",
        "tests/wire/test_codec.py tests/server/test_protocol.py",
    ),
    Mutation(  # a bot that counts stops when it has made enough moves
        "bots/simple.py", "moves >= self.enough", "moves > self.enough",
        "tests/bots/test_simple.py",
    ),
    Mutation(  # the best option comes first
        "engine/analysis.py", "return self.options[0] if", "return self.options[-1] if",
        "tests/engine/test_hint.py",
    ),
    Mutation(  # an error below the estimate's own is no mistake
        "review/grades.py", "error < 2 * estimate.rms", "error > 2 * estimate.rms",
        "tests/review/test_review.py",
    ),
    Mutation(  # a right answer raises the rating
        "drills/glicko.py", "player.rating + SCALE * after", "player.rating - SCALE * after",
        "tests/drills/test_glicko.py",
    ),
    Mutation(  # 95 % intervals have 95 %
        "arena/statistics.py", "NINETY_FIVE = 1.959964", "NINETY_FIVE = 1.644854",
        "tests/arena/test_statistics.py",
    ),
    Mutation(  # a change for the worse has a minus
        "language/figures.py", 'else "+" if value > 0', 'else "+" if value < 0',
        "tests/language tests/review/test_text.py tests/review/test_story.py",
    ),
    Mutation(  # a board's edges meet where they end
        "draw/text.py", "place.level <= place.top", "place.level < place.top",
        "tests/draw/test_board_text.py",
    ),
    Mutation(  # a client that has missed an event asks for it
        "client/connection.py", "event.n > self.table.n + 1", "event.n > self.table.n + 2",
        "tests/client/test_connection.py",
    ),
    Mutation(  # a bucket is refilled by time alone
        "server/limits/token_buckets.py", "full_at = max(now, self._full_at) + one",
        "full_at = now + one", "tests/server/test_limits.py",
    ),
    Mutation(  # nobody takes back what a bot has done
        "terminal/local_game.py", "return self.seats[seat].bot is None and", "return",
        "tests/terminal/plain/test_undo.py",
    ),
    Mutation(  # what the rules forbid is “no” (1), not “could not” (2)
        "cli/verify.py", "if isinstance(error.problem, IllegalAction):", "if False:",
        "tests/cli/test_commands.py tests/cli/test_exit_codes.py",
    ),
    Mutation(  # one turn, two turns
        "web/words/counts.js", 't("{turns} turn", fields), t("{turns} turns", fields)',
        't("{turns} turns", fields), t("{turns} turn", fields)', "tests/web/test_sentences.py",
    ),
)  # fmt: skip


def fails(copy: Path, tests: str) -> bool:
    """Whether a test fails in the copy: the sources there come before those that are installed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests.split()],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in {0, 1}:
        sys.exit(f"The tests could not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1


def noticed(copy: Path, mutation: Mutation) -> bool:
    """Make the mistake in the copy, run its tests, and put the file right again."""
    file = copy / "src/cantstop" / mutation.file
    right = file.read_text("utf-8")
    if right.count(mutation.right) != 1:
        sys.exit(f"{mutation.file} has no such place, or several: {mutation.right}")
    file.write_text(right.replace(mutation.right, mutation.wrong), "utf-8")
    try:
        return fails(copy, mutation.tests)
    finally:
        file.write_text(right, "utf-8")


def main() -> None:
    """Try all mutations; the exit code is 1 if a mistake goes unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="packages, with commas between them")
    only = parser.parse_args().only
    chosen = [one for one in MUTATIONS if only is None or one.package in only.split(",")]
    unnoticed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, Path(folder, name), ignore=ignored)
            else:
                shutil.copy(ROOT / name, folder)
        every = " ".join(sorted({one for mutation in chosen for one in mutation.tests.split()}))
        if fails(Path(folder), every):
            sys.exit("A test fails before anything is wrong.")
        for mutation in chosen:
            found = noticed(Path(folder), mutation)
            print(f"{mutation.package:<10} {'noticed' if found else 'UNNOTICED'}: {mutation.wrong}")
            unnoticed += [] if found else [mutation]
    sys.exit(bool(unnoticed))


if __name__ == "__main__":
    main()
