"""Whatever is sent: no answer that blames the server, and nothing changed that should not be."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cantstop.server.events import Reaction
from table_client import OPEN, at_table, human, open_table, sit_down

WORDS = st.sampled_from(
    [
        *("hello", "act", "ping", "roll", "move", "stop", "react", "substitute", "return"),
        *("rematch", "6+8", "7", "+", "12345678", "online", "solo", "human", "open", "bot"),
        *("careful", "custom", "classic", "free", "leapfrog", "youngest", "basics", *Reaction),
    ]
)
KEYS = st.sampled_from(
    [
        *("t", "d", "id", "kind", "seat", "move", "reaction", "for", "n", "secret", "salt"),
        *("mode", "seats", "edition", "win", "early", "sharing", "help", "youngest", "lesson"),
        *("name", "colour", "bot", "players", "start"),
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.integers(),
    st.floats(),
    WORDS,
    st.text(max_size=30),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)
ACTIONS = st.fixed_dictionaries(
    {"id": st.text("abcdefgh", min_size=8, max_size=9) | LEAVES, "kind": WORDS | LEAVES},
    optional={"seat": st.integers(-1, 4) | LEAVES, "move": LEAVES, "for": LEAVES, "n": LEAVES},
)
MESSAGES = st.one_of(
    VALUES.map(json.dumps),
    ACTIONS.map(lambda action: json.dumps({"t": "act", "d": action})),
    st.text(max_size=200),
    st.binary(max_size=50),
)


JSON = {"Content-Type": "application/json"}


def test_a_player_out_of_turn_can_say_anything_without_harm(server):
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    table, bobs = opened["id"], sit_down(server, opened["id"], "Bob")["secret"]
    with (
        at_table(server, table, opened["secret"]) as anne,
        at_table(server, table, bobs) as bob,
    ):
        before = server.get(f"/api/tables/{table}").json()["view"]

        @settings(max_examples=400)
        @given(MESSAGES)
        def say(message):
            if isinstance(message, bytes):
                bob.socket.send_bytes(message)
            else:
                bob.socket.send_text(message)
            answer = bob.hear_until(lambda heard: heard["t"] not in ("event", "presence"))
            assert answer["t"] in ("refused", "pong", "ack")
            if answer["t"] == "ack":
                assert bob.events[-1]["kind"] == "reacted"
            else:
                assert answer["t"] == "pong" or answer["d"]["error"]["code"] != "internal"

        say()
        assert server.get(f"/api/tables/{table}").json()["view"] == before
        assert anne.act("roll", 0)


def test_no_request_is_answered_as_the_servers_fault(server):
    table = open_table(server, human("Anne", salt="a"), OPEN, OPEN, OPEN)["id"]

    @settings(max_examples=150)
    @given(VALUES, st.text(max_size=20), st.text(max_size=20))
    def ask(body, word, other):
        for address in ("/api/tables", f"/api/tables/{table}/seats"):
            answer = server.post(address, content=json.dumps(body), headers=JSON)
            assert answer.status_code < 500
            assert answer.status_code == 201 or answer.json()["error"]["message"]
        for address in (f"/api/tables/{table}/events", f"/api/tables/{table}/board.svg"):
            answer = server.get(address, params={"after": word, "n": other, "lang": word})
            assert answer.status_code in (200, 400, 404)

    ask()
