"""What a browser loads to work things out itself: the engine's files, and an index of them."""

import json
from dataclasses import asdict

from cantstop.bots.ladder import LADDER
from cantstop.drills.file import package_lines
from cantstop.extras import is_installed
from cantstop.odds import PAR
from cantstop.rules import EDITIONS
from cantstop.server.static.content import Bundle
from cantstop.server.tables.clock import SUBSTITUTE_BOT
from cantstop.server.tables.dice import LESSONS
from cantstop.server.tables.opening import TEACHER, TEACHING_STYLE

FOLDER = "engine/"
INDEX = f"{FOLDER}files.json"


def engine_files() -> dict[str, Bundle]:
    """The files by their addresses below ``/static/``; none where the engine is not installed."""
    if not is_installed("engine"):
        return {}
    from cantstop.engine import browser
    from cantstop.review.played_like import LOWEST, NINETY_FIVE, curve

    module = Bundle(browser.module_bytes())
    evaluators = {name: Bundle(data) for name, data in browser.evaluator_files().items()}
    names = {name: f"{name}.bin" for name in evaluators}
    bots = Bundle(json.dumps(browser.bot_records(), separators=(",", ":")).encode())
    drills = Bundle(package_lines().encode())
    index = {
        "module": module.address(browser.MODULE),
        "evaluators": {name: bundle.address(names[name]) for name, bundle in evaluators.items()},
        "best": browser.best_evaluators(),
        "otherwise": browser.ANY_GAME,
        "bots": bots.address("bots.json"),
        "judgements": {level.name: asdict(level.judgement) for level in LADDER},
        "lessons": {
            lesson.value: {"rules": str(script.rules), "turns": script.turns}
            for lesson, script in LESSONS.items()
        },
        "teacher": {"bot": TEACHER, "style": TEACHING_STYLE},
        "substitute": SUBSTITUTE_BOT,
        "starts": {edition.name: edition.start.value for edition in EDITIONS.values()},
        "par": PAR,
        "played_like": {**asdict(curve()), "lowest": LOWEST, "errors": NINETY_FIVE},
        "drills": drills.address("drills.txt"),
    }
    return {
        f"{FOLDER}{browser.MODULE}": module,
        **{f"{FOLDER}{names[name]}": bundle for name, bundle in evaluators.items()},
        f"{FOLDER}bots.json": bots,
        f"{FOLDER}drills.txt": drills,
        INDEX: Bundle(json.dumps(index, separators=(",", ":")).encode()),
    }
