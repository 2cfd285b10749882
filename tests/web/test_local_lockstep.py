"""A local table decides what the server would; ``tools/lockstep_local.py`` plays far more of it."""

from playwright.sync_api import Browser

from lockstep_local import compare, playing


def test_random_games_of_all_rules_go_the_same_way_event_by_event(browser: Browser) -> None:
    page = browser.new_page()
    with playing(page):
        assert compare(page, range(40)) > 3000
    page.close()
