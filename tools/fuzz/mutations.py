"""How the fuzzer spoils what is right: bytes, lines, numbers, nesting, and values in JSON."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

NUMBERS = (
    *(
        b"0",
        b"-1",
        b"1",
        b"2",
        b"3",
        b"4",
        b"7",
        b"12",
        b"13",
        b"21",
        b"99",
        b"100",
        b"255",
        b"999",
    ),
    *(
        b"65536",
        b"2147483648",
        b"9223372036854775808",
        b"1e999",
        b"NaN",
        b"Infinity",
        b"00",
        b"1.5",
    ),
    *(b"9" * 30, b"9" * 5000, b"\xd9\xa3", b"\xef\xbc\x97", b"1_0", b"+1", b" 1", b"0x1"),
)
NOISE = (
    *(
        b"\x00",
        b"\x1b[31m",
        b"\x1b]0;x\x07",
        b"\xc2\x9b2J",
        b"\x7f",
        b"\r",
        b"\r\n",
        b"\n",
        b"\t",
        b" ",
    ),
    *(b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xe2\x80\xae"),
    *(
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\xf0\x9f\x8e\xb2",
        b"e\xcc\x81" * 30,
        b"\\",
        b'"',
        b'\\"',
        b"'",
    ),
    *(
        b"{0}",
        b"{}",
        b"%s",
        b"{text}",
        b"#",
        b"=",
        b":",
        b",",
        b"/",
        b".",
        b"-",
        b"*",
        b"[",
        b"]",
        b"(",
    ),
)
KEYS = (
    "n",
    "kind",
    "seat",
    "data",
    "dtype",
    "count",
    "rules",
    "",
    "\x00",
    "plan",
    "games",
    "error",
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 255, 2**31, 2**63, 10**30, 1.5, -0.0, 1e308),
    *(float("inf"), float("nan"), "", "0", "x", "\x00", "\x1b[31m", "\ud800", "é", "a" * 1000),
    *([], {}, [[]], [0] * 1000, [[0, 0]] * 50, {"n": 0}, "|O", "O", "<f4", "<f8", "<M8[s]", "V8"),
    *(">f8", "f4,f4", "<U1000000", "S1", "players=4", "v1,players=2", "v2", "(99999999,)f8"),
)

Mutation = Callable[[Random, bytes], bytes]


def _place(chance: Random, data: bytes) -> tuple[int, int]:
    """A piece of the data, usually a short one."""
    first = chance.randrange(len(data) + 1)
    return first, min(len(data), first + chance.choice([0, 1, 1, 2, 4, 8, 40, 400]))


def flip(chance: Random, data: bytes) -> bytes:
    """One byte is another."""
    if not data:
        return chance.randbytes(1)
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def cut_out(chance: Random, data: bytes) -> bytes:
    """A piece is missing."""
    first, last = _place(chance, data)
    return data[:first] + data[last:]


def cut_off(chance: Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: chance.randrange(len(data) + 1)]


def repeat(chance: Random, data: bytes) -> bytes:
    """A piece is there many times; now and then very many."""
    first, last = _place(chance, data)
    times = chance.choice([2, 2, 2, 3, 10, 10, 100, 2000])
    return data[:last] + data[first:last] * times + data[last:]


def put_in(chance: Random, data: bytes) -> bytes:
    """Something that has no place there."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(NOISE) + data[at:]


def move(chance: Random, data: bytes) -> bytes:
    """A piece is somewhere else."""
    first, last = _place(chance, data)
    rest = data[:first] + data[last:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + data[first:last] + rest[at:]


def renumber(chance: Random, data: bytes) -> bytes:
    """One number is another, near or far."""
    found = list(re.finditer(rb"\d+", data[:20_000]))
    if not found:
        return put_in(chance, data)
    one = chance.choice(found)
    near = b"%d" % max(0, int(one[0][:9]) + chance.choice([-1, 1, 2, 10]))
    return data[: one.start()] + chance.choice([near, near, *NUMBERS]) + data[one.end() :]


def shuffle_lines(chance: Random, data: bytes) -> bytes:
    """Two lines are swapped, or one is there twice."""
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    if chance.randrange(2):
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines.insert(one, lines[other])
    return b"\n".join(lines)


def other_line_ends(_: Random, data: bytes) -> bytes:
    """Lines end as they do elsewhere."""
    return data.replace(b"\n", b"\r\n")


def nest(chance: Random, data: bytes) -> bytes:
    """Brackets in brackets."""
    at, depth = chance.randrange(len(data) + 1), chance.choice([10, 500, 1500, 20_000])
    opened, closed = chance.choice([(b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")])
    return data[:at] + opened * depth + closed * chance.choice([0, depth]) + data[at:]


BYTES: tuple[Mutation, ...] = (
    *(flip, flip, cut_out, cut_out, cut_off, repeat, put_in, put_in, move, renumber, renumber),
    *(renumber, shuffle_lines, other_line_ends, nest),
)


def spoil(chance: Random, data: bytes, times: int = 3) -> bytes:
    """A few things are wrong, or by chance none."""
    for _ in range(chance.randint(1, times)):
        data = chance.choice(BYTES)(chance, data)
    return data


def spoil_json(chance: Random, value: Any) -> Any:  # noqa: ANN401
    """One value somewhere inside is another, is missing, or is there too often."""
    path: list[tuple[Any, Any]] = []
    inside = value
    while isinstance(inside, dict | list) and inside and chance.random() < 0.85:
        key = (
            chance.choice(list(inside))
            if isinstance(inside, dict)
            else chance.randrange(len(inside))
        )
        path.append((inside, key))
        inside = inside[key]
    if not path:
        return deepcopy(chance.choice(VALUES))
    holder, key = path[-1]
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder[key:key] = [deepcopy(inside) for _ in range(chance.choice([1, 2, 50]))]
        case 1:
            holder[chance.choice(KEYS)] = deepcopy(chance.choice(VALUES))
        case 2 if isinstance(inside, int | float):
            holder[key] = inside + chance.choice([-1, 1, 0.5, 2**40, 2**70])
        case 3 if isinstance(inside, str):
            holder[key] = spoil(chance, inside.encode(errors="replace"), 1).decode(errors="replace")
        case _:
            holder[key] = deepcopy(chance.choice(VALUES))
    return value


def spoil_json_text(chance: Random, text: bytes) -> bytes:
    """JSON with a few other values in it, or a text that is not JSON any more."""
    if chance.random() < 0.25:
        return spoil(chance, text)
    value = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        value = spoil_json(chance, value)
    return json.dumps(value).encode()
