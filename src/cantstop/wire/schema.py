"""JSON Schema of everything on the wire, made from its types and their docstrings.

OpenAPI, the browser's types and checks of clients come from here.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import msgspec
from msgspec import UNSET, UnsetType, defstruct

from cantstop import table as tables
from cantstop.drills import DrillProgress
from cantstop.table.events import Finished, Opened, Started
from cantstop.wire import (
    actions,
    calls,
    club,
    daily,
    drills,
    errors,
    health,
    hours,
    insight,
    messages,
    offers,
    position,
    requests,
    review,
    table,
    turns,
)
from cantstop.wire.events import DATA, EventData
from cantstop.wire.messages import ClientMessage, ServerMessage
from cantstop.wire.position import View
from cantstop.wire.table import OpenedDaily, OpenedTable, SeatAnswer, TableState
from cantstop.wire.types import EventNumber, SeatNumber, Time, Wire

Schema = dict[str, Any]
"""A JSON Schema, as msgspec makes them."""

_MODULES = (
    *(actions, calls, club, daily, drills, errors, health, hours, insight, messages, offers),
    *(position, requests, review, table, tables, turns),
)
_WITHOUT_SEAT = (Opened, Started, Finished)


def _event_type(kind: str, data: type[EventData]) -> type[msgspec.Struct]:
    """One kind of event, around the data that ``wire.events`` defines."""
    made = defstruct(
        f"{data.__name__.removesuffix('Data')}Event",
        [
            ("n", EventNumber),
            ("at", Time),
            ("seat", type(None) if data in _WITHOUT_SEAT else SeatNumber),
            ("data", data),
            ("view", View | UnsetType, UNSET),
        ],
        bases=(Wire,),
        tag_field="kind",
        tag=kind,
        frozen=True,
    )
    made.__doc__ = data.__doc__
    return made


EVENTS = {kind: _event_type(kind, data) for kind, data in DATA.items()}
"""Each kind of event as a type of its own: events are written and read without them."""


def _union(kinds: list[type[msgspec.Struct]]) -> Any:  # noqa: ANN401 - a type made at run time
    found: Any = kinds[0]
    for kind in kinds[1:]:
        found |= kind
    return found


TableEvent = _union(list(EVENTS.values()))


def _with(name: str, base: type[Wire], *fields: tuple[str, Any]) -> type[msgspec.Struct]:
    """A type with more fields, which are put in as JSON that there is already."""
    made = defstruct(name, list(fields), bases=(base,), frozen=True, kw_only=True)
    made.__doc__ = base.__doc__
    return made


_Events: Any = list[TableEvent]  # type: ignore[valid-type] # made at run time
State = _with("State", TableState, ("log", _Events))
OpenedAnswer = _with("OpenedAnswer", OpenedTable, ("state", State))
DailySeatAnswer = _with("DailySeatAnswer", OpenedDaily, ("state", State))


class EventsAnswer(Wire, frozen=True):
    """What happened after a number, each event with its view."""

    events: _Events
    next: int | None = None
    """The number to read on after, if ``limit`` has left events out."""


CLUB_TYPES: tuple[Any, ...] = (
    club.Me,
    club.LinkCode,
    club.RecoveryWords,
    club.PasskeyChallenge,
    club.ClaimedDays,
    club.ClubView,
    club.TablePlayers,
    club.LobbyView,
    club.SeekView,
    club.Profile,
    club.PlayerExport,
    club.GamesPage,
    club.Leaderboard,
    club.CourtesyList,
    turns.TurnList,
    hours.PlayerHours,
    hours.SetHours,
    hours.AnnounceAway,
    club.NewPlayer,
    club.ChangeMe,
    club.AddDevice,
    club.Restore,
    club.NewPasskey,
    club.UsePasskey,
    club.ClaimDays,
    club.SeekPlayers,
    club.SetCourtesy,
    club.ReportPlayer,
)
"""Of the club: players, lobby, history."""

CALL_TYPES: tuple[Any, ...] = (
    calls.Calls,
    calls.ContactView,
    calls.NewWebhook,
    calls.FeedAddress,
    calls.TestedCall,
    calls.AddPush,
    calls.AddMail,
    calls.AddNtfy,
    calls.AddWebhook,
    calls.ChangeContact,
    calls.SetReminders,
)
"""How players are notified that a table waits for them."""

HTTP_TYPES: tuple[Any, ...] = (
    State,
    OpenedAnswer,
    SeatAnswer,
    EventsAnswer,
    errors.ErrorAnswer,
    daily.DailyAnswer,
    daily.DailyArchive,
    DailySeatAnswer,
    offers.Offers,
    offers.Messages,
    insight.AnalysisAnswer,
    insight.HintAnswer,
    insight.HintPosition,
    review.ReviewAnswer,
    DrillProgress,
    drills.NextDrillAnswer,
    drills.VerdictAnswer,
    health.Health,
    requests.OpenTable,
    requests.OpenLesson,
    requests.TakeSeat,
    requests.PlayDaily,
    requests.NextDrill,
    requests.AnswerDrill,
    *CLUB_TYPES,
    *CALL_TYPES,
)
"""What requests over HTTP send and are answered with."""

_SERVER_MESSAGES: dict[ServerMessage, Any] = {
    ServerMessage.STATE: State,
    ServerMessage.EVENT: TableEvent,
    ServerMessage.PRESENCE: messages.Presence,
    ServerMessage.CLOCK: messages.ClockView,
    ServerMessage.ACK: messages.Ack,
    ServerMessage.REFUSED: messages.Refusal,
    ServerMessage.PONG: messages.Pong,
}


def components(kinds: tuple[Any, ...], prefix: str) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """The schemas of types, and those that they refer to by name, with descriptions."""
    found, named = msgspec.json.schema_components(kinds, ref_template=prefix + "{name}")
    types = _types_by_name()
    for name, schema in named.items():
        _describe(schema, types.get(name))
    for name in ("NextDrill", "AnswerDrill"):
        if name in named:  # it is checked in sentences of its own
            named[name]["properties"]["progress"] = {"$ref": f"{prefix}DrillProgress"}
    return found, named


def http_schemas() -> dict[str, Schema]:
    """The schemas of requests and answers, for OpenAPI."""
    return components(HTTP_TYPES, "#/components/schemas/")[1]


def message_schemas() -> Schema:
    """JSON Schemas of every socket message, for checks of clients.

    ``server`` has the schema of each kind's ``d``; ``client`` that of the whole message, by ``t``;
    ``$defs`` what they refer to: ``State``, ``View``, each event (``RolledEvent``) and action
    (``MakeMove``) among others.

    >>> sorted(message_schemas()["client"])
    ['act', 'hello', 'pace', 'ping']
    """
    sent = {str(kind.__struct_config__.tag): kind for kind in get_args(ClientMessage)}
    kinds = (*_SERVER_MESSAGES.values(), *sent.values())
    found, named = components(kinds, "#/$defs/")
    schemas = iter(found)
    return {
        "server": {kind.value: next(schemas) for kind in _SERVER_MESSAGES},
        "client": {t: next(schemas) for t in sent},
        "$defs": named,
    }


@cache
def _types_by_name() -> dict[str, type]:
    """Every type that a docstring can be read of."""
    found = {data.__name__: data for data in DATA.values()}
    for named in (*map(vars, _MODULES), globals()):
        found |= {name: one for name, one in named.items() if isinstance(one, type)}
    return found


def _describe(schema: Schema, kind: type | None) -> None:
    schema.pop("title", None)
    notes: dict[str, str] = {}
    for one in reversed(kind.__mro__ if kind is not None else ()):
        notes |= field_docstrings(one)
    for name, part in schema.get("properties", {}).items():
        if name in notes:
            part["description"] = notes[name]


def field_docstrings(kind: type) -> dict[str, str]:
    """The docstrings that stand behind the fields of a class."""
    return _docstrings(kind.__module__).get(kind.__name__, {})


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Those of all classes of a module, by name: its source is read once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):  # written in C
        return {}
    return {one.name: dict(_fields(one)) for one in tree.body if isinstance(one, ast.ClassDef)}


def _fields(kind: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in pairwise(kind.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            yield field.target.id, " ".join(str(after.value.value).split())
