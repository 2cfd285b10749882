"""Fuzzes real servers with over two hundred thousand malformed inputs: a part of ``make fuzz``.

No answer may blame the server, nothing may change, and sockets are closed only where the protocol
says so. Half of it is for a server on SQLite, and half for one on PostgreSQL.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop.client import OPEN, human, open_table, take_seat
from fuzz.limits import fuzz_limits
from fuzz.requests import fuzz_described, fuzz_raw
from fuzz.served import Server, Tally, WrongAnswer, sqlite_in
from fuzz.sockets import fuzz_sockets, seats_at
from postgresql import Postgres
from swarm import wait_for_engine


def fuzz(running: Server, seed: int, *, said: int, raw: int, examples: int) -> Tally:
    """All of it on one server without limits; what was sent, and how it was answered."""
    with running as server:
        wait_for_engine(server.url)
        seats = seats_at(server)
        tally = asyncio.run(fuzz_sockets(server, seats, seed, said))
        full = open_table(server.url, [human("Anne"), OPEN])
        take_seat(full, "Bob")
        tally += asyncio.run(fuzz_raw(server, full.table, seed, raw))
        tally += fuzz_described(server, full.table, seed, examples)
        return tally


@contextmanager
def databases(given: str | None) -> Iterator[list[tuple[str, Callable[[], str]]]]:
    """The databases to be used: what each is called, and what gives the URL of an empty one."""
    if given is not None:
        yield [("the database", lambda: given)]
        return
    with tempfile.TemporaryDirectory() as folder:
        names = iter(("fuzz", "limits"))
        postgres = Postgres()
        try:
            yield [
                ("SQLite", lambda: sqlite_in(Path(folder) / next(names))),
                ("PostgreSQL", postgres.new_database),
            ]
        finally:
            postgres.close()


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
    parser.add_argument("--database", help="a database URL, instead of new ones of both kinds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--examples", type=int, default=200, help="for each kind of request")
    given = parser.parse_args()
    wrong: list[str] = []
    with databases(given.database) as urls:
        for seed, (name, url) in enumerate(urls, given.seed):
            begun, tally = time.monotonic(), Tally()
            sizes = {
                "said": given.messages // len(urls),
                "raw": given.requests // len(urls),
                "examples": given.examples // len(urls),
            }
            try:
                tally += fuzz(Server(url()), seed, **sizes)
                tally += fuzz_limits(url(), seed)
            except* WrongAnswer as answers:
                wrong += [f"{name}: {answer}" for answer in answers.exceptions]
            report(tally)
            seconds = time.monotonic() - begun
            verdict = "something went wrong." if wrong else "nothing went wrong."
            print(f"{name}: {tally.total():,} inputs in {seconds:.0f} s: {verdict}", flush=True)
    if wrong:
        sys.exit("\n".join(f"fuzz: {one}" for one in wrong))


if __name__ == "__main__":
    main()
