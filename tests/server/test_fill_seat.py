"""A free seat that is given to a bot, before the game."""

import pytest
from starlette.testclient import TestClient

from table_client import OPEN, Refusal, at_table, bot, human, open_table, sit_down


def test_a_bot_takes_the_last_free_seat_and_the_game_begins(server: TestClient) -> None:
    opened = open_table(server, human(salt="a", colour=1), OPEN)
    with at_table(server, opened["id"], opened["secret"]) as anne:
        n = anne.act("fill", 0, absent=1, bot="fox", action="fill-seat-1")
        assert anne.act("fill", 0, absent=1, bot="fox", action="fill-seat-1") == n
        while "started" not in anne.kinds:
            anne.hear()
    state = server.get(f"/api/tables/{opened['id']}").json()
    assert state["stage"] == "playing"
    seat = state["seats"][1]
    assert (seat["kind"], seat["bot"], seat["colour"]) == ("bot", "fox", 0)


def test_the_other_seats_stay_free(server: TestClient) -> None:
    opened = open_table(server, human(salt="a"), OPEN, OPEN)
    with at_table(server, opened["id"], opened["secret"]) as anne:
        anne.act("fill", 0, absent=2, bot="chick")
        assert sit_down(server, opened["id"], "Bob", salt="b")["seat"] == 1
        while "started" not in anne.kinds:
            anne.hear()


@pytest.mark.parametrize(
    ("free", "name", "code"),
    [
        (0, "fox", "not-now"),  # one's own
        (1, "fox", "not-now"),  # a bot's
        (3, "fox", "malformed"),  # there is none
        (2, "wolf", "malformed"),
        (2, "fox:3", "malformed"),
    ],
)
def test_what_cannot_be_filled(server: TestClient, free: int, name: str, code: str) -> None:
    opened = open_table(server, human(salt="a"), bot(), OPEN)
    with at_table(server, opened["id"], opened["secret"]) as anne:
        with pytest.raises(Refusal) as refused:
            anne.act("fill", 0, absent=free, bot=name)
        assert refused.value.code == code
        assert server.get(f"/api/tables/{opened['id']}").json()["seats"][2]["kind"] == "open"


def test_who_only_watches_fills_no_seat(server: TestClient) -> None:
    opened = open_table(server, human(salt="a"), OPEN)
    with at_table(server, opened["id"], None) as watcher, pytest.raises(Refusal):
        watcher.act("fill", 0, absent=1, bot="fox")


def test_nobody_fills_a_seat_once_the_game_has_begun(server: TestClient) -> None:
    opened = open_table(server, human(salt="a"), human("Bob", salt="b"))
    with at_table(server, opened["id"], opened["secret"]) as anne, pytest.raises(Refusal):
        anne.act("fill", 0, absent=1, bot="fox")
