"""The strategy guide for players, and the card: one text for the browser and for docs/strategy.md.

Sentences are messages of the catalogues; every number in them that was measured is a field. The
numbers are in ``guide.json``, which ``python -m research.guide`` writes from what the tools have
found; it writes the page in docs as well. Commands stand beside what they measure.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from cantstop.language.translator import Translator, message


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Points:
    """Paragraphs with a dot before each, or a number."""

    points: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Board:
    """A position as a picture, and what it shows."""

    position: str
    caption: str


@dataclass(frozen=True)
class Table:
    """Rows of words and figures; the first row has the headings."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Commands:
    """What measures the figures above it."""

    commands: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """Here stands the card."""


Block = Text | Points | Board | Table | Commands | Card


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    name: str
    title: str
    blocks: tuple[Block, ...]


TITLE = message("Strategy guide")
LEAD = message(
    "What the solved game and the strongest bot teach, in ten minutes. A point is one percent of "
    "a win. Below each figure is the command that measures it."
)

CARD_TITLE = message("Can’t Stop without counting")
CARD_BLOCKS: tuple[tuple[str, Points | Table], ...] = (
    (
        message("Which move?"),
        Points(
            (
                message("A move that takes a runner to a top: play it."),
                message(
                    "Otherwise the move with the most points. A step in 2, 6, 8 or 12 counts 3, "
                    "in 4, 7 or 10 it counts 2, in 3, 5, 9 or 11 nothing."
                ),
                message("A step to the middle space of its column or above it: 3 more."),
                message("For every runner that it brings out: 3 less. Equal moves: as you like."),
            ),
            numbered=True,
        ),
    ),
    (
        message("Stop or roll?"),
        Points(
            (
                message("A runner on a top: stop."),
                message("A runner still in your hand: roll."),
                message(
                    "All three on the board: stop at once if one is in 2, 3, 11 or 12 and at most "
                    "one in 6, 7 and 8. Otherwise roll until one reaches a top."
                ),
                message("Once somebody else has won a column: stop at tops only."),
            ),
            numbered=True,
        ),
    ),
    (
        message("What it is worth"),
        Table(
            (
                (
                    message("A million games each; 200 with the champion, luck subtracted"),
                    message("this rule"),
                    message("Rule of 28"),
                ),
                (message("turns alone (perfect: {perfect})"), "{alone_simple}", "{alone_28}"),
                (message("wins against the Rule of 28"), "{against_28} %", "50 %"),
                (
                    message("wins against Glenn’s rule (glenn-linear)"),
                    "{against_glenn} %",
                    "{glenn_28} %",
                ),
                (message("wins against the champion"), "{champion_simple} %", "{champion_28} %"),
            )
        ),
    ),
)

GUIDE = (
    Section(
        "card",
        message("A rule for the table"),
        (
            Text(
                message(
                    "Few numbers, nothing to count, nothing to keep in mind from roll to roll. We "
                    "played all {rules} rules of this kind against strong ones and alone; this is "
                    "the best of them with no number above 3. The famous Rule of 28 asks for more "
                    "and wins one game in four against it."
                )
            ),
            Card(),
            Points(
                (
                    message(
                        "Alone it needs {lost_alone} turns more than perfect play, Glenn’s rule "
                        "{lost_glenn}, the Rule of 28 {lost_28}."
                    ),
                    message(
                        "Counting spaces too, with ten numbers, gains {counting} points against "
                        "Glenn’s rule; the best player of this kind with 35 numbers gains {long}."
                    ),
                    message(
                        "Best moves with the card’s stops win {stops_only} % against the champion, "
                        "best stops with the card’s moves {moves_only} %."
                    ),
                )
            ),
            Commands(
                (
                    "python -m research.simple_rule card",
                    "cantstop arena simple --rules players=1 --games 1000000 --seed 1",
                    "cantstop arena simple rule-of-28 --games 1000000 --seed 1",
                    "python -m research.two_players advice",
                )
            ),
        ),
    ),
    Section(
        "stop",
        message("When to stop"),
        (
            Text(
                message(
                    "Most people stop too early. Best play loses {bust_best} of 100 turns to a "
                    "bust; the Rule of 28 loses {bust_28}, and wins {champion_28} of 100 games "
                    "against best play."
                )
            ),
            Points(
                (
                    message(
                        "**At a top, stop.** A rulebook says so, and it is true: never making an "
                        "exception costs {cost_tops} points a game, the least of all the advice "
                        "we tried."
                    ),
                    message(
                        "**With a runner in your hand, roll.** In the first turn it is never right "
                        "to stop then: as long as all columns are open, no roll can bust you."
                    ),
                    message(
                        "**With three runners out, look at their columns.** {odds_678} % of rolls "
                        "hit 6, 7 or 8, {odds_468} % hit 4, 6 or 8, {odds_2312} % hit 2, 3 or 12. "
                        "With good ones go for a top, with bad ones stop at once. Always stopping "
                        "as soon as three are out costs {cost_three} points a game."
                    ),
                )
            ),
            Board(
                "v1,players=2 -/- 1 6:6,7:7,8:6 -",
                message(
                    "Nobody else on the board: stop, but it is close ({stop_stop} to "
                    "{stop_roll} %)."
                ),
            ),
            Board(
                "v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -",
                message(
                    "The same runners, an opponent right behind: roll ({roll_roll} to "
                    "{roll_stop} %)."
                ),
            ),
            Commands(
                (
                    "python -m research.two_players advice",
                    "cantstop odds 6 7 8",
                    'cantstop hint "v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -"',
                )
            ),
        ),
    ),
    Section(
        "columns",
        message("Columns"),
        (
            Points(
                (
                    message(
                        "**Even columns go together.** 4, 6 and 8 are nearly as safe as 6, 7 and "
                        "8, and shorter. In the first turn it is never right to stop there before "
                        "a top."
                    ),
                    message(
                        "**2 and 12 are better than they look, 3 and 11 are worse.** Two steps in "
                        "2 are two thirds of a column; 3 and 11 are rare too, and have five "
                        "spaces."
                    ),
                    message(
                        "**The middle comes up most often**, a rulebook points out. True, but "
                        "choosing moves by that alone costs {cost_likely} points a game: what "
                        "comes up most often is not what leaves the best three columns."
                    ),
                    message(
                        "**Bring runners out late.** As long as one is in your hand, you are safe."
                    ),
                    message(
                        "**Finish what you begin.** Steps in the upper half of a column are worth "
                        "more than steps below: the card gives them 3 points more."
                    ),
                )
            ),
            Commands(("cantstop solve --device cuda", "python -m research.two_players advice")),
        ),
    ),
    Section(
        "openings",
        message("Openings"),
        (
            Text(
                message(
                    "The first move of the game: take the first of these that the dice offer. "
                    "Columns on the other side of 7 are mirror images."
                )
            ),
            Table(
                (
                    (
                        message("first move"),
                        message("wins, two players"),
                        message("turns, alone"),
                    ),
                    *(
                        (f"{{opening_{at}}}", f"{{opening_{at}_wins}} %", f"{{opening_{at}_turns}}")
                        for at in range(10)
                    ),
                )
            ),
            Text(
                message(
                    "The worst is {worst}, with {worst_wins} %. Before the first roll, whoever "
                    "begins a game of two wins {first_seat} %."
                )
            ),
            Commands(
                ("python -m research.two_players openings", "python -m research.two_players seats")
            ),
        ),
    ),
    Section(
        "race",
        message("The race"),
        (
            Text(
                message(
                    "Behind, be bold: a bust costs little when the next turn of the others may end "
                    "the game. How many of 100 turns best play loses to a bust, by the columns "
                    "that are still needed:"
                )
            ),
            Table(
                (
                    (
                        "",
                        message("they need 3"),
                        message("they need 2"),
                        message("they need 1"),
                    ),
                    (message("you need 3"), "{bust_33}", "{bust_32}", "{bust_31}"),
                    (message("you need 2"), "{bust_23}", "{bust_22}", "{bust_21}"),
                    (message("you need 1"), "{bust_13}", "{bust_12}", "{bust_11}"),
                )
            ),
            Board(
                "v1,players=2 -/2:3,7:12,12:3 1 6:6,7:7,8:6 -",
                message(
                    "They need one more step: stopping here wins {last_stop} %, rolling on "
                    "{last_roll} %."
                ),
            ),
            Points(
                (
                    message("Ignoring the others costs {cost_alone} points a game."),
                    message(
                        "**More players, more courage.** Best play loses its first turn in "
                        "{first_2} % of games for two, in {first_3} % for three, in {first_4} % "
                        "for four."
                    ),
                )
            ),
            Commands(("python -m research.two_players courage",)),
        ),
    ),
    Section(
        "variants",
        message("Variants and more players"),
        (
            Text(
                message(
                    "The card was made for two players and three columns, and it holds elsewhere. "
                    "It wins against the Rule of 28:"
                )
            ),
            Points(
                (
                    message("longer game, five columns: {longer} %"),
                    message("runners out early: {early} %"),
                    message("no rest on a shared space: {no_rest} %"),
                    message("leapfrog: {leapfrog} %"),
                    message("three players: {three} % (a third would be even)"),
                    message("four players: {four} % (a quarter would be even)"),
                )
            ),
            Commands(
                (
                    "cantstop arena simple rule-of-28 --rules players=2,early --games 1000000 "
                    "--seed 1",
                )
            ),
        ),
    ),
)


@cache
def figures() -> Mapping[str, str]:
    """The numbers of the guide, by their names in its sentences."""
    found: dict[str, str] = json.loads(
        (files("cantstop.language") / "guide.json").read_text("utf-8")
    )
    return found


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block of the guide as the browser reads it; each kind has its own fields."""

    kind: Literal["text", "steps", "points", "board", "table", "commands", "card"]
    text: str | None = None
    items: tuple[str, ...] | None = None
    position: str | None = None
    caption: str | None = None
    rows: tuple[tuple[str, ...], ...] | None = None
    title: str | None = None
    """Of a part of the card."""


@dataclass(frozen=True, slots=True)
class CardView:
    """The card to print."""

    title: str
    parts: tuple[BlockView, ...]


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section of the guide."""

    name: str
    title: str
    blocks: tuple[BlockView, ...]


@dataclass(frozen=True, slots=True)
class GuideView:
    """The whole guide in a language."""

    title: str
    lead: str
    card: CardView
    sections: tuple[SectionView, ...]


def guide_view(words: Translator) -> GuideView:
    """The whole guide in a language, as the browser shows it."""
    say = _GuideWriter(words)
    return GuideView(
        say(TITLE),
        say(LEAD),
        CardView(
            say(CARD_TITLE),
            tuple(replace(say.block(block), title=say(title)) for title, block in CARD_BLOCKS),
        ),
        tuple(
            SectionView(section.name, say(section.title), tuple(map(say.block, section.blocks)))
            for section in GUIDE
        ),
    )


def guide_json(words: Translator) -> str:
    """The guide in a language as JSON; a block has only the fields of its kind."""
    return json.dumps(asdict(guide_view(words), dict_factory=_given), ensure_ascii=False)


def _given(fields: list[tuple[str, object]]) -> Mapping[str, object]:
    return {name: value for name, value in fields if value is not None}


@dataclass(frozen=True)
class _GuideWriter:
    """Translates the guide, and fills in its figures."""

    words: Translator

    def __call__(self, text: str) -> str:
        if not text:
            return text
        said = {name: self._figure(figure) for name, figure in figures().items()}
        return self.words.say(text, **said)

    def _figure(self, figure: str) -> str:
        if figure.isdecimal():  # thousands apart, by a thin space where a comma is for decimals
            return f"{int(figure):,}".replace(",", "," if self.words.language == "en" else "\u202f")
        whole, point, decimals = figure.partition(".")
        if not (point and whole.isdecimal()):
            return figure
        return self.words.decimal(float(figure), len(decimals))

    def block(self, block: Block) -> BlockView:
        """A block as the browser reads it."""
        match block:
            case Text(text):
                return BlockView("text", text=self(text))
            case Points(points, numbered):
                kind: Literal["steps", "points"] = "steps" if numbered else "points"
                return BlockView(kind, items=tuple(map(self, points)))
            case Board(position, caption):
                return BlockView("board", position=position, caption=self(caption))
            case Table(rows):
                return BlockView("table", rows=tuple(tuple(map(self, row)) for row in rows))
            case Commands(commands):
                return BlockView("commands", items=tuple(commands))
            case Card():
                return BlockView("card")
