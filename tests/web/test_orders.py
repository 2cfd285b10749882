"""Standing orders, as two players at their browsers meet them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop import client
from web.axe import severe_problems

RUNNERS = "roll until three runners are out"


@pytest.fixture
def two(sit: Callable[..., Player]) -> tuple[Player, Player]:
    """Anne, who begins, and Ben with a small phone, at a table with hints and three days a turn."""
    anne, ben = players = sit(), sit(viewport={"width": 320, "height": 568})
    seats: list[Any] = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
    body = {"mode": "online", "hints": True, "days": 3, "seats": seats}
    opened = anne.page.request.post("/api/tables", data=body).json()
    address = f"/t/{opened['id']}"
    guest = {"name": "Ben", "salt": "b"}
    taken = ben.page.request.post(f"/api/tables/{opened['id']}/seats", data=guest).json()
    anne.go(f"{address}#seat={opened['secret']}").sees(stage="playing")
    ben.go(f"{address}#seat={taken['secret']}").sees(stage="playing")
    return players


def is_standing(player: Player, name: str, order: str) -> None:
    """Everybody sees beside the name what is ordered."""
    mark = player.find(".player", has_text=name).locator(".tag.ordered")
    expect(mark).to_have_attribute("aria-label", f"Standing order: {order}")


def test_one_tap_has_the_dice_rolled_until_three_runners_are_out(
    two: tuple[Player, Player],
) -> None:
    anne, ben = two
    anne.sees(phase="roll", live=True).find(".order-button").click()
    part = anne.find("[data-part=runners]")
    expect(part).to_have_attribute("aria-pressed", "false")
    assert severe_problems(anne) == []
    part.click()
    expect(part).to_have_attribute("aria-pressed", "true")
    expect(ben.find("#toasts")).to_contain_text(f"Anne gives a standing order: {RUNNERS}.")
    for player in two:
        is_standing(player, "Anne", RUNNERS)
    anne.page.keyboard.press("Escape")
    # no column is won yet, so nothing can bust before three runners are out
    waiting = anne.find(".table[data-live=true]:is([data-phase=move], [data-phase=choice])")
    while waiting.first.get_attribute("data-phase") == "move":
        before = anne.table.get_attribute("data-n")
        anne.page.keyboard.press("1")
        expect(anne.table).not_to_have_attribute("data-n", str(before))
    with client.Player.watch(f"{anne.url}/t/{anne.table_id}") as watcher:
        assert watcher.position.free_runners == 0
        kinds = {entry.kind: entry.event for entry in watcher.table.log}
        assert kinds["rolled"].ordered  # type: ignore[union-attr]
    anne.find("[aria-label=Menu]").click()
    anne.find(".log summary").click()
    expect(anne.find(".log-lines")).to_contain_text("By standing order: Anne rolls")


def test_an_order_is_put_together_and_revoked_by_keys(two: tuple[Player, Player]) -> None:
    anne, ben = two
    keys = ben.page.keyboard
    ben.find("body").press("g")
    ben.find("[data-part=column]").press("Space")
    is_standing(anne, "Ben", "stop when a column is won")
    ben.find("[data-field=order-bust-40]").check()
    expect(ben.find("[data-part=bust]")).to_have_attribute("aria-pressed", "false")
    ben.find("[data-part=bust]").press("Enter")
    both = "stop when a column is won and stop above a bust chance of 40%"
    is_standing(anne, "Ben", both)
    ben.find("[data-field=order-bust-20]").check()
    is_standing(anne, "Ben", both.replace("40", "20"))
    assert severe_problems(ben) == []
    anne.find(".order-button").click()
    expect(anne.find(".order-others")).to_have_text(f"Ben: {both.replace('40', '20')}")
    anne.page.keyboard.press("Escape")
    ben.find(".revoke").press("Enter")
    expect(ben.find(".revoke")).to_be_hidden()
    expect(ben.find("[data-part=runners]")).to_be_focused()
    expect(anne.find(".tag.ordered")).to_have_count(0)
    expect(anne.find("#toasts")).to_contain_text("Ben’s standing order is over.")
    keys.press("Escape")
    expect(ben.find("dialog.sheet")).to_have_count(0)


def test_there_is_none_where_all_sit_at_one_screen(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    expect(player.sees(phase="roll", live=True).find(".order-button")).to_be_hidden()
