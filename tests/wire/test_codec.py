"""What comes in is read into types, or refused by the name of what is wrong."""

import subprocess
import sys

import pytest
from msgspec.json import Decoder

from cantstop.wire.codec import NotJson, WrongField, decode, encode
from cantstop.wire.messages import Act, ClientMessage, Greeting, Hello
from cantstop.wire.requests import OpenTable, TakeSeat

MESSAGE: Decoder[ClientMessage] = Decoder(ClientMessage)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"t": "act"}', "d"),
        ('{"t": "wave"}', "t"),
        ("[]", "body"),
        ('{"t": "act", "d": {"kind": "roll", "seat": 0}}', "d.id"),
        ('{"t": "act", "d": {"kind": "roll", "id": "12345678", "seat": 4}}', "d.seat"),
        ('{"t": "act", "d": {"kind": "roll", "id": "12345678", "seat": true}}', "d.seat"),
        ('{"t": "act", "d": {"kind": "roll", "id": "12345678", "seat": 1.0}}', "d.seat"),
        ('{"t": "act", "d": {"kind": "roll", "id": "12345678", "seat": 0, "x": 1}}', "d.x"),
        ('{"t": "act", "d": {"kind": "fly", "id": "12345678", "seat": 0}}', "d.kind"),
        ('{"t": "act", "d": {"kind": "roll", "id": "1234567\\u0000", "seat": 0}}', "d.id"),
        ('{"t": "act", "d": {"kind": "roll", "id": "12345678\\n", "seat": 0}}', "d.id"),
        ('{"t": "hello", "d": {"salt": ""}}', "d.salt"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(text: str, field: str) -> None:
    with pytest.raises(WrongField) as refused:
        decode(text, MESSAGE)
    assert refused.value.fields["field"] == field


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nan",
        '{"t": "ping"} x',
        '{"t": "ping", "d": ' + "[" * 100_000,
        b"\xff",
        '"\\ud800"',
    ],
    ids=["empty", "cut", "nan", "more", "deep", "bytes", "half"],
)
def test_what_is_not_JSON_is_refused(text: str | bytes) -> None:
    with pytest.raises(NotJson):
        decode(text, MESSAGE)


def test_a_client_leaves_out_what_has_its_default() -> None:
    assert encode(TakeSeat("Anne")) == b'{"name":"Anne"}'
    assert encode(Hello(Greeting())) == b'{"t":"hello","d":{}}'


def test_what_is_written_is_read_again() -> None:
    text = '{"t": "act", "d": {"kind": "substitute", "id": "12345678", "seat": 0, "for": 2}}'
    message = decode(text, MESSAGE)
    assert isinstance(message, Act)
    assert message.d.kind == "substitute"
    assert decode(encode(message), MESSAGE) == message


def test_a_misspelt_variant_is_not_played_without() -> None:
    with pytest.raises(WrongField):
        decode('{"mode": "solo", "seats": [{"kind": "open"}], "eary": true}', Decoder(OpenTable))


def test_threads_that_read_the_same_new_type_at_once_do_not_crash() -> None:
    """In a process of its own: a class is examined once, and a crash would end these tests."""
    program = (
        "import threading\n"
        "from cantstop.wire.codec import decoder\n"
        "from cantstop.wire.review import ReviewAnswer\n"
        "gate = threading.Barrier(16)\n"
        "def read():\n"
        "    gate.wait()\n"
        "    decoder(ReviewAnswer)\n"
        "threads = [threading.Thread(target=read) for _ in range(16)]\n"
        "[one.start() for one in threads]\n"
        "[one.join() for one in threads]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
