"""What the types of the wire have in common: their base, and numbers and texts with bounds.

Outgoing values that the core's commands print too are plain dataclasses, elsewhere in this
package: the core does without msgspec, which writes and checks both.
"""

from typing import Annotated

from msgspec import Meta, Struct

SeatNumber = Annotated[int, Meta(ge=0, le=3)]
EventNumber = Annotated[int, Meta(ge=1)]
Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""ISO 8601, UTC, milliseconds."""
# "$" alone would let a line feed pass behind it
Salt = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?!\n)")]
SaltCommitment = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Secret = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22,128}$(?!\n)")]
ActionId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$(?!\n)")]
DrillId = Annotated[str, Meta(pattern=r"^[0-9a-f]{10}$(?!\n)")]


class Wire(Struct, frozen=True):
    """A value that goes out."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value that comes in: a misspelt variant would otherwise be played without.

    A client leaves out what has its default: an older server may not know it.
    """
