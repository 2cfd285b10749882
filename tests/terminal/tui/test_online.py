"""A terminal at a table on a real server, alone with a bot, watching, and through a restart."""

import asyncio
import json
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual.widgets import OptionList

from app_player import Somebody
from browser_player import ServerProcess
from cantstop.client import Pace, Player, SeatSecrets, TableLink, take_seat
from cantstop.language import Translator
from cantstop.rules import Phase
from cantstop.table.events import Order
from cantstop.terminal.online import OnlineController
from cantstop.terminal.tui import AppOptions
from cantstop.terminal.tui.app import CantStopApp
from cantstop.terminal.tui.orders import OrderScreen
from cantstop.terminal.tui.reactions import ReactionScreen
from cantstop.wire.seen import SeenEvent, SeenState

CONVERSATIONS = sorted(
    (Path(__file__).parents[2] / "server" / "data" / "conversations").glob("*.jsonl")
)
SEATS = [{"kind": "open"}, {"kind": "bot", "bot": "careful"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server that these tests have in common; whoever kills it starts it again."""
    server = ServerProcess(f"sqlite:///{tmp_path_factory.mktemp('tui') / 'tables.db'}").start()
    yield server
    server.kill()


def open_table(server: Any, seats: Any = SEATS, **more: Any) -> TableLink:
    body = {"mode": "online", "edition": "custom", "win": 1, "seats": seats, **more}
    request = urllib.request.Request(
        f"{server.url}/api/tables", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return TableLink(server.url, json.load(answer)["id"])


def use(act: Any, link: TableLink, secret: str | None, folder: Path) -> None:
    async def run() -> None:
        controller = OnlineController(link, secret, "en", SeatSecrets(folder))
        app = CantStopApp(Translator(), AppOptions(folder, 0.8), controller)
        async with app.run_test(size=(120, 40)) as pilot:
            await act(Somebody(app, pilot), controller)

    asyncio.run(run())


async def play_turns(somebody: Any, controller: Any, until: Any) -> None:
    """Play by keys whenever it is our turn."""
    while not until():
        await somebody.wait_until(lambda: until() or controller.may_act)
        if until():
            return
        entries, phase = len(controller.entries), controller.position.phase
        stop = phase is Phase.CHOICE and controller.position.may_stop
        key = "1" if phase is Phase.MOVE else "s" if stop else "r"
        # a key is refused while the connection is away for a moment: a person presses it again
        await somebody.press_until(key, lambda entries=entries: len(controller.entries) > entries)


def test_a_game_against_a_bot_to_its_end_with_the_server_killed_in_between(
    server: Any, tmp_path: Path
) -> None:
    link = open_table(server, win=2)
    secret = take_seat(link, "Tim", "en")

    async def play(somebody: Any, controller: Any) -> None:
        # by three moves nobody can win two columns, so the game goes on whatever the dice are
        await play_turns(somebody, controller, lambda: controller.turn > 2)
        server.kill()
        await somebody.wait_until(lambda: controller.problem is not None)
        await somebody.wait_until(lambda: "No connection to" in somebody.text("#status"))
        server.start()
        await play_turns(somebody, controller, lambda: controller.position.outcome is not None)
        await somebody.wait_until(lambda: "wins the game" in somebody.sentence("#status"))
        # what happens at the table meanwhile is said in the same place: Tim, whose stop was the
        # last decision if he has won, reads that the game is over
        has_won = controller.position.outcome.winners == (0,)
        due = "The game is over." if has_won else "There is nothing to take back."
        assert due not in somebody.sentence("#status")
        await somebody.press_until("u", lambda: due in somebody.sentence("#status"))

    use(play, link, secret, tmp_path)


def test_a_standing_order_is_put_together_shown_and_revoked(server: Any, tmp_path: Path) -> None:
    link = open_table(server, hints=True)
    secret = take_seat(link, "Tim", "en")

    async def order(somebody: Any, controller: Any) -> None:
        await somebody.wait_until(lambda: controller.may_act)
        seat = controller.own_seat

        async def choose(key: str) -> None:
            await somebody.press("g")
            await somebody.wait_until(lambda: isinstance(somebody.app.screen, OrderScreen))
            await somebody.press(key)

        for key, standing in (
            ("2", Order(column=True)),
            ("5", Order(column=True, bust=40)),
            ("2", Order(bust=40)),
            ("3", Order(bust=20)),
        ):
            await choose(key)
            await somebody.wait_until(lambda due=standing: controller.orders == {seat: due})
        await somebody.wait_until(lambda: "↻ stop above" in somebody.screen)
        await choose("7")
        await somebody.wait_until(lambda: controller.orders == {})
        await choose("1")
        await somebody.wait_until(lambda: "By standing order: Tim rolls" in somebody.screen)

    use(order, link, secret, tmp_path)


@pytest.mark.parametrize("shown", [True, False], ids=["shown", "not shown"])
def test_a_chance_to_bust_is_offered_where_it_is_shown(
    server: Any, tmp_path: Path, shown: bool
) -> None:
    link = open_table(server, help=shown, hints=False)
    secret = take_seat(link, "Tim", "en")

    async def look(somebody: Any, controller: Any) -> None:
        await somebody.wait_until(lambda: controller.may_act)
        await somebody.press("g")
        await somebody.wait_until(lambda: isinstance(somebody.app.screen, OrderScreen))
        (listed,) = somebody.app.screen.query(OptionList)
        offered = [str(listed.get_option_at_index(at).prompt) for at in range(listed.option_count)]
        assert [("%" in line) for line in offered] == [False] * 2 + [True] * (4 if shown else 0)
        if shown:
            return
        # no number stands for what is not on the screen
        await somebody.press("5", "2")
        await somebody.wait_until(lambda: controller.orders)
        assert list(controller.orders.values()) == [Order(column=True)]
        await somebody.press("g")
        await somebody.wait_until(lambda: isinstance(somebody.app.screen, OrderScreen))
        await somebody.press("3")
        await somebody.wait_until(lambda: controller.orders == {})

    use(look, link, secret, tmp_path)


def test_a_watcher_sees_everything_and_can_do_nothing(server: Any, tmp_path: Path) -> None:
    bots = [{"kind": "bot", "bot": "careful"}, {"kind": "bot", "bot": "bold"}]
    link = open_table(server, bots)

    async def watch(somebody: Any, controller: Any) -> None:
        await somebody.wait_until(
            lambda: controller.turn > 1 or controller.position.outcome is not None
        )
        assert not controller.may_act
        await somebody.press("r", "s", "1")
        await somebody.wait_until(lambda: controller.position.outcome is not None)

    use(watch, link, None, tmp_path)


def test_a_secret_that_holds_no_seat_is_told_and_forgotten(server: Any, tmp_path: Path) -> None:
    link = open_table(server)
    SeatSecrets(tmp_path).save(link, "wrong")

    async def look(somebody: Any, controller: Any) -> None:
        await somebody.wait_until(lambda: "does not hold a seat" in str(controller.problem))

    use(look, link, "wrong", tmp_path)
    assert SeatSecrets(tmp_path).find(link) is None


def test_an_open_table_waits_and_tells_its_link(server: Any, tmp_path: Path) -> None:
    link = open_table(server, [{"kind": "open"}, {"kind": "open"}])
    secret = take_seat(link, "Tim", "en")

    async def look(somebody: Any, controller: Any) -> None:
        await somebody.wait_until(lambda: controller.edition is not None)
        await somebody.wait_until(lambda: str(link) in somebody.text("#status").replace("\n", ""))
        secret = take_seat(link, "Ann", "en")
        await somebody.wait_until(lambda: controller.names == ("Tim", "Ann"))
        await somebody.wait_until(
            lambda: "Waiting until everybody is here" in somebody.sentence("#status")
        )
        with Player(replace(link, secret=secret)):
            await somebody.wait_until(lambda: controller.problem is None)

    use(look, link, secret, tmp_path)


def test_take_back_by_consent_clock_and_resigning_by_keys(server: Any, tmp_path: Path) -> None:
    link = open_table(server, [{"kind": "open"}] * 2, clock=3600, bank=0)
    tims, anns = (take_seat(link, name, "en") for name in ("Tim", "Ann"))

    async def play(somebody: Any, controller: Any) -> None:
        with Player(replace(link, secret=anns)) as ann:
            await somebody.wait_until(lambda: controller.may_act and controller.seconds_left)
            await somebody.wait_until(
                lambda: bool(re.search(r"3[0-9]{3} s left", somebody.sentence("#status")))
            )
            for key, phase in (("r", Phase.MOVE), ("1", Phase.CHOICE)):
                somebody.app.simulate_key(key)
                await somebody.wait_until(
                    lambda phase=phase: controller.position.phase is phase and controller.may_act
                )
            somebody.app.simulate_key("u")
            await asyncio.to_thread(ann.wait, lambda table: table.asked is not None)
            await asyncio.to_thread(ann.answer, agree=True)
            await somebody.wait_until(lambda: controller.position.phase is Phase.MOVE)
            for key in ("1", "s"):
                somebody.app.simulate_key(key)
                await somebody.wait_until(lambda: controller.position.phase is not Phase.MOVE)
            await asyncio.to_thread(ann.wait, lambda table: table.position.seat == 1)
            await asyncio.to_thread(lambda: ann.move(ann.roll()[0]))
            await asyncio.to_thread(ann.take_back)
            await somebody.wait_until(lambda: controller._table.asked is not None)
            somebody.app.simulate_key("x")
            await somebody.wait_until(lambda: "Press X again" in somebody.sentence("#status"))
            await somebody.wait_until(lambda: "Ann asks" in somebody.sentence("#status"))
            somebody.app.simulate_key("d")
            await asyncio.to_thread(ann.wait, lambda table: table.asked is None)
            await somebody.wait_until(
                lambda: somebody.sentence("#status") == "Press X again to resign."
            )
            somebody.app.screen._tick()  # the clock goes on, and this stays
            await somebody.pilot.pause()
            assert somebody.sentence("#status") == "Press X again to resign."
            somebody.app.simulate_key("x")
            await somebody.wait_until(lambda: controller.problem is not None)
            await somebody.wait_until(
                lambda: "Ann wins: Tim has resigned." in somebody.sentence("#status")
            )

    use(play, link, tims, tmp_path)


def test_reactions_a_rematch_and_its_score_by_keys(server: Any, tmp_path: Path) -> None:
    link = open_table(server, [{"kind": "open"}] * 2)
    tims, anns = (take_seat(link, name, "en") for name in ("Tim", "Ann"))

    async def play(somebody: Any, first: Any) -> None:
        with Player(replace(link, secret=anns)) as ann:
            await somebody.wait_until(lambda: first.may_act)
            somebody.app.simulate_key("e")
            await somebody.wait_until(lambda: isinstance(somebody.app.screen, ReactionScreen))
            somebody.app.simulate_key("2")
            await somebody.wait_until(lambda: "Tim applauds." in somebody.screen)
            somebody.app.simulate_key("m")
            await somebody.wait_until(
                lambda: "once the game is over" in somebody.sentence("#status")
            )
            await asyncio.to_thread(ann.resign)
            await somebody.wait_until(lambda: first.is_over)
            await somebody.wait_until(lambda: "M plays again." in somebody.sentence("#status"))
            ours = await asyncio.to_thread(ann.rematch)
            await somebody.wait_until(lambda: "Ann asks for a rematch." in somebody.screen)
            somebody.app.simulate_key("m")
            await somebody.wait_until(lambda: somebody.app.controller is not first)
            next_table = somebody.app.controller
            assert next_table.link.table == ours.table
            assert SeatSecrets(tmp_path).find(next_table.link) == tims
        with Player(ours) as ann:
            await somebody.wait_until(lambda: next_table.problem is None)
            await somebody.wait_until(lambda: "Tim 1 – 0 Ann" in somebody.text("Players"))
            assert next_table.names == ("Ann", "Tim")
            await asyncio.to_thread(ann.resign)
            await somebody.wait_until(lambda: "Tim 2 – 0 Ann" in somebody.text("Players"))

    use(play, link, tims, tmp_path)


def test_F_skips_a_bots_turn_and_the_next_ones_are_played_as_before(tmp_path: Path) -> None:
    slow = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}", pace=3600).start()
    try:
        link = open_table(slow, [*SEATS[1:], *SEATS[:1]])
        tims = take_seat(link, "Tim", "en")

        async def play(somebody: Any, controller: Any) -> None:
            await somebody.wait_until(lambda: controller.may_skip)
            somebody.app.simulate_key("f")
            await somebody.wait_until(lambda: controller.may_act)
            await somebody.wait_until(lambda: controller._connection.pace is Pace.NORMAL)
            somebody.app.simulate_key("f")
            refused = "No bot's turn can be skipped now."
            await somebody.wait_until(lambda: refused in somebody.sentence("#status"))

        use(play, link, tims, tmp_path)
    finally:
        slow.kill()


def test_an_app_older_than_its_server_follows_what_it_does_not_know(tmp_path: Path) -> None:
    """Take-backs are announced by an event of another name, in the log and as they happen."""
    link, followed = TableLink("http://localhost:8000", "k7Qm"), 0
    for path in CONVERSATIONS:
        controllers: dict[str, OnlineController] = {}
        text = path.read_text("utf-8").replace('"takenback"', '"withdrawn"')
        for line in text.replace('"<time>"', '"2026-11-18T12:00:00.000Z"').splitlines():
            told = json.loads(line)
            if told.get("hear", {}).get("t") not in ("state", "event"):
                continue
            data, at = told["hear"]["d"], told["at"]
            if told["hear"]["t"] == "state":
                controllers[at] = OnlineController(link, None, "en", SeatSecrets(tmp_path))
            elif at not in controllers or data["n"] != controllers[at]._at_table().n + 1:
                continue
            kind: Any = SeenState if told["hear"]["t"] == "state" else SeenEvent
            controllers[at]._connection._receive(msgspec.convert(data, kind))
            assert str(controllers[at].position) == data["view"]["position"]
            followed += "withdrawn" in line
    assert followed
