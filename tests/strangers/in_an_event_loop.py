"""Games beside each other in an event loop."""

import asyncio

import cantstop


async def play(seed: int) -> cantstop.Record:
    return await asyncio.to_thread(cantstop.play_game, ["careful", "bold"], "win=1", dice=seed)


async def main() -> None:
    records = await asyncio.gather(*map(play, range(4)))
    print([record.outcome is not None for record in records])


asyncio.run(main())
