"""What the main thread of a page does, as Chromium's trace tells it."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

TASK = "ThreadControllerImpl::RunTask"
MICROSECONDS = 1000  # in a millisecond


@dataclass
class Work:
    """The longest task, in milliseconds: by the clock, and in the thread's own time.

    The thread's own time leaves out what other programs took; it has what Chromium adds to slow a
    page down.
    """

    longest: float = 0
    longest_own: float = 0
    tasks: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[Work]:
    """What is found out about the page is there after the block."""
    found = Work()
    browser.start_tracing(page=page, categories=["toplevel"])
    yield found
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event
        for event in events
        if event["name"] == TASK and event.get("ph") == "X" and (event["pid"], event["tid"]) in main
    ]
    busiest = Counter(task["pid"] for task in tasks).most_common(1)
    # Chromium keeps an empty page in reserve, in a process of its own
    found.tasks = [task for task in tasks if task["pid"] == busiest[0][0]]
    found.longest = max((task["dur"] for task in found.tasks), default=0) / MICROSECONDS
    own = (task.get("tdur", 0) for task in found.tasks)
    found.longest_own = max(own, default=0) / MICROSECONDS
