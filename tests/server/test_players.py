"""Players by key: a profile, devices, codes, words, names; and who has none plays as ever."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from cantstop.server.errors import LimitExceeded
from cantstop.server.http.players import Guard
from cantstop.server.limits import limiter
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import WRITE_COST, Limits
from cantstop.server.runtime import club
from cantstop.server.tables.players import (
    MOST_DEVICES,
    code_hash,
    new_code,
    new_words,
    words_hash,
)
from cantstop.wire.club import Me, TablePlayers
from club import device, member
from set_clock import SetClock
from table_client import OPEN, at_table, human, open_table, play_to_the_end, sit_down
from wire_json import check_type

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class TestProfile:
    def test_it_is_begun_with_a_name_and_known_by_its_key(self, each_server: TestClient) -> None:
        anne = device(each_server)
        assert anne.refusal("GET", "/me") == (403, "wrong-key")
        begun = anne.ask("POST", "/me", 201, name=" Anne  Marie ", mark=7, device="Phone")
        check_type(Me, begun)
        assert (begun["name"], begun["mark"], begun["public"]) == ("Anne Marie", 7, False)
        assert [(one["name"], one["this"]) for one in begun["devices"]] == [("Phone", True)]
        assert anne.ask("GET", "/me") == begun

    def test_a_device_has_one_profile(self, each_server: TestClient) -> None:
        anne = member(each_server, "Anne B")
        assert anne.refusal("POST", "/me", name="Hanna") == (409, "not-now")

    @pytest.mark.parametrize("key", ["", "short", "with a space in the middle of it", "ü" * 30])
    def test_a_key_that_could_be_guessed_is_refused(
        self, each_server: TestClient, key: str
    ) -> None:
        headers = {b"Authorization": f"Bearer {key}".encode()}
        answer = each_server.post("/api/me", headers=headers, json={"name": "Anne"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")

    def test_a_name_that_looks_like_another_players_is_refused(
        self, each_server: TestClient
    ) -> None:
        member(each_server, "Anne")
        bob = member(each_server, "Bob")
        for name in ("Anne", "\u0410nne", "ANNE", "A n n e", "\u0410nn\u0435"):
            assert device(each_server).refusal("POST", "/me", name=name) == (409, "name-taken")
            assert bob.refusal("PATCH", "/me", name=name) == (409, "name-taken")
        assert bob.ask("PATCH", "/me", name="Böb", public=True)["name"] == "Böb"
        assert bob.ask("GET", "/me")["public"] is True

    def test_too_many_profiles_from_one_address_are_refused(self, strict: TestClient) -> None:
        for number in range(int(Limits().new_players.burst)):
            member(strict, f"Player {number}")
        assert device(strict).refusal("POST", "/me", name="One more") == (429, "too-many")


class TestSecondDevice:
    def test_a_code_adds_it_once(self, each_server: TestClient) -> None:
        anne, phone = member(each_server, "Anne D"), device(each_server)
        code = anne.ask("POST", "/me/link", 201)["code"]
        typed = code.lower().replace("-", " ")
        added = phone.ask("POST", "/me/devices", 201, code=typed, device="Phone")
        assert {one["name"] for one in added["devices"]} == {"", "Phone"}
        assert phone.ask("GET", "/me")["id"] == anne.ask("GET", "/me")["id"]
        again = device(each_server)
        assert again.refusal("POST", "/me/devices", code=code) == (403, "wrong-code")

    def test_it_is_valid_for_a_minute(self, strict: TestClient, time: SetClock) -> None:
        anne = member(strict, "Anne")
        code = anne.ask("POST", "/me/link", 201)["code"]
        time.now = NOON + timedelta(seconds=60)
        late = device(strict)
        assert late.refusal("POST", "/me/devices", code=code) == (403, "wrong-code")

    def test_a_new_code_ends_the_one_before(self, each_server: TestClient) -> None:
        anne = member(each_server, "Anne E")
        first = anne.ask("POST", "/me/link", 201)["code"]
        anne.ask("POST", "/me/link", 201)
        assert device(each_server).refusal("POST", "/me/devices", code=first) == (403, "wrong-code")

    def test_a_removed_device_is_locked_out(self, each_server: TestClient) -> None:
        anne, phone = member(each_server, "Anne F"), device(each_server)
        code = anne.ask("POST", "/me/link", 201)["code"]
        phone.ask("POST", "/me/devices", 201, code=code)
        lost = next(one for one in anne.ask("GET", "/me")["devices"] if not one["this"])
        anne.ask("DELETE", f"/me/devices/{lost['id']}", 204)
        assert phone.refusal("GET", "/me") == (403, "wrong-key")
        only = anne.ask("GET", "/me")["devices"][0]["id"]
        assert anne.refusal("DELETE", f"/me/devices/{only}") == (409, "not-now")

    def test_nobody_removes_anothers_device(self, each_server: TestClient) -> None:
        anne, bob = member(each_server, "Anne G"), member(each_server, "Bob G")
        (of_bob,) = bob.ask("GET", "/me")["devices"]
        assert anne.refusal("DELETE", f"/me/devices/{of_bob['id']}") == (404, "not-found")
        assert bob.ask("GET", "/me")["name"] == "Bob G"

    def test_guessing_is_limited_and_noted(
        self, strict: TestClient, caplog: pytest.LogCaptureFixture
    ) -> None:
        guesser = device(strict)
        tries = [
            guesser.refusal("POST", "/me/devices", code=new_code())[0]
            for _ in range(int(Limits().guesses.burst) + 1)
        ]
        assert tries == [403] * (len(tries) - 1) + [429]
        assert caplog.text.count("Wrong code") == len(tries) - 1
        # words are guessed from the same purse; what is right is not looked at any more either
        anne = member(strict, "Anne")
        code = anne.ask("POST", "/me/link", 201)["code"]
        assert guesser.refusal("POST", "/me/restore", words=new_words()) == (429, "too-many")
        assert guesser.refusal("POST", "/me/devices", code=code) == (429, "too-many")


class TestWords:
    def test_they_bring_a_player_back_and_new_ones_end_them(self, each_server: TestClient) -> None:
        anne = member(each_server, "Anne H")
        words = anne.ask("POST", "/me/words", 201)["words"]
        me = anne.ask("GET", "/me")
        assert me["words"] is True
        anne.ask("DELETE", f"/me/devices/{me['devices'][0]['id']}", 204)
        phone = device(each_server)
        assert phone.ask("POST", "/me/restore", 201, words=words.upper())["id"] == me["id"]
        phone.ask("POST", "/me/words", 201)
        assert device(each_server).refusal("POST", "/me/restore", words=words) == (
            403,
            "wrong-code",
        )

    def test_all_are_pronounceable_and_the_hash_is_theirs_alone(self) -> None:
        words = new_words()
        assert [len(word) for word in words.split()] == [5] * 6
        assert words_hash(words) == words_hash(words.upper().replace(" ", "-"))
        assert words_hash(words) != words_hash(new_words())

    def test_codes_are_read_as_people_type_them(self) -> None:
        code = new_code()
        assert code_hash(code) == code_hash(f" {code.lower().replace('-', ' ')} ")


class TestSeats:
    def test_a_seat_taken_with_a_key_is_the_players_under_their_name(
        self, each_server: TestClient
    ) -> None:
        carla, dan = member(each_server, "Carla 1"), member(each_server, "Dan 1", mark=3)
        table = carla.ask(
            "POST", "/tables", 201, mode="online", seats=[human("Somebody", salt="a"), OPEN, OPEN]
        )["id"]
        dan.ask("POST", f"/tables/{table}/seats", 201, name="Anybody")
        sit_down(each_server, table, "Stranger")
        answer = each_server.get(f"/api/tables/{table}/players").json()
        check_type(TablePlayers, answer)
        found = [(one["seat"], one["player"]["name"]) for one in answer["players"]]
        assert found == [(0, "Carla 1"), (1, "Dan 1")]
        assert answer["players"][1]["player"]["mark"] == 3
        state = each_server.get(f"/api/tables/{table}").json()
        assert [seat["name"] for seat in state["seats"]] == ["Carla 1", "Dan 1", "Stranger"]
        player_id = dan.ask("GET", "/me")["id"]
        assert player_id not in each_server.get(f"/api/tables/{table}/events").text

    def test_a_player_has_one_seat_at_a_table(self, each_server: TestClient) -> None:
        carla = member(each_server, "Carla 2")
        table = carla.ask("POST", "/tables", 201, mode="online", seats=[human(), OPEN])["id"]
        path = f"/tables/{table}/seats"
        assert carla.refusal("POST", path, name="Carla") == (409, "not-now")
        dan, secret = member(each_server, "Dan 2"), "s" * 22
        first = dan.ask("POST", path, 201, name="Dan", secret=secret)
        assert dan.ask("POST", path, 201, name="Dan", secret=secret) == first

    def test_a_rated_game_is_for_players(self, each_server: TestClient) -> None:
        rated = {"mode": "online", "seats": [human(), OPEN], "rated": True}
        answer = each_server.post("/api/tables", json=rated)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "profile-needed")
        table = member(each_server, "Carla 3").ask("POST", "/tables", 201, **rated)
        assert table["state"]["rated"] is True
        assert table["state"]["hints"] is False
        answer = each_server.post(f"/api/tables/{table['id']}/seats", json={"name": "Dan"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "profile-needed")
        member(each_server, "Dan 3").ask("POST", f"/tables/{table['id']}/seats", 201, name="Dan")

    @pytest.mark.parametrize(
        "settings",
        [{"mode": "hotseat"}, {"hints": True}, {"seats": [human(), human("Bob")]}],
        ids=lambda found: next(iter(found)),
    )
    def test_what_cannot_be_rated(self, each_server: TestClient, settings: dict[str, Any]) -> None:
        asked = {"mode": "online", "seats": [human(), {"kind": "bot", "bot": "bold"}]}
        answer = each_server.post(
            "/api/tables",
            json=asked | {"rated": True} | settings,
            headers=member(each_server, f"Carla {next(iter(settings))}").bearer,
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")

    def test_without_a_key_everything_is_as_ever(self, each_server: TestClient) -> None:
        table = open_table(each_server, human("Carla 4"), OPEN)
        assert "rated" not in table["state"]
        sit_down(each_server, table["id"], "Carla 5")
        answer = each_server.get(f"/api/tables/{table['id']}/players").json()
        assert answer == {"players": []}

    def test_a_rematch_is_between_the_same_players(self, each_server: TestClient) -> None:
        carla, dan = member(each_server, "Carla 6"), member(each_server, "Dan 6")
        seats = [human(salt="a"), OPEN]
        opened = carla.ask(
            "POST", "/tables", 201, mode="online", seats=seats, edition="custom", win=1
        )
        taken = dan.ask("POST", f"/tables/{opened['id']}/seats", 201, name="Dan", salt="b")
        with (
            at_table(each_server, opened["id"], opened["secret"]) as first,
            at_table(each_server, opened["id"], taken["secret"]) as second,
        ):
            first.catch_up(second.n)
            second.catch_up(first.n)
            play_to_the_end(first, second)
            first.act("rematch", 0)
            following = first.events[-1]["data"]["table"]
        answer = each_server.get(f"/api/tables/{following}/players").json()["players"]
        assert [one["player"]["name"] for one in answer] == ["Dan 6", "Carla 6"]


class TestErasing:
    def test_nothing_is_left_of_a_player_but_the_game(self, each_server: TestClient) -> None:
        name = "Unverwechselbar"
        anne = member(each_server, name)
        table = anne.ask("POST", "/tables", 201, mode="online", seats=[human(), OPEN])["id"]
        other = anne.ask("POST", "/tables", 201, mode="online", seats=[human(salt="a"), OPEN])["id"]
        me = anne.ask("GET", "/me")["id"]
        anne.ask("DELETE", "/me", 204)
        assert anne.refusal("GET", "/me") == (403, "wrong-key")
        for one in (table, other):
            for page in ("", "/events", "/players"):
                text = each_server.get(f"/api/tables/{one}{page}").text
                assert name not in text
                assert me not in text
            assert each_server.get(f"/api/tables/{one}/players").json() == {"players": []}
        member(each_server, name)


class TestDays:
    def test_daily_games_are_taken_along_by_one_player(self, each_server: TestClient) -> None:
        token = "t" * 22
        played = each_server.post("/api/daily", json={"name": "Anne", "device": token})
        assert played.status_code == 201
        anne = member(each_server, "Anne 7")
        assert anne.ask("POST", "/me/daily", device=token) == {"days": 0}
        assert anne.ask("POST", "/me/daily", device=token) == {"days": 0}
        bob = member(each_server, "Bob 7")
        assert bob.refusal("POST", "/me/daily", device=token) == (409, "not-now")


class TestPrices:
    def test_guesses_at_the_same_moment_are_no_more_than_one_after_the_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limiter, "monotonic", lambda: 0.0)
        app = SimpleNamespace(state=SimpleNamespace(limiter=RateLimiter(Limits())))
        scope = {"type": "http", "app": app, "client": ("192.0.2.1", 1), "headers": []}
        guard = Guard(HTTPConnection(scope))
        with ExitStack() as looking:
            for _ in range(int(Limits().guesses.burst)):
                looking.enter_context(guard.guessing())
            with pytest.raises(LimitExceeded), guard.guessing():
                pass
        for _ in range(20):  # none of them was wrong
            with guard.guessing():
                pass

    def test_what_writes_costs_more_than_what_reads(
        self, each_server: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        anne = member(each_server, "Anne Price")
        charged: list[float] = []

        def charge(_: RateLimiter, _address: str, requests: float) -> None:
            charged.append(requests)

        monkeypatch.setattr(RateLimiter, "charge_request", charge)
        anne.ask("GET", "/me")
        assert not charged
        anne.ask("PATCH", "/me", mark=3)
        assert charged == [WRITE_COST]

    def test_a_player_takes_the_days_of_some_devices_along(self, each_server: TestClient) -> None:
        anne = member(each_server, "Anne Days")
        for number in range(MOST_DEVICES):
            anne.ask("POST", "/me/daily", device=f"{number:022}")
        assert anne.refusal("POST", "/me/daily", device="n" * 22) == (409, "not-now")
        assert anne.ask("POST", "/me/daily", device=f"{0:022}") == {"days": 0}

    def test_a_name_is_taken_out_of_some_tables_at_a_time(
        self, each_server: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(club, "_TABLES_AT_ONCE", 2)
        monkeypatch.setattr(club, "_PAUSE_SECONDS", 0)
        anne = member(each_server, "Anne Often")
        tables = [
            anne.ask("POST", "/tables", 201, mode="online", seats=[human(salt="a"), OPEN])["id"]
            for _ in range(5)
        ]
        anne.ask("DELETE", "/me", 204)
        for table in tables:
            assert "Anne Often" not in each_server.get(f"/api/tables/{table}").text
