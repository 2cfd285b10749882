"""E-mail by the operator's server (SMTP): plain text with a link, ended by one click (RFC 8058)."""

import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, formataddr
from functools import partial
from html import escape
from urllib.parse import unquote, urlsplit

from cantstop.rules import InvalidText
from cantstop.server.calls.message import Failed, Gone, Later, Message, Outcome, Sent, Target
from cantstop.threads import BoundedThreads

LONGEST_ADDRESS = 254
SECONDS = 20.0
"""The timeout of every step of a conversation with the mail server."""
THREADS = 2
_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_{|}~-")
_HOST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")
_GONE = (550, 551, 553)
"""What a server says of a mailbox that is not there."""


def is_address(text: str) -> bool:
    """Whether a text is an e-mail address as people have them: one line, no comments, no lists.

    >>> is_address("anne@example.org"), is_address("a@b, c@d.org"), is_address("a@b")
    (True, False, False)
    """
    local, _, host = text.lower().rpartition("@")
    return (
        len(text) <= LONGEST_ADDRESS
        and 0 < len(local) <= 64
        and set(local) <= _LOCAL
        and not local.startswith((".", "-"))
        and not local.endswith(".")
        and ".." not in local
        and set(host) <= _HOST
        and "." in host
        and not any(
            not part or part.startswith("-") or part.endswith("-") for part in host.split(".")
        )
        and not host.rpartition(".")[2].isdigit()
    )


@dataclass(frozen=True)
class MailServer:
    """How mail leaves: the operator's server."""

    host: str
    port: int
    is_tls: bool
    """TLS from the beginning; else STARTTLS where the server has it."""
    user: str | None
    password: str | None = field(repr=False)
    sender: str

    @classmethod
    def read(cls, url: str, sender: str) -> "MailServer":
        """From ``smtp://USER:PASSWORD@HOST:PORT``, or ``smtps`` for TLS from the beginning.

        >>> MailServer.read("smtp://mail.example", "games@example.org").port
        587
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if (
            parts.scheme not in ("smtp", "smtps")
            or not parts.hostname
            or parts.path not in ("", "/")
        ):
            raise InvalidText(
                "“{text}” is not the address of a mail server, such as {example}.",
                text=url.rpartition("@")[2],
                example="smtp://USER:PASSWORD@mail.example.org:587",
            )
        if not is_address(sender):
            raise InvalidText("“{text}” is not an e-mail address.", text=sender)
        is_tls = parts.scheme == "smtps"
        return cls(
            parts.hostname,
            port or (465 if is_tls else 587),
            is_tls,
            None if parts.username is None else unquote(parts.username),
            None if parts.password is None else unquote(parts.password),
            sender,
        )

    def with_password(self, password: str) -> "MailServer":
        """The same server, with the password that an operator keeps in a file."""
        return replace(self, password=password)


class _Wire(EmailPolicy):
    """Mail as it is sent, with links and ids in headers as they are.

    The standard library writes long ones as encoded words, in which no mail program finds them.
    """

    def fold(self, name: str, value: str) -> str:
        """A header in lines."""
        if name.lower() in ("list-unsubscribe", "message-id"):
            return f"{name}: {value}{self.linesep}"
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: str) -> bytes:
        """The same in bytes."""
        if name.lower() in ("list-unsubscribe", "message-id"):
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)


WIRE = _Wire(linesep="\r\n")


def written(message: Message, sender: str, to: str) -> EmailMessage:
    """A message as mail."""
    mail = EmailMessage(policy=WIRE)
    mail["From"] = formataddr(("Can’t Stop", sender))
    mail["To"] = to
    mail["Subject"] = " ".join(message.title.split())
    mail["Date"] = format_datetime(message.at)
    mail["Message-ID"] = f"<{message.id}@{sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"  # no absence note answers it (RFC 3834)
    text = f"{message.text}\n\n{message.url}\n"
    html = (
        '<div style="max-width:34em;font:16px/1.5 system-ui,sans-serif;color:#2b2622">'
        f'<h1 style="font-size:20px;margin:0 0 12px">{escape(message.title)}</h1>'
        f"<p>{escape(message.text).replace(chr(10), '<br>')}</p>"
        f'<p><a href="{escape(message.url)}" style="display:inline-block;padding:10px 18px;'
        'border-radius:8px;background:#b3202c;color:#fff;text-decoration:none;font-weight:600">'
        f"{escape(message.link)}</a></p>"
    )
    if message.unsubscribe is not None:
        mail["List-Unsubscribe"] = f"<{message.unsubscribe}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        text += f"\n-- \n{message.unsubscribe_text}\n{message.unsubscribe}\n"
        html += (
            '<p style="font-size:13px;color:#6d645c">'
            f'<a href="{escape(message.unsubscribe)}" style="color:inherit">'
            f"{escape(message.unsubscribe_text)}</a></p>"
        )
    mail.set_content(text)
    mail.add_alternative(html + "</div>", subtype="html")
    return mail


class Mail:
    """Sends messages by mail, in threads of its own: a server that hangs delays nothing else."""

    def __init__(self, server: MailServer, seconds: float = SECONDS) -> None:
        self._server = server
        self._seconds = seconds
        self._threads = BoundedThreads(THREADS)

    async def send(self, target: Target, message: Message) -> Outcome:
        """Send a message to an address."""
        mail = written(message, self._server.sender, target.address)
        return await self._threads.run(partial(self._send, mail, target.address))

    def _send(self, mail: EmailMessage, to: str) -> Outcome:
        try:
            smtp = self._connect()
        except (OSError, smtplib.SMTPException) as error:
            return Later(type(error).__name__)
        try:
            refused = self._enter(smtp)
            if refused is not None:
                return refused
            smtp.send_message(mail, self._server.sender, [to])
        except smtplib.SMTPRecipientsRefused as error:
            status = next(iter(error.recipients.values()))[0]
            return Gone(f"status {status}") if status in _GONE else Later(f"status {status}")
        except smtplib.SMTPAuthenticationError as error:
            return Later(f"status {error.smtp_code}")  # until the operator sees it
        except smtplib.SMTPResponseException as error:
            is_final = 500 <= error.smtp_code < 600
            reason = f"status {error.smtp_code}"
            return Failed(reason) if is_final else Later(reason)
        except (OSError, smtplib.SMTPException) as error:
            return Later(type(error).__name__)
        finally:
            with suppress(OSError, smtplib.SMTPException):  # the mail is there, however they part
                smtp.quit()
            smtp.close()
        return Sent()

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        if not server.is_tls:
            return smtplib.SMTP(server.host, server.port, timeout=self._seconds)
        tls = ssl.create_default_context()
        return smtplib.SMTP_SSL(server.host, server.port, timeout=self._seconds, context=tls)

    def _enter(self, smtp: smtplib.SMTP) -> Later | None:
        """Encrypt the connection where that can be, and log in; never in the clear."""
        smtp.ehlo_or_helo_if_needed()
        is_tls = self._server.is_tls
        if not is_tls and smtp.has_extn("starttls"):
            smtp.starttls(context=ssl.create_default_context())
            is_tls = True
        if self._server.user is None:
            return None
        if not is_tls:
            return Later("no TLS for the password")
        smtp.login(self._server.user, self._server.password or "")
        return None
