"""Seats commit to their salts before any is revealed: every way to sit down, and to withhold."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop import read_record, verify
from cantstop.dice import salt_commitment
from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables.decisions import MAX_REDRAWS
from postgresql import Postgres
from table_client import (
    OPEN,
    Player,
    Refusal,
    at_table,
    bot,
    human,
    open_table,
    play_to_the_end,
    sit_down,
)

SHORT: dict[str, Any] = {"edition": "custom", "win": 1}


def promised(salt: str) -> str:
    return salt_commitment(salt)


def refused(player: Player, kind: str, seat: int, **fields: Any) -> str:
    with pytest.raises(Refusal) as caught:
        player.act(kind, seat, **fields)
    return caught.value.code


def told(player: Player, kind: str) -> Any:
    """The last event of a kind; it may have come before the answer to an action."""
    found = [event for event in player.events if event["kind"] == kind]
    return found[-1] if found else player.hear_event(kind)


def state_of(server: TestClient, table: str) -> Any:
    return server.get(f"/api/tables/{table}").json()


def record_of(server: TestClient, table: str) -> Any:
    return read_record(server.get(f"/api/tables/{table}/record").text)


def kinds(server: TestClient, table: str) -> list[str]:
    return [event["kind"] for event in state_of(server, table)["log"]]


@pytest.fixture
def duel(server: TestClient) -> tuple[str, str, str]:
    """Anne and Bob, who have committed to the salts “anne” and “bob”; all is bound."""
    anne = human("Anne", salt_commitment=promised("anne"))
    opened = open_table(server, anne, OPEN, **SHORT)
    bob = sit_down(server, opened["id"], "Bob", salt_commitment=promised("bob"))
    return opened["id"], opened["secret"], bob["secret"]


def test_the_game_begins_when_all_have_revealed_what_they_committed_to(
    server: TestClient, duel: tuple[str, str, str]
) -> None:
    table, annes, bobs = duel
    assert state_of(server, table)["stage"] == "open"
    assert state_of(server, table)["salts"] == [None, None]
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        assert refused(anne, "roll", 0) == "not-now"
        anne.act("reveal", 0, salt="anne")
        assert state_of(server, table)["stage"] == "open"
        bob.act("reveal", 1, salt="bob")
        assert told(anne, "started")["data"]["salts"] == ["anne", "bob"]
        play_to_the_end(anne, bob)
    record = record_of(server, table)
    assert record.dice.seal.salt_commitments == (promised("anne"), promised("bob"))
    verification = verify(record)
    assert (verification.scheme, verification.protected) == (2, (0, 1))
    assert (verification.redraws, verification.dice_checked) == (0, True)


def test_no_salt_is_taken_before_every_seat_is_bound(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt_commitment=promised("anne")), OPEN, OPEN)
    table = opened["id"]
    sit_down(server, table, "Bob", salt_commitment=promised("bob"))
    with at_table(server, table, opened["secret"]) as anne:
        assert refused(anne, "reveal", 0, salt="anne") == "not-now"
        sit_down(server, table, "Carla", salt_commitment=promised("carla"))
        anne.act("reveal", 0, salt="anne")
    assert state_of(server, table)["salts"] == ["anne", None, None]


def test_only_the_salt_that_a_seat_committed_to_is_taken(
    server: TestClient, duel: tuple[str, str, str]
) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        assert refused(bob, "reveal", 1, salt="better") == "malformed"
        assert refused(bob, "reveal", 0, salt="anne") == "not-your-seat"
        bob.act("reveal", 1, salt="bob")
        assert refused(bob, "reveal", 1, salt="bob") == "not-now"
        other = promised("better")
        assert refused(bob, "commit", 1, salt_commitment=other, instead=promised("bob")) == (
            "not-now"
        )
        anne.act("reveal", 0, salt="anne")
        assert refused(anne, "reveal", 0, salt="anne") == "not-now"
    assert kinds(server, table)[-3:] == ["revealed", "revealed", "started"]


@pytest.mark.parametrize("both", [{"salt": "a", "salt_commitment": "0" * 64}])
def test_a_salt_and_a_commitment_at_once_are_refused(server: TestClient, both: Any) -> None:
    table = open_table(server, OPEN, OPEN)["id"]
    answer = server.post(f"/api/tables/{table}/seats", json={"name": "Bob", **both})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")
    opening = {"mode": "online", "seats": [human(**both), OPEN]}
    assert server.post("/api/tables", json=opening).status_code == 400
    short = {"mode": "online", "seats": [human(salt_commitment="abc"), OPEN]}
    assert server.post("/api/tables", json=short).status_code == 400


@pytest.mark.parametrize(
    "seats",
    [(human("Anne"),), (human("Anne"), human("Bob")), (bot(), human("Anne"), bot("bold"))],
    ids=["solo", "hotseat", "bots"],
)
def test_reserved_seats_are_committed_by_hello_and_revealed_right_behind_it(
    server: TestClient, seats: Any
) -> None:
    mode = "solo" if len(seats) == 1 else "hotseat"
    opened = open_table(server, *seats, mode=mode, **SHORT)
    with server.websocket_connect(f"/api/tables/{opened['id']}/socket") as socket:
        player = Player(socket)
        player.say("hello", secret=opened["secret"], salt_commitment=promised("mine"))
        for seat in opened["seats"]:  # without waiting for an answer
            player.say("act", id=f"reveal-{seat}", kind="reveal", seat=seat, salt="mine")
        salts = told(player, "started")["data"]["salts"]
        assert {salts[seat] for seat in opened["seats"]} == {"mine"}
        play_to_the_end(player)
    verification = verify(record_of(server, opened["id"]))
    assert verification.protected == tuple(opened["seats"])
    assert verification.dice_checked


def test_a_rematch_needs_new_commitments(server: TestClient, duel: tuple[str, str, str]) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        anne.act("reveal", 0, salt="anne")
        bob.act("reveal", 1, salt="bob")
        told(anne, "started")
        play_to_the_end(anne, bob)
        anne.act("rematch", 0)
        following = anne.events[-1]["data"]["table"]
    with (
        at_table(server, following, annes, promised=promised("anne2")) as anne,
        at_table(server, following, bobs, promised=promised("bob2")) as bob,
    ):
        assert refused(anne, "reveal", 1, salt="anne") == "malformed"
        anne.act("reveal", 1, salt="anne2")
        bob.act("reveal", 0, salt="bob2")
        assert told(anne, "started")["data"]["salts"] == ["bob2", "anne2"]


def test_who_gives_a_salt_in_the_open_is_not_protected_and_the_record_says_so(
    server: TestClient,
) -> None:
    opened = open_table(server, human("Anne", salt_commitment=promised("anne")), OPEN, **SHORT)
    bobs = sit_down(server, opened["id"], "Bob", salt="bob")["secret"]
    with (
        at_table(server, opened["id"], opened["secret"]) as anne,
        at_table(server, opened["id"], bobs) as bob,
    ):
        anne.act("reveal", 0, salt="anne")
        told(anne, "started")
        play_to_the_end(anne, bob)
    verification = verify(record_of(server, opened["id"]))
    assert (verification.scheme, verification.protected) == (2, (0,))


def test_a_table_of_older_clients_is_played_and_recorded_as_before(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN, **SHORT)
    sit_down(server, opened["id"], "Bob", salt="b")
    assert kinds(server, opened["id"]) == ["opened", "seated", "seated", "started"]
    text = server.get(f"/api/tables/{opened['id']}/record").text
    assert "Scheme" not in text
    assert "Commitment1" not in text
    assert verify(read_record(text)).scheme == 1
    seated = state_of(server, opened["id"])["log"][1]
    assert seated["data"] == {"name": "Anne", "colour": 0, "bot": None, "salt": "a"}


# A lost salt, and one that is withheld


def test_a_salt_that_is_lost_is_replaced_at_no_cost_while_a_seat_is_free(
    server: TestClient,
) -> None:
    opened = open_table(server, human("Anne", salt_commitment=promised("lost")), OPEN)
    table, lost, new = opened["id"], promised("lost"), promised("new")
    with at_table(server, table, opened["secret"]) as anne:
        assert refused(anne, "commit", 0, salt_commitment=new) == "stale"
        assert refused(anne, "commit", 0, salt_commitment=new, instead=new) == "stale"
        anne.act("commit", 0, salt_commitment=new, instead=lost)
        sit_down(server, table, "Bob", salt="b")
        assert refused(anne, "reveal", 0, salt="lost") == "malformed"
        anne.act("reveal", 0, salt="new")
        told(anne, "started")
    assert verify(record_of(server, table)).redraws == 0


def test_who_changes_their_mind_once_all_is_bound_makes_everybody_draw_anew(
    server: TestClient, duel: tuple[str, str, str]
) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        anne.act("reveal", 0, salt="anne")
        bob.act("commit", 1, salt_commitment=promised("bob2"), instead=promised("bob"))
        redrawn = told(anne, "redrawn")
        assert (redrawn["seat"], redrawn["data"]) == (1, {"seats": [0, 1]})
        # nothing can be revealed before Anne is bound again, and her old salt is worth nothing
        assert refused(bob, "reveal", 1, salt="bob2") == "not-now"
        assert refused(anne, "reveal", 0, salt="anne") == "not-now"
        anne.act("commit", 0, salt_commitment=promised("anne2"))
        bob.act("reveal", 1, salt="bob2")
        anne.act("reveal", 0, salt="anne2")
        assert told(anne, "started")["data"]["salts"] == ["anne2", "bob2"]
        play_to_the_end(anne, bob)
    verification = verify(record_of(server, table))
    assert (verification.redraws, verification.protected) == (1, (0, 1))


def test_that_is_possible_so_many_times_and_no_more(
    server: TestClient, duel: tuple[str, str, str]
) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        for time in range(MAX_REDRAWS):
            before = promised("bob" if time == 0 else f"bob{time}")
            bob.act("commit", 1, salt_commitment=promised(f"bob{time + 1}"), instead=before)
            anne.act("commit", 0, salt_commitment=promised(f"anne{time}"))
        last = promised(f"bob{MAX_REDRAWS}")
        assert refused(bob, "commit", 1, salt_commitment=promised("x"), instead=last) == "not-now"
        anne.act("reveal", 0, salt=f"anne{MAX_REDRAWS - 1}")
        bob.act("reveal", 1, salt=f"bob{MAX_REDRAWS}")
        told(anne, "started")
    assert verify(record_of(server, table)).redraws == MAX_REDRAWS


def test_a_bot_for_somebody_who_has_not_revealed_means_that_all_draw_anew(
    server: TestClient, duel: tuple[str, str, str]
) -> None:
    table, annes, _ = duel
    with at_table(server, table, annes) as anne:
        anne.act("reveal", 0, salt="anne")
        anne.act("substitute", 0, absent=1)
        substituted = told(anne, "substituted")
        assert anne.kinds[-2:] == ["redrawn", "substituted"]
        given = substituted["data"]["salt"]
        anne.act("commit", 0, salt_commitment=promised("anne2"))
        anne.act("reveal", 0, salt="anne2")
        assert told(anne, "started")["data"]["salts"] == ["anne2", given]
        play_to_the_end(anne)
    verification = verify(record_of(server, table))
    assert (verification.redraws, verification.protected) == (1, (0,))


def test_a_bot_for_somebody_while_a_seat_is_free_changes_nothing_for_the_others(
    server: TestClient,
) -> None:
    opened = open_table(server, human("Anne", salt_commitment=promised("anne")), OPEN, OPEN)
    table = opened["id"]
    sit_down(server, table, "Bob", salt_commitment=promised("bob"))
    with at_table(server, table, opened["secret"]) as anne:
        anne.act("substitute", 0, absent=1)
        assert anne.kinds[-1] == "substituted"
        sit_down(server, table, "Carla", salt="carla")
        anne.act("reveal", 0, salt="anne")
        told(anne, "started")
    assert verify(record_of(server, table)).redraws == 0


def test_when_everybody_else_is_gone_the_last_one_can_still_begin(server: TestClient) -> None:
    """Bob reveals and leaves, Carla leaves: bots for both, and Anne is protected as before."""
    opened = open_table(
        server, human("Anne", salt_commitment=promised("anne")), OPEN, OPEN, **SHORT
    )
    table = opened["id"]
    bobs = sit_down(server, table, "Bob", salt_commitment=promised("bob"))["secret"]
    sit_down(server, table, "Carla", salt_commitment=promised("carla"))
    with at_table(server, table, bobs) as bob:
        bob.act("reveal", 1, salt="bob")
    with at_table(server, table, opened["secret"]) as anne:
        anne.act("substitute", 0, absent=1)
        anne.act("substitute", 0, absent=2)
        assert told(anne, "redrawn")["data"]["seats"] == [0, 2]
        anne.act("commit", 0, salt_commitment=promised("anne2"))
        anne.act("reveal", 0, salt="anne2")
        assert told(anne, "started")["data"]["salts"][:2] == ["anne2", "bob"]
        play_to_the_end(anne)
    verification = verify(record_of(server, table))
    assert (verification.redraws, verification.protected) == (1, (0,))


# Restarts and workers


def restartable(url: str, web: Path) -> TestClient:
    options = ServerOptions(
        url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=Limits().times(0)
    )
    return TestClient(create_app(options))


def test_a_restart_between_two_reveals_loses_nothing(url: str, web: Path) -> None:
    with restartable(url, web) as server:
        opened = open_table(server, human("Anne", salt_commitment=promised("anne")), OPEN)
        table = opened["id"]
        bobs = sit_down(server, table, "Bob", salt_commitment=promised("bob"))["secret"]
        with at_table(server, table, opened["secret"]) as anne:
            anne.act("reveal", 0, salt="anne", action="reveal-of-anne")
    with restartable(url, web) as server, at_table(server, table, bobs) as bob:
        bob.act("reveal", 1, salt="bob")
        assert told(bob, "started")["data"]["salts"] == ["anne", "bob"]
        with at_table(server, table, opened["secret"]) as anne:  # a retry of an old action
            assert anne.act("reveal", 0, salt="anne", action="reveal-of-anne") == 4


def test_seats_at_two_workers_reveal_at_once(postgres: Postgres, web: Path) -> None:
    url = postgres.new_database()
    with restartable(url, web) as first, restartable(url, web) as second:
        opened = open_table(first, human("Anne", salt_commitment=promised("anne")), OPEN, **SHORT)
        table = opened["id"]
        bobs = sit_down(second, table, "Bob", salt_commitment=promised("bob"))["secret"]
        with at_table(first, table, opened["secret"]) as anne, at_table(second, table, bobs) as bob:
            anne.say("act", id="reveal-of-anne", kind="reveal", seat=0, salt="anne")
            bob.say("act", id="reveal-of-bob", kind="reveal", seat=1, salt="bob")
            for player in (anne, bob):
                assert told(player, "started")["data"]["salts"] == ["anne", "bob"]
            play_to_the_end(anne, bob)
        assert kinds(first, table).count("started") == 1
        assert verify(record_of(second, table)).protected == (0, 1)
