"""Asking a server over HTTP."""

import json
import secrets
import urllib.error
import urllib.request
from typing import Any

from cantstop.client.links import TableLink
from cantstop.rules import CantStopError

PATIENCE = 10
"""Seconds."""


class Refused(CantStopError):
    """Something the server did not do, in its own words."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__("{message}", message=error.get("message", ""))
        self.code = str(error.get("code", ""))


class Unreachable(CantStopError):
    """A server that does not answer, or not as one of ours does."""


def take_seat(link: TableLink, name: str, language: str) -> str:
    """Take a free seat at a table and return its secret."""
    answer = _post(f"{link.api}/seats", {"name": name, "salt": secrets.token_hex(8)}, language)
    secret = answer.get("secret")
    if not isinstance(secret, str):
        raise _strange(link.server)
    return secret


def _post(url: str, body: dict[str, Any], language: str) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - links are http or https
        url,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Accept-Language": language},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return _read(url, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            problem = _read(url, error.read()).get("error")
        raise (Refused(problem) if isinstance(problem, dict) else _strange(url)) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise Unreachable(
            "{server} cannot be reached: {reason}.", server=url, reason=reason
        ) from None


def _read(url: str, data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except ValueError:
        raise _strange(url) from None
    if not isinstance(answer, dict):
        raise _strange(url)
    return answer


def _strange(server: str) -> Unreachable:
    return Unreachable("{server} answers, but not as a Can't Stop server does.", server=server)
