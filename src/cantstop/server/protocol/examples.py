"""Examples of analyses, reviews and drills for OpenAPI, as they were given, rounded and cut short.

They are written down here: to make them anew, every worker would have to load the engine.
"""

from typing import Any

Json = dict[str, Any]

ANALYSIS: Json = {
    "position": "v1,players=2 7:4/6:9,8:3 1 6:1,7:6,8:2 -",
    "rules": "v1,players=2",
    "solo": False,
    "seat": 0,
    "phase": "choice",
    "win": [0.4869, 0.5131],
    "bust": 0.6659,
    "next_bust": 0.0802,
    "error": {"rms": 0.0013, "p99": 0.0043},
    "at_stake": {"6": 1, "7": 2, "8": 2},
    "options": [
        {"action": "roll", "win": 0.4869, "then": None},
        {"action": "stop", "win": 0.4042, "then": None},
    ],
    "rolls": [
        {
            "dice": [1, 1, 1, 1],
            "ways": 1,
            "bust": True,
            "win": 0.3531,
            "best": None,
            "then": None,
        },
        {
            "dice": [2, 2, 6, 6],
            "ways": 6,
            "bust": False,
            "win": 0.5036,
            "best": "8+8",
            "then": "roll",
        },
    ],
}

HINT: Json = {"n": 12, **{key: value for key, value in ANALYSIS.items() if key != "rolls"}}

REVIEW: Json = {
    "rules": "v1,players=1",
    "names": ["Anne"],
    "winners": None,
    "seats": [
        {
            "seat": 0,
            "name": "Anne",
            "start": -6.7151,
            "result": -7.2843,
            "luck": 0.0386,
            "skill": -0.6079,
            "drift": 0.0001,
            "error": 0.6079,
            "accuracy": 0.0,
            "decisions": 2,
            "error_per_decision": 0.304,
            "stop_or_roll_error": 0.3165,
            "which_move_error": 0.2914,
            "grades": {"best": 0, "fine": 0, "inaccuracy": 0, "mistake": 1, "blunder": 1},
        }
    ],
    "decisions": [
        {
            "n": 3,
            "turn": 1,
            "seat": 0,
            "position": "v1,players=1 - 1 3:1,12:1 -",
            "chosen": "stop",
            "best": "roll",
            "error": 0.3165,
            "grade": "blunder",
            "options": [
                {"action": "roll", "win": -5.9679, "then": None, "grade": "best"},
                {"action": "stop", "win": -6.2844, "then": None, "grade": "blunder"},
            ],
            "why": "Stopping gave 7.28 turns in all, rolling 6.97 turns in all: no roll can bust.",
        }
    ],
    "rolls": [
        {
            "n": 1,
            "turn": 1,
            "seat": 0,
            "dice": [1, 2, 6, 6],
            "bust": False,
            "luck": 0.0386,
            "changes": [0.0386],
        }
    ],
    "drifts": [{"n": 3, "changes": [0.0001]}],
    "moments": [
        {"n": 0, "turn": 1, "position": "v1,players=1 - 1 - -", "win": [-6.7151], "event": 3},
        {"n": 1, "turn": 1, "position": "v1,players=1 - 1 - 1266", "win": [-6.6765], "event": 4},
    ],
    "turning_points": [3, 2, 1],
    "played_like": [None],
}

DAILY: Json = {
    "day": "2026-11-15",
    "commitment": "5e09344a98ae00b8457c23fb88819baa9a9c031bf0793387629def802d8255c2",
    "now": "2026-11-15T18:30:00.000Z",
    "begins": "2026-11-15T00:00:00.000Z",
    "ends": "2026-11-16T00:00:00.000Z",
    "counts_until": "2026-11-16T01:00:00.000Z",
    "reveals_at": "2026-11-16T01:05:00.000Z",
    "key": None,
    "par": 6.71531,
    "count": 1,
    "results": [
        {
            "name": "Anne",
            "mine": False,
            "finished_at": "2026-11-15T07:12:44.120Z",
            "turns": 6,
            "signs": "sbcscc",
            "luck": 1.61531,
            "skill": -0.9,
            "table": None,
        }
    ],
    "mine": None,
    "unfinished": False,
    "place": None,
    "best": None,
    "next": {
        "day": "2026-11-16",
        "commitment": "2b015de67f86a2f94922c4326f825391d4df55cf6eaaa8b21f26ea36a7cb0c16",
    },
}

DRILL: Json = {
    "id": "743daf227f",
    "topic": "stop",
    "difficulty": 1500,
    "position": "v1,players=2 5:4,7:4,12:1/5:5,6:10,7:6,8:11,12:1 1 6:3,10:1,12:2 -",
    "solo": False,
    "answers": ["stop", "roll"],
}

PROGRESS: Json = {
    "format": "cantstop drill progress",
    "version": 1,
    "rating": 1675.0688,
    "deviation": 248.8335,
    "volatility": 0.06,
    "answered": 1,
    "right": 1,
    "streak": 1,
    "best_streak": 1,
    "seen": ["743daf227f"],
}

VERDICT: Json = {
    "right": True,
    "verdict": "Right.",
    "options": [
        {"action": "roll", "win": 0.1844, "then": None},
        {"action": "stop", "win": 0.1323, "then": None},
    ],
    "reasons": [
        "Runners on 6, 10 and 12 bust in 18.4% of rolls.",
        "A bust would take back 3 spaces in column 6, 1 space in column 10 and 1 space in column "
        "12.",
        "Rule of 28 counts 26 of 28, and would roll.",
    ],
    "progress": PROGRESS,
}
