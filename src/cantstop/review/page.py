"""A review as one HTML file: it needs no script, no network and no other file."""

from html import escape

from cantstop.draw import SEAT_MARKS, board_svg
from cantstop.language import Translator, action_text, name_text, round_of, worth_text
from cantstop.review.chart import chart_svg
from cantstop.review.game import Decision, Review
from cantstop.review.text import (
    decision_sentence,
    decision_text,
    place_text,
    roll_text,
    seat_rows,
    story_lines,
    unit_text,
)

SHOWN = 10
"""Decisions that have a board of their own."""

_STYLE = """
:root{color-scheme:light dark;--paper:#f6f2e8;--surface:#fffdf7;--ink:#1b2130;--muted:#5a6070;
--line:#ddd4c1;--bad:#a31722;--good:#00694e}
@media (prefers-color-scheme:dark){:root{--paper:#12151c;--surface:#1b202b;--ink:#eceae4;
--muted:#a9adb9;--line:#343b49;--bad:#ff8b8b;--good:#4fd0a5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:20px 16px 60px}
h1{font-size:1.7rem;line-height:1.2;margin:.4em 0 .1em}h2{font-size:1.2rem;margin:1.6em 0 .5em}
.soft{color:var(--muted)}
section,.card{background:var(--surface);border:1px solid var(--line);border-radius:14px;
padding:14px 16px;margin:14px 0;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;text-align:right;border-top:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}thead th{border-top:0}
@media (max-width:679px){th,td{white-space:normal;padding:4px 5px}.swing{min-width:70px}}
.mark{display:inline-block;width:.9em;height:.9em;vertical-align:-.08em;margin-right:.35em}
.pair{display:grid;grid-template-columns:1fr;gap:14px}
@media (min-width:680px){.pair{grid-template-columns:minmax(0,300px) 1fr}}
.card svg{max-width:100%;height:auto}
.bar{height:9px;border-radius:5px;background:var(--line);min-width:80px}
.bar i{display:block;height:100%;border-radius:5px;background:var(--muted)}
.best .bar i{background:var(--good)}.chosen .bar i{background:var(--bad)}
.swing{display:grid;grid-template-columns:1fr 1fr;min-width:120px}
.swing i{display:block;height:11px}.swing .minus{justify-self:end;border-radius:5px 0 0 5px}
.swing .plus{border-radius:0 5px 5px 0}.swing div:first-child{border-right:1px solid var(--muted)}
.swing div{display:grid}
details summary{cursor:pointer;color:var(--muted)}
"""


def review_html(review: Review, words: Translator) -> str:
    """The whole review as one file."""
    names = [escape(name_text(words, name)) for name in review.names]
    headline, *story = map(escape, story_lines(review, words))
    title = escape(words.say("Review"))
    worst = review.worst_decisions(SHOWN)
    parts = [
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{title}: {', '.join(names)}</title><style>{_STYLE}</style></head><body><main>",
        f'<p class="soft">{", ".join(names)}</p><h1>{headline}</h1>',
        *(f"<p>{sentence}</p>" for sentence in story),
        f'<section>{_seats(review, words)}<p class="soft">{escape(unit_text(review, words))}</p>'
        "</section>",
        f"<section>{chart_svg(review, words)}{_behind(review, words)}</section>",
    ]
    if worst:
        parts.append(f"<h2>{escape(words.say('Decisions worth a look:').rstrip(': '))}</h2>")
        parts += [_decision(review, decision, words) for decision in worst]
    else:
        parts.append(f"<p>{escape(words.say('No decision gave away much.'))}</p>")
    parts += [_turning_points(review, words), "</main></body></html>\n"]
    return "".join(parts)


def _seats(review: Review, words: Translator) -> str:
    """Everybody's sums, and luck and skill as bars that can be compared."""
    head, *rows = seat_rows(review, words)
    named = "".join(
        f'<th scope="col">{_mark(seat)}{escape(name)}</th>' for seat, name in enumerate(head[1:])
    )
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    most = max(
        (abs(worth) for seat in review.seats for worth in (seat.luck, seat.skill)), default=0
    )
    bars = "".join(
        f'<tr aria-hidden="true"><td>{escape(words.say(label))}</td>'
        + "".join(f"<td>{_swing(worth, most, seat)}</td>" for seat, worth in enumerate(worths))
        + "</tr>"
        for label, worths in (
            ("luck", [seat.luck for seat in review.seats]),
            ("skill", [seat.skill for seat in review.seats]),
        )
    )
    return f"<table><thead><tr><td></td>{named}</tr></thead><tbody>{bars}{body}</tbody></table>"


def _swing(worth: float, most: float, seat: int) -> str:
    share, colour = (100 * abs(worth) / most if most else 0), SEAT_MARKS[seat].colour
    bar = f'style="width:{share:.0f}%;background:{colour}"'
    minus, plus = (
        (f"<i class=minus {bar}></i>", "") if worth < 0 else ("", f"<i class=plus {bar}></i>")
    )
    return f'<div class="swing"><div>{minus}</div><div>{plus}</div></div>'


def _mark(seat: int) -> str:
    mark = SEAT_MARKS[seat]
    return (
        f'<svg class="mark" viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true">'
        f'<path d="{mark.outline}" fill="{mark.colour}"/></svg>'
    )


def _behind(review: Review, words: Translator) -> str:
    """The table behind the chart: everybody's worth at the end of every turn."""
    players = review.rules.players
    last = {round_of(moment.turn, players): moment for moment in review.moments}
    names = [name_text(words, name) for name in review.names]
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = "".join(
        f'<tr><th scope="row">{number}</th>'
        + "".join(
            f"<td>{escape(worth_text(words, worth, solo=review.is_solo))}</td>"
            for worth in moment.worths
        )
        + "</tr>"
        for number, moment in last.items()
    )
    about = escape(words.say("The chart as a table: after every round"))
    return (
        f"<details><summary>{about}</summary><table><thead><tr>"
        f'<th scope="col">{escape(words.say("round"))}</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def _decision(review: Review, decision: Decision, words: Translator) -> str:
    """The board, what was chosen and what was best, and why."""
    where = place_text(review, decision, words)
    names = [name_text(words, name) for name in review.names]
    most = max(abs(option.worth) for option in decision.options) or 1.0
    rows = "".join(
        f'<tr class="{_kind(decision, place)}"><td>'
        f"{escape(action_text(words, option.action, option.then))}</td>"
        f"<td>{_bar(abs(option.worth) / most)}</td>"
        f"<td>{escape(worth_text(words, option.worth, solo=review.is_solo))}</td></tr>"
        for place, option in enumerate(decision.options)
    )
    return (
        f'<div class="card pair"><div>{board_svg(decision.position, names=names)}</div>'
        f"<div><strong>{_mark(decision.seat)}{escape(where)}</strong>"
        f"<p>{escape(decision_sentence(words, decision))}</p><table>{rows}</table></div></div>"
    )


def _bar(share: float) -> str:
    return f'<div class="bar"><i style="width:{100 * share:.0f}%"></i></div>'


def _kind(decision: Decision, place: int) -> str:
    if place == 0:
        return "best"
    return "chosen" if decision.options[place].action == decision.chosen else ""


def _turning_points(review: Review, words: Translator) -> str:
    found = [
        decision_text(review, point, words)
        if isinstance(point, Decision)
        else roll_text(review, point, words)
        for point in review.turning_points()
    ]
    if not found:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in found)
    return f"<h2>{escape(words.say('Turning points'))}</h2><section><ul>{items}</ul></section>"
