"""The hours of players over HTTP, and what they do to turns that run."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.presence import Clocks
from cantstop.wire.events import time_text
from cantstop.wire.hours import PlayerHours
from club import Member, device, member
from table_client import OPEN, human
from wire_json import check_type

Json = dict[str, Any]

BERLIN: Json = {
    "zone": "Europe/Berlin",
    "quiet_from": 1320,
    "quiet_until": 480,
    "weekends_off": True,
}


NOW = datetime(2026, 11, 17, 12, 20, 30, tzinfo=UTC)
"""A Tuesday; the server's clock stands still."""


@pytest.fixture(scope="module")
def server_then(each_new_url: Callable[[], str], web: Path) -> Iterator[TestClient]:
    """A server of each kind at that moment."""
    options = ServerOptions(
        each_new_url(),
        pace=0,
        web=web,
        clocks=Clocks(600, 0, 0),
        limits=Limits().times(0),
        clock=lambda: NOW,
    )
    with TestClient(create_app(options)) as running:
        yield running


def full_hour(*, days: int = 0, hours: int = 0) -> datetime:
    """A full hour, from that of the server's time on."""
    return NOW.replace(minute=0, second=0) + timedelta(days=days, hours=hours)


def gone(player: Member, start: datetime, end: datetime, status: int = 201) -> Json:
    found: Json = player.ask(
        "POST", "/me/away", status, from_at=time_text(start), until_at=time_text(end)
    )
    return found


def slow_game(first: Member, second: Member, **more: Any) -> str:
    """A slow table of two players, where the first one has the turn."""
    seats = [human(salt="a"), OPEN]
    settings = {"edition": "custom", "start": "first-seat", "days": 2, **more}
    table = first.ask("POST", "/tables", 201, mode="online", seats=seats, **settings)["id"]
    name = second.ask("GET", "/me")["name"]
    second.ask("POST", f"/tables/{table}/seats", 201, name=name, salt="b")
    return str(table)


def turn(player: Member) -> Json:
    (found,) = player.ask("GET", "/me/turns")["tables"]
    return dict(found)


def ends(player: Member) -> datetime:
    return datetime.fromisoformat(turn(player)["ends_at"])


class TestHours:
    def test_they_are_those_of_beginners_until_they_are_set(self, server_then: TestClient) -> None:
        anne = member(server_then, "Hours Anne")
        found = anne.ask("GET", "/me/hours")
        check_type(PlayerHours, found)
        assert found == {
            "zone": "UTC",
            "quiet_from": None,
            "quiet_until": None,
            "weekends_off": False,
            "away": [],
            "away_hours_left": 504.0,
        }
        changed = anne.ask("PUT", "/me/hours", **BERLIN)
        assert changed == {**found, **BERLIN}
        assert anne.ask("GET", "/me/hours") == changed

    def test_what_cannot_be_is_refused_in_a_sentence(self, server_then: TestClient) -> None:
        bob = member(server_then, "Hours Bob")
        for wrong in (
            {"zone": "Mars/Base"},
            {"zone": "../../../etc/passwd"},
            {"quiet_from": 60},
            {"quiet_from": 0, "quiet_until": 1440},
            {"quiet_from": 0, "quiet_until": 721},
            {"weekends": True},
        ):
            assert bob.refusal("PUT", "/me/hours", **wrong) == (400, "malformed")
        soon, later = time_text(full_hour(days=1)), time_text(full_hour(days=2))
        for wrong in (
            {"from_at": soon},
            {"from_at": "tomorrow", "until_at": later},
            {"from_at": soon.removesuffix("Z"), "until_at": later},
            {"from_at": "0001-01-01T00:00+14:00", "until_at": later},
            {"from_at": later, "until_at": soon},
        ):
            assert bob.refusal("POST", "/me/away", **wrong) == (400, "malformed")
        assert bob.refusal("DELETE", "/me/away/tomorrow") == (400, "malformed")
        assert bob.refusal("DELETE", f"/me/away/{soon}") == (404, "not-found")

    def test_they_need_a_key(self, server_then: TestClient) -> None:
        nobody = device(server_then)
        assert server_then.get("/api/me/hours").status_code == 403
        assert nobody.refusal("GET", "/me/hours") == (403, "wrong-key")
        assert nobody.refusal("PUT", "/me/hours", **BERLIN) == (403, "wrong-key")
        assert nobody.refusal("DELETE", "/me/away/x") == (403, "wrong-key")

    def test_weekends_off_are_changed_once_in_seven_days(self, server_then: TestClient) -> None:
        """Who moved west on Saturdays and back on Wednesdays would have longer ones."""
        cleo = member(server_then, "Hours Cleo")
        cleo.ask("PUT", "/me/hours", weekends_off=True, zone="Pacific/Kiritimati")
        west = {"weekends_off": True, "zone": "Pacific/Niue"}
        assert cleo.refusal("PUT", "/me/hours", **west) == (409, "not-now")
        cleo.ask("PUT", "/me/hours", zone="Pacific/Niue")
        assert cleo.refusal("PUT", "/me/hours", **west) == (409, "not-now")

    def test_times_away_are_counted_and_what_is_not_taken_is_given_back(
        self, server_then: TestClient
    ) -> None:
        dora = member(server_then, "Hours Dora")
        left = dora.ask("GET", "/me/hours")["away_hours_left"]
        start = full_hour(hours=1)
        found = gone(dora, start, start + timedelta(days=1))
        assert len(found["away"]) == 1
        again = {"from_at": time_text(start), "until_at": time_text(start + timedelta(hours=1))}
        assert dora.refusal("POST", "/me/away", **again) == (409, "not-now")
        kept = dora.ask("DELETE", f"/me/away/{time_text(start)}")
        assert (kept["away"], kept["away_hours_left"]) == ([], left)

    def test_they_are_in_the_export_and_go_with_the_player(self, server_then: TestClient) -> None:
        eva = member(server_then, "Hours Eva")
        eva.ask("PUT", "/me/hours", **BERLIN)
        gone(eva, full_hour(days=1), full_hour(days=2))
        exported = eva.ask("GET", "/me/export")["hours"]
        assert exported["zone"] == "Europe/Berlin"
        assert len(exported["away"]) == 1
        eva.ask("DELETE", "/me", 204)


class TestTurns:
    def test_a_list_says_until_when_a_turn_runs(self, server_then: TestClient) -> None:
        fay, gus = member(server_then, "Hours Fay"), member(server_then, "Hours Gus")
        slow_game(fay, gus, bank=7200)
        mine = turn(fay)
        assert (mine["days"], mine["drop"]) == (2, [])
        assert [(seat["bank"], seat["missed"], seat["away"]) for seat in mine["seats"]] == [
            (7200.0, 0, None)
        ] * 2
        assert ends(fay) == ends(gus) == NOW + timedelta(days=2, hours=2)
        assert mine["left"] == 2 * 86400 + 7200

    def test_a_time_away_moves_the_end_and_everybody_sees_it(self, server_then: TestClient) -> None:
        hal, ida = member(server_then, "Hours Hal"), member(server_then, "Hours Ida")
        slow_game(hal, ida)
        before = ends(hal)
        start = full_hour()
        gone(hal, start, start + timedelta(days=5))
        assert ends(ida) == before + timedelta(days=5) - (NOW - start)
        seats = turn(ida)["seats"]
        assert [seat["away"] for seat in seats] == [time_text(start + timedelta(days=5)), None]
        hal.ask("DELETE", f"/me/away/{time_text(start)}")
        quarter = NOW.replace(minute=30, second=0)
        assert ends(ida) == before + (quarter - NOW)

    def test_the_hours_of_others_move_nothing(self, server_then: TestClient) -> None:
        jim, kim = member(server_then, "Hours Jim"), member(server_then, "Hours Kim")
        slow_game(jim, kim)
        before = ends(jim)
        gone(kim, full_hour(), full_hour(days=5))
        assert ends(jim) == before

    def test_quiet_hours_hold_back_the_end_by_twelve_hours_at_most(
        self, server_then: TestClient
    ) -> None:
        leo, mia = member(server_then, "Hours Leo"), member(server_then, "Hours Mia")
        slow_game(leo, mia)
        before = ends(leo)
        minute = before.hour * 60 + before.minute
        leo.ask("PUT", "/me/hours", quiet_from=minute, quiet_until=(minute + 720) % 1440)
        whole = before.replace(second=0, microsecond=0)
        assert ends(leo) == whole + timedelta(hours=12)
        leo.ask("PUT", "/me/hours", zone="UTC")
        assert ends(leo) == before

    def test_a_turn_begins_with_the_hours_that_its_player_has(
        self, server_then: TestClient
    ) -> None:
        ned, ona = member(server_then, "Hours Ned"), member(server_then, "Hours Ona")
        ned.ask("PUT", "/me/hours", zone="UTC", weekends_off=True)
        start = full_hour()
        gone(ned, start, start + timedelta(days=3))
        slow_game(ned, ona, bank=0)
        # two days from Friday noon on: the weekend is none
        assert ends(ona) == start + timedelta(days=7)
