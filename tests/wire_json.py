"""The wire's types against real JSON, for tests."""

import json
from typing import Any

import msgspec

from cantstop.wire.codec import encode
from cantstop.wire.seen import SeenEvent, SeenState


def as_json(value: object) -> Any:
    """A value of the wire's types as the JSON that it is sent as."""
    return json.loads(encode(value))


def checked(kind: Any, answer: Any) -> Any:
    """The JSON of an answer, once it has been found to be of a type and to have nothing besides."""
    text = answer if isinstance(answer, str) else answer.text
    told = json.loads(text)
    check_type(kind, told)
    return told


def check_type(kind: Any, told: Any) -> None:
    """Fail unless JSON is of a type, without anything that the type does not have."""
    rebuilt = json.loads(encode(msgspec.convert(told, kind)))
    assert _is_within(told, rebuilt), f"{told} has more than {kind.__name__}"


def _is_within(told: Any, rebuilt: Any) -> bool:
    """Whether all of JSON is in other JSON, which may have defaults besides."""
    match told, rebuilt:
        case dict(), dict():
            return all(key in rebuilt and _is_within(told[key], rebuilt[key]) for key in told)
        case list(), list():
            return len(told) == len(rebuilt) and all(map(_is_within, told, rebuilt))
    return bool(told == rebuilt)


def seen_state(told: Any) -> SeenState:
    """A state as a client reads it."""
    return msgspec.convert(told, SeenState)


def seen_event(told: Any) -> SeenEvent:
    """An event as a client reads it."""
    return msgspec.convert(told, SeenEvent)
