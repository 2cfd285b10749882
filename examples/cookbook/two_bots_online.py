"""Two bots at one table of a server, in one event loop: ``two_bots_online.py [SERVER]``.

``cantstop serve`` starts such a server, on this machine at http://localhost:8000.
"""

import asyncio
import sys

from cantstop.client import OPEN, open_table, play_async


async def main(server: str) -> None:
    link = open_table(server, [OPEN, OPEN])
    print(f"watch them at {link}")
    outcome, _ = await asyncio.gather(
        play_async(link, "careful", name="Ada"), play_async(link, "bold", name="Bob")
    )
    if outcome is not None:
        print("won by", ["Ada", "Bob"][outcome.winners[0]])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:] or ["http://localhost:8000"]))
