"""How one is called and when one has time: the page of it, without what is sent."""

import re
from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from browser_player import Player, ServerProcess
from cantstop.language import LANGUAGES
from slow_games import Friend
from web.axe import severe_problems
from web.test_turns import SCREENS, sits_at

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
UNFOLD = "() => { for (const part of document.querySelectorAll('details')) part.open = true; }"


@pytest.fixture
def anne(server: ServerProcess) -> Friend:
    return Friend.begin(server.url, f"Nora {token_hex(4)}")


def test_hours_and_weekends_are_kept(player: Player, anne: Friend) -> None:
    sits_at(player, anne).go("/notifications").find("[data-field=quiet]").check()
    player.find("[name=quiet-from]").fill("21:30")
    player.find("[name=quiet-until]").fill("07:00")
    player.find("[data-field=weekends]").check()
    player.find("[name=zone]").select_option("Europe/Berlin")
    player.find(".keep-hours").click()
    expect(player.find(".toast")).to_have_text("Saved.")
    hours = anne.ask("GET", "/me/hours")
    assert (hours["quiet_from"], hours["quiet_until"]) == (21 * 60 + 30, 7 * 60)
    assert (hours["zone"], hours["weekends_off"]) == ("Europe/Berlin", True)
    player.page.reload()
    expect(player.find("[name=quiet-from]")).to_have_value("21:30")
    expect(player.find("[name=zone]")).to_have_value("Europe/Berlin")


def test_time_away_is_announced_and_ended(player: Player, anne: Friend) -> None:
    sits_at(player, anne).go("/notifications").find(".announce-away").click()
    expect(player.find(".away-list li")).to_have_count(1)
    assert len(anne.ask("GET", "/me/hours")["away"]) == 1
    expect(player.find(".away-card .hint")).to_contain_text("Left of it this year: 14 days")
    player.find(".away-list button").click()
    expect(player.find(".away-list li")).to_have_count(0)
    assert anne.ask("GET", "/me/hours")["away"] == []


def test_reminders_are_kept_at_once(player: Player, anne: Friend) -> None:
    sits_at(player, anne).go("/notifications")
    for hours in (24, 3):
        with player.page.expect_response("**/reminders"):
            player.find(f"[data-field=reminder-{hours}]").check()
    assert anne.ask("GET", "/me/calls")["reminders"] == [24, 3]


def test_a_secret_address_is_shown_once_and_can_be_revoked(player: Player, anne: Friend) -> None:
    sits_at(player, anne).go("/notifications").find("[data-feed=feed] .make-feed").click()
    address = player.find("dialog .link-field").input_value()
    assert player.page.request.get(address).ok
    player.find("dialog > .sheet-body > .primary").click()
    expect(player.find("dialog")).to_have_count(0)
    assert address not in player.page.reload().text()  # type: ignore[union-attr]
    player.find("[data-feed=feed] .end-feed").click()
    expect(player.find("[data-feed=feed] .end-feed")).to_have_count(0)
    assert not player.page.request.get(address).ok


def test_an_iphone_is_told_what_it_takes(sit: Callable[..., Player], anne: Friend) -> None:
    player = sit(user_agent=IPHONE)
    player.page.add_init_script("delete window.PushManager")
    sits_at(player, anne).go("/notifications")
    expect(player.find(".install-steps li")).to_have_count(3)
    expect(player.find(".begin-push")).to_have_count(0)
    assert severe_problems(player) == []


def test_without_a_profile_there_is_the_way_to_one(player: Player) -> None:
    player.go("/notifications").find(".empty .primary").click()
    expect(player.find("h1")).to_have_text("My page")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_every_screen_in_every_language(
    sit: Callable[..., Player], anne: Friend, language: str
) -> None:
    player = sits_at(sit(locale=language), anne)
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        player.go("/notifications").page.evaluate(UNFOLD)
        assert player.page.evaluate("document.documentElement.scrollWidth") <= width
        beyond = player.find(".notification-parts input, .notification-parts button").evaluate_all(
            """(all) => all.filter((one) => one.getBoundingClientRect().right
              > one.closest(".card").getBoundingClientRect().right + 0.5)
              .map((one) => one.name || one.textContent)"""
        )
        assert beyond == []
    assert severe_problems(player) == []
    assert re.search(r"\w", player.find("h1").inner_text())
