"""Drills over HTTP: what the library says, whoever asks; and one sentence for what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.drills import (
    Drill,
    DrillProgress,
    Progress,
    Topic,
    nearest,
    package_drills,
    parse_progress,
    progress_data,
    progress_json,
)
from cantstop.drills.text import reasons, verdict_text
from cantstop.language import LANGUAGES, Translator
from cantstop.server import ServerOptions, create_app
from cantstop.server.http.openapi import body_examples
from cantstop.server.limits.policy import Limits, Rate
from cantstop.wire.drills import NextDrillAnswer, VerdictAnswer
from wire_json import as_json, checked

Json = dict[str, Any]

DRILLS = {drill.id: drill for drill in package_drills()}
MIXED = [one for one in package_drills() if one.topic is not Topic.VARIANT]
"""What comes unless a topic is asked for: variants only for those who ask for them."""
NEW = as_json(progress_data(Progress()))


def refusal(answer: Any) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


def ask(server: TestClient, **asked: Any) -> Any:
    return server.post("/api/drills/next", json={"progress": NEW, **asked})


def give(server: TestClient, drill: Drill, answer: str, **asked: Any) -> Any:
    body = {"drill": drill.id, "answer": answer, "progress": NEW, **asked}
    return server.post("/api/drills/answer", json=body)


def name_of(answer: Any) -> str:
    return str(answer)


def answered(*names: str) -> Progress:
    progress = Progress()
    for name in names:
        progress = progress.after(DRILLS[name], is_right=True)
    return progress


class TestNext:
    @pytest.mark.parametrize("topic", [None, *Topic])
    def test_it_is_near_the_rating_and_about_what_was_asked_for(
        self, server: TestClient, topic: Topic | None
    ) -> None:
        told = checked(NextDrillAnswer, ask(server, topic=topic))
        drill = DRILLS[told["id"]]
        assert topic in (None, drill.topic)
        wanted = MIXED if topic is None else [one for one in package_drills() if one.topic is topic]
        assert drill in nearest(wanted, 1500)
        assert told == {
            "id": drill.id,
            "topic": drill.topic.value,
            "difficulty": drill.difficulty,
            "position": drill.text,
            "solo": drill.is_solo,
            "answers": [name_of(option.answer) for option in drill.options],
        }

    @pytest.mark.parametrize("players", [1, 2, 3, 4])
    def test_it_is_for_so_many_players(self, server: TestClient, players: int) -> None:
        told = checked(NextDrillAnswer, ask(server, players=players))
        assert DRILLS[told["id"]].position.rules.players == players

    def test_what_was_seen_comes_again_only_when_all_was_seen(self, server: TestClient) -> None:
        variants = [one.id for one in package_drills() if one.topic is Topic.VARIANT]
        left, *seen = variants
        asked = {"topic": "variant", "progress": NEW | {"answered": 5000, "seen": seen}}
        assert checked(NextDrillAnswer, ask(server, **asked))["id"] == left
        asked["progress"] = NEW | {"answered": 5000, "seen": [*seen, left]}
        assert checked(NextDrillAnswer, ask(server, **asked))["id"] == seen[0]

    def test_somebody_who_has_seen_everything_is_not_too_long(self, server: TestClient) -> None:
        seen = sorted(DRILLS)
        asked = {"progress": NEW | {"answered": len(seen), "seen": seen}}
        assert checked(NextDrillAnswer, ask(server, **asked))["id"] == seen[0]

    def test_who_begins_has_no_progress_yet(self, server: TestClient) -> None:
        told = checked(NextDrillAnswer, server.post("/api/drills/next", json={}))
        drill = DRILLS[told["id"]]
        assert drill in nearest(MIXED, Progress().rating.rating)
        body = {"drill": drill.id, "answer": name_of(drill.best.answer)}
        after = checked(VerdictAnswer, server.post("/api/drills/answer", json=body))
        assert parse_progress(json.dumps(after["progress"]), "told") == answered(drill.id)

    def test_where_there_is_none(self, server: TestClient) -> None:
        asked = ask(server, topic="variant", players=1)
        assert refusal(asked) == (404, "not-found", "There is no such drill.")


class TestAnswer:
    @pytest.mark.parametrize("drill", package_drills()[::900], ids=lambda drill: drill.id)
    def test_every_answer_is_graded_and_explained_as_the_library_does(
        self, server: TestClient, drill: Drill
    ) -> None:
        for option in drill.options:
            told = checked(VerdictAnswer, give(server, drill, name_of(option.answer)))
            assert told["right"] is (option.answer == drill.best.answer)
            assert told["verdict"] == verdict_text(Translator(), drill, option.answer)
            assert told["reasons"] == list(reasons(Translator(), drill))
            assert told["options"][0]["move"] == name_of(drill.best.answer)
            assert {one["move"]: one["win"] for one in told["options"]} == {
                name_of(one.answer): one.worth for one in drill.options
            }
            after = Progress().after(drill, is_right=told["right"])
            assert parse_progress(json.dumps(told["progress"]), "told") == after

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_it_is_in_the_readers_language(self, server: TestClient, language: str) -> None:
        drill = package_drills()[3000]
        body = {"drill": drill.id, "answer": name_of(drill.best.answer), "progress": NEW}
        headers = {"Accept-Language": language}
        told = server.post("/api/drills/answer", json=body, headers=headers).json()
        assert told["reasons"] == list(reasons(Translator(language), drill))
        assert told["verdict"] == verdict_text(Translator(language), drill, drill.best.answer)

    def test_streak_and_rating_go_on_and_a_drill_seen_before_changes_no_rating(
        self, server: TestClient
    ) -> None:
        one, two = package_drills()[2000], package_drills()[4000]
        progress = NEW
        for drill in (one, two, one):
            best = name_of(drill.best.answer)
            progress = give(server, drill, best, progress=progress).json()["progress"]
        expected = answered(one.id, two.id, one.id)
        assert parse_progress(json.dumps(progress), "told") == expected
        assert (expected.streak, expected.seen) == (3, (two.id, one.id))
        assert expected.rating == answered(one.id, two.id).rating

    def test_what_is_no_answer_or_no_drill_gets_one_sentence(self, server: TestClient) -> None:
        drill = next(one for one in package_drills() if one.topic is Topic.STOP)
        assert refusal(give(server, drill, "7+7")) == (
            400,
            "malformed",
            "“7+7” is not an answer to this drill.",
        )
        for name, refused in (("0" * 10, (404, "not-found")), ("../../etc", (400, "malformed"))):
            body = {"drill": name, "answer": "stop", "progress": NEW}
            assert refusal(server.post("/api/drills/answer", json=body))[:2] == refused


class TestProgress:
    def test_a_file_comes_back_as_it_was(self, server: TestClient) -> None:
        progress = answered(*list(DRILLS)[:50])
        sent = server.post("/api/drills/progress", content=progress_json(progress))
        assert parse_progress(json.dumps(checked(DrillProgress, sent)), "told") == progress

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b'{"rating": 1500}', "theirs.json is not a file of drill progress."),
            (b"\xff\xfe", "theirs.json is not a file of drill progress."),
            (b"", "theirs.json is not a file of drill progress."),
            (b"[" * 100_000, "theirs.json is not a file of drill progress."),
            (json.dumps(NEW | {"right": 1}).encode(), "theirs.json is a damaged file of"),
            (json.dumps(NEW | {"rating": 10**400}).encode(), "theirs.json is a damaged file"),
            (json.dumps(NEW | {"version": 2}).encode(), "theirs.json has version 2 of its format"),
        ],
    )
    def test_a_file_of_another_program_gets_one_sentence(
        self, server: TestClient, content: bytes, sentence: str
    ) -> None:
        sent = server.post("/api/drills/progress?name=theirs.json", content=content)
        status, code, message = refusal(sent)
        assert (status, code) == (400, "malformed")
        assert message.startswith(sentence)
        assert "\n" not in message

    def test_one_that_is_wrong_is_refused_wherever_it_comes(self, server: TestClient) -> None:
        drill = package_drills()[0]
        wrong = NEW | {"streak": 3}
        for sent in (ask(server, progress=wrong), give(server, drill, "stop", progress=wrong)):
            assert refusal(sent) == (
                400,
                "malformed",
                "progress is a damaged file of drill progress.",
            )

    def test_a_file_that_is_too_large(self, server: TestClient) -> None:
        sent = server.post("/api/drills/progress", content=b" " * 300_000)
        assert refusal(sent) == (413, "too-large", "A request can have 262144 bytes at most.")


def test_the_examples_of_bodies_are_accepted(server: TestClient) -> None:
    for example in body_examples("ask_for_a_drill"):
        assert server.post("/api/drills/next", json=example).status_code == 200
    for example in body_examples("answer_a_drill"):
        told = server.post("/api/drills/answer", json=example).json()
        assert told["right"]


def test_a_large_progress_counts_as_many_requests(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(0.001, 34))
    seen = sorted(DRILLS)
    body = {"progress": NEW | {"answered": len(seen), "seen": seen}}
    options = ServerOptions(f"sqlite:///{tmp_path / 'tables.db'}", limits=limits)
    with TestClient(create_app(options)) as server:
        assert [server.post("/api/drills/next", json=body).status_code for _ in range(4)] == [
            200,
            200,
            429,
            429,
        ]
