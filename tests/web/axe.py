"""What axe finds on a page that would keep somebody from using it."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser_player import Player

SCHEMES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", {"resultTypes": ["violations"]}),
    ("dark", {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}),
)
SEVERE = {"serious", "critical"}


def severe_problems(player: Player) -> list[tuple[Any, list[Any]]]:
    """What axe finds by day, and which colours it objects to by night."""
    found = []
    for scheme, options in SCHEMES:
        player.page.emulate_media(color_scheme=scheme)
        expect(player.find("html")).to_have_attribute("data-theme", scheme)
        found += [
            (f"{problem['id']}, {scheme}", [node["html"][:200] for node in problem["nodes"]])
            for problem in Axe().run(player.page, options=options).response["violations"]
            if problem["impact"] in SEVERE
        ]
    return found
