"""Bad links and forms: a friendly page or message, and nothing broken."""

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, expect

from browser_player import NOTE_TOASTS, Player, ServerProcess
from web_messages import translated

SCRIPT = "<img src=x onerror=boo>"


def test_an_unknown_table_and_an_address_that_leads_nowhere(player: Player) -> None:
    for path in ("/t/unknown", "/t/%3Cscript%3E", "/t/unknown?n=4"):
        player.go(path)
        expect(player.find("h1")).to_have_text("There is no such table")
        player.find("main a").click()
        expect(player.find("[data-way=bot]")).to_be_visible()
    answer = player.page.goto("/a/b/c")
    assert answer is not None
    assert answer.status == 404
    expect(player.find("h1")).to_have_text("There is nothing here")


def test_an_expired_table(browser: Browser, mortal_server: ServerProcess) -> None:
    player = Player.at(browser, mortal_server.url, locale="it")
    player.go("/").find("[data-way=bot]").click()
    table = player.sees(live=True).table_id
    player.go("/rules")
    mortal_server.kill()
    with sqlite3.connect(mortal_server.database.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE events SET at = datetime('now', '-10 years')")
    mortal_server.start()
    for path in (f"/t/{table}", f"/t/{table}?n=1"):
        player.go(path)
        expect(player.find("h1")).to_have_text(translated("it", "This table is gone"))
        expect(player.find("main a")).to_be_visible()
    player.close()


def test_links_with_nonsense_behind_the_question_mark_lead_to_the_page_all_the_same(
    player: Player,
) -> None:
    for path in ("/new?way=nonsense", "/new", "/rules?edition=%3Cb%3E"):
        player.go(path)
        expect(player.find("h1")).not_to_have_text("There is nothing here")
        expect(player.find("main button, main input").first).to_be_visible()
    player.go("/").find("[data-way=hotseat]").click()
    table = player.sees(live=True).table_id
    for moment in ("nonsense", "-3", "1e9", ""):
        player.go(f"/t/{table}?n={moment}")
        expect(player.find(".slider")).to_be_visible()
    # nor does a dead secret harm: who bears it watches
    player.go("/games")
    player.page.goto(f"/t/{table}#seat=dead")
    expect(player.find(".toast")).to_contain_text("does not hold a seat")
    expect(player.find(".watching")).to_be_visible()


def test_a_full_table_can_be_watched(sit: Callable[..., Player]) -> None:
    player, late = sit(), sit()
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True)
    late.go(f"/t/{player.table_id}").sees(stage="playing")
    expect(late.find(".watching")).to_be_visible()


def test_whoever_comes_a_moment_too_late_is_told_so(sit: Callable[..., Player]) -> None:
    host, quick, late = sit(), sit(), sit()
    host.go("/").find("[data-way=online]").click()
    host.sees(stage="open")
    late.page.route_web_socket("**/api/tables/*/socket**", _silent_after_state)
    late.go(f"/t/{host.table_id}").find(".join").wait_for()
    quick.go(f"/t/{host.table_id}").find(".join button").click()
    host.sees(stage="playing")
    late.find(".join button").click()
    expect(late.find(".join .problem")).to_have_text("Every seat of this table is taken.")


def _silent_after_state(socket: Any) -> None:
    """A line that goes quiet once the table was seen: the browser does not learn the news."""
    server = socket.connect_to_server()
    heard: list[Any] = []

    def pass_on(message: str) -> None:
        if not heard:
            socket.send(message)
        heard.append(message)

    server.on_message(pass_on)


def test_a_name_of_ten_thousand_characters_and_one_that_is_a_script(
    sit: Callable[..., Player],
) -> None:
    host, guest = sit(), sit()
    host.go("/").find("[data-way=online]").click()
    host.sees(stage="open")
    guest.go(f"/t/{host.table_id}")
    field = guest.find(".join .name-field")
    field.evaluate("(field) => field.removeAttribute('maxlength')")
    field.fill("x" * 10_000)
    guest.find(".join button").click()
    expect(guest.find(".join .problem")).to_contain_text("1 to 24")
    field.fill(SCRIPT)
    guest.find(".join button").click()
    guest.sees(stage="playing")
    expect(host.find(".player .name").nth(1)).to_have_text(SCRIPT)
    assert host.find("img").count() == 0


def test_a_refused_action_changes_nothing_on_screen(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    player.page.route_web_socket("**/api/tables/*/socket**", _refuse_everything)
    player.page.reload()
    player.sees(live=True).page.evaluate(NOTE_TOASTS)
    player.find(".roll").click()
    player.wait_for("() => window.toasts.includes('Not today.')")
    player.sees(phase="roll", live=True)
    expect(player.find(".dice.tumbling")).to_have_count(0)


def _refuse_everything(socket: Any) -> None:
    server = socket.connect_to_server()

    def ask(message: str) -> None:
        said = json.loads(message)
        if said["t"] != "act":
            server.send(message)
            return
        error = {"code": "no", "message": "Not today."}
        answer = {"t": "refused", "d": {"id": said["d"]["id"], "error": error}}
        socket.send(json.dumps(answer))

    socket.on_message(ask)
