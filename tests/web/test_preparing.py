"""A server that gets its bots ready, as after an installation: what people see meanwhile."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import slow_bot
from browser_player import Player, ServerProcess

PATIENCE = 3000
"""Milliseconds that the page gives a bot before it asks why."""


def test_a_bot_that_is_not_ready_is_explained_until_it_plays(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = tmp_path / "preparation"
    paths = [str(Path(slow_bot.__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setenv(slow_bot.FILE, str(ready))
    server = ServerProcess(
        f"sqlite:///{tmp_path / 'tables.db'}", more=("--bot", "slow=slow_bot:Slow")
    ).start()
    try:
        player = Player.at(browser, server.url)
        player.page.clock.install()
        player.go("/new?way=bot").find("[data-field=bot-1]").click()
        player.find("dialog summary").click()
        player.find("dialog [data-bot=slow]").click()
        player.find(".start-game").click()
        player.sees(phase="roll", live=True).find(".roll").click()
        player.sees(phase="move", live=True)
        player.page.keyboard.press("h")
        expect(player.find(".toast")).to_contain_text(
            "This server is being made ready for hints and strong bots, once after each "
            "installation: 40 % done."
        )
        player.find(".move").first.click()
        player.sees(phase="choice", live=True).find(".stop").click()
        player.sees(live=False)
        notice = player.find(".notice.preparing")
        expect(notice).to_be_hidden()
        player.page.clock.fast_forward(PATIENCE)
        expect(notice).to_have_text(
            "This server is getting its strong bots ready, once after each installation: 40%"
        )
        Path(f"{ready}.go").touch()
        player.sees(phase="roll", live=True)
        expect(notice).to_be_hidden()
        player.close()
    finally:
        server.kill()
