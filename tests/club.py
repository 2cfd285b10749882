"""Players with a profile, for tests: each with the key of a device."""

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

Json = dict[str, Any]


@dataclass
class Member:
    """A device with a key; it belongs to a player once it has begun, or was added."""

    server: TestClient
    key: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def ask(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """The answer of the server, whose status has to be this one."""
        answer = self.try_to(method, path, **body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def try_to(self, method: str, path: str, **body: Any) -> Response:
        sent = body if body or method in ("PATCH", "PUT") else None
        return self.server.request(method, f"/api{path}", headers=self.bearer, json=sent)

    def refusal(self, method: str, path: str, **body: Any) -> tuple[int, str]:
        """Status and code with which a request is refused."""
        answer = self.try_to(method, path, **body)
        return answer.status_code, answer.json()["error"]["code"]


def device(server: TestClient) -> Member:
    """A device that nobody knows yet."""
    return Member(server, token_urlsafe(24))


def member(server: TestClient, name: str, **more: Any) -> Member:
    """A player with a new profile."""
    found = device(server)
    found.ask("POST", "/me", 201, name=name, **more)
    return found
