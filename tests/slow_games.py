"""Players with a profile at a running server, and slow tables of theirs."""

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Self

import httpx2

from cantstop import client
from patience import PATIENCE

Json = dict[str, Any]


@dataclass(frozen=True)
class Friend:
    """A player who is not at a browser: one device with a key."""

    server: str
    name: str
    key: str

    @classmethod
    def begin(cls, server: str, name: str) -> Self:
        friend = cls(server, name, token_urlsafe(24))
        friend.ask("POST", "/me", name=name)
        return friend

    def ask(self, method: str, path: str, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.key}"}
        address = f"{self.server}/api{path}"
        answer = httpx2.request(
            method, address, headers=headers, json=body or None, timeout=PATIENCE
        )
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def opens(self, *others: "Friend", days: int | None = 3, **settings: Any) -> str:
        """A table with these players, who are seated in this order; the first is to play."""
        seats = [{"kind": "human", "name": self.name, "salt": "a"}]
        seats += [{"kind": "open"}] * max(1, len(others))
        time = {} if days is None else {"days": days}
        table: str = self.ask("POST", "/tables", mode="online", seats=seats, **time, **settings)[
            "id"
        ]
        for other in others:
            other.ask("POST", f"/tables/{table}/seats", name=other.name, salt="b")
        return table

    def plays(self, table: str) -> None:
        """A whole turn: a first roll cannot bust."""
        with client.Player(client.TableLink(self.server, table, self.key)) as me:
            me.roll()
            me.move(str(me.position.legal_moves[0]))
            me.stop()

    def turn(self, table: str) -> Json:
        """What the list of turns says of a table."""
        (found,) = [one for one in self.ask("GET", "/me/turns")["tables"] if one["id"] == table]
        assert isinstance(found, dict)
        return found
