"""The game as a picture: everybody's chance to win from the start to the end, as SVG."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from cantstop.draw import SEAT_MARKS
from cantstop.draw.seats import clean
from cantstop.draw.svg.elements import at, element
from cantstop.language import Translator, name_text, worth_text
from cantstop.review.game import Decision, Moment, Review, RollLuck
from cantstop.review.text import decision_text, roll_text

WIDTH, HEIGHT = 760, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 20, 54, 40
_BIG_ROLL = 0.08
"""A roll that changed at least this much of a win has a dot."""
_DASHES = ("none", "9 4", "3 4", "9 4 2 4")
"""Lines differ in more than their colours."""

_STYLE = """
.review{max-width:100%;height:auto;font-family:system-ui,sans-serif;font-size:13px}
.review .paper{fill:#fffdf7}.review text{fill:#1b2130}.review .soft{fill:#5a6070}
.review .grid{stroke:#ddd4c1}.review .turn{fill:#1b2130;opacity:.045}
.review .line{fill:none;stroke-width:2.4;stroke-linejoin:round}
.review .dot{stroke:#fffdf7;stroke-width:1.5}
.review .error{fill:none;stroke:#a31722;stroke-width:2}
@media (prefers-color-scheme:dark){
.review .paper{fill:#1b202b}.review text{fill:#eceae4}.review .soft{fill:#a9adb9}
.review .grid{stroke:#343b49}.review .turn{fill:#eceae4;opacity:.06}
.review .dot{stroke:#1b202b}.review .error{stroke:#ff8b8b}}
"""


class _Scale:
    """Where on the picture a moment and a worth are."""

    def __init__(self, review: Review) -> None:
        self.last = max(review.moments[-1].n, 1)
        worths = [worth for moment in review.moments for worth in moment.worths]
        low, high = (min(worths), max(worths)) if review.is_solo else (0.0, 1.0)
        self.low, self.high = low, high if high > low else low + 1

    def x(self, n: float) -> float:
        return _LEFT + n / self.last * (WIDTH - _LEFT - _RIGHT)

    def y(self, worth: float) -> float:
        share = (worth - self.low) / (self.high - self.low)
        return _TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM)


def chart_svg(review: Review, words: Translator) -> str:
    """Win chances (alone: turns) through the game, with marks at big rolls and errors."""
    scale, names = _Scale(review), [clean(name_text(words, name)) for name in review.names]
    title = words.say("The game from its start to its end:").rstrip(": ")
    picture = element(
        "svg",
        element("title", f"{title}: {', '.join(names)}"),
        element("style", _STYLE),
        element("rect", class_="paper", width=WIDTH, height=HEIGHT, rx=12),
        *_legend(names),
        *_grid(review, words, scale),
        *_turns(review, scale),
        *(_line(review, seat, scale) for seat in range(len(names))),
        *_marks(review, words, scale),
        xmlns="http://www.w3.org/2000/svg",
        class_="review",
        role="img",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )
    return tostring(picture, encoding="unicode")


def _legend(names: list[str]) -> Iterator[Element]:
    room = (WIDTH - _LEFT - _RIGHT) / len(names)
    for seat, name in enumerate(names):
        x, mark = _LEFT + seat * room, SEAT_MARKS[seat]
        yield element(
            "line",
            x1=x,
            x2=x + 30,
            y1=26,
            y2=26,
            class_="line",
            stroke=mark.colour,
            stroke_dasharray=_DASHES[seat],
        )
        yield element(
            "path", d=mark.outline, transform=f"{at(x + 15, 26)} scale(6)", fill=mark.colour
        )
        most = int(room / 8) - 5
        shown = name if len(name) <= most else name[: most - 1] + "…"
        yield element("text", shown, x=x + 38, y=31)


def _grid(review: Review, words: Translator, scale: _Scale) -> Iterator[Element]:
    for step in range(5):
        worth = scale.low + (scale.high - scale.low) * step / 4
        y = scale.y(worth)
        label = worth_text(words, worth, solo=True) if review.is_solo else f"{100 * worth:.0f} %"
        yield element("line", class_="grid", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y)
        yield element("text", label, class_="soft", x=_LEFT - 8, y=y + 4, text_anchor="end")


def _turns(review: Review, scale: _Scale) -> Iterator[Element]:
    """Every other turn is shaded, and some have their number."""
    starts: dict[int, int] = {}
    for moment in review.moments:
        starts.setdefault(moment.turn, max(moment.n - 1, 0) if moment.turn > 1 else 0)
    turns = sorted(starts)
    every = max(1, -(-len(turns) // 12))
    for place, turn in enumerate(turns):
        begin = scale.x(starts[turn])
        end = scale.x(starts[turns[place + 1]] if place + 1 < len(turns) else scale.last)
        if turn % 2 == 0:
            yield element(
                "rect",
                class_="turn",
                x=begin,
                y=_TOP,
                width=end - begin,
                height=HEIGHT - _TOP - _BOTTOM,
            )
        if place % every == 0:
            middle = (begin + end) / 2
            yield element(
                "text", str(turn), class_="soft", x=middle, y=HEIGHT - 16, text_anchor="middle"
            )


def _line(review: Review, seat: int, scale: _Scale) -> Element:
    points = " ".join(
        f"{scale.x(moment.n):.1f},{scale.y(moment.worths[seat]):.1f}" for moment in review.moments
    )
    return element(
        "polyline",
        class_="line",
        points=points,
        stroke=SEAT_MARKS[seat].colour,
        stroke_dasharray=_DASHES[seat],
    )


def _marks(review: Review, words: Translator, scale: _Scale) -> Iterator[Element]:
    for roll in review.rolls:
        if abs(roll.luck) >= (_BIG_ROLL if not review.is_solo else 3 * _BIG_ROLL):
            yield _mark(review.moments[roll.n], roll, scale, roll_text(review, roll, words))
    for decision in review.decisions:
        if decision.grade.is_error:
            moment = review.moments[decision.n]
            yield _mark(moment, decision, scale, decision_text(review, decision, words))


def _mark(moment: Moment, what: RollLuck | Decision, scale: _Scale, text: str) -> Element:
    """A dot in the shape of whoever rolled; a ring around what was an error."""
    mark, here = SEAT_MARKS[what.seat], at(scale.x(moment.n), scale.y(moment.worths[what.seat]))
    if isinstance(what, Decision):
        return element("circle", element("title", text), class_="error", r=8, transform=here)
    return element(
        "path",
        element("title", text),
        class_="dot",
        d=mark.outline,
        transform=f"{here} scale(5)",
        fill=mark.colour,
        vector_effect="non-scaling-stroke",
    )
