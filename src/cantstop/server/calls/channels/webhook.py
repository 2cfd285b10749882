"""A signed request to a program of the player's, in the form of Standard Webhooks.

Id, time and an HMAC-SHA-256 of both and the body: it can be checked with libraries that there are.
"""

import hmac
import json
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime

from cantstop.server.calls.channels.webpush import outcome_of
from cantstop.server.calls.guard import Forbidden, Guard, NoAnswer
from cantstop.server.calls.message import Gone, Later, Message, Outcome, Target


def shown_secret(secret: bytes) -> str:
    """The secret as whoever reads the webhook is given it."""
    return f"whsec_{b64encode(secret).decode()}"


def signature(secret: bytes, message_id: str, seconds: int, body: bytes) -> str:
    """What proves that a request is from here, and when it was made."""
    signed = f"{message_id}.{seconds}.".encode() + body
    return f"v1,{b64encode(hmac.digest(secret, signed, 'sha256')).decode()}"


class Webhook:
    """Sends messages to programs."""

    def __init__(self, guard: Guard, clock: Callable[[], datetime]) -> None:
        self._guard = guard
        self._clock = clock

    async def send(self, target: Target, message: Message) -> Outcome:
        """Send a message; a program that has seen its id has seen it."""
        seconds = int(self._clock().timestamp())
        shown = {
            "topic": message.topic,
            "title": message.title,
            "text": message.text,
            "url": message.url,
            "waiting": message.waiting,
        }
        body = json.dumps(shown, ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(target.secret, message.id, seconds, body),
        }
        try:
            answer = await self._guard.post(target.address, headers, body)
        except Forbidden as error:
            return Gone(str(error))
        except NoAnswer as error:
            return Later(str(error))
        return outcome_of(answer, self._clock())
