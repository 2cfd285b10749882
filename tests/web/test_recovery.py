"""The server is killed with ``kill -9`` and started again: browsers go on by themselves."""

import os
import re
import signal
from typing import Any

from playwright.sync_api import Browser, expect

from browser_player import KEEPS_THE_APP, Player, ServerProcess
from cantstop import read_record, verify


def test_a_killed_server_is_survived_without_the_players_doing_anything(
    browser: Browser, mortal_server: ServerProcess
) -> None:
    anne = Player.at(browser, mortal_server.url, **KEEPS_THE_APP)
    ben = Player.at(browser, mortal_server.url, **KEEPS_THE_APP)
    anne.go("/").find("[data-way=online]").click()
    anne.sees(stage="open")
    ben.go(f"/t/{anne.table_id}").find(".join button").click()
    anne.take_turn()
    ben.take_turn()
    expect(anne.find(".turn-number")).to_have_text("Round 2")

    anne.keep_playing()  # she is on, and the server dies meanwhile
    mortal_server.kill()
    for player in (anne, ben):
        expect(player.find(".notice.lost")).to_be_visible()
    mortal_server.start()
    for player in (anne, ben):
        expect(player.find(".notice.lost")).to_have_count(0)

    ben.keep_playing()
    for player in (anne, ben):
        expect(player.find(".turn-number")).not_to_have_text(re.compile("Round [123]$"))
    ben.find("[aria-label=Menu]").click()
    ben.find(".menu-item", has_text="Resign").click()
    ben.find("dialog.sheet button.resign").click()
    for player in (anne, ben):
        player.sees(stage="over")
    text = anne.page.request.get(f"/api/tables/{anne.table_id}/record").text()
    assert verify(read_record(text)).dice_checked
    for player in (anne, ben):
        player.close()


def test_a_server_that_takes_connections_and_says_nothing_is_not_waited_for(
    browser: Browser, mortal_server: ServerProcess
) -> None:
    player = Player.at(browser, mortal_server.url, **KEEPS_THE_APP).go("/rules")
    player.wait_for("() => caches.match('/')")
    os.kill(mortal_server.pid, signal.SIGSTOP)
    player.go("/").find("[data-way=bot]").wait_for()
    player.close()


def test_an_action_without_an_answer_is_sent_again_under_the_same_id(player: Player) -> None:
    """The first line is cut right after the action was sent; the event still happens once."""
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    sent = []

    def cut_after_the_action(socket: Any) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str) -> None:
            server.send(message)
            if '"act"' in message:
                sent.append(message)
                if len(sent) == 1:
                    socket.close(code=1012)

        socket.on_message(pass_on)

    player.page.route_web_socket("**/api/tables/*/socket**", cut_after_the_action)
    player.page.reload()
    player.sees(live=True).find(".roll").click()
    player.sees(phase="move", live=True)
    assert len(sent) == 2
    assert sent[0] == sent[1]
    state = player.page.request.get(f"/api/tables/{player.table_id}").json()
    assert [event["kind"] for event in state["log"]].count("rolled") == 1


def test_a_page_that_misses_an_event_asks_for_it(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    lost: list[Any] = []

    def lose_one_event(socket: Any) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str) -> None:
            if '"moved"' in message and '"event"' in message and not lost:
                lost.append(message)
            else:
                socket.send(message)

        server.on_message(pass_on)

    player.page.route_web_socket("**/api/tables/*/socket**", lose_one_event)
    player.page.reload()
    player.sees(live=True).find(".roll").click()
    player.sees(phase="move", live=True).find(".move").first.click()
    player.sees(phase="move", live=False)
    player.find("[aria-label=React]").click()
    player.find("[data-reaction=cheer]").click()
    player.sees(phase="choice", live=True)
    assert lost
