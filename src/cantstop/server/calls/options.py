"""What an operator sets for calls; without any of it there are feeds and, with HTTPS, push."""

from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlsplit

from cantstop.rules import InvalidText
from cantstop.server.calls.channels.mail import MailServer
from cantstop.server.calls.guard import Network, read_networks
from cantstop.wire.calls import LONGEST_SITE


@dataclass(frozen=True)
class CallTimes:
    """How often and how long something is tried."""

    gap: timedelta = timedelta(minutes=1)
    """Between two messages to one contact: what comes meanwhile is one message."""
    look_again: timedelta = timedelta(seconds=15)
    """Who is at the table when a message is due is looked for again after this long: whoever is
    still there has seen it."""
    lease: timedelta = timedelta(seconds=30)
    """A message that was begun is begun again after this long: its worker has died. Longer than
    any request takes."""
    mail_lease: timedelta = timedelta(minutes=5)
    poll: float = 2.0
    """Seconds between two looks at what is due."""
    remind: float = 20.0
    """Seconds between two looks at which reminders are due."""
    ask: float = 0.4
    """Seconds in which other workers report who is at a table."""


@dataclass(frozen=True)
class CallOptions:
    """How players are called."""

    public_url: str | None = None
    """Where players reach this server, without a slash at its end."""
    mail: MailServer | None = None
    allowed: tuple[Network, ...] = ()
    """Networks of the operator's own that players may name addresses in."""
    times: CallTimes = field(default_factory=CallTimes)


def read_options(
    public_url: str | None, mail: MailServer | None, allowed: tuple[str, ...]
) -> CallOptions:
    """Options as an operator writes them; InvalidText where they cannot be."""
    if mail is not None and public_url is None:
        raise InvalidText("Mails have links in them: --mail needs --public-url, too.")
    try:
        networks = read_networks(allowed)
    except ValueError as error:
        raise InvalidText(
            "“{text}” is not a network, such as {example}.",
            text=str(error).partition(" ")[0].strip("'"),
            example="10.0.0.0/8",
        ) from None
    return CallOptions(None if public_url is None else _site(public_url), mail, networks)


def _site(url: str) -> str:
    """The address of a server, without a slash at its end.

    >>> _site("https://play.example/")
    'https://play.example'
    """
    try:
        parts = urlsplit(url)
        is_site = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_site = False
    if (
        not is_site
        or parts.path not in ("", "/")
        or parts.query
        or parts.fragment
        or "@" in parts.netloc
        or len(url) > LONGEST_SITE
        or not url.isascii()
        or not url.isprintable()
    ):
        raise InvalidText(
            "“{text}” is not the address of a server, such as {example}.",
            text=url,
            example="https://play.example.org",
        )
    return f"{parts.scheme}://{parts.netloc}"
