"""Positions to practise with: the drills of the package, which comes next, and a rating.

``cantstop.drills.text`` says them in words.

>>> import random
>>> drill = next_drill(package_drills(), Progress(), random.Random(1))
>>> drill.lost_by(drill.best.answer)
0.0
"""

from cantstop.drills.choosing import is_about, nearest, next_drill
from cantstop.drills.drill import Drill, DrillOption, Topic, answers_in, topic_of
from cantstop.drills.facts import Advice, Facts, RulebookAdvice, facts_of
from cantstop.drills.file import BadDrills, package_drills, read_drills, write_drills
from cantstop.drills.glicko import Rating, expected_score, rated
from cantstop.drills.progress import (
    BadProgress,
    DrillProgress,
    Progress,
    load_progress,
    parse_progress,
    progress_data,
    progress_from,
    progress_json,
    read_progress,
    save_progress,
)

__all__ = [
    "Advice",
    "BadDrills",
    "BadProgress",
    "Drill",
    "DrillOption",
    "DrillProgress",
    "Facts",
    "Progress",
    "Rating",
    "RulebookAdvice",
    "Topic",
    "answers_in",
    "expected_score",
    "facts_of",
    "is_about",
    "load_progress",
    "nearest",
    "next_drill",
    "package_drills",
    "parse_progress",
    "progress_data",
    "progress_from",
    "progress_json",
    "rated",
    "read_drills",
    "read_progress",
    "save_progress",
    "topic_of",
    "write_drills",
]
