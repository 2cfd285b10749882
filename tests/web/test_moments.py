"""What is shown at moments of a game: busts, the start, the end, rematches, calls from a tab."""

import re
from collections.abc import Iterator
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_player import CHROMIUM, CHROMIUM_ARGS, KEEPS_THE_APP, Player, ServerProcess
from cantstop.rules import parse_position, splits
from web_messages import translated

# What is seen of a tab in the background, which a headless browser does not have by itself.
BACKGROUND = """
() => {
  window.away = false;
  Object.defineProperty(document, "hidden", { get: () => window.away });
  window.look = (away) => {
    window.away = away;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  window.notes = 0;
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    if (document.hidden) window.notes += 1;
    return createOscillator.call(this);
  };
}
"""

NOTIFICATIONS = """
async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => one.title)
"""

# Rolls on without ever stopping, until a seat has bust.
BUST = """
async () => {
  const changed = () => new Promise((done) => {
    const watch = new MutationObserver(() => { watch.disconnect(); done(); });
    watch.observe(document.querySelector("#app"), { subtree: true, attributes: true, childList: true });
  });
  while (!document.querySelector(".move.lost")) {
    const { live, phase } = document.querySelector(".table").dataset;
    if (live !== "true") { await changed(); continue; }
    document.querySelector(phase === "move" ? "button.move" : ".roll").click();
    if (document.querySelector(".table").dataset.live === "true") await changed();
  }
}
"""  # noqa: E501


def hot_seat(player: Player, **settings: Any) -> Player:
    """Anne and Ben at one screen."""
    seats = [{"kind": "human", "name": name} for name in ("Anne", "Ben")]
    asked = {"mode": "hotseat", "seats": seats, **settings}
    opened = player.page.request.post("/api/tables", data=asked).json()
    return player.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="playing", live=True)


def events_at(player: Player) -> Any:
    return player.page.request.get(f"/api/tables/{player.table_id}/events").json()["events"]


def test_a_bust_shows_its_dead_splits_and_what_was_lost(player: Player) -> None:
    hot_seat(player).page.evaluate(BUST)
    player.sees(phase="roll", live=True)
    expect(player.find(".status")).to_have_text("Ben, roll the dice.")
    events = events_at(player)
    at = next(at for at, event in enumerate(events) if event["kind"] == "busted")
    fatal, before = events[at - 1], events[at - 2]["view"]
    lost = sum(before["runners"]) - sum(
        token
        for token, runner in zip(before["tokens"][0], before["runners"], strict=True)
        if runner
    )
    expect(player.find(".move.lost")).to_have_text("−1 step" if lost == 1 else f"−{lost} steps")
    dead = player.find(".move.dead:not(.lost)")
    shown = {tuple(map(int, text.split())) for text in dead.all_inner_texts()}
    assert shown == set(splits(fatal["data"]["dice"]))
    assert not parse_position(fatal["view"]["position"]).legal_moves
    player.find(".roll").click()
    expect(player.find(".move.lost")).to_have_count(0)


def test_the_start_shows_who_threw_what_and_who_starts(player: Player) -> None:
    hot_seat(player, edition="trademark")
    expect(player.find(".stop")).to_be_hidden()
    expect(player.find(".turn-number")).to_be_empty()
    expect(player.find(".status")).to_have_text("Anne, roll for the start!")
    while player.table.get_attribute("data-phase") == "start":
        rolls = int(player.table.get_attribute("data-rolls") or 0)
        player.find(".roll").click()
        player.sees(rolls=rolls + 1, live=True)
    events = events_at(player)
    thrown = {event["seat"]: event["data"]["dice"] for event in events if event["kind"] == "rolled"}
    expect(player.find(".thrown .sum")).to_have_text([str(sum(thrown[seat])) for seat in (0, 1)])
    first = max(thrown, key=lambda seat: sum(thrown[seat]))
    expect(player.find(".thrown.starts")).to_have_attribute("data-seat", str(first))
    name = ("Anne", "Ben")[first]
    expect(player.find(".status")).to_have_text(f"{name} starts: roll the dice.")
    expect(player.find("#live")).to_contain_text(f"{name} starts.")
    expect(player.find(".stop")).to_be_visible()
    expect(player.find(".turn-number")).not_to_be_empty()
    player.find(".roll").click()
    player.sees(phase="move", live=True)
    expect(player.find(".thrown")).to_have_count(0)


def test_three_games_count_also_when_the_server_was_killed_between_them(
    browser: Browser, mortal_server: ServerProcess
) -> None:
    anne, ben = (Player.at(browser, mortal_server.url) for _ in range(2))
    seats = [{"kind": "human", "name": "Anne"}, {"kind": "open"}]
    asked = {"mode": "online", "seats": seats}
    opened = anne.page.request.post("/api/tables", data=asked).json()
    anne.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="open")
    ben.go(f"/t/{opened['id']}").find(".join .name-field").fill("Ben")
    ben.find(".join button", has_text="Sit down").click()
    scores: tuple[list[str], ...] = ([], ["Anne 1 – 1 Ben"], ["Anne 2 – 1 Ben"])
    for game, loser, score in zip((1, 2, 3), (ben, anne, ben), scores, strict=True):
        resign(loser, anne, ben)
        for player in (anne, ben):
            expect(player.find(".afterwards .score")).to_have_text(score)
        if game == 2:
            mortal_server.kill()
            mortal_server.start()
            expect(anne.find(".notice.lost")).to_have_count(0)
            expect(ben.find(".notice.lost")).to_have_count(0)
        if game < 3:
            go_to_rematch(anne, ben)
    anne.close()
    ben.close()


def resign(loser: Player, *everybody: Player) -> None:
    """A game that counts like any other, and is short."""
    for player in everybody:
        player.sees(stage="playing")
    loser.find("[aria-label=Menu]").click()
    loser.find(".menu-item", has_text="Resign").click()
    loser.find("dialog.sheet button.resign").click()
    for player in everybody:
        player.sees(stage="over")


def go_to_rematch(anne: Player, ben: Player) -> None:
    table = anne.table_id
    anne.find(".rematch").click()
    expect(ben.find(".offer")).to_have_text("Anne offers a rematch.")
    ben.find(".rematch").click()
    for player in (anne, ben):
        expect(player.page).not_to_have_url(re.compile(table))


def test_a_seat_is_given_up_only_after_a_question_and_can_be_taken_back(player: Player) -> None:
    hot_seat(player)
    address = f"/t/{player.table_id}"
    player.go("/games")
    forget = player.find(".game-row .icon-button")
    forget.click()
    player.find("dialog button", has_text="Keep the seat").click()
    expect(player.find("dialog")).to_have_count(0)
    expect(player.find(f".game-link[href='{address}']")).to_be_visible()
    forget.click()
    player.find("dialog .give-up").click()
    expect(player.find(".game-link")).to_have_count(0)
    expect(player.find(".game-row.gone")).to_contain_text("Anne – Ben")
    expect(player.find(".undo")).to_be_focused()
    player.page.keyboard.press("Enter")
    player.find(f".game-link[href='{address}']").click()
    player.sees(stage="playing", live=True)
    player.go("/games").find(".game-row .icon-button").click()
    player.find("dialog .give-up").click()
    expect(player.find(".undo")).to_be_visible()
    player.go("/games")
    expect(player.find(".empty a[href='/learn']")).to_be_visible()
    player.go(address).sees(watching=True)


@pytest.fixture
def notified(browser: Browser, server: ServerProcess) -> Iterator[Player]:
    """A player whose browser shows notifications."""
    # The headless shell has none: their permission is "denied" there even once it was granted.
    whole = which("chromium") or CHROMIUM
    with browser.browser_type.launch(executable_path=whole, args=CHROMIUM_ARGS) as own:
        player = Player.at(own, server.url, **KEEPS_THE_APP)
        player.page.context.grant_permissions(["notifications"])
        yield player
        player.close()


def test_a_tab_in_the_background_calls_back(notified: Player, player: Player) -> None:
    anne, ben = notified, player
    anne.page.add_init_script(f"({BACKGROUND})()")
    anne.go("/").find("[data-way=online]").click()
    anne.sees(stage="open")
    expect(anne.page).to_have_title("Player 1 – … · Can’t Stop")
    anne.find("[aria-label=Menu]").click()
    expect(anne.find("[data-field=turn-sound]")).to_be_checked()
    anne.find("[data-field=turn-notice]").check()
    expect(anne.find("[data-field=turn-notice]")).to_be_checked()
    anne.page.keyboard.press("Escape")
    anne.page.evaluate("navigator.serviceWorker.ready.then(() => window.look(true))")
    ben.go(f"/t/{anne.table_id}").find(".join .name-field").fill("Ben")
    ben.find(".join button", has_text="Sit down").click()
    anne.sees(stage="playing", live=True)
    expect(anne.page).to_have_title("● Your turn! – Player 1 – Ben · Can’t Stop")
    icon = anne.find("link[rel=icon]")
    expect(icon).to_have_attribute("href", "/static/icons/icon-turn.svg")
    anne.wait_for("() => window.notes > 0")
    anne.wait_for(f"async () => (await ({NOTIFICATIONS})()).includes('Your turn!')")
    anne.page.evaluate("window.look(false)")
    expect(anne.page).to_have_title("Player 1 – Ben · Can’t Stop")
    expect(icon).to_have_attribute("href", "/static/icons/icon.svg")
    anne.wait_for(f"async () => (await ({NOTIFICATIONS})()).length === 0")


def test_reactions_hide_no_name_and_close_by_a_click_elsewhere(player: Player) -> None:
    hot_seat(player)
    for width in (320, 1280):
        player.page.set_viewport_size({"width": width, "height": 700})
        check_reactions(player, width)


def check_reactions(player: Player, width: int) -> None:
    player.find("[aria-label=React]").click()
    popup = player.find(".reaction-popup")
    expect(popup.locator(".reaction").first).to_be_focused()
    box = popup.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    for name in player.find(".player .name").all():
        place = name.bounding_box()
        assert place is not None
        assert place["y"] >= box["y"] + box["height"]
    player.find(".board").click(position={"x": 3, "y": 3})
    expect(popup).to_have_count(0)
    player.find("[aria-label=React]").click()
    expect(popup).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(popup).to_have_count(0)
    expect(player.find("[aria-label=React]")).to_be_focused()


def test_a_replay_has_ends_speeds_turns_to_tap_on_and_a_picture(
    play_once: Any, return_to: Any
) -> None:
    player = return_to(play_once("solo"))
    player.go(f"/t/{player.table_id}?n=5")
    events = events_at(player)
    place = player.find(".place")
    expect(place).to_have_text(f"5 / {len(events)}")
    player.find("[aria-label='To the end']").click()
    expect(place).to_have_text(f"{len(events)} / {len(events)}")
    player.find("[aria-label='To the beginning']").click()
    expect(place).to_have_text(f"1 / {len(events)}")
    speed = player.find(".speed")
    for text in ("×1", "×2", "×4"):
        expect(speed).to_have_text(text)
        speed.click()
    expect(speed).to_have_text("×1")

    rolls = [event for event in events if event["kind"] == "rolled"]
    steps = player.find(".turn-step.rolled")
    expect(steps).to_have_count(len(rolls))
    expect(player.find(".turns > li")).to_have_count(events[-1]["view"]["turn"])
    steps.nth(3).click()
    expect(place).to_have_text(f"{rolls[3]['n']} / {len(events)}")
    expect(steps.nth(3)).to_have_attribute("aria-current", "step")
    expect(steps.nth(3).locator("svg")).to_have_count(4)
    dice = " ".join(map(str, rolls[3]["data"]["dice"]))
    expect(player.find(".replay .status")).to_contain_text(f"rolls {dice}")
    player.find("[aria-label='One step on']").click()  # the dice lie there after their move, too
    expect(player.find(".replay .dice:not(.idle) .die")).to_have_count(4)

    player.find("[aria-label='Share this moment']").click()
    with player.page.expect_download() as download:
        player.find(".save-picture").click()
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 10_000


def test_a_roll_without_an_answer_says_so_after_two_seconds(player: Player) -> None:
    deaf = True

    def swallow(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: None if deaf and '"roll"' in text else server.send(text))

    player.page.route_web_socket("**/api/tables/*/socket**", swallow)
    player.page.clock.install()
    hot_seat(player).find(".roll").click()
    expect(player.find(".roll.pressed")).to_be_visible()
    expect(player.find(".status")).to_have_text("The dice are rolling…")
    expect(player.find(".notice.late")).to_have_count(0)
    player.page.clock.fast_forward(2100)
    expect(player.find(".notice.late")).to_contain_text("No answer yet")
    deaf = False
    player.page.clock.fast_forward(10_000)  # the line is given up, and the action sent again
    player.sees(phase="move", live=True)
    expect(player.find(".notice.lost")).to_have_count(0)


def test_without_a_server_every_page_that_needs_none_is_there(
    browser: Browser, mortal_server: ServerProcess
) -> None:
    player = Player.at(browser, mortal_server.url, locale="fr", **KEEPS_THE_APP)
    player.go("/learn")
    player.wait_for("() => caches.match('/')")  # the last of what is kept
    mortal_server.kill()
    player.go("/t/gone")
    expect(player.find("h1")).to_have_text(translated("fr", "The server does not answer"))
    player.go("/rules")
    expect(player.find(".page-rules h1")).to_have_text(translated("fr", "Rules"))
    for path, title in (("/verify", "Check a record"), ("/games", "My games")):
        player.go(path)
        expect(player.find("h1")).to_have_text(translated("fr", title))
    player.close()


def test_a_replay_ends_with_the_game_not_with_the_offer_of_another(
    play_once: Any, return_to: Any
) -> None:
    player = return_to(play_once("hotseat"))
    player.find(".rematch").click()
    player.sees(stage="playing")
    player.page.go_back()
    player.sees(stage="over")
    assert events_at(player)[-1]["kind"] == "rematched"
    player.go(f"/t/{player.table_id}?n=1").find("[aria-label='To the end']").click()
    expect(player.find(".replay .status")).to_contain_text("wins the game!")
