"""The browser's types of the protocol are those of the server's schemas."""

import pytest

from protocol_types import (
    FILE,
    PAGE,
    Schema,
    page_with_events,
    protocol_types,
    server_schemas,
    type_of,
)


def test_the_browsers_types_are_current() -> None:
    assert FILE.read_text("utf-8") == protocol_types(), "run `make protocol`"


def test_the_events_in_the_docs_are_current() -> None:
    page = PAGE.read_text("utf-8")
    assert page == page_with_events(page), "run `make protocol`"
    assert "| `rolled` | `dice`, `roll`, `spent` (" in page


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
            "[number, string]",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "boolean"}},
            "Record<string, boolean>",
        ),
        ({"const": "rolled", "type": "string"}, '"rolled"'),
        ({"$ref": "#/components/schemas/View"}, "View"),
    ],
)
def test_a_schema_becomes_the_type_of_its_values(schema: Schema, type_: str) -> None:
    assert type_of(schema) == type_


def test_fields_that_may_be_left_out_are_optional() -> None:
    events = protocol_types().partition("@typedef {object} RolledEvent")[2].partition("*/")[0]
    assert "@property {View} [view]" in events
    assert "@property {RolledData} data" in events


def test_every_kind_of_event_and_action_has_a_type() -> None:
    written = protocol_types()
    for union in ("TableEvent", "Action"):
        kinds = server_schemas()[union]["discriminator"]["mapping"]
        assert len(kinds) > 5
        for kind in kinds:
            assert f'@property {{"{kind}"}} kind' in written
