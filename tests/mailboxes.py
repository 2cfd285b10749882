"""A mail server on this machine, which keeps what it is sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Mailboxes:
    """What came in; ``answers`` has what is said to some recipients, or to ``data``."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    """The same as they came."""
    recipients: list[list[str]] = field(default_factory=list)
    arrived: "asyncio.Queue[EmailMessage]" = field(default_factory=asyncio.Queue)
    """The same mails, for whoever waits for one."""
    answers: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        answer = self.answers.get(address)
        if answer is None:
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        self.raw.append(content)
        self.mails.append(message_from_bytes(content, policy=policy.default))
        self.arrived.put_nowait(self.mails[-1])
        self.recipients.append(list(envelope.rcpt_tos))
        return self.answers.get("data", "250 OK")


@asynccontextmanager
async def mailboxes() -> AsyncIterator[Mailboxes]:
    found = Mailboxes()
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(found, hostname="mail.test"), "127.0.0.1", 0
    )
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()
