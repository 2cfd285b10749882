"""The answer of the health check as JSON."""

from typing import Literal

from cantstop.wire.types import Wire


class Health(Wire, frozen=True):
    """Each part is ``ok``, or says what is wrong."""

    status: Literal["ok", "degraded"]
    version: str
    database: str
    disk: str
    pool: str
    clock: str
    bots: str | dict[str, str]
    """The bots that fail, with the reason."""
