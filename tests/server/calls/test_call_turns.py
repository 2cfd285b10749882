"""``kill -9`` of workers in the middle of calling: every turn is announced, once, in every channel.

``python tools/call_turns.py`` does the same over 10,000 turns.
"""

import asyncio

from killed_callers import call_turns


def test_every_turn_is_announced_while_workers_are_killed(each_url: str) -> None:
    workers = 2 if each_url.startswith("postgresql") else 1
    result = asyncio.run(call_turns(each_url, 100, 10, workers, (20, 40)))
    assert result.kills > 0
    assert result.is_right, result
    # a copy can only be of what was on its way when a worker was killed
    assert result.copies.total() <= result.kills * 58, result
