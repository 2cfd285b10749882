"""Fuzzes a real server with two hundred thousand malformed inputs: a part of ``make fuzz``.

No answer may blame the server, nothing may change, and sockets are closed only where the protocol
says so.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from cantstop.client import OPEN, analysis, human, open_table, take_seat
from fuzz.limits import fuzz_limits
from fuzz.requests import fuzz_described, fuzz_raw
from fuzz.served import Server, Tally, WrongAnswer, sqlite_in
from fuzz.sockets import fuzz_sockets, seats_at


def fuzz(database: str, seed: int, *, said: int, raw: int, examples: int) -> Tally:
    """All of it on one server without limits; what was sent, and how it was answered."""
    with Server(database) as server:
        analysis(server.url, "v1,players=2 -/- 1 - -")  # the engine may have to be compiled first
        seats = seats_at(server)
        tally = asyncio.run(fuzz_sockets(server, seats, seed, said))
        full = open_table(server.url, [human("Anne"), OPEN])
        take_seat(full, "Bob")
        tally += asyncio.run(fuzz_raw(server, full.table, seed, raw))
        tally += fuzz_described(server, full.table, seed, examples)
        return tally


def report(tally: Tally) -> None:
    """Print what was sent and how it was answered."""
    kinds: dict[tuple[str, str], Counter[str]] = {}
    for (part, what, answer), count in sorted(tally.items()):
        kinds.setdefault((part, what), Counter())[answer] += count
    for (part, what), answers in kinds.items():
        listed = ", ".join(f"{answer} {count:,}" for answer, count in answers.most_common())
        print(f"{part:10} {what:45} {answers.total():8,}  {listed}")


def main() -> None:
    """Send it all, and say what came back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", help="a database URL; a new SQLite file by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=int, default=180_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--examples", type=int, default=200, help="for each kind of request")
    given = parser.parse_args()
    begun, tally = time.monotonic(), Tally()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            database = given.database or sqlite_in(Path(folder) / "fuzz")
            sizes = {"said": given.messages, "raw": given.requests, "examples": given.examples}
            tally += fuzz(database, given.seed, **sizes)
            tally += fuzz_limits(given.database or sqlite_in(Path(folder) / "limits"), given.seed)
        except* WrongAnswer as answers:
            wrong += map(str, answers.exceptions)
    if wrong:
        sys.exit("\n".join(f"fuzz: {one}" for one in wrong))
    report(tally)
    print(f"{tally.total():,} inputs in {time.monotonic() - begun:.0f} s: nothing went wrong.")


if __name__ == "__main__":
    main()
