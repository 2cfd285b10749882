"""The daily game in a browser: played, shown, checked; the server's clock decides."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop.daily import ends
from cantstop.dice import DailyDice, read_day
from cantstop.record import Record, record_text
from cantstop.rules import Position, Rolled, Rules
from web.axe import severe_problems
from web.test_trust import change_a_die, check_text

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "daily_dice.json").read_text("utf-8"))


def today(player: Player) -> Any:
    return player.page.request.get("/api/daily").json()


@pytest.fixture(scope="module")
def played(browser: Any, server: Any) -> Any:
    """A player's game of today, from the page to its end; and what their browser remembers."""
    player = Player.at(browser, server.url)
    player.go("/").find('.more-link[href="/daily"]').click()
    expect(player.find(".daily-clock")).to_contain_text("midnight UTC")
    player.find("[data-daily=counts]").click()
    player.sees(stage="playing")
    expect(player.find(".seal-line")).to_contain_text("this is your one try")
    player.play()
    link = player.find(".daily-results")
    day = (link.get_attribute("href") or "").partition("day=")[2]
    found = player.table_id, day, player.page.context.storage_state()
    player.close()
    return found


@pytest.fixture
def afterwards(sit: Callable[..., Player], played: Any) -> tuple[Player, str, str]:
    table, day, memory = played
    return sit(storage_state=memory), table, day


def test_the_result_can_be_posted_and_a_second_game_does_not_count(
    afterwards: tuple[Player, str, str],
) -> None:
    player, table, day = afterwards
    player.go(f"/daily?day={day}")
    own = player.find(".daily-own")
    expect(own).to_contain_text(
        re.compile(r"Can’t Stop .+: \d+ turns, par 6\.7, luck .+, skill .+")
    )
    expect(own).to_contain_text("Place 1 of")
    row = player.find(".daily-results-table tr.mine")
    turns = int(row.locator("td").nth(1).inner_text())
    expect(row.locator(".daily-signs [aria-hidden]")).to_have_text(
        re.compile(rf"^[■□★]{{{turns}}}$")
    )
    player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    own.locator(".copy").click()
    expect(player.find(".toast")).to_contain_text("Copied")
    copied = player.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Can’t Stop")
    expect(own.locator("a")).to_have_attribute("href", f"/t/{table}/review")
    expect(player.find(".daily-streak")).to_contain_text("1 day")
    expect(player.find(".daily-play")).to_contain_text("does not count")
    assert severe_problems(player) == []
    player.find("[data-daily=again]").click()
    player.sees(stage="playing")
    expect(player.find(".seal-line")).to_contain_text("outside the ranking")
    assert player.table_id != table


def test_before_the_key_is_revealed_a_check_says_so_and_after_it_the_dice_hold(
    afterwards: tuple[Player, str, str],
) -> None:
    player, table, _ = afterwards
    text = player.page.request.get(f"/api/tables/{table}/record").text()
    verdict = check_text(player, text)
    expect(verdict).to_contain_text("Not yet.")
    expect(verdict).to_contain_text("once no game of that day can count")
    player.go("/daily").find(".calendar a:not(.today)").nth(-3).click()
    expect(player.find(".lead")).to_contain_text("A past day")
    player.find("[data-daily=again]").click()
    player.sees(stage="playing")
    player.play()
    text = player.page.request.get(f"/api/tables/{player.table_id}/record").text()
    assert '[Dice "daily"]' in text
    expect(check_text(player, text)).to_contain_text("fixed for everybody before")
    expect(check_text(player, change_a_die(text))).to_contain_text(
        "No: this record does not hold up."
    )
    forged = re.sub(r'(?<=\[Day ")\d{4}', "2025", text)
    expect(check_text(player, forged)).to_contain_text("but the seal gives")


def test_the_browser_throws_the_dice_of_the_vectors(sit: Callable[..., Player]) -> None:
    """A first roll is a record of its own: the browser has to find it right."""
    player = sit()
    for vector in VECTORS:
        dice = DailyDice.of(bytes.fromhex(vector["secret"]), read_day(vector["day"]))
        start = Position.initial(Rules(players=1))
        events = (Rolled(tuple(vector["rolls"][0]["dice"])),)
        record = Record(start, ("Anne",), events, dice=dice)
        expect(check_text(player, record_text(record))).to_contain_text("Yes: every roll")


def test_a_device_whose_clock_is_wrong_changes_nothing(sit: Callable[..., Player]) -> None:
    player = sit()
    player.page.clock.set_fixed_time(datetime(2031, 1, 1, tzinfo=UTC))
    player.go("/daily")
    expect(player.find(".daily-clock")).to_contain_text("midnight UTC")
    day = today(player)
    hours = (ends(read_day(day["day"])) - datetime.fromisoformat(day["now"])).total_seconds() / 3600
    shown = player.find(".daily-clock").inner_text()
    found = re.search(r"(?:(\d+) h )?(\d+) min", shown)
    assert found is not None
    told = int(found[1] or 0) + int(found[2]) / 60
    assert told == pytest.approx(hours, abs=0.1)
    expect(player.find(".daily h2")).to_contain_text(str(read_day(day["day"]).day))


def test_a_day_that_is_not_offered_is_told_in_one_sentence(sit: Callable[..., Player]) -> None:
    player = sit().go("/daily?day=1999-01-01")
    expect(player.find(".daily .problem")).to_contain_text("only those of the last 30 days")
