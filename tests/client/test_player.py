"""Programs at tables of a real server: the example, the page's examples, bots, and trouble."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from browser_player import ServerProcess
from cantstop import (
    Busted,
    IllegalAction,
    InvalidRules,
    InvalidText,
    Move,
    Phase,
    Position,
    Rolled,
    Stopped,
    verify,
)
from cantstop.bots import bot_named
from cantstop.client import (
    OPEN,
    Player,
    Refused,
    TimedOut,
    Unreachable,
    analysis,
    bot,
    hint,
    human,
    look,
    open_lesson,
    open_table,
    play,
    record,
    requests,
    review,
    review_record,
    take_seat,
)
from cantstop.wire.actions import Substitute, new_action_id
from live_server import live_server
from patience import PATIENCE
from swarm import wait_for_engine

ROOT = Path(__file__).parents[2]
SHORT: dict[str, Any] = {"edition": "custom", "win": 1}
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def mortal_server(tmp_path: Path) -> Iterator[Any]:
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}").start()
    yield server
    server.kill()


def play_on(me: Any, turns: Any = None) -> None:
    """Play plainly to the end, or for a number of turns."""
    for position in me.decisions():
        if position.phase is Phase.MOVE:
            me.move(position.legal_moves[0])
        elif position.may_stop and me.moves >= 2:
            me.stop()
        elif position.phase is Phase.ROLL and turns == 0:
            return
        else:
            turns = turns - 1 if turns and position.phase is Phase.ROLL else turns
            me.roll()


def check(link: Any) -> Any:
    verification = verify(record(link))
    assert verification.dice_checked
    assert verification.outcome is not None
    return verification.outcome


def test_the_example_bot_plays_a_game_to_its_end(server: Any) -> None:
    link = open_table(server.url, [bot("careful"), OPEN], **SHORT)
    command = [sys.executable, str(ROOT / "examples" / "online_bot.py"), str(link)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    won = check(link).winners == (1,)
    assert said == ("I won!\n" if won else "I lost.\n")
    assert look(link).seats[1].name == "Sprinter"


@pytest.mark.parametrize("code", BLOCK.findall((ROOT / "docs" / "client.md").read_text("utf-8")))
def test_the_examples_of_the_page_run(
    server: Any, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    link = open_table(server.url, [bot("careful"), OPEN], **SHORT)
    sits_down = "k7Qm" in code
    code = code.replace("http://localhost:8000/t/k7Qm", str(link))
    code = code.replace("http://localhost:8000", server.url)
    exec(compile(code, "docs/client.md", "exec"), {"__name__": "example"})
    if "verify" in code:
        assert capsys.readouterr().out.endswith("True\n")
    if sits_down:
        check(link)


class Picky:
    """A bot that plays by rules of its own."""

    def choose(self, position: Position, moves: int) -> Move:
        raise AssertionError(position, moves)

    def stop(self, position: Position, moves: int) -> bool:
        raise AssertionError(position, moves)

    def check(self, _rules: Any) -> None:
        raise InvalidRules("These rules are not mine.")


class TestBots:
    def test_several_play_at_one_table_each_under_its_name(self, server: Any) -> None:
        link = open_table(server.url, [OPEN, OPEN, human("Ada")], **SHORT)
        bots = ["bold", bot_named("careful:3")]
        outcomes = []
        threads = [
            threading.Thread(target=lambda one=one: outcomes.append(play(str(link), one)))
            for one in bots
        ]
        for thread in threads:
            thread.start()
        outcomes.append(play(link, "careful"))
        for thread in threads:
            thread.join()
        names = [str(seat.name) for seat in look(link).seats]
        assert (sorted(names[:2]), names[2]) == (["bold", "careful:3"], "Ada")
        assert outcomes == [check(link)] * 3

    def test_the_game_is_the_one_that_the_bot_decided(self, server: Any) -> None:
        """The record is held against the bot: it would have done all that its seat did."""
        link = open_table(server.url, [human("Ada"), bot("bold")], **SHORT)
        careful = bot_named("careful")
        play(link, careful)
        position, moves, asked = look(link).start, 0, 0
        for event in record(link).events:
            after = position.after(event)
            if position.seat == 0 and position.phase is Phase.MOVE:
                assert after == position.move(careful.choose(position, moves))
                asked += 1
            elif position.seat == 0 and position.may_stop:
                assert isinstance(event, Stopped if careful.stop(position, moves) else Rolled)
                asked += 1
            moves = (
                0
                if after.phase in (Phase.ROLL, Phase.OVER)
                else moves + (position.phase is Phase.MOVE)
            )
            position = after
        assert asked > 3

    def test_one_that_does_not_play_these_rules_takes_no_seat(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), OPEN], **SHORT)
        with pytest.raises(InvalidRules):
            play(str(link), Picky())
        assert look(link).seats[1].name is None


class TestRules:
    def test_what_the_rules_forbid_is_not_even_sent(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), human("Ada too")], mode="hotseat", **SHORT)
        with Player(link) as me:
            me.wait(lambda table: table.started)
            n = me.table.n
            for illegal in (me.stop, lambda: me.move("6+8")):
                with pytest.raises(IllegalAction):
                    illegal()
            me.roll()
            with pytest.raises(IllegalAction, match="dice on the table already"):
                me.roll()
            with pytest.raises(InvalidText, match="is not a move"):
                me.move("seven")
            assert me.table.n == n + 1
            assert me.table.mine == {0, 1}
            play_on(me)
        with pytest.raises(IllegalAction, match="You have left this table"):
            me.react("cheer")
        check(link)

    def test_another_thread_may_leave_while_one_waits(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), OPEN], **SHORT)
        waits = threading.Event()

        def never(_: object) -> bool:
            waits.set()
            return False

        with ThreadPoolExecutor(1) as other, Player(link) as ada:
            waiting = other.submit(ada.wait, never)
            assert waits.wait(PATIENCE)
            ada.close()
            with pytest.raises(IllegalAction, match="You have left this table"):
                waiting.result(PATIENCE)

    def test_nobody_plays_before_the_game_or_out_of_turn(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), OPEN], **SHORT)
        with Player(link) as ada:
            with pytest.raises(IllegalAction, match="has not begun"):
                ada.roll()
            with Player.join(str(link), "Bob", colour=3) as bob, Player.watch(link) as watcher:
                bob.wait(lambda table: table.started)
                assert bob.table.seats[1].colour == 3
                with pytest.raises(IllegalAction, match="not your turn"):
                    bob.roll()
                with pytest.raises(IllegalAction, match="seat is not yours"):
                    watcher.react("cheer")

    def test_a_decision_that_is_not_taken_is_no_endless_loop(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada")], mode="solo", **SHORT)
        with Player(link) as me, pytest.raises(IllegalAction, match="before the next decision"):
            for _ in me.decisions():
                pass

    def test_a_bust_leaves_no_moves(self, server: Any) -> None:
        """The lesson's third turn ends in a bust, whatever is chosen."""
        with Player(open_lesson(server.url, "basics", "Ada")) as me:
            play_on(me, turns=1)
            while me.moves < 2:
                me.move(me.roll()[0])
            assert not me.roll()
            assert Busted() in me.table.events


class TestTheEnd:
    def test_a_rematch_is_at_another_table_with_the_same_seat(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), bot("careful")], **SHORT)
        with Player(link) as me:
            play_on(me)
            me.react("applaud")
            again = me.rematch()
            assert again.table != link.table
        with Player(again) as me:
            assert me.table.mine == {1}
            play_on(me)
        check(again)

    def test_a_server_thinks_for_those_who_ask(self, server: Any) -> None:
        wait_for_engine(server.url)
        link = open_table(server.url, [human("Ada"), bot("careful")], **SHORT)
        with Player(link) as ada:
            for position in ada.decisions():
                if ada.moves == 0 and position.phase is Phase.MOVE:
                    advice = ada.hint()
                    assert advice.position == str(position)
                    same = analysis(server.url, position)
                    assert same.options == advice.options
                    ada.move(advice.options[0].move)
                elif position.phase is Phase.MOVE:
                    ada.move(position.legal_moves[0])
                elif position.may_stop:
                    ada.stop()
                else:
                    ada.roll()
        played = record(link)
        assert played.hints == (0,)
        found = review(link)
        assert found.names == ("Ada", "careful")
        assert found.decisions == review_record(server.url, played).decisions
        with pytest.raises(Refused, match="opened without hints"):
            hint(open_table(server.url, [human("Ada"), bot("bold")], hints=False))

    def test_a_record_before_the_game_is_refused(self, server: Any) -> None:
        with pytest.raises(Refused) as refused:
            record(open_table(server.url, [human("Ada"), OPEN]))
        assert refused.value.code == "not-now"


class TestTrouble:
    def test_a_server_that_dies_in_between_is_survived_and_nothing_is_seen_twice(
        self, mortal_server: Any
    ) -> None:
        link = open_table(mortal_server.url, [human("Ada"), bot("bold")], **SHORT)
        seen: list[Any] = []
        with Player(link, on_change=seen.append) as me:
            play_on(me, turns=1)
            mortal_server.kill()
            starting = threading.Thread(target=mortal_server.start)
            starting.start()
            play_on(me)
            starting.join()
        check(link)
        assert [table.n for table in seen] == list(range(seen[0].n, seen[-1].n + 1))

    def test_a_seat_that_was_lent_to_a_bot_is_taken_back(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), OPEN], **SHORT)
        with Player(link) as ada:
            with Player.join(str(link), "Bob") as bob:
                ada.wait(lambda table: table.started)
            while not ada.table.seats[1].substitute:
                with suppress(Refused):  # Bob has not gone yet
                    ada._do(ada._player._act(Substitute(id=new_action_id(), seat=0, absent=1)))
            with Player(bob.link) as bob:
                assert bob.table.seats[1].substitute == "careful"
                thread = threading.Thread(target=play_on, args=[ada])
                thread.start()
                play_on(bob)
                thread.join()
            assert bob.table.seats[1].substitute is None

    def test_what_the_server_refuses_is_in_its_own_words(self, server: Any) -> None:
        link = open_table(server.url, [human("Ada"), OPEN])
        with pytest.raises(Refused, match="does not hold a seat") as refused:
            Player(replace(link, secret="wrong"))
        assert refused.value.code == "wrong-secret"
        with pytest.raises(Refused, match="gibt es nicht") as refused:
            Player.watch(replace(link, table="nowhere"), language="de")
        assert refused.value.code == "table-unknown"
        with pytest.raises(Refused, match="edition") as refused:
            open_table(server.url, [human("Ada"), OPEN], edition="homemade")

    def test_a_server_that_is_gone_for_good_is_one_sentence(self, tmp_path: Path) -> None:
        with ExitStack() as running:
            server = running.enter_context(live_server(f"sqlite:///{tmp_path / 'tables.db'}"))
            with Player(open_table(server.url, [human("Ada"), OPEN])) as me:
                assert me._player._connection is not None
                me._player._connection.timeout = 0.1
                running.close()
                with pytest.raises(Unreachable, match="cannot be reached"):
                    me.wait(lambda table: table.started)
                with pytest.raises(Unreachable, match="cannot be reached"):
                    me.react("cheer")

    @pytest.mark.parametrize("text", ["", "ftp://a", "http://a/b", "http://"])
    def test_what_is_no_server_is_refused(self, text: str) -> None:
        with pytest.raises(InvalidText, match="is not the address of a server"):
            open_table(text, [OPEN, OPEN])


def test_players_are_protected_and_check_the_game_against_what_they_saw(server: Any) -> None:
    link = open_table(server.url, [human("Anne"), OPEN], edition="custom", win=1)
    with Player(link) as anne, Player.join(str(link), "Bob") as bob:
        anne.wait(lambda table: table.started)
        playing = threading.Thread(target=_play_all, args=[bob])
        playing.start()
        _play_all(anne)
        playing.join()
        for player in (anne, bob):
            verification = player.verify()
            assert (verification.scheme, verification.protected) == (2, (0, 1))
            assert verification.redraws == 0


def _play_all(player: Player) -> None:
    for position in player.decisions():
        if position.dice is not None:
            player.move(position.legal_moves[0])
        elif position.may_stop:
            player.stop()
        else:
            player.roll()


def test_a_lost_answer_to_taking_a_seat_costs_no_seat(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = open_table(server.url, [human("Anne"), OPEN, OPEN])
    sent, send = [], requests._send

    def lose_the_first(request: Any, timeout: float) -> bytes:
        answer = send(request, timeout)
        sent.append(request)
        if len(sent) == 1:
            raise Unreachable("lost")
        return answer

    monkeypatch.setattr(requests, "_send", lose_the_first)
    secret = take_seat(link, "Bob")
    assert len(sent) == 2
    table = look(replace(link, secret=secret))
    assert table.mine == {1}
    assert [seat.name for seat in table.seats] == ["Anne", "Bob", None]


def test_waiting_has_an_end(server: Any) -> None:
    link = open_table(server.url, [human("Anne"), OPEN])
    with Player(link) as me:
        with pytest.raises(TimedOut, match=r"within 0.05 s"):
            me.wait(lambda table: table.started, 0.05)
        with pytest.raises(TimedOut):
            next(me.decisions(0.05))
