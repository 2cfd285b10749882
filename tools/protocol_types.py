"""Writes the browser's types of the protocol from the server's schemas.

What goes over HTTP, and the states and events of a socket, are in the OpenAPI description; the
actions that a socket takes have a schema of their own.
"""

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from cantstop.server import ServerOptions, create_app
from cantstop.server.tables.actions import KindOfAction

Schema = Mapping[str, Any]

FILE = Path(__file__).parents[1] / "src" / "cantstop" / "web" / "net" / "protocol.js"
WIDTH = 97
ROOTS = (
    *("State", "TableEvent", "Action", "Problem", "Offers", "OpenedAnswer", "SeatAnswer"),
    *("EventsAnswer", "OpenTable", "OpenLesson", "TakeSeat"),
)
"""What the client names itself; the types that these need follow."""

_HEAD = """\
/**
 * The types of the server's protocol, which docs/protocol.md explains.
 * Made by `make protocol-types` from the server's schemas: do not edit.
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
    app = create_app(ServerOptions("sqlite://"))
    schemas: dict[str, Schema] = dict(app.openapi()["components"]["schemas"])
    schemas["TableEvent"] = schemas["EventsAnswer"]["properties"]["events"]["items"]
    actions = TypeAdapter(KindOfAction).json_schema()
    schemas |= actions.pop("$defs")
    schemas["Action"] = actions
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
        if _is_event(schema):
            yield "TableEvent"
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
    """The type that a JSON schema stands for; ``whole`` if it is the event's own union."""
    if "$ref" in schema:
        return _name(schema)
    if not whole and _is_event(schema):
        return "TableEvent"
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(type_of(each) for each in choices)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if schema["type"] == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
        item = type_of(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if schema["type"] == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values)}>" if values else "Record<string, never>"
    return _PLAIN[schema["type"]]


def _is_event(schema: Schema) -> bool:
    mapping = schema.get("discriminator", {}).get("mapping", {})
    return "rolled" in mapping


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


if __name__ == "__main__":
    FILE.write_text(protocol_types(), "utf-8")
