"""The installed app: shortcuts of its icon, and records that other apps share with it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser_player import KEEPS_THE_APP, Player
from cantstop.server.static.pages import WEB

MANIFEST = json.loads((WEB / "manifest.webmanifest").read_text("utf-8"))
SHORTCUTS = {one["name"]: one["url"].removeprefix("..") for one in MANIFEST["shortcuts"]}
GOLDEN = Path(__file__).parents[1] / "golden"

POST = """({ action, text }) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action, enctype: "multipart/form-data" });
  const file = document.createElement("input");
  Object.assign(file, { type: "file", name: "record" });
  const chosen = new DataTransfer();
  if (text !== null) chosen.items.add(new File([text], "game.txt", { type: "text/plain" }));
  file.files = chosen.files;
  form.append(file);
  document.body.append(form);
  form.submit();
}"""


@pytest.mark.parametrize(
    ("name", "selector"),
    [
        ("My turn", ".page-turns .empty"),
        ("Play", ".start-game"),
        ("Drill", ".page-drill, .drill"),
        ("Daily", ".daily"),
        ("Companion", ".start-game"),
    ],
)
def test_each_shortcut_leads_to_what_it_names(player: Player, name: str, selector: str) -> None:
    player.go(SHORTCUTS[name])
    expect(player.find(selector).first).to_be_visible()
    expect(player.find("h1").first).not_to_have_text(re.compile("no such|not answer"))


def test_there_is_a_shortcut_for_each_of_the_five() -> None:
    assert [*SHORTCUTS] == ["My turn", "Play", "Drill", "Daily", "Companion"]


def test_play_and_companion_work_without_a_connection(visitor: Callable[..., Player]) -> None:
    player = visitor()
    for name in ("Play", "Companion"):
        player.go(SHORTCUTS[name]).find(".start-game").click()
        player.sees(stage="playing")


@pytest.fixture
def app(sit: Callable[..., Player]) -> Player:
    """A player who has the app, at one of its pages."""
    player = sit(**KEEPS_THE_APP).go("/rules")
    player.page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    player.wait_for("() => navigator.serviceWorker.controller")
    return player


def share(player: Player, text: str | None) -> None:
    """What the system does when another app shares a file with this one."""
    action = MANIFEST["share_target"]["action"].removeprefix("..")
    player.page.evaluate(POST, {"action": action, "text": text})
    player.page.wait_for_url("**/review*")


def test_a_shared_record_is_reviewed_once(app: Player) -> None:
    target = MANIFEST["share_target"]
    assert (target["method"], target["enctype"]) == ("POST", "multipart/form-data")
    assert target["params"]["files"][0]["name"] == "record"
    share(app, (GOLDEN / "classic-two.cantstop").read_text("utf-8"))
    expect(app.find(".told-review")).to_be_visible()
    assert app.address.endswith("/review")
    app.page.evaluate("sessionStorage.clear()")
    app.go("/review?shared")  # it was handed over already
    expect(app.find("input[type=file]")).to_be_attached()


@pytest.mark.parametrize("text", ["this is no record", None])
def test_something_else_that_is_shared_is_said_to_be_that(app: Player, text: str | None) -> None:
    share(app, text)
    expect(app.find("input[type=file]")).to_be_attached()
