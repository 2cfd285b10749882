"""ntfy: a topic on a server of the player's choice, which an app on the phone listens to."""

import json
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from cantstop.server.calls.channels.webpush import outcome_of, topic_of
from cantstop.server.calls.guard import Forbidden, Guard, NoAnswer
from cantstop.server.calls.message import Failed, Gone, Later, Message, Outcome, Target


def topic_address(url: str) -> tuple[str, str] | None:
    """A topic's server and its name, where the address is one of a topic.

    >>> topic_address("https://ntfy.sh/my-turns")
    ('https://ntfy.sh/', 'my-turns')
    """
    parts = urlsplit(url)
    base, _, topic = parts.path.rpartition("/")
    is_topic = 0 < len(topic) <= 64 and topic.replace("-", "").replace("_", "").isalnum()
    if not is_topic or parts.query or parts.fragment:
        return None
    return f"{parts.scheme}://{parts.netloc}{base}/", topic


class Ntfy:
    """Sends messages to topics."""

    def __init__(self, guard: Guard, clock: Callable[[], datetime]) -> None:
        self._guard = guard
        self._clock = clock

    async def send(self, target: Target, message: Message) -> Outcome:
        """Send a message; a newer one about the same replaces it on the phone."""
        found = topic_address(target.address)
        if found is None:
            return Gone("not a topic")
        server, topic = found
        shown = {
            "topic": topic,
            "title": message.title,
            "message": message.text,
            "click": message.url,
            "tags": ["game_die"],
            "sequence_id": topic_of(message.topic),
        }
        body = json.dumps(shown, ensure_ascii=False).encode()
        try:
            answer = await self._guard.post(server, {"Content-Type": "application/json"}, body)
        except Forbidden as error:
            return Gone(str(error))
        except NoAnswer as error:
            return Later(str(error))
        outcome = outcome_of(answer, self._clock())
        # a topic cannot be gone: where its server says so, it is the server that is not one
        return Failed(outcome.reason) if isinstance(outcome, Gone) else outcome
