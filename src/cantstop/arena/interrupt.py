"""Ctrl-C as a wish that is noticed between two steps, so that no count is ever half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one interrupts as usual.

    Only the main thread hears of Ctrl-C: elsewhere the event stays as it is.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def wish(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, wish)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
