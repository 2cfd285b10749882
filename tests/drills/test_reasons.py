"""What is said about an answer, beside figures worked out by hand."""

from fractions import Fraction

from cantstop.drills import Advice, Drill, Progress, RulebookAdvice, Topic, facts_of, package_drills
from cantstop.drills.text import option_lines, progress_text, reasons, verdict_text
from cantstop.language import Translator
from cantstop.rules import Choice, Move

ENGLISH = Translator()

ROLL = Drill("v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -", Topic.OPENING, 1600, (0.471, 0.508))
TOP = Drill("v1,players=2 2:2,7:1/- 1 2:3,7:2,8:1 -", Topic.STOP, 1400, (0.6, 0.5))
WIN = Drill("v1,players=2 2:3,3:5,7:12/- 1 7:13,8:1 -", Topic.END, 900, (1.0, 0.9))
SPLIT = Drill(
    "v1,players=2 -/- 1 - 1266", Topic.OPENING, 1500, (0.516, 0.553), (Choice.ROLL, Choice.ROLL)
)


def test_stop_or_roll_has_the_bust_chance_the_stake_and_rule_of_28s_count() -> None:
    facts = facts_of(ROLL)
    assert facts.next_bust == Fraction(104, 1296)  # 6, 7 and 8 are missed by 104 rolls
    assert facts.at_stake == {6: 6, 7: 7, 8: 6}
    # 2 for a space in 6 and 8, 1 in 7; each column once more for being entered: 14 + 8 + 14
    assert facts.points == 36
    assert facts.rule_of_28 is Choice.STOP
    assert list(reasons(ENGLISH, ROLL)) == [
        "Runners on 6, 7 and 8 bust in 8.0% of rolls.",
        "A bust would take back 6 spaces in column 6, 7 spaces in column 7 and 6 spaces in column "
        "8.",
        "Rule of 28 counts 36 of 28, and would stop.",
    ]
    assert verdict_text(ENGLISH, ROLL, Choice.ROLL) == "Right."
    assert (
        verdict_text(ENGLISH, ROLL, Choice.STOP)
        == "Not quite: roll is better by 3.7 points of win chance."
    )
    assert list(option_lines(ENGLISH, ROLL)) == ["roll   50.8%", "stop   47.1%",
                                                 "The chance to win."]  # fmt: skip


def test_at_a_top_the_rulebooks_advice_applies() -> None:
    facts = facts_of(TOP)
    assert facts.advice == RulebookAdvice(Advice.TOP, Choice.STOP)
    assert list(reasons(ENGLISH, TOP))[-1] == (
        "A rulebook says: after reaching a top it is mostly right to stop. It holds here."
    )


def test_a_stop_that_wins_needs_no_other_reason() -> None:
    assert list(reasons(ENGLISH, WIN)) == ["Stopping wins the game."]


def test_moves_are_compared_by_the_chance_to_bust_after_them() -> None:
    facts = facts_of(SPLIT)
    assert [str(option.answer) for option in SPLIT.options] == ["3+12", "7+8"]
    # with a runner in hand every roll is of use
    assert facts.busts_after == (Fraction(0), Fraction(0))
    assert facts.advice == RulebookAdvice(Advice.MIDDLE, Move(7, 8))
    assert list(reasons(ENGLISH, SPLIT)) == [
        "Rule of 28 would choose 7+8 too.",
        "A rulebook says: 6, 7 and 8 come up most often, and short columns are not easy. "
        "It holds here.",
    ]
    last = Drill(
        "v1,players=2 -/- 1 6:1,8:1 1366",
        Topic.OPENING,
        1500,
        (0.5, 0.3, 0.45, 0.35),
        (Choice.ROLL,) * 4,
    )
    assert [str(option.answer) for option in last.options] == ["4", "12", "7", "9"]
    # 4, 6 and 8 are missed by 115 rolls of 1,296, and 6, 7 and 8 by 104
    assert next(reasons(ENGLISH, last)) == (
        "The next roll busts in 8.9% of cases after 4, in 8.0% after 7."
    )


def test_turns_alone_are_told_as_turns() -> None:
    alone = Drill("v1,players=1 - 1 6:6,7:7,8:6 -", Topic.OPENING, 1500, (-6.0, -5.25))
    assert verdict_text(ENGLISH, alone, Choice.STOP) == "Not quite: roll is better by 0.75 turns."


def test_progress_in_a_line() -> None:
    assert progress_text(ENGLISH, Progress()) == "Rating 1500 ± 350. Right: 0 of 0; in a row: 0."


def test_every_drill_of_the_package_has_its_reasons_in_every_language() -> None:
    for place, language in enumerate(("en", "fr", "nl", "it", "de")):
        words = Translator(language)
        for drill in package_drills()[place::100]:
            assert all(line[0].isupper() for line in reasons(words, drill))
            for option in drill.options:
                assert verdict_text(words, drill, option.answer)
