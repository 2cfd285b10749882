"""``python -m research.guide``: writes the guide's figures, its page in docs and its boards."""

from __future__ import annotations

import json
from pathlib import Path

import cantstop.language.guide as text

from .figures import figures, read
from .page import boards, page

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Write them all."""
    found = json.dumps(figures(), indent=1, ensure_ascii=False) + "\n"
    (ROOT / "src/cantstop/language/guide.json").write_text(found, "utf-8")
    text.figures.cache_clear()
    (ROOT / "docs/strategy.md").write_text(page(read("simple_rule")), "utf-8")
    for name, picture in boards().items():
        (ROOT / "docs/img" / name).write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
