"""Turns of slow tables over kills of workers: is every one announced once, in every channel?

Usage: python tools/call_turns.py [sqlite|postgresql [TURNS]]

A local push service, webhooks, ntfy and a mail server take the calls. A message that was on its way
when its worker was killed may come again, with the same id: its number is in the last column.
"""

import asyncio
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from killed_callers import Result, call_turns
from postgresql import Postgres

TURNS, TURNS_A_TABLE = 10_000, 25
BETWEEN = (50, 200)
"""Turns between two kills."""


def main() -> int:
    """Run on one database, or on both."""
    kinds = sys.argv[1:2] or ["sqlite", "postgresql"]
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else TURNS
    wrong = 0
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            if kind == "sqlite":
                url = f"sqlite:///{folder}/tables.db"
                result = asyncio.run(_run(url, turns, 1))
            else:
                with closing(Postgres()) as postgres:
                    result = asyncio.run(_run(postgres.new_database(), turns, 2))
        print(f"{kind}: {result}", flush=True)
        wrong += not result.is_right
    return wrong


async def _run(url: str, turns: int, workers: int) -> Result:
    return await call_turns(url, turns, max(10, turns // TURNS_A_TABLE), workers, BETWEEN)


if __name__ == "__main__":
    sys.exit(main())
