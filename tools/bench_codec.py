"""Measures msgspec and pydantic on the server's hot path: a roll comes in, a view goes out.

Usage: python tools/bench_codec.py

Both check the same types and write the same JSON. The figures are microseconds of processor time,
the best of several rounds taken in turn.
"""

import time
from collections.abc import Callable
from typing import Annotated, Literal

from msgspec.json import Decoder
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from cantstop.rules import Position
from cantstop.wire.codec import decode, encode
from cantstop.wire.messages import ClientMessage
from cantstop.wire.position import PositionView, position_view

ROUNDS, REPEATS = 20, 2000
MESSAGE = b'{"t":"act","d":{"kind":"roll","id":"0123456789abcdef","seat":1,"n":57}}'
POSITION = "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236"


class _Roll(BaseModel):
    """An action as pydantic reads it; its kinds are distinguished as msgspec's are."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: Literal["roll"]
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    seat: Annotated[int, Field(ge=0, le=3)]
    n: Annotated[int, Field(ge=0)] | None = None
    dice: tuple[int, ...] | None = None


class _Stop(_Roll):
    kind: Literal["stop"]  # type: ignore[assignment] # the other member of the union


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True)
    t: Literal["act"]
    d: Annotated[_Roll | _Stop, Field(discriminator="kind")]


def best(*functions: Callable[[], object]) -> list[float]:
    """The microseconds that each function takes, at best."""
    found = [float("inf")] * len(functions)
    for _ in range(ROUNDS):
        for at, function in enumerate(functions):
            begin = time.process_time()
            for _ in range(REPEATS):
                function()
            found[at] = min(found[at], (time.process_time() - begin) / REPEATS * 1e6)
    return found


def main() -> None:
    """Print both libraries' times and their ratio."""
    view = position_view(Position.parse(POSITION))
    views, acts = TypeAdapter(PositionView), TypeAdapter(_Act)
    messages: Decoder[ClientMessage] = Decoder(ClientMessage)
    assert views.dump_json(view) == encode(view)
    rows = {
        "read a roll": best(lambda: decode(MESSAGE, messages), lambda: acts.validate_json(MESSAGE)),
        "write a view": best(lambda: encode(view), lambda: views.dump_json(view)),
    }
    print(f"{'µs':<14}{'msgspec':>8} {'pydantic':>9}")
    for label, (ours, theirs) in rows.items():
        print(f"{label:<14}{ours:8.2f} {theirs:9.2f}   x {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
