"""What a player has done, on a page of their own; who keeps to themselves is nobody to others."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser_player import PHONE, Player
from web.axe import severe_problems
from web.test_profile import begin


def test_a_finished_game_is_on_the_page_and_private_until_its_player_says_otherwise(
    sit: Callable[..., Player],
) -> None:
    olga, other = sit(viewport=PHONE), sit(viewport={"width": 320, "height": 568}, locale="de")
    begin(olga, "Olga")
    olga.go("/").find("[data-way=bot]").click()
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
