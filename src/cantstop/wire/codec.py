"""The one codec: types to JSON, and JSON that comes in to types."""

import re
from threading import Lock
from typing import TypeVar

import msgspec

from cantstop.rules import InvalidText

Value = TypeVar("Value")

_ENCODER = msgspec.json.Encoder()
_FIELD = re.compile(r"field `([^`]*)`")
_PLACE = re.compile(r" - at `\$([^`]*)`$")


class NotJson(InvalidText):
    """A text that is not JSON."""

    def __init__(self) -> None:
        super().__init__("“{field}” is missing or cannot be read.", field="body")


class WrongField(InvalidText):
    """JSON that is not of the type that was asked for; it names the field."""

    def __init__(self, field: str) -> None:
        super().__init__("“{field}” is missing or cannot be read.", field=field)


_lock = Lock()


def decoder(kind: type[Value]) -> msgspec.json.Decoder[Value]:
    """A decoder for a type, which may be new to msgspec.

    msgspec examines a class when it first meets it, and another thread that uses the class in
    between would crash the process: one at a time.
    """
    with _lock:
        return msgspec.json.Decoder(kind)


def encode(value: object) -> bytes:
    """A value of the wire's types as JSON."""
    return _ENCODER.encode(value)


def decode(data: bytes | str, reader: msgspec.json.Decoder[Value]) -> Value:
    """The value that JSON says.

    Raises:
        NotJson: If the data is not JSON.
        WrongField: If it is not of the reader's type.
    """
    try:
        return reader.decode(data)
    except msgspec.ValidationError as error:
        raise WrongField(field_of(error)) from None
    except (ValueError, RecursionError):
        raise NotJson from None


def field_of(error: msgspec.ValidationError) -> str:
    """The field that is wrong, by its place.

    >>> field_of(msgspec.ValidationError("Object missing required field `id` - at `$.d`"))
    'd.id'
    """
    text = str(error)
    place, named = _PLACE.search(text), _FIELD.search(text)
    parts = [place[1] if place else "", f".{named[1]}" if named else ""]
    return "".join(parts).lstrip(".") or "body"
