"""The daily game on a server: the same dice for all, one try that counts, what is shown when."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from cantstop import VerificationError, read_record, verify
from cantstop.cli import main
from cantstop.daily import GRACE, DailyResult, counts_until, daily_result, reveals_at
from cantstop.dice import DailyDice, DaySeal
from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits, Rate
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.master import KEEP
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables.seating import hashed
from cantstop.server.work.fair_queue import Overloaded
from cantstop.wire.daily import DailyAnswer
from set_clock import SetClock
from table_client import Player, Refusal, at_table, play_to_the_end
from wire_json import check_type

SECRET = bytes(range(32))
DAY = date(2026, 11, 15)
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
Json = dict[str, Any]


@dataclass
class Unthinking:
    """The engine is busy with others: one test below asks it what luck results had."""

    async def daily_grade(self, *_: object) -> tuple[float, float]:
        raise Overloaded

    async def best_daily(self, *_: object) -> str:
        raise Overloaded


@dataclass
class Site:
    """A server whose clock and secret a test has chosen."""

    client: TestClient
    time: SetClock = field(default_factory=lambda: SetClock(NOON))

    def play(self, name: str = "Anne", status: int = 201, **more: Any) -> Json:
        answer = self.client.post("/api/daily", json={"name": name, **more})
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def day(self, day: str = "", device: str | None = None, status: int = 200) -> Json:
        headers = {} if device is None else {"Authorization": f"Bearer {device}"}
        answer = self.client.get(f"/api/daily{day and '/'}{day}", headers=headers)
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def record(self, seat: Json) -> str:
        return self.client.get(f"/api/tables/{seat['id']}/record").text

    def finish(self, seat: Json, moves: int = 2) -> None:
        with at_table(self.client, seat["id"], seat["secret"]) as player:
            play_to_the_end(player, moves=moves)


@contextmanager
def site(
    url: str,
    web: Path,
    secret: bytes | None = SECRET,
    limits: Limits | None = None,
    insight: Any = Unthinking(),  # noqa: B008 - it has no state
) -> Iterator[Site]:
    time = SetClock(NOON)
    options = ServerOptions(
        url,
        pace=0,
        web=web,
        clocks=Clocks(600, 0, 0),
        clock=time,
        limits=limits or Limits().times(0),
        daily_secret=secret,
    )
    app = create_app(options)
    with TestClient(app) as client:
        if insight is not None:
            app.state.runtime.daily._insight = insight
        yield Site(client, time)


@pytest.fixture
def here(new_url: Callable[[], str], web: Path) -> Iterator[Site]:
    with site(new_url(), web) as found:
        yield found


def rolled(player: Player) -> dict[tuple[int, int], list[int]]:
    """The dice of every roll so far, by turn and place in it."""
    found, turn, roll = {}, 1, 0
    stopped = (1, 0)
    for event in [*player.state["log"], *player.events]:
        if event["kind"] == "rolled":
            roll += 1
            found[turn, roll] = event["data"]["dice"]
        elif event["kind"] in ("stopped", "busted"):
            stopped, turn, roll = (turn, roll), turn + 1, 0
        elif event["kind"] == "takenback":
            turn, roll = stopped
    return found


def dice_of(here: Site, seat: Json, moves: int) -> dict[tuple[int, int], list[int]]:
    """The dice of a game with a fixed number of moves in each turn."""
    with at_table(here.client, seat["id"], seat["secret"]) as player:
        play_to_the_end(player, moves=moves)
        return rolled(player)


class TestDice:
    def test_everybody_at_the_same_roll_of_the_same_turn_sees_the_same(self, here: Site) -> None:
        """However differently they play: one stops soon, the other goes on."""
        careful = dice_of(here, here.play(), 1)
        bold = dice_of(here, here.play("Bob"), 3)
        both = careful.keys() & bold.keys()
        assert len(both) > 8
        assert careful != bold
        assert all(careful[place] == bold[place] for place in both)
        due = DailyDice.of(SECRET, DAY)
        assert all(list(due.roll_in_turn(*at)) == dice for at, dice in {**careful, **bold}.items())

    def test_two_servers_with_one_secret_have_the_same_and_others_do_not(
        self, tmp_path: Path, web: Path
    ) -> None:
        found = []
        for name, secret in (("a", SECRET), ("b", SECRET), ("c", bytes(32)), ("d", None)):
            with site(f"sqlite:///{tmp_path / name}.db", web, secret) as here:
                today, first = here.day(), dice_of(here, here.play(), 2)
                here.time.now += timedelta(days=1)
                found.append((today["commitment"], first, here.day()["commitment"]))
                assert today["next"] == {"day": "2026-11-16", "commitment": found[-1][2]}
        assert found[0] == found[1]
        assert len({commitment for commitment, _, _ in found}) == 3
        assert len({commitment for *_, commitment in found}) == 3
        assert len({first[1, 1].__repr__() + first[2, 1].__repr__() for _, first, _ in found}) == 3

    def test_a_secret_of_its_own_is_drawn_once_and_kept(self, each_url: str, web: Path) -> None:
        url = each_url
        with site(url, web, None) as here:
            first = here.day()["commitment"]
        with site(url, web, None) as here:
            assert here.day()["commitment"] == first

    def test_taking_a_stop_back_tells_nothing_and_changes_no_dice(self, here: Site) -> None:
        seat = here.play()
        with at_table(here.client, seat["id"], seat["secret"]) as player:
            while not player.view["may_stop"]:
                player.play_on()
            turn = player.view["turn"]
            player.act("stop", 0)
            player.act("takeback", 0)
            player.catch_up(player.act("roll", 0))
            due = DailyDice.of(SECRET, DAY)
            for place, dice in rolled(player).items():
                assert list(due.roll_in_turn(*place)) == dice
            assert max(rolled(player))[0] == turn


class TestCounting:
    @pytest.fixture
    def here(self, each_new_url: Callable[[], str], web: Path) -> Iterator[Site]:
        """On each kind of database in turn: results are ranked and counted by their SQL."""
        with site(each_new_url(), web) as found:
            yield found

    def test_a_result_is_taken_from_the_table_and_a_second_try_does_not_count(
        self, here: Site
    ) -> None:
        seat = here.play()
        assert (seat["counts"], seat["day"]) == (True, "2026-11-15")
        assert seat["state"]["daily"]["counts"] is True
        again = here.play(device=seat["device"])
        assert (again["id"], again["secret"], again["counts"]) == (seat["id"], seat["secret"], True)
        here.finish(seat)
        (result,) = here.day()["results"]
        game = daily_result(read_record(here.record(seat)).events)
        assert game is not None
        assert (result["name"], result["turns"]) == ("Anne", game.turns)
        assert result["signs"] == game.letters
        assert len(result["signs"]) == game.turns
        assert result["table"] is None, "its replay would show the dice"
        second = here.play("Anne again", device=seat["device"])
        assert (second["counts"], second["id"] == seat["id"]) == (False, False)
        here.finish(second, moves=1)
        assert [one["name"] for one in here.day()["results"]] == ["Anne"]

    def test_two_requests_of_one_device_at_once_are_one_try(self, here: Site) -> None:
        with ThreadPoolExecutor(4) as pool:
            device = "d" * 32
            seats = list(pool.map(lambda _: here.play(device=device), range(8)))
        assert len({seat["id"] for seat in seats}) == 1
        assert len({seat["secret"] for seat in seats}) == 1

    def test_opening_one_counts_like_opening_any_table(self, tmp_path: Path, web: Path) -> None:
        limits = replace(Limits().times(0), tables=Rate(0.0001, 2))
        with site(f"sqlite:///{tmp_path / 'tables.db'}", web, limits=limits) as here:
            for name in ("Anne", "Bob"):
                here.play(name)
            assert here.play("Cem", status=429)["error"]["code"] == "too-many"
            assert here.day()["count"] == 0

    def test_results_are_ranked_by_turns_and_the_own_one_is_known(self, here: Site) -> None:
        seats = [here.play(name) for name in ("Anne", "Bob", "Cem")]
        for moves, seat in zip((1, 2, 4), seats, strict=True):
            here.finish(seat, moves)
        found = here.day(device=seats[1]["device"])
        turns = [one["turns"] for one in found["results"]]
        assert turns == sorted(turns)
        assert found["count"] == 3
        assert [one["name"] for one in found["results"] if one["mine"]] == ["Bob"]
        assert found["mine"]["table"] == seats[1]["id"]
        assert found["unfinished"] is False
        assert found["place"] == 1 + sum(each < found["mine"]["turns"] for each in turns)
        check_type(DailyAnswer, found)

    def test_who_gives_up_has_had_their_try(self, here: Site) -> None:
        seat = here.play()
        assert here.day(device=seat["device"])["unfinished"] is True
        with at_table(here.client, seat["id"], seat["secret"]) as player:
            player.act("roll", 0)
            player.act("resign", 0)
            if "finished" not in player.kinds:
                player.hear_event("finished")
            assert player.events[-1]["data"].get("secret") is None
            with pytest.raises(Refusal, match="midnight UTC"):
                player.act("rematch", 0)
        assert here.day()["results"] == []
        assert here.day(device=seat["device"])["unfinished"] is False
        assert here.play(device=seat["device"])["counts"] is False

    def test_there_are_no_hints_in_the_try_that_counts(self, here: Site) -> None:
        seat = here.play()
        assert seat["state"]["hints"] is False
        archived = here.play(day="2026-11-14")
        assert archived["state"]["hints"] is True

    def test_a_try_that_came_to_nothing_goes_with_its_table_and_a_result_stays(
        self, here: Site
    ) -> None:
        """Else whoever opens one after the other would fill the database for good."""
        seat, left = here.play(), here.play("Bob")
        here.finish(seat)
        runtime: Any = cast("Any", here.client.app).state.runtime
        storage = runtime.daily._storage
        here.time.now += KEEP + housekeeping.GRACE + SECOND
        cleanup = housekeeping.Cleanup(storage, KEEP, here.time)
        call: Any = here.client.portal
        assert call.call(partial(cleanup.delete_expired, force=True)) == 2
        tries = [call.call(storage.daily_try, DAY, hashed(one["device"])) for one in (seat, left)]
        assert [entry and entry.name for entry in tries] == ["Anne", None]


class TestMidnight:
    def test_a_game_begun_before_midnight_counts_for_its_day_within_the_grace(
        self, here: Site
    ) -> None:
        here.time.now = datetime(2026, 11, 15, 23, 59, 59, tzinfo=UTC)
        seats = [here.play(name) for name in ("Anne", "Bob")]
        here.time.now = counts_until(DAY) - SECOND
        assert here.day()["day"] == "2026-11-16"
        assert here.play(device=seats[0]["device"])["day"] == "2026-11-16"
        assert here.play(device=seats[0]["device"], day="2026-11-15")["id"] == seats[0]["id"]
        here.finish(seats[0])
        here.time.now = counts_until(DAY)
        here.finish(seats[1])
        assert [one["name"] for one in here.day("2026-11-15")["results"]] == ["Anne"]
        assert here.day()["results"] == []

    def test_the_key_is_told_once_no_game_of_the_day_can_count(self, here: Site) -> None:
        seat = here.play()
        here.finish(seat)
        before = verify(read_record(here.record(seat)))
        assert (before.day, before.dice_checked) == (DAY, False)
        key = DailyDice.of(SECRET, DAY).key.hex()
        for now in (NOON, counts_until(DAY), reveals_at(DAY) - SECOND):
            here.time.now = now
            assert here.day("2026-11-15")["key"] is None
            told = [
                here.client.get(f"/api/{path}").text
                for path in (
                    f"tables/{seat['id']}",
                    f"tables/{seat['id']}/events",
                    f"tables/{seat['id']}/record",
                    "daily",
                    "daily/2026-11-15",
                    "daily/archive",
                )
            ]
            assert key not in "".join(told)
        here.time.now = reveals_at(DAY)
        revealed = here.day("2026-11-15")
        assert revealed["key"] == key
        assert revealed["results"][0]["table"] == seat["id"]
        after = verify(read_record(here.record(seat)))
        assert (after.day, after.dice_checked) == (DAY, True)
        assert timedelta() < GRACE

    def test_days_that_are_not_offered_are_refused(self, here: Site) -> None:
        for day in ("2026-11-16", "2026-10-15"):
            assert "last 30 days" in here.day(day, status=404)["error"]["message"]
            here.play(day=day, status=404)
        assert "is not a day" in here.day("tomorrow", status=400)["error"]["message"]
        here.play(day="15 Nov", status=400)

    def test_a_day_of_the_archive_is_played_outside_the_ranking(self, here: Site) -> None:
        seat = here.play(day="2026-11-10")
        assert (seat["counts"], seat["day"]) == (False, "2026-11-10")
        here.finish(seat)
        assert here.day("2026-11-10")["results"] == []
        assert verify(read_record(here.record(seat))).dice_checked, "its key is out"
        days = here.client.get("/api/daily/archive").json()["days"]
        assert [days[0]["day"], days[-1]["day"]] == ["2026-11-14", "2026-10-16"]


class TestForging:
    """Results are the server's own: none can be posted."""

    def test_there_is_nowhere_to_post_a_result_to(self, here: Site) -> None:
        assert here.client.post("/api/daily/results", json={"record": ""}).status_code == 405

    def test_a_record_with_other_dice_fails_verification(self, here: Site) -> None:
        seat = here.play()
        here.finish(seat)
        here.time.now = reveals_at(DAY)
        record = read_record(here.record(seat))
        assert isinstance(record.dice, DailyDice)
        other = DailyDice.of(SECRET, DAY + timedelta(days=1))
        with pytest.raises(VerificationError, match="is not the one that the commitment"):
            verify(replace(record, dice=DailyDice(record.dice.seal, other.key)))
        with pytest.raises(VerificationError, match="but its seal gives"):
            verify(replace(record, dice=other))
        assert isinstance(record.dice.seal, DaySeal)


def test_what_luck_a_game_had_is_found_out_after_a_restart_and_kept(
    each_url: str, web: Path
) -> None:
    """It follows from the events, whoever finds it out; best play from the dice of the day."""
    with site(each_url, web) as here:  # whose engine is busy
        seat = here.play()
        here.finish(seat)
        assert here.day(device=seat["device"])["mine"]["luck"] is None
    with site(each_url, web, insight=None) as here:
        while (told := here.day(device=seat["device"]))["mine"]["luck"] is None or not told["best"]:
            pass  # an answer waits for the engine, but not for ever
    with site(each_url, web) as here:
        kept = here.day(device=seat["device"])
    assert (kept["mine"], kept["results"]) == (told["mine"], told["results"])
    mine = told["mine"]
    assert told["best"].count("c") <= 3
    assert told["best"].endswith("c")
    assert len(told["results"]) == 1
    # turns = par - luck - skill, but for what the estimate itself drifts in a game
    assert mine["turns"] == pytest.approx(told["par"] - mine["luck"] - mine["skill"], abs=0.15)
    assert mine["skill"] <= 1e-6


def test_a_game_that_is_not_over_has_no_result() -> None:
    assert daily_result(()) is None
    assert DailyResult(2, ()).letters == ""


# cantstop results


def test_the_operator_lists_results_and_removes_one_while_the_server_runs(
    each_url: str, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = each_url

    def results(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["results", *arguments, "--database", url, "--lang", "en"])
        assert (ended.value.code or 0) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    day = ("--day", DAY.isoformat())
    with site(url, web) as here:
        anne, rude, idle = here.play("Anne"), here.play("Rude"), here.play("Idle")
        here.finish(anne)
        here.finish(rude)
        told = here.day()["results"]
        turns = {row["name"]: row["turns"] for row in told}
        listed = json.loads(results(*day, "--json"))
        assert listed["day"] == DAY.isoformat()
        assert [row["name"] for row in listed["results"]] == [row["name"] for row in told]
        tables = {row["name"]: row["table"] for row in listed["results"]}
        assert tables == {"Anne": anne["id"], "Rude": rude["id"]}
        assert f"{rude['id']}  Rude: {turns['Rude']} turns" in results(*day)
        assert results("--day", "2026-11-14") == "Nobody has finished this game here.\n"
        said = results("remove", rude["id"])
        assert said.startswith(f"Removed: {rude['id']}  Rude: ")
        told = here.day(device=rude["device"])
        assert [row["name"] for row in told["results"]] == ["Anne"]
        assert (told["count"], told["place"], told["mine"]["turns"]) == (1, None, None)
        assert here.day(device=anne["device"])["place"] == 1
        assert here.play("Rude", device=rude["device"])["counts"] is False  # the try was had
        for table in (rude["id"], idle["id"], "k7Qm"):
            assert "No daily game was finished" in results("remove", table, code=2)
        assert here.play("Idle", device=idle["device"])["id"] == idle["id"]  # and goes on
        here.finish(idle)
        assert {row["name"] for row in here.day()["results"]} == {"Anne", "Idle"}
        here.time.now = reveals_at(DAY)
        archive = here.client.get("/api/daily/archive").json()["days"]
        assert archive[0]["results"] == 2
