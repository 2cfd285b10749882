"""``cantstop play --replay``: a record step by step, in the app or in lines of text."""

from cantstop.cli.progress import first_use_told
from cantstop.record import Record
from cantstop.terminal import EXIT_OK, Console, Narrator
from cantstop.terminal.tui import AppOptions, show_replay


def replay_record(
    console: Console, app_options: AppOptions, record: Record, *, tui: bool, evaluate: bool
) -> int:
    """Step through a record in the app; without it, print everything that happened."""
    if tui:
        return show_replay(console.words, app_options, record, evaluate=evaluate)
    narrator = Narrator(console.words, record.names)
    lines = narrator.whole_game(record.game())
    if evaluate:
        from cantstop.review import review  # NumPy and Numba load slowly
        from cantstop.terminal.plain.evaluation import evaluated_game

        with first_use_told(console.words, record.rules.players):
            found = review(record)
        lines = evaluated_game(narrator, record.game(), found)
    for line in lines:
        console.print(line)
    return EXIT_OK
