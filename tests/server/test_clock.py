"""The time for a decision: what it costs, what runs out, and that no clock or restart upsets it."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.dice import salt_commitment
from cantstop.server import ServerOptions, create_app
from cantstop.server.errors import Malformed, Refused
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime import decision_clocks
from cantstop.server.runtime.presence import Clocks
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.clock import seconds_to_decide
from cantstop.server.tables.decisions import run_out
from cantstop.table.table import Table
from cantstop.wire.events import event_data
from patience import PATIENCE
from postgresql import Postgres
from pure_tables import NOW, a_table, after, after_a_move
from table_client import OPEN, Player, Refusal, at_table, bot, human, open_table, sit_down

FOR_ANNE: dict[str, Any] = {"for": 0}

NEVER = 3600


class TestDecisions:
    """What is decided, without a server."""

    def test_a_table_has_the_clock_that_was_asked_for_and_a_bank_that_suits_it(self) -> None:
        opened = a_table(human(salt="a"), OPEN, clock=30).table
        assert (opened.opened.clock, opened.opened.bank) == (30, 120)
        assert [seat.bank for seat in opened.seats] == [120.0, 120.0]
        assert seconds_to_decide(opened) == 150
        own = a_table(human(salt="a"), OPEN, clock=86400, bank=10).table
        assert seconds_to_decide(own) == 86410
        day = a_table(human(salt="a"), OPEN, clock=86400).table
        assert day.opened.bank == 86400
        assert seconds_to_decide(a_table(human(salt="a"), OPEN).table) is None

    @pytest.mark.parametrize(
        ("mode", "more"), [("hotseat", {"clock": 30}), ("online", {"bank": 30})]
    )
    def test_where_there_can_be_no_clock(self, mode: str, more: Any) -> None:
        with pytest.raises(Malformed):
            a_table(human(salt="a"), bot(), mode=mode, **more)

    def test_within_the_time_nothing_is_spent_and_beyond_it_the_bank(self) -> None:
        stored = a_table(human(salt="a"), OPEN, clock=30, bank=20)
        seat = stored.table.position.seat
        quick = after(stored, "roll", seat, thought=30.0).table
        assert "spent" not in event_data(quick.log[stored.table.n].event)
        slow = after(stored, "roll", seat, thought=37.25).table
        rolled = slow.log[stored.table.n]
        assert event_data(rolled.event)["spent"] == pytest.approx(7.2, abs=0.051)
        assert slow.seats[seat].bank == pytest.approx(12.8, abs=0.051)
        assert slow.seats[1 - seat].bank == 20
        assert Table.from_log(slow.id, slow.log) == slow
        late = after(stored, "roll", seat, thought=1000.0).table  # it was accepted: no debts
        assert late.seats[seat].bank == 0

    def test_who_lets_it_run_out_is_played_on_by_a_bot_and_may_return(self) -> None:
        stored = a_table(human(salt="a"), OPEN, clock=30)
        table, seat = stored.table, stored.table.position.seat
        change = run_out(stored, table.deciding_since, NOW)
        assert change is not None
        assert event_data(change.entries[0].event) == {
            "bot": "careful",
            "by": seat,
            "reason": "time",
        }
        over = stored.after(change)
        assert (over.table.bot_to_act, over.table.seats[seat].bank) == ("careful", 0.0)
        assert run_out(over, over.table.deciding_since, NOW) is None  # the bot has time
        with pytest.raises(Refused, match="come back"):
            after(over, "roll", seat)
        back = after(over, "return", seat)
        assert back.table.deciding_since == back.table.n
        assert seconds_to_decide(back.table) == 30
        assert Table.from_log(back.table.id, back.table.log) == back.table

    def test_who_returns_at_once_whenever_their_time_runs_out_cannot_stall_the_game(self) -> None:
        """The decision that ran out is taken by the bot before anybody can return to it."""
        stored = a_table(human(salt="a"), OPEN, clock=30)
        seat, plays = stored.table.position.seat, []
        while stored.table.position.seat == seat:
            change = run_out(stored, stored.table.deciding_since, NOW)
            assert change is not None
            plays.append([entry.kind for entry in change.entries])
            stored = stored.after(change)
            if stored.table.position.seat == seat:
                stored = after(stored, "return", seat)
        assert plays[:2] == [["substituted", "rolled"], ["substituted", "moved"]]
        assert plays[-1][1] in ("stopped", "rolled")

    def test_a_decision_that_was_taken_does_not_run_out(self) -> None:
        stored = a_table(human(salt="a"), OPEN, clock=30)
        since = stored.table.deciding_since
        assert run_out(after_a_move(stored), since, NOW) is None
        plain = a_table(human(salt="a"), OPEN)
        assert run_out(plain, plain.table.deciding_since, NOW) is None

    def test_talk_does_not_buy_time(self) -> None:
        stored = after_a_move(a_table(human(salt="a"), OPEN, OPEN, clock=30))
        seat = stored.table.position.seat
        asked = after(stored, "takeback", seat)
        assert asked.table.deciding_since == stored.table.deciding_since
        assert after(asked, "resign", (seat + 1) % 3).table.deciding_since == (
            stored.table.deciding_since
        )


class TestAbsence:
    """Nobody is present here, and nobody is expected back: only a clock can keep a seat."""

    @pytest.mark.parametrize("clock", [15, 60, 86400])
    @pytest.mark.parametrize("absent", [0, 1])
    def test_no_bot_takes_the_seat_of_somebody_whose_clock_runs(
        self, clock: int, absent: int
    ) -> None:
        stored = a_table(human(salt="a"), OPEN, clock=clock)
        for moment in (stored, after_a_move(stored)):
            for days in (0, 1, 30):  # the clock itself seats a bot, nobody's wish does
                later = NOW + timedelta(days=days)
                with pytest.raises(Refused, match="time"):
                    after(moment, "substitute", 1 - absent, at=later, **{"for": absent})

    def test_when_the_clock_is_out_the_bot_is_there_and_need_not_be_asked_for(self) -> None:
        stored = a_table(human(salt="a"), OPEN, clock=86400)
        seat = stored.table.position.seat
        over = run_out(stored, stored.table.deciding_since, NOW)
        assert over is not None
        assert over.table.seats[seat].substitute is not None

    def test_a_table_that_has_not_begun_waits_as_long_as_for_one_decision(self) -> None:
        promised = salt_commitment("a")
        stored = a_table(human("Anne", salt_commitment=promised), OPEN, clock=86400)
        assert not stored.table.has_started
        with pytest.raises(Refused, match="time"):
            after(stored, "substitute", 1, at=NOW + timedelta(hours=23), **FOR_ANNE)
        later = after(stored, "substitute", 1, at=NOW + timedelta(days=1), **FOR_ANNE)
        assert later.table.seats[0].substitute is not None

    def test_without_a_clock_whoever_is_away_is_played_for(self) -> None:
        stored = after(a_table(human(salt="a"), OPEN), "substitute", 1, **FOR_ANNE)
        assert stored.table.seats[0].substitute is not None


# With a server


class WallClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> Any:
        return self.now


def serve(url: str, web: Path, **more: Any) -> TestClient:
    clock = more.pop("clock", now)
    return TestClient(
        create_app(
            ServerOptions(
                url,
                pace=0,
                web=web,
                clocks=Clocks(NEVER, 0.0, NEVER, **more),
                clock=clock,
                limits=Limits().times(0),
            )
        )
    )


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that an action may take to arrive would only make these tests slower."""
    monkeypatch.setattr(decision_clocks, "GRACE_SECONDS", 0.0)


@pytest.fixture
def served(url: str, web: Path) -> Callable[..., TestClient]:
    return partial(serve, url, web)


@pytest.fixture
def each_served(each_url: str, web: Path) -> Callable[..., TestClient]:
    """On each kind of database in turn."""
    return partial(serve, each_url, web)


def duel(server: TestClient, **clock: Any) -> tuple[Any, Any, Any]:
    """An online table of two: its id, and the secrets of both seats."""
    opened = open_table(server, human("Anne", salt="a"), OPEN, **clock)
    return opened["id"], opened["secret"], sit_down(server, opened["id"], "Bob")["secret"]


def decisions(server: Any) -> Any:
    return server.app.state.runtime.decisions


def seconds_left(server: Any, table: str) -> Any:
    async def left() -> Any:
        return decisions(server)._pending[table].left()

    return server.portal.call(left)


def hear_clock(player: Player) -> Any:
    """The next message about the clock."""
    return player.hear_until(lambda message: message["t"] == "clock")["d"]


def let_run_out(
    server: Any, table: str, left: float = 0.0, together: Barrier | None = None
) -> None:
    """Set the clock forward until only this is left of the decision; all servers at once."""

    async def hurry() -> None:
        if together is not None:
            together.wait()  # before any of them acts on it
        pending = decisions(server)._pending[table]
        pending.timer.cancel()
        pending.ends -= pending.left() - left
        decisions(server)._start_timer(table, pending)

    server.portal.call(hurry)


def test_an_idle_player_who_is_connected_stalls_nobody(served: Any) -> None:
    with served() as server:
        table, annes, bobs = duel(server, clock=NEVER, bank=5)
        with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
            told = hear_clock(anne)
            assert (told["seconds"], told["seat"], told["banks"]) == (NEVER, 0, [5.0, 5.0])
            assert 0 < told["left"] <= NEVER + 5
            let_run_out(server, table)
            over = bob.hear_event("substituted")
            assert (over["seat"], over["data"]["reason"]) == (0, "time")
            bob.hear_until(  # the bot plays on, until it is Bob's turn
                lambda message: message["t"] == "clock" and message["d"]["seat"] == 1
            )
            with pytest.raises(Refusal):
                anne.act("roll", 0)
            anne.act("return", 0)
            assert bob.hear_event("returned")["seat"] == 0
            bob.act("roll", 1)


def test_what_is_thought_beyond_the_time_comes_out_of_the_bank(served: Any) -> None:
    with served() as server:
        table, annes, bobs = duel(server, clock=NEVER, bank=1000)
        with at_table(server, table, annes) as anne, at_table(server, table, bobs):
            let_run_out(server, table, left=600)
            n = anne.act("roll", 0)
            rolled = next(event for event in anne.events if event["n"] == n)
            assert rolled["data"]["spent"] == pytest.approx(400, abs=60)
            state = server.get(f"/api/tables/{table}").json()
            assert state["clock"]["banks"][0] == pytest.approx(600, abs=60)


def test_connecting_again_and_again_gains_no_time(served: Any) -> None:
    with served() as server:
        table, annes, bobs = duel(server, clock=NEVER, bank=0)
        with at_table(server, table, bobs) as bob:
            let_run_out(server, table, left=1000)
            for _ in range(5):
                with at_table(server, table, annes) as anne:
                    assert hear_clock(anne)["left"] <= 1000
            let_run_out(server, table)  # whether she is there or not
            assert bob.hear_event("substituted")["seat"] == 0


@pytest.mark.parametrize("jump", [-10 * NEVER, 10 * NEVER])
def test_a_clock_that_jumps_ends_nothing_and_gives_nothing(served: Any, jump: float) -> None:
    clock = WallClock()
    with served(clock=clock) as server:
        tables = [duel(server, clock=NEVER, bank=0) for _ in range(3)]
        clock.now += timedelta(seconds=jump)
        for table, annes, _ in tables:
            with at_table(server, table, annes) as anne:
                assert NEVER - 60 < hear_clock(anne)["left"] <= NEVER
                anne.act("roll", 0)
    with served(clock=clock) as server:
        for table, annes, _ in tables:
            with at_table(server, table, annes) as anne:
                kinds = [entry["kind"] for entry in anne.state["log"]]
                assert "substituted" not in kinds


def test_a_machine_that_stood_still_takes_nobodys_time(served: Any) -> None:
    with served() as server:
        table, annes, _ = duel(server, clock=NEVER, bank=0)
        with at_table(server, table, annes) as anne:
            let_run_out(server, table, left=-600)  # the timer ends ten minutes too late
            assert anne.act("roll", 0)


def test_a_restart_goes_on_with_the_time_that_was_left(each_served: Any) -> None:
    with each_served() as server:
        table, annes, bobs = duel(server, clock=NEVER, bank=0)
        let_run_out(server, table, left=900)
    with each_served() as server:  # nobody has to connect for the clock to run
        assert 840 < seconds_left(server, table) <= 900
        with at_table(server, table, bobs) as bob:
            assert hear_clock(bob)["left"] <= 900
            let_run_out(server, table)
            assert bob.hear_event("substituted")["seat"] == 0
    with each_served() as server, at_table(server, table, annes) as anne:
        assert [entry["kind"] for entry in anne.state["log"]].count("substituted") == 1


def test_a_decision_that_was_taken_is_forgotten_by_the_database(each_served: Any) -> None:
    with each_served() as server:
        table, annes, _ = duel(server, clock=NEVER, bank=0)
    with each_served() as server, at_table(server, table, annes) as anne:
        storage = server.app.state.runtime.storage
        assert table in server.portal.call(storage.pending_decisions)
        anne.act("resign", 0)
        patience = time.monotonic() + PATIENCE
        server.portal.call(decisions(server).record)
        while table in server.portal.call(storage.pending_decisions):
            assert time.monotonic() < patience
    with each_served() as server:
        assert table not in decisions(server)._pending


def test_without_a_clock_others_may_ask_for_a_bot_when_somebody_is_idle(served: Any) -> None:
    with served(idle=NEVER) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
            with pytest.raises(Refusal, match="is there"):
                bob.act("substitute", 1, absent=0)
            let_run_out(server, table)
            bob.hear_until(lambda message: message["t"] == "presence" and "idle" in message["d"])
            assert bob.presence["idle"] == [0]
            with pytest.raises(Refusal, match="is there"):
                anne.act("substitute", 0, absent=1)  # Bob has nothing to decide
            bob.act("substitute", 1, absent=0)
            assert bob.events[-1]["data"] == {"bot": "careful", "by": 1}


class TestTwoWorkers:
    def test_whichever_worker_is_first_ends_the_decision_once(
        self, postgres: Postgres, web: Path
    ) -> None:
        worker = partial(serve, postgres.new_database(), web)
        with worker() as here, worker() as elsewhere:
            table, annes, bobs = duel(here, clock=NEVER, bank=0)
            with at_table(here, table, annes) as anne, at_table(elsewhere, table, bobs) as bob:
                hear_clock(anne)
                hear_clock(bob)
                both, at_once = Barrier(2), ThreadPoolExecutor(2)
                with at_once:
                    at_once.submit(let_run_out, here, table, together=both)
                    let_run_out(elsewhere, table, together=both)
                for player in (anne, bob):
                    assert player.hear_event("substituted")["seat"] == 0
                bob.hear_until(
                    lambda message: message["t"] == "clock" and message["d"]["seat"] == 1
                )
                bob.act("resign", 1)
                anne.hear_event("finished")
                assert anne.kinds.count("substituted") == 1

    def test_a_worker_goes_on_with_what_another_one_left(
        self, postgres: Postgres, web: Path
    ) -> None:
        worker = partial(serve, postgres.new_database(), web)
        with worker() as elsewhere:
            with worker() as here:
                table, _, bobs = duel(here, clock=NEVER, bank=0)
                let_run_out(here, table, left=900)
            portal: Any = elsewhere.portal
            portal.call(decisions(elsewhere).adopt)  # as its housekeeping does
            with at_table(elsewhere, table, bobs) as bob:
                assert hear_clock(bob)["left"] <= 900
                let_run_out(elsewhere, table)
                assert bob.hear_event("substituted")["seat"] == 0
