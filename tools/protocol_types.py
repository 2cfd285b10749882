"""Writes what follows from the protocol: the browser's types, and the table of events in the docs.

    python tools/protocol_types.py --check     fails if they are not what the protocol says

The types come from the schemas that ``cantstop.wire`` makes of its own types. The table has the
fields of each event, with their docstrings.
"""

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from cantstop.wire.events import DATA
from cantstop.wire.messages import CloseCode
from cantstop.wire.schema import (
    CALL_TYPES,
    CLUB_TYPES,
    field_docstrings,
    http_schemas,
    message_schemas,
)

Schema = Mapping[str, Any]

FILE = Path(__file__).parents[1] / "src" / "cantstop" / "web" / "net" / "protocol.js"
PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
_BEGIN, _END = "<!-- events, by make protocol -->", "<!-- end of events -->"
WIDTH = 97
ROOTS = (
    *("ServerMessage", "ClientMessage", "CloseCode", "State", "TableEvent", "Action", "Problem"),
    *(
        "OpenTable",
        "OpenLesson",
        "OpenedAnswer",
        "PlayDaily",
        "DailyAnswer",
        "DailyArchive",
        "DailySeatAnswer",
        "TakeSeat",
        "SeatAnswer",
        "EventsAnswer",
        "Offers",
        "AnalysisAnswer",
        "HintAnswer",
        "HintPosition",
        "ReviewAnswer",
        "NextDrill",
        "AnswerDrill",
        "NextDrillAnswer",
        "VerdictAnswer",
    ),
    *(kind.__name__ for kind in (*CLUB_TYPES, *CALL_TYPES)),
)
"""What the client names itself; the types that these need follow."""

_HEAD = """\
/**
 * The types of the server's protocol, which docs/protocol.md explains.
 * Made by `make protocol` from the types of cantstop.wire: do not edit.
 */
"""
_PLAIN = {
    "boolean": "boolean",
    "integer": "number",
    "null": "null",
    "number": "number",
    "string": "string",
}


def server_schemas() -> dict[str, Schema]:
    """Every schema of the server by its name."""
    schemas: dict[str, Schema] = dict(http_schemas())
    messages = message_schemas()
    schemas |= messages["$defs"]
    schemas["TableEvent"] = messages["server"]["event"]
    schemas["Action"] = schemas["Act"]["properties"]["d"]
    schemas["ServerMessage"] = {
        "anyOf": [
            {"properties": {"t": {"const": kind}, "d": data}, "required": ["t", "d"]}
            for kind, data in messages["server"].items()
        ]
    }
    schemas["ClientMessage"] = {"anyOf": list(messages["client"].values())}
    schemas["CloseCode"] = {"enum": [code.value for code in CloseCode]}
    return schemas


def protocol_types() -> str:
    """The whole module."""
    schemas = server_schemas()
    names = _reached(schemas)
    return "\n".join([_HEAD, *(_typedef(name, schemas[name]) for name in names), "export {};\n"])


def _reached(schemas: Mapping[str, Schema]) -> list[str]:
    """The roots and all that they refer to, each once."""
    found: list[str] = []
    ahead = list(ROOTS)
    while ahead:
        name = ahead.pop(0)
        if name not in found:
            found.append(name)
            ahead += _references(schemas[name])
    return found


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if alias := _alias(schema):
            yield alias
        if "$ref" in schema:
            yield _name(schema)
        for key, part in schema.items():
            if key != "discriminator":
                yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _typedef(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        lines = textwrap.wrap(f"@typedef {{{type_of(schema, whole=True)}}} {name}", WIDTH)
    else:
        lines = [f"@typedef {{object}} {name}"]
        for key, part in schema["properties"].items():
            always = key in schema.get("required", ()) or "const" in part
            lines.append(f"@property {{{type_of(part)}}} {key if always else f'[{key}]'}")
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */", ""])


def type_of(schema: Schema, *, whole: bool = False) -> str:
    """The type that a JSON schema stands for; ``whole`` to write out a union that has a name."""
    if "$ref" in schema:
        return _name(schema)
    if not whole and (alias := _alias(schema)):
        return alias
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(type_of(each) for each in choices)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "properties" in schema:
        fields = (f"{key}: {type_of(part)}" for key, part in schema["properties"].items())
        return f"{{{', '.join(fields)}}}"
    if schema["type"] == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
        item = type_of(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if schema["type"] == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values)}>" if values else "Record<string, never>"
    return _PLAIN[schema["type"]]


def _alias(schema: Schema) -> str | None:
    """The name of a union that has one: schemas write it out wherever it is used."""
    kinds = schema.get("discriminator", {}).get("mapping", {})
    if "rolled" in kinds:
        return "TableEvent"
    return "Action" if "roll" in kinds else None


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


# The events in docs/protocol.md


def page_with_events(page: str) -> str:
    """A page with its table of events rewritten: what is between the two comments."""
    head, _, rest = page.partition(_BEGIN)
    return f"{head}{_BEGIN}\n\n{event_table()}\n{_END}{rest.partition(_END)[2]}"


def event_table() -> str:
    """Every kind of event with its fields, and what is to be known of them."""
    rows = [f"| `{kind}` | {_fields(data)} |\n" for kind, data in DATA.items()]
    return "".join(["| kind | data |\n|---|---|\n", *rows])


def _fields(data: type) -> str:
    notes = field_docstrings(data)
    parts = []
    for field in fields(data):
        note = notes.get(field.name, "").removesuffix(".").replace("``", "")
        if field.default is not MISSING:
            note = f"{note}{'; ' if note else ''}left out where it is {_json(field.default)}"
        if note[1:2].islower() or note[1:2] == " ":  # no abbreviation
            note = note[0].lower() + note[1:]
        parts.append(f"`{field.name}` ({note})" if note else f"`{field.name}`")
    return ", ".join(parts)


def _json(value: object) -> str:
    return json.dumps(value).replace("0.0", "0")


def main() -> None:
    """Write both files, or compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    is_check = parser.parse_args().check
    for path, text in (
        (FILE, protocol_types()),
        (PAGE, page_with_events(PAGE.read_text("utf-8"))),
    ):
        if not is_check:
            path.write_text(text, "utf-8")
        elif path.read_text("utf-8") != text:
            sys.exit(f"{path.name} is not what the protocol says: run `make protocol`.")


if __name__ == "__main__":
    main()
