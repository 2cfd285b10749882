"""Progress: what an answer changes, its file, and which drill comes next."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.drills import (
    BadProgress,
    Drill,
    Progress,
    Rating,
    Topic,
    expected_score,
    is_about,
    load_progress,
    nearest,
    next_drill,
    parse_progress,
    progress_json,
    rated,
    save_progress,
)
from cantstop.drills.progress import DEVIATIONS, HIGHEST_RATING, VOLATILITIES
from cantstop.rules import Choice


def drill(
    number: int, difficulty: int, topic: Topic = Topic.STOP, rules: str = "players=2"
) -> Drill:
    """A drill whose position nobody reads."""
    return Drill(f"v1,{rules} {number} 1 - -", topic, difficulty, (0.5, 0.6))


def test_a_right_answer_raises_the_rating_and_the_streak() -> None:
    progress = Progress().after(drill(1, 1500), is_right=True).after(drill(2, 1500), is_right=True)
    assert (progress.answered, progress.right, progress.streak) == (2, 2, 2)
    assert progress.rating.rating > 1600
    lost = progress.after(drill(3, 1500), is_right=False)
    assert (lost.streak, lost.best_streak, lost.right) == (0, 2, 2)
    assert lost.rating.rating < progress.rating.rating


def test_a_drill_seen_before_counts_for_the_streak_but_not_for_the_rating() -> None:
    once = Progress().after(drill(1, 1500), is_right=True)
    twice = once.after(drill(1, 1500), is_right=True)
    assert twice.rating == once.rating
    assert (twice.streak, len(twice.seen)) == (2, 1)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "drills.json"
    progress = Progress()
    for number in range(30):
        progress = progress.after(drill(number, 1300 + 20 * number), is_right=number % 3 > 0)
    save_progress(file, progress)
    assert load_progress(file) == progress


def test_where_there_is_no_file_progress_begins(tmp_path: Path) -> None:
    assert load_progress(tmp_path / "none") == Progress()


def changed(**fields: Any) -> str:
    told = json.loads(progress_json(Progress().after(drill(1, 1500), is_right=True)))
    return json.dumps(told | fields)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[" * 100_000,
        "[]",
        "null",
        '{"rating": 1500}',
        changed(format="another program"),
        changed(version=2),
        changed(version=None),
        changed(rating="1500"),
        changed(rating=1e9),
        changed(rating=10**400),
        changed(rating=float("nan")),
        changed(deviation=0),
        changed(deviation=True),
        changed(deviation=1e-300),
        changed(volatility=-0.06),
        changed(volatility=1e-200),
        changed(answered=-1),
        changed(answered=10**400),
        changed(answered=1.5),
        changed(right=2),
        changed(streak=2),
        changed(best_streak=0),
        changed(seen="5c1e0a77b2"),
        changed(seen=["5c1e0a77b2", "5c1e0a77b2"]),
        changed(seen=["../../etc/"]),
        changed(seen=[5]),
    ],
)
def test_a_file_of_another_program_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_text(text, "utf-8")
    with pytest.raises(BadProgress, match=r"^theirs\.json [^\n]*\.$"):
        load_progress(file)
    assert file.read_text("utf-8") == text


ANY_RATING = st.builds(
    Rating,
    st.floats(-HIGHEST_RATING, HIGHEST_RATING),
    st.floats(*DEVIATIONS),
    st.floats(*VOLATILITIES),
)


@given(ANY_RATING, st.integers(740, 1916), st.booleans())
def test_whatever_rating_a_file_has_what_an_answer_makes_of_it_can_be_read_again(
    rating: Rating, difficulty: int, is_right: bool
) -> None:
    after = Progress(rating).after(drill(1, difficulty), is_right=is_right)
    assert parse_progress(progress_json(after), "mine") == after


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadProgress):
        parse_progress(b"\xff\xfe\x00", "theirs")


# Which drill comes next

DRILLS = tuple(drill(number, 1000 + 10 * number) for number in range(100))


def test_drills_come_near_the_rating_and_only_once() -> None:
    chance, progress = random.Random(1), Progress(Rating(1500))
    seen = []
    for _ in range(20):
        found = next_drill(DRILLS, progress, chance)
        assert found is not None
        seen.append(found)
        progress = Progress(Rating(1500), seen=(*progress.seen, found.id))
    assert len(set(seen)) == 20
    assert all(abs(one.difficulty - 1500) <= 210 for one in seen)


@pytest.mark.parametrize("rating", [0, 1000, 1234, 1500, 1990, 4000])
def test_the_nearest_are_the_nearest(rating: float) -> None:
    found = nearest(DRILLS, rating, 7)
    far = max(abs(one.difficulty - rating) for one in found)
    assert len(found) == 7
    assert all(abs(one.difficulty - rating) >= far for one in DRILLS if one not in found)


def test_when_all_were_seen_the_one_seen_longest_ago_comes_again() -> None:
    few = DRILLS[:3]
    progress = Progress(seen=(few[2].id, few[0].id, few[1].id))
    assert next_drill(few, progress, random.Random(1)) == few[2]


def test_only_what_is_wanted_comes() -> None:
    drills = (
        drill(1, 1400, Topic.MOVE, "players=3"),
        drill(2, 1450, Topic.STOP, "players=3"),
        drill(3, 1500, Topic.STOP, "players=2,early"),
    )
    chance = random.Random(1)
    assert next_drill(drills, Progress(), chance, is_about(Topic.MOVE, None)) == drills[0]
    assert next_drill(drills, Progress(), chance, is_about(None, 2)) == drills[2]
    assert next_drill(drills, Progress(), chance, is_about(Topic.MOVE, 2)) is None


def test_variants_come_only_to_those_who_ask_for_them() -> None:
    drills = (
        drill(1, 1490, Topic.VARIANT, "players=2,early"),
        drill(2, 1500, Topic.VARIANT, "players=2,sharing=leapfrog"),
        drill(3, 2400, Topic.STOP, "players=2"),
    )
    chance = random.Random(1)
    assert next_drill(drills, Progress(), chance, is_about(None, None)) == drills[2]
    wanted = {next_drill(drills, Progress(), chance, is_about(Topic.VARIANT, 2)) for _ in range(20)}
    assert wanted <= set(drills[:2])


@pytest.mark.parametrize("ability", [1200, 1500, 1800])
def test_the_rating_of_a_scripted_player_settles_where_it_should(ability: float) -> None:
    chance, rating, ratings = random.Random(ability), Rating(), []
    for _ in range(600):
        opponent = Rating(rating.rating + chance.uniform(-100, 100), 60)
        is_right = chance.random() < expected_score(Rating(ability), Rating(opponent.rating, 0))
        rating = rated(rating, [(opponent, float(is_right))])
        ratings.append(rating.rating)
    settled = sum(ratings[-300:]) / 300
    assert abs(settled - ability) < 60
    assert rating.deviation < 80


def test_options_are_named_by_what_the_position_allows() -> None:
    found = Drill("v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -", Topic.OPENING, 1600, (0.471, 0.508))
    assert found.best.answer is Choice.ROLL
    assert found.margin == pytest.approx(0.037)
    assert found.lost_by(Choice.STOP) == pytest.approx(0.037)
    with pytest.raises(ValueError):
        found.lost_by(found.position.roll("1266").legal_moves[0])
