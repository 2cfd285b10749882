"""What a client says over its socket, read into what it means."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import from_json

from cantstop.server.errors import Malformed, TooLarge, malformed
from cantstop.server.tables.actions import KindOfAction
from cantstop.server.tables.requests import Salt

LARGEST = 4096


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)


class Greeting(_Message):
    """Who somebody is: the secret of their seats, and the salt for one that is reserved."""

    secret: Annotated[str, StringConstraints(max_length=128)] | None = None
    salt: Salt | None = None


class Hello(_Message):
    """The first message."""

    t: Literal["hello"]
    d: Greeting


class Act(_Message):
    """Something is asked for."""

    t: Literal["act"]
    d: KindOfAction


class Ping(_Message):
    """Somebody is still there."""

    t: Literal["ping"]


Said = Hello | Act | Ping

_SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="t")])


def read_message(text: str | bytes) -> Said:
    """The message in a text; one that is too large, or makes no sense, is refused."""
    if isinstance(text, bytes):
        raise Malformed("A message is text, not bytes.")
    data = text.encode(errors="surrogatepass")
    if len(data) > LARGEST:
        raise TooLarge("A message has {most} bytes at most.", most=LARGEST)
    try:
        return _SAID.validate_python(from_json(data, allow_inf_nan=False))
    except ValidationError as error:
        raise malformed(error.errors()) from None
    except ValueError:
        raise Malformed("The message is not JSON.") from None


def action_id(text: str | bytes) -> str | None:
    """The id in a message that could not be read, so that its sender knows which one it was."""
    try:
        found: Any = from_json(text)
    except (ValueError, TypeError):  # not JSON, or not even text
        return None
    for key in ("d", "id"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) and len(found) <= 64 else None
