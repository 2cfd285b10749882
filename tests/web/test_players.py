"""What a player has done, on a page of their own; who keeps to themselves is nobody to others."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser_player import PHONE, Player
from web.axe import severe_problems
from web.test_profile import begin

RATED = {
    "play": (1688.0, 1650.0, 1726.0, 41, 152.6),
    "results": (1612.0, 1560.0, 1664.0, 41, 41.0),
}


def test_a_finished_game_is_on_the_page_and_private_until_its_player_says_otherwise(
    sit: Callable[..., Player],
) -> None:
    olga, other = sit(viewport=PHONE), sit(viewport={"width": 320, "height": 568}, locale="de")
    begin(olga, "Olga")
    olga.go("/new?way=bot").find(".start-game").click()
    assert olga.sees(live=True).play() == "over"
    table = olga.table_id

    olga.go("/me").find(".profile-links a").first.click()
    expect(olga.find("h1")).to_have_text("Olga")
    expect(olga.find(".profile-head")).to_contain_text("1 game: ")
    expect(olga.find(".profile-head .hint")).to_contain_text("Only you see this page.")
    expect(olga.find(".opponents-card li")).to_contain_text("Chick")
    expect(olga.find(f".club-games [data-table='{table}'] a")).to_have_attribute(
        "href", f"/t/{table}/review"
    )
    expect(olga.find(".ratings-card")).to_contain_text("No rating yet")
    expect(olga.find("button", has_text="Earlier games")).to_be_hidden()
    assert severe_problems(olga) == []

    other.go("/players/Olga")
    expect(other.find(".problem")).not_to_be_empty()
    olga.go("/me").find("[data-field=public]").click()
    expect(olga.find("[data-field=public]:checked:enabled")).to_be_visible()
    other.go("/players/Olga")
    expect(other.find(".club-games li")).to_have_count(1)
    assert other.page.evaluate("document.documentElement.scrollWidth") <= 320
    other.go("/players")
    expect(other.find(".leaders")).to_contain_text("Noch hat niemand")
    assert severe_problems(other) == []
    assert other.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_review_is_there_when_the_table_has_gone(player: Player) -> None:
    begin(player, "Quentin")
    player.go("/new?way=bot").find(".start-game").click()
    assert player.sees(live=True).play() == "over"
    table = player.table_id
    expired = {"error": {"code": "table-expired", "message": "It is gone."}}
    player.page.route(
        f"**/api/tables/{table}", lambda route: route.fulfill(status=410, json=expired)
    )
    player.go("/me").find(".profile-links a").first.click()
    player.find(f".club-games [data-table='{table}'] a").click()
    expect(player.find("h1")).to_have_text(re.compile("^Player [12] wins"))
    player.more_figures()
    expect(player.find(".players-part")).to_contain_text("Player 1")


def test_ratings_and_decisions_are_said_with_what_they_rest_on(player: Player) -> None:
    """The page shows what the server says; here it says what takes many games to come about."""
    begin(player, "Pia")
    player.page.route(
        "**/api/players/Pia",
        lambda route: route.fulfill(json=route.fetch().json() | changed()),
    )
    player.go("/players/Pia")
    play = player.find(".rating-play")
    expect(play).to_contain_text("1,688")
    expect(play).to_contain_text("1,650 to 1,726")
    expect(play).to_contain_text("From 41 games; by counting wins it would take 153.")
    expect(player.find(".months-card tbody tr").first).to_contain_text("+3.1")
    expect(player.find(".months-card tbody tr").first).to_contain_text("−1.9")
    expect(player.find(".costly-card")).to_contain_text("it cost 30.4 points of win chance")
    player.find(".begin-own-drill").click()
    player.find(".own-drill .stop").click()
    expect(player.find(".own-verdict")).to_contain_text("In the game: Roll again")
    player.find(".own-verdict .primary").click()
    expect(player.find(".own-drill h3")).to_contain_text("of 1 put right")
    assert severe_problems(player) == []


def changed() -> dict[str, object]:
    ratings = [
        {
            "kind": kind,
            "size": "two",
            "value": value,
            "low": low,
            "high": high,
            "games": games,
            "replaces": replaces,
            "opponents": 7,
        }
        for kind, (value, low, high, games, replaces) in RATED.items()
    ]
    decision = {
        "table": "abcdefabcdef",
        "n": 7,
        "question": "stop or roll",
        "chosen": "roll",
        "best": "stop",
        "error": 0.304,
        "position": "v1,players=2 7:4/6:9,8:3 1 2:1,3:2,12:1 -",
    }
    return {
        "player": {"id": "abcdefabcdef", "name": "Pia", "mark": 5, "ratings": ratings},
        "months": [{"month": "2026-11", "games": 4, "luck": 0.031, "skill": -0.019}],
        "costly": [decision],
    }
