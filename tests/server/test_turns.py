"""My turn: the games of a player that are not over, those that wait for them first."""

from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from cantstop.server.runtime import turn_lists
from cantstop.table.events import Finished, Resigned, Substituted
from cantstop.table.table import Stage
from cantstop.wire.turns import TurnList, turn_list, turn_table
from club import Member, device, member
from pure_tables import NOW, a_table, after_a_move
from table_client import OPEN, at_table, bot, human, play_to_the_end
from wire_json import check_type

Json = dict[str, Any]


def opened(player: Member, *others: Json, **settings: Any) -> Json:
    """A table that a player opens, with a seat of theirs."""
    seats = [human(salt="a"), *others]
    found: Json = player.ask("POST", "/tables", 201, mode="online", seats=seats, **settings)
    return found


def sat_down(player: Member, table: str) -> Json:
    name = player.ask("GET", "/me")["name"]
    found: Json = player.ask("POST", f"/tables/{table}/seats", 201, name=name, salt="b")
    return found


def turns(player: Member) -> Json:
    found: Json = player.ask("GET", "/me/turns")
    check_type(TurnList, found)
    return found


def ids(player: Member) -> list[str]:
    return [table["id"] for table in turns(player)["tables"]]


class TestOneTable:
    """What a list says of a table, without a server."""

    def test_it_waits_for_whoever_is_to_decide(self) -> None:
        table = after_a_move(a_table(human(salt="a"), OPEN)).table
        first, second = turn_table(table, 0), turn_table(table, 1)
        assert first is not None
        assert second is not None
        assert (first.to_act, second.to_act) == (table.to_act, table.to_act)
        assert [first.mine, second.mine] == [table.to_act == 0, table.to_act == 1]

    def test_it_waits_for_nobody_whom_a_bot_plays_for(self) -> None:
        table = after_a_move(a_table(human(salt="a"), OPEN)).table
        seat = table.position.seat
        played = turn_table(table.append(Substituted("careful", 1 - seat), seat, NOW), seat)
        assert played is not None
        assert (played.to_act, played.mine) == (seat, False)

    def test_it_is_not_shown_to_whom_the_game_is_over_for(self) -> None:
        table = after_a_move(a_table(human(salt="a"), OPEN, OPEN)).table
        resigned = table.append(Resigned(), 1, NOW)
        assert turn_table(resigned, 1) is None
        assert turn_table(resigned, 0) is not None
        assert turn_table(table.append(Finished((0,), None, None), None, NOW), 0) is None

    def test_bots_wait_for_nobody(self) -> None:
        alone = after_a_move(a_table(human(salt="a"), bot("bold"))).table
        assert turn_table(alone, 0) is None
        one_screen = a_table(human(salt="a"), human("Bob", salt="b"), mode="hotseat").table
        assert turn_table(one_screen, 0) is None

    def test_those_that_wait_for_the_player_come_first_and_of_these_the_oldest(self) -> None:
        table = after_a_move(a_table(human(salt="a"), OPEN)).table
        seat = table.position.seat
        mine, theirs = turn_table(table, seat), turn_table(table, 1 - seat)
        assert mine is not None
        assert theirs is not None
        newer = replace(mine, id="newer", since="2026-11-17T12:00:00.000Z")
        free = replace(theirs, id="free", stage=Stage.OPEN, since="2026-11-01T12:00:00.000Z")
        found = turn_list([free, theirs, newer, mine])
        assert found.waiting == 2
        assert found.tables == (mine, newer, theirs, free)


class TestOverHttp:
    def test_a_table_is_there_from_its_opening_to_the_end_of_its_game(
        self, each_server: TestClient
    ) -> None:
        anne, bob = member(each_server, "Turns Anne"), member(each_server, "Turns Bob")
        assert turns(anne) == {"waiting": 0, "tables": []}
        table = opened(anne, OPEN, edition="custom", win=1)
        (alone,) = turns(anne)["tables"]
        assert (alone["stage"], alone["to_act"], alone["mine"]) == ("open", None, False)
        assert [seat["name"] for seat in alone["seats"]] == ["Turns Anne", None]
        assert ids(bob) == []
        taken = sat_down(bob, table["id"])
        with (
            at_table(each_server, table["id"], table["secret"]) as first,
            at_table(each_server, table["id"], taken["secret"]) as second,
        ):
            both = first, second
            for player in both:
                player.catch_up(max(one.n for one in both))
            seat = first.view["seat"]
            assert [turns(player)["waiting"] for player in (anne, bob)] == [1 - seat, seat]
            play_to_the_end(*both)
        assert ids(anne) == ids(bob) == []

    def test_every_device_of_a_player_has_the_same_list(self, each_server: TestClient) -> None:
        cleo, phone = member(each_server, "Turns Cleo"), device(each_server)
        table = opened(cleo, OPEN)["id"]
        code = cleo.ask("POST", "/me/link", 201)["code"]
        phone.ask("POST", "/me/devices", 201, code=code)
        assert ids(phone) == [table]

    def test_every_device_of_a_player_plays_at_all_their_tables(
        self, each_server: TestClient
    ) -> None:
        kai, lea = member(each_server, "Turns Kai"), member(each_server, "Turns Lea")
        phone = device(each_server)
        table = opened(kai, OPEN, hints=True, edition="custom", start="first-seat")["id"]
        taken = sat_down(lea, table)
        assert phone.refusal("GET", f"/tables/{table}") == (403, "wrong-secret")
        code = kai.ask("POST", "/me/link", 201)["code"]
        phone.ask("POST", "/me/devices", 201, code=code)
        assert phone.ask("GET", f"/tables/{table}")["you"] == [0]
        with (
            at_table(each_server, table, phone.key) as first,
            at_table(each_server, table, taken["secret"]) as second,
        ):
            phone.ask("POST", f"/tables/{table}/hint")
            second.catch_up(first.act("roll", seat=0))
        (removed,) = [one for one in kai.ask("GET", "/me")["devices"] if not one["this"]]
        kai.ask("DELETE", f"/me/devices/{removed['id']}", 204)
        assert phone.refusal("GET", f"/tables/{table}") == (403, "wrong-secret")

    def test_games_with_bots_alone_are_not_in_it(self, each_server: TestClient) -> None:
        dan = member(each_server, "Turns Dan")
        opened(dan, bot("bold"))
        assert ids(dan) == []

    def test_it_needs_a_key(self, each_server: TestClient) -> None:
        assert each_server.get("/api/me/turns").status_code == 403
        assert device(each_server).refusal("GET", "/me/turns") == (403, "wrong-key")

    def test_a_name_that_was_erased_is_in_no_list(self, each_server: TestClient) -> None:
        eve, fay = member(each_server, "Turns Eve"), member(each_server, "Turns Fay")
        table = opened(eve, OPEN)["id"]
        sat_down(fay, table)
        assert "Turns Fay" in str(turns(eve))
        fay.ask("DELETE", "/me", 204)
        assert "Turns Fay" not in str(turns(eve))

    def test_a_table_that_was_deleted_is_in_no_list(self, each_server: TestClient) -> None:
        gil = member(each_server, "Turns Gil")
        table = opened(gil, OPEN)["id"]
        assert ids(gil) == [table]
        runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
        each_server.portal.call(runtime.storage.delete_table, table)  # type: ignore[union-attr]
        assert ids(gil) == []


class TestCost:
    """A list is bounded, and what has not changed is not read again."""

    def test_only_so_many_are_shown_and_these_are_the_newest(
        self, each_server: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(turn_lists, "MOST_TABLES", 2)
        hal = member(each_server, "Turns Hal")
        tables = {opened(hal, OPEN)["id"] for _ in range(3)}
        assert len(ids(hal)) == 2
        assert set(ids(hal)) < tables

    def test_a_table_is_read_once_an_event(
        self, each_server: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
        ina, jon = member(each_server, "Turns Ina"), member(each_server, "Turns Jon")
        table = opened(ina, OPEN)["id"]
        each_server.portal.call(runtime.master.forget, table)  # type: ignore[union-attr]
        read: list[str] = []
        load = runtime.storage.load

        async def noted(table_id: str) -> object:
            if table_id == table:  # others of this server may be read at any time
                read.append(table_id)
            return await load(table_id)

        monkeypatch.setattr(runtime.storage, "load", noted)
        first = turns(ina)
        assert read == [table]
        assert turns(ina) == first
        assert read == [table]
        sat_down(jon, table)
        assert turns(ina) != first
