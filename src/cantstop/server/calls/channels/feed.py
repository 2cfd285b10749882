"""An Atom feed (RFC 4287) of the turns that wait for a player."""

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from cantstop.server.calls.channels.waiting import WaitingTurn

TYPE = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"


def atom(title: str, address: str, turns: Sequence[WaitingTurn], now: datetime) -> bytes:
    """The feed at an address, the newest turn first."""
    feed = ET.Element("feed", {"xmlns": _NAMESPACE})
    newest = max((turn.began for turn in turns), default=now)
    _add(feed, "id", address)
    _add(feed, "title", title)
    _add(feed, "updated", _time(newest))
    ET.SubElement(feed, "link", {"rel": "self", "type": TYPE, "href": address})
    for turn in sorted(turns, key=lambda turn: turn.began, reverse=True):
        entry = ET.SubElement(feed, "entry")
        _add(entry, "id", f"{turn.url}#{turn.id}")
        _add(entry, "title", turn.title)
        _add(entry, "updated", _time(turn.began))
        ET.SubElement(entry, "link", {"rel": "alternate", "href": turn.url})
        _add(entry, "summary", turn.text)
        _add(ET.SubElement(entry, "author"), "name", "Can’t Stop")
    text: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
