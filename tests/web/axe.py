"""What axe finds on a page that would keep people from using it."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser_player import Player

AXE = Axe().axe_script
SCHEMES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", {"resultTypes": ["violations"]}),
    ("dark", {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}),
)

# Only what is serious comes back: the whole answer lists every element that is as it should be.
SEVERE = """async (options) => (await axe.run(document, options)).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])
"""


def severe_problems(player: Player) -> list[tuple[Any, list[Any]]]:
    """What axe finds by day, and which colours it objects to by night."""
    found = []
    for scheme, options in SCHEMES:
        player.page.emulate_media(color_scheme=scheme)
        expect(player.find("html")).to_have_attribute("data-theme", scheme)
        found += [(f"{rule}, {scheme}", nodes) for rule, nodes in ask_axe(player, options)]
    return found


def ask_axe(player: Player, options: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """The rules that a page breaks, with the elements that do."""
    if player.page.evaluate("() => typeof axe") == "undefined":
        player.page.evaluate(AXE)
    found: list[tuple[str, list[str]]] = player.page.evaluate(SEVERE, options)
    return found
