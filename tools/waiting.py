"""Waiting for another program, which says nothing when it is ready: it is asked until it is."""

import time
from collections.abc import Callable
from typing import TypeVar

LOOK_SECONDS = 0.1

Found = TypeVar("Found")


def until(look: Callable[[], Found | None], seconds: float, what: str) -> Found:
    """What ``look`` finds, as soon as that is more than None.

    Raises:
        TimeoutError: if it still finds nothing after that many seconds; it names ``what``.
    """
    end = time.monotonic() + seconds
    while (found := look()) is None:
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: nothing after {seconds:g} s")
        time.sleep(LOOK_SECONDS)
    return found
