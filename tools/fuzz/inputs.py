"""The fuzzer's inputs: messages of the protocol with something wrong in each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, get_args

from cantstop.rules import InvalidText, Move
from cantstop.table.events import Reaction
from cantstop.wire.actions import TableAction
from cantstop.wire.messages import MAX_MESSAGE_BYTES

KINDS = tuple(str(action.__struct_config__.tag) for action in get_args(TableAction))
ANY_TIME = ("resign", "takeback")
"""What a player may do out of turn."""
REACTIONS = tuple(reaction.value for reaction in Reaction)
WORDS = (
    *("hello", "act", "ping", "pong", "state", "event", *KINDS, *REACTIONS),
    *("6+8", "7", "+", "12+12", "2+2", "0", "-1", "", "null", "12345678", "a" * 64, "a" * 65),
    *("online", "solo", "hotseat", "human", "open", "bot", "careful", "custom", "basics"),
    *("../../etc", "' or 1=1 --", "<script>", "{0}", "%s", "%00", "\x00", "\ud800", "é", "🎲"),
    *("\u202e", "\ufeff", "\n", "Ａ", "١٢"),
)
KEYS = (
    *("t", "d", "id", "kind", "seat", "move", "reaction", "for", "n", "secret", "salt", "error"),
    *("mode", "seats", "edition", "win", "early", "sharing", "help", "youngest", "lesson"),
    *("name", "colour", "bot", "players", "start", "__proto__", "", "\x00"),
)
NUMBERS = (
    *(0, 1, 2, 3, 4, -1, 255, 2**31, 2**53, 2**63, -(2**63), 10**30, 0.0, 1.0, 1.5, -0.0, 1e308),
    *(float("inf"), float("nan"), True, False),
)


@dataclass(frozen=True)
class Place:
    """Where a client sits, so that what is sent can be wrong in just one thing."""

    seats: tuple[int, ...]
    secret: str | None
    n: int
    done: tuple[str, ...] = ()
    """The ids of actions that were accepted before."""
    legal: tuple[str, ...] = ()
    """What would be granted: the legal moves, where it is this player's turn."""


Say = Callable[[Random, Place], str | bytes]


def value(chance: Random, depth: int = 0) -> Any:  # noqa: ANN401
    """Any value that JSON can have, and some that it cannot."""
    kind = chance.randrange(6 if depth < 4 else 4)
    match kind:
        case 0:
            return chance.choice(NUMBERS)
        case 1:
            return chance.choice(WORDS)
        case 2:
            return None
        case 3:
            return "".join(chr(chance.randrange(32, 0x3000)) for _ in range(chance.randrange(20)))
        case 4:
            return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
        case _:
            return {
                chance.choice(KEYS): value(chance, depth + 1) for _ in range(chance.randrange(5))
            }


def new_id(chance: Random) -> str:
    """An id that nobody has used."""
    return f"{chance.getrandbits(96):024x}"


def _text(message: Any) -> str:  # noqa: ANN401
    return json.dumps(message, ensure_ascii=False)


def _act(chance: Random, place: Place) -> dict[str, Any]:
    """An action that is well formed."""
    action: dict[str, Any] = {
        "id": new_id(chance),
        # moves and orders have more ways to be wrong
        "kind": chance.choice((*KINDS, "move", "move", "move", "move", "order")),
        "seat": chance.choice(place.seats) if place.seats else chance.randrange(4),
    }
    match action["kind"]:
        case "move":
            action["move"] = str(Move(*(chance.randint(1, 13) for _ in range(2))))
        case "react":
            action["reaction"] = chance.choice(REACTIONS)
        case "substitute" | "drop":
            action["for"] = chance.randrange(4)
        case "order":  # one that says nothing, or a chance that cannot be
            action |= {"runners": False, "bust": chance.choice([None, 0, -1, 101, 2**31])}
        case "fill":
            taken = chance.choice((0, 2, 3))  # a bot may sit down on the one that is free
            action |= {"for": taken, "bot": chance.choice(WORDS)}
        case "agree" | "decline":
            action["asked"] = chance.choice([1, place.n - 1, place.n, place.n + 1])
    return action


def any_json(chance: Random, _: Place) -> str:
    """JSON, but not a message."""
    return _text(value(chance))


def any_text(chance: Random, _: Place) -> str:
    """Not JSON at all."""
    return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(1, 200)))


def any_bytes(chance: Random, _: Place) -> bytes:
    """Binary messages, which the protocol does not have."""
    return chance.randbytes(chance.randrange(1, 300))


def wrong_types(chance: Random, place: Place) -> str:
    """An action with one field of another type, or one more."""
    action = _act(chance, place)
    action[chance.choice([*action, chance.choice(KEYS)])] = value(chance)
    return _text({"t": "act", "d": action})


def wrong_frame(chance: Random, place: Place) -> str:
    """An action in something that is not a message."""
    action = _act(chance, place)
    frame: dict[str, Any] = {"t": "act", "d": action}
    frame[chance.choice(["t", "d"])] = value(chance)
    wrong: list[Any] = [frame, [frame], {**action, "t": "act"}, action]
    return _text(chance.choice(wrong))


def truncated(chance: Random, place: Place) -> str:
    """The beginning of a message."""
    text = _text({"t": "act", "d": _act(chance, place)})
    return text[: chance.randrange(len(text))]


def nested(chance: Random, _: Place) -> str:
    """Brackets in brackets."""
    depth = chance.randrange(100, MAX_MESSAGE_BYTES // 8)
    inside = "[" * depth + "]" * depth
    return chance.choice(
        [
            inside,
            "[" * MAX_MESSAGE_BYTES,
            '{"d":' * (MAX_MESSAGE_BYTES // 5),
            f'{{"t": "act", "d": {inside}}}',
        ]
    )


def odd_numbers(chance: Random, place: Place) -> str:
    """Numbers that Python, JSON and databases read differently."""
    odd = ("NaN", "Infinity", "-Infinity", "1e999", "1e-999", "00", "0x1", "1_0", "-0", "1.0", "٣")
    action = _act(chance, place) | {"seat": "SEAT", "n": "N"}
    text = _text({"t": "act", "d": action})
    return text.replace('"SEAT"', chance.choice([*odd, "0", "9" * 400])).replace(
        '"N"', chance.choice([*odd, "0", "9" * 400])
    )


def repeated_keys(chance: Random, place: Place) -> str:
    """The same key twice, with different values."""
    one, other = (_text(_act(chance, place))[1:-1] for _ in range(2))
    return f'{{"t": "act", "t": "ping", "d": {{{one}, {other}}}, "t": "act"}}'


def not_allowed(chance: Random, place: Place) -> str:
    """What another client might do: out of turn, from another seat, against the rules, too late."""
    action = _act(chance, place)
    if chance.randrange(2):
        action["seat"] = chance.randrange(4)
    if chance.randrange(3) == 0:
        action["n"] = chance.choice([0, 1, place.n - 1, place.n, place.n + 1, 10**9])
    return _text({"t": "act", "d": action})


def done_before(chance: Random, place: Place) -> str:
    """An action that was accepted already, maybe as another kind."""
    action = _act(chance, place)
    if place.done:
        action["id"] = chance.choice(place.done)
    return _text({"t": "act", "d": action})


def hello_again(chance: Random, place: Place) -> str:
    """A second hello, or a ping with something in it."""
    secret = chance.choice([place.secret, "wrong", None, 3])
    return _text(
        chance.choice([{"t": "hello", "d": {"secret": secret}}, {"t": "ping", "d": value(chance)}])
    )


HARMLESS: dict[str, Say] = {
    "any JSON": any_json,
    "any text": any_text,
    "binary": any_bytes,
    "wrong types": wrong_types,
    "wrong frame": wrong_frame,
    "truncated": truncated,
    "nested": nested,
    "odd numbers": odd_numbers,
    "repeated keys": repeated_keys,
    "not allowed": not_allowed,
    "done before": done_before,
    "hello again": hello_again,
}
"""What is answered, and leaves the socket open."""


def harmless(chance: Random, place: Place) -> tuple[str, str | bytes]:
    """Something that is refused, and what kind of thing it is."""
    while True:
        kind = chance.choice(list(HARMLESS))
        said = HARMLESS[kind](chance, place)
        data = said if isinstance(said, bytes) else said.encode(errors="surrogatepass")
        if isinstance(said, str):
            said = data.decode(errors="replace")  # a client's library would not send it otherwise
        if 0 < len(said.encode() if isinstance(said, str) else said) <= MAX_MESSAGE_BYTES and not (
            isinstance(said, str) and _is_legal(said, place)
        ):
            return kind, said


def _is_legal(text: str, place: Place) -> bool:
    """Whether it is, by chance, just what this player may do."""
    try:
        action = json.loads(text)["d"]
        if action["kind"] in ANY_TIME:
            return action["seat"] in place.seats
        if action["kind"] == "order":
            parts = (action.get(part) for part in ("runners", "column", "bust"))
            return action["seat"] in place.seats and any(parts)
        return action["kind"] == "move" and str(Move.parse(action["move"])) in place.legal
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InvalidText):
        return False
