"""Records as rows: plain values under plain names, for whatever reads tables."""

from cantstop.record.record import Record
from cantstop.rules import Busted, Moved, Rolled, Stopped, dice_text

Row = dict[str, str | int | None]

_KINDS = {Rolled: "rolled", Moved: "moved", Stopped: "stopped", Busted: "busted"}


def event_rows(record: Record) -> list[Row]:
    """A row for each event, with the position that it led to and what is written about it.

    ``turn`` is 0 in the roll-off for the start; seats count from 0.
    """
    signs = {annotation.n: annotation.sign for annotation in record.annotations}
    comments: dict[int, str] = {}
    for comment in record.comments:
        said = comments.get(comment.n)
        comments[comment.n] = comment.text if said is None else f"{said}\n{comment.text}"
    game, sides = record.game(), record.rules.board.sides
    positions = game.positions
    rows: list[Row] = []
    turn = 0
    begins = True
    for n, (before, event) in enumerate(zip(positions, game.events, strict=False)):
        if begins and before.roll_off is None:
            turn += 1
        begins = before.roll_off is not None or isinstance(event, Stopped | Busted)
        rows.append(
            {
                "n": n + 1,
                "turn": turn,
                "seat": before.seat,
                "name": record.names[before.seat],
                "event": _KINDS[type(event)],
                "dice": dice_text(event.dice, sides) if isinstance(event, Rolled) else None,
                "move": str(event.move) if isinstance(event, Moved) else None,
                "position": str(positions[n + 1]),
                "sign": signs.get(n + 1),
                "comment": comments.get(n + 1),
            }
        )
    return rows


def summary(record: Record) -> Row:
    """A game as one row; ``winner`` is None while nobody, or more than one, has won."""
    game = record.game()
    winners = record.winners(game.outcome)
    winner = winners[0] if winners is not None and len(winners) == 1 else None
    return {
        "rules": str(record.rules),
        "date": record.date,
        "names": ", ".join(record.names),
        "winner": winner,
        "winner_name": None if winner is None else record.names[winner],
        "ended": record.ended,
        "turns": game.turn,
        "rolls": game.rolls,
        "busts": sum(isinstance(event, Busted) for event in record.events),
    }
