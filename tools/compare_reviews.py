"""Reviews the same games in a browser and by Python: every number and every sentence is compared.

python tools/compare_reviews.py 200
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isclose
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from cantstop import Record, review
from cantstop.language import LANGUAGES, Translator
from cantstop.wire.codec import encode
from cantstop.wire.review import review_view
from web_modules import modules_in

GAMES = 200

SCRIPT = """
const at = (file) => import(`./${file}`);
const [files, reviews, texts, i18n] = await Promise.all(
  ["engine/files.js", "engine/review.js", "words/review-text.js", "words/i18n.js"].map(at),
);
files.useFiles("/engine/files.json");
const control = { signal: new AbortController().signal, progress() {} };
globalThis.reviewed = async ([text, numbers, languages]) => {
  const facts = await reviews.reviewRecord(control, text, numbers);
  const told = {};
  for (const language of languages) {
    await i18n.chooseLanguage(language);
    told[language] = texts.toldReview(facts);
  }
  return told;
};
"""

SPACES = re.compile(r"\s")
NEARLY = "played_like"
"""A power differs in its last bit from machine to machine; it is shown as a whole number."""


@contextmanager
def reviewing(page: Page) -> Iterator[None]:
    """Have the modules in a page."""
    with modules_in(page, SCRIPT):
        yield


def compare_review(page: Page, record: Record, languages: Sequence[str] = tuple(LANGUAGES)) -> int:
    """Review a game both ways; returns how many numbers were the same, and fails at another."""
    found = page.evaluate("(asked) => reviewed(asked)", [str(record), [], list(languages)])
    truth = review(record)
    return sum(
        _compare(
            found[language],
            json.loads(encode(review_view(truth, Translator(language)))),
            f"{record!r} {language}",
        )
        for language in languages
    )


def _compare(found: Any, due: Any, where: str) -> int:  # noqa: ANN401 - whatever JSON can be
    if isinstance(due, dict):
        assert found.keys() == due.keys(), where
        return sum(_compare(found[key], due[key], f"{where} {key}") for key in due)
    if isinstance(due, list):
        assert len(found) == len(due), where
        pairs = enumerate(zip(found, due, strict=True))
        return sum(_compare(one, other, f"{where} {at}") for at, (one, other) in pairs)
    if isinstance(due, str):
        assert SPACES.sub(" ", found) == SPACES.sub(" ", due), where
        return 0
    if NEARLY in where and due is not None:
        assert isclose(found, due, rel_tol=1e-12), where
    else:
        assert found == due, f"{where}: {found} and {due}"
    return isinstance(due, float)


def main() -> None:
    """Review as many games as are asked for."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from browser_player import CHROMIUM, CHROMIUM_ARGS
    from played_games import played

    numbers = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        page = browser.new_page()
        with reviewing(page):
            for number in range(count):
                numbers += compare_review(page, played(number))
        browser.close()
    print(f"{count:,} games, {numbers:,} numbers: the same in a browser and by Python.")


if __name__ == "__main__":
    main()
