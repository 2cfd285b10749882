"""The rules of a game in short, in our own words: exactly the ones in force."""

from collections.abc import Iterator

from cantstop.language.translator import Translator, message
from cantstop.rules import Rules, Sharing, Start

_STARTS = {
    Start.FIRST_SEAT: message("The first seat starts; then play goes clockwise."),
    Start.YOUNGEST: message("The youngest starts; then play goes clockwise."),
    Start.ROLL_OFF: message(
        "Everybody throws two dice and the highest sum starts; those who tie for it throw again. "
        "Then play goes clockwise."
    ),
}

SHARED_SPACES = {
    Sharing.FREE: message("Tokens are no obstacle: any number of them can share a space."),
    Sharing.NO_REST: message(
        "No rest on a shared space (V3): while a runner stands with an opponent's token you "
        "cannot stop, not even to win."
    ),
    Sharing.LEAPFROG: message(
        "Leapfrog (V4): spaces with an opponent's token do not count. A runner jumps over them "
        "to the next space without one."
    ),
}

EARLY = message(
    "Runners out early (V2): only moves that bring the most new runners onto the board are allowed."
)


def short_rules(translator: Translator, rules: Rules) -> str:
    """The rules of a game, one point a line.

    >>> print(short_rules(Translator(), Rules(players=1)).splitlines()[0])
    Goal: win 3 columns in as few turns as you can.
    """
    return "\n".join(_points(translator, rules))


def _points(translator: Translator, rules: Rules) -> Iterator[str]:
    say = translator.say
    yield _goal(translator, rules)
    yield say(
        "The columns, and how many spaces they have: {columns}.", columns=_column_lengths(rules)
    )
    if rules.players > 1:
        yield say(_STARTS[rules.start])
    yield from _turn(translator, rules)
    if rules.players > 1:
        yield say(SHARED_SPACES[rules.sharing])
    yield from _end(translator, rules)


def _goal(translator: Translator, rules: Rules) -> str:
    if rules.players == 1:
        return translator.say_count(
            "Goal: win one column in as few turns as you can.",
            "Goal: win {count} columns in as few turns as you can.",
            rules.columns_to_win,
        )
    return translator.say_count(
        "Goal: be the first of {players} players to win one column.",
        "Goal: be the first of {players} players to win {count} columns.",
        rules.columns_to_win,
        players=rules.players,
    )


def _column_lengths(rules: Rules) -> str:
    return ", ".join(f"{column} ({rules.board.top(column)})" for column in rules.board.columns)


def _turn(translator: Translator, rules: Rules) -> Iterator[str]:
    say = translator.say
    yield say(
        "In your turn, roll four dice and split them into two pairs. Each sum names a column, "
        "and a runner goes up one space there; two equal sums are two spaces."
    )
    yield translator.say_count(
        "You have one runner a turn. It enters a column just above your token, or at the bottom "
        "if you have none there.",
        "You have {count} runners a turn. One enters a column just above your token, or at the "
        "bottom if you have none there.",
        rules.board.runners,
    )
    yield say(
        "The split is your choice, but all that it can use must be used. If one runner is left "
        "for two new columns, you pick the column."
    )
    if rules.early:
        yield say(EARLY)
    yield say("After a move, stop or roll again.")
    yield say(
        "If you stop, your tokens move up to where the runners stand, and no bust can take that "
        "progress away."
    )
    yield say(
        "If a roll is of no use, you bust: the runners leave the board, and this turn's progress "
        "is lost."
    )


def _end(translator: Translator, rules: Rules) -> Iterator[str]:
    say = translator.say
    yield say(
        "Stop with a runner on the top and the column is yours: other tokens leave it, and it is "
        "closed to everybody."
    )
    yield say(
        "Until you stop, a runner on the top has won nothing, and its number cannot be used again."
    )
    if rules.players * (rules.columns_to_win - 1) >= len(rules.board.columns):
        yield say(
            "If all columns are won before anybody has enough, whoever has the most wins; a tie is "
            "shared."
        )
