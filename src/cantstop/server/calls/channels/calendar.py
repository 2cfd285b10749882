"""A calendar (RFC 5545) of the turns that wait for a player: each is there when its time ends."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from cantstop.server.calls.channels.waiting import WaitingTurn

TYPE = "text/calendar"
_LINE_BYTES = 75
_HALF_HOUR = timedelta(minutes=30)


def ics(title: str, turns: Sequence[WaitingTurn], now: datetime) -> bytes:
    """The calendar."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//cantstop//turns//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(title)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    for turn in turns:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{_text(turn.id)}@cantstop",
            f"DTSTAMP:{_time(now)}",
            f"DTSTART:{_time(turn.due - _HALF_HOUR)}",
            f"DTEND:{_time(turn.due)}",
            f"SUMMARY:{_text(turn.title)}",
            f"DESCRIPTION:{_text(turn.text)}",
            f"URL:{turn.url}",
            "TRANSP:TRANSPARENT",  # nobody is busy then
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    folded = (part for line in lines for part in _folded(line))
    return "".join(f"{line}\r\n" for line in folded).encode()


def _text(text: str) -> str:
    """A text as RFC 5545 (3.3.11) has it."""
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r", ""), ("\n", "\\n")):
        text = text.replace(plain, written)
    return text


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[str]:
    """A line in pieces of 75 bytes at most, never within a letter."""
    rest, first = line, True
    while rest:
        room = _LINE_BYTES if first else _LINE_BYTES - 1
        piece = rest.encode()[:room].decode(errors="ignore")
        yield piece if first else f" {piece}"
        rest, first = rest[len(piece) :], False
