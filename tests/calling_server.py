"""A worker of a server, in a process of its own, that calls players without pauses.

``python tests/calling_server.py DATABASE POLL ASK`` looks every ``POLL`` seconds for what is due,
and gives other workers ``ASK`` seconds to say who is at a table. It says where it listens.
"""

import asyncio
import sys
from dataclasses import replace

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from killed_callers import TIMES, call_options
from live_server import PATIENT, serving

NEVER = 1e9


async def serve(database: str, poll: float, ask: float) -> None:
    calls = call_options("smtp://127.0.0.1:1")
    calls = replace(calls, times=replace(TIMES, poll=poll, ask=ask))
    options = ServerOptions(database, clocks=PATIENT, limits=Limits().times(0), calls=calls)
    async with serving(create_app(options)) as (_, address):
        sys.stdout.write(f"http://{address}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    database, poll, ask = sys.argv[1:]
    asyncio.run(serve(database, float(poll), float(ask)))
