"""A bounded queue that is fair: people's work first, then one item of each share in turn."""

from collections import deque
from enum import IntEnum
from typing import Generic, TypeVar

from cantstop.server.errors import LimitExceeded

Item = TypeVar("Item")

FORGOTTEN_SHARES = 1000
"""Shares without items of which is remembered when they are due."""


class Priority(IntEnum):
    """Who waits for a piece of work; what has the lower number is done first."""

    PERSON = 0
    """A game that people play: the next action of a bot."""
    HINT = 1
    """Whoever is to decide thinks about it meanwhile."""
    REVIEW = 2
    """Games that are over, and positions of no game."""
    NOBODY = 3
    """Only bots play there, and people at most watch."""


class Overloaded(LimitExceeded):
    """The queue is full, or the caller has too much in it already."""

    def __init__(self) -> None:
        super().__init__("The server is too busy just now: try again in {seconds} s.", "work", 2)


class FairQueue(Generic[Item]):
    """Items by priority and share; the shares of one priority take turns.

    A share is whoever is to get no more than others: a table, an address. Turns are numbered: who
    comes new is due in the turn that is under way, before the next item of whoever has it. So one
    that asks for much delays another by the item that is being done, and not by two. Each priority
    has its own bound, so that whatever fills one of them, there is room in those before it.
    """

    def __init__(self, most: float, most_of_share: float) -> None:
        self._most = most
        self._most_of_share = most_of_share
        self._shares: dict[Priority, dict[str, deque[Item]]] = {
            priority: {} for priority in Priority
        }
        self._due: dict[Priority, dict[str, int]] = {priority: {} for priority in Priority}
        """The turn in which a share's next item is due."""
        self._turn = dict.fromkeys(Priority, 0)
        """The turn that is under way."""
        self._lengths = dict.fromkeys(Priority, 0)

    def __len__(self) -> int:
        return sum(self._lengths.values())

    def put(self, item: Item, share: str, priority: Priority) -> None:
        """Queue an item at the end of its share; refused where there is no room for it."""
        waiting = self._shares[priority].get(share, ())
        if self._lengths[priority] >= self._most or len(waiting) >= self._most_of_share:
            raise Overloaded
        if not waiting:
            due = self._due[priority]
            due[share] = max(due.get(share, 0), self._turn[priority])
        self._shares[priority].setdefault(share, deque()).append(item)
        self._lengths[priority] += 1

    def put_back(self, item: Item, share: str, priority: Priority) -> None:
        """Queue an item that has had its turn: the next of its share, once the others had theirs.

        It is never refused: it was let in before.
        """
        self._due[priority].setdefault(share, self._turn[priority])
        self._shares[priority].setdefault(share, deque()).appendleft(item)
        self._lengths[priority] += 1

    def pop(self) -> Item | None:
        """The item whose turn it is; None if there is none."""
        for priority, shares in self._shares.items():
            if shares:
                due = self._due[priority]
                share = min(shares, key=due.__getitem__)
                item = shares[share].popleft()
                self._turn[priority] = due[share]
                due[share] += 1
                if not shares[share]:
                    del shares[share]
                if len(due) > 2 * len(shares) + FORGOTTEN_SHARES:
                    self._forget(priority)
                self._lengths[priority] -= 1
                return item
        return None

    def _forget(self, priority: Priority) -> None:
        """Forget the shares that would be due now if they came new."""
        shares, now = self._shares[priority], self._turn[priority]
        self._due[priority] = {
            share: due for share, due in self._due[priority].items() if share in shares or due > now
        }

    def remove(self, item: Item, share: str, priority: Priority) -> bool:
        """Take an item out of the queue; False if it is not in it any more."""
        shares = self._shares[priority]
        items = shares.get(share)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del shares[share]
        self._lengths[priority] -= 1
        return True
