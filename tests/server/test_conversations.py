"""Conversations recorded with an earlier server go the same way with this one.

``tools/record_conversations.py`` writes them, ``tools/conversations.py`` has their format.
"""

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from cantstop import read_record, verify
from cantstop.server.limits import limiter
from cantstop.server.runtime.presence import Clocks
from conversations import Json, Talk, load, read, replay
from live_server import LiveServer, live_server

DATA = Path(__file__).parent / "data" / "conversations"
DUMP = (DATA / "tables.sql").read_text("utf-8")
KNOWN = DUMP + (DATA / "tables.json").read_text("utf-8")


def serve(opening: Json, folder: Path) -> AbstractContextManager[LiveServer]:
    """A server on the tables as they were when a conversation began."""
    path = folder / "tables.db"
    load(DUMP, path)
    limits, pace, absence = map(float, opening["serve"][1::2])
    return live_server(
        f"sqlite:///{path}",
        limits=limits,
        pace=pace,
        clocks=replace(Clocks(), heartbeat=600, absence=absence),
    )


@pytest.mark.parametrize("path", sorted(DATA.glob("*.jsonl")), ids=lambda path: path.stem)
def test_everything_is_answered_as_it_was(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # on a slow machine more would be allowed meanwhile than when it was recorded
    monkeypatch.setattr(limiter, "monotonic", lambda: 0.0)
    opening, *lines = read(path)
    with (
        serve(opening, tmp_path) as server,
        Talk(f"127.0.0.1:{server.port}", KNOWN) as talk,
    ):
        for number, (then, now) in enumerate(replay(lines, talk)):
            assert now == then, f"answer {number} of {path.stem}"


def test_every_kind_of_message_and_refusal_is_among_them() -> None:
    lines = [line for path in DATA.glob("*.jsonl") for line in read(path)[1:]]
    heard = [line["hear"] for line in lines if "hear" in line]
    bodies = [line.get("body") or {} for line in lines if "answer" in line]
    errors = [body["error"]["code"] for body in bodies if "error" in body]
    errors += [message["d"]["error"]["code"] for message in heard if message["t"] == "refused"]
    events = {message["d"]["kind"] for message in heard if message["t"] == "event"}
    said = [line["say"] for line in lines if isinstance(line.get("say"), dict)]
    actions = {
        message["d"].get("kind") for message in said if message["t"] == "act" and message["d"]
    }
    assert {message["t"] for message in heard} == {
        "state", "event", "presence", "clock", "ack", "refused", "pong",
    }  # fmt: skip
    assert events == {
        "opened", "seated", "started", "rolled", "moved", "stopped", "busted", "reacted",
        "substituted", "returned", "finished", "rematched", "committed", "revealed", "redrawn",
        "resigned", "asked", "agreed", "declined", "takenback", "ordered", "revoked",
    }  # fmt: skip
    assert actions > {
        "roll",
        "move",
        "stop",
        "react",
        "substitute",
        "return",
        "rematch",
        "commit",
        "reveal",
        "resign",
        "takeback",
        "agree",
        "decline",
        "fill",
        "order",
        "revoke",
    }
    assert {message["t"] for message in said} >= {"hello", "act", "pace", "ping"}
    assert set(errors) == {
        "malformed", "name", "wrong-secret", "not-your-seat", "table-unknown", "not-found",
        "method", "table-full", "not-your-turn", "stale", "not-now", "table-expired", "too-large",
        "illegal", "too-many",
    }  # fmt: skip
    closed = {line["closed"] for line in lines if "closed" in line}
    assert closed == {1009, 4400, 4403, 4404, 4410, 4420}


def test_the_records_that_were_handed_out_then_verify() -> None:
    texts = [
        line["text"]
        for path in DATA.glob("*.jsonl")
        for line in read(path)
        if line.get("text", "").startswith("[")
    ]
    found = [verify(read_record(text)) for text in texts]
    assert sum(one.outcome is not None and one.dice_checked for one in found) >= 3
    assert any(one.outcome is None for one in found)
