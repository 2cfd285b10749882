"""What a call says, in the language of whoever it is for."""

from collections.abc import Callable, Sequence

from cantstop.language import Translator, name_text
from cantstop.server.calls.channels.waiting import WaitingTurn
from cantstop.server.database.waiting import SeatName, Waiting

_MOST_LISTED = 20
"""Games that one message names."""

Left = Callable[[Waiting], str]
"""How much time is left for a turn, in words."""


def _names(words: Translator, seats: Sequence[SeatName]) -> str:
    return words.join(_name(words, seat) for seat in seats)


def _name(words: Translator, seat: SeatName) -> str:
    return name_text(words, seat.bot) if seat.bot is not None else seat.name


def _game_with(words: Translator, turn: Waiting) -> str:
    return words.say("It is your turn in a game with {names}.", names=_names(words, turn.others))


def _begun(text: str) -> str:
    """A text at the beginning of a line."""
    return text[:1].upper() + text[1:]


def one_turn(words: Translator, turn: Waiting, left: Left) -> tuple[str, str]:
    """Title and text for a turn that has begun."""
    lines = []
    if turn.before is not None:
        lines.append(words.say("{name} has played.", name=_name(words, turn.before)))
    if turn.before is None or len(turn.others) > 1:  # else that has said with whom
        lines.append(_game_with(words, turn))
    return words.say("It is your turn"), f"{' '.join(lines)}\n{_begun(left(turn))}"


def reminder(words: Translator, turn: Waiting, left: Left) -> tuple[str, str]:
    """Title and text for a turn whose time is soon over."""
    then = words.say("When the time is over, a bot plays this turn for you.")
    return words.say("Your turn: {left}", left=left(turn)), f"{_game_with(words, turn)}\n{then}"


def several_turns(words: Translator, turns: Sequence[Waiting], left: Left) -> tuple[str, str]:
    """Title and text for several turns: a line for each."""
    lines = [f"{_names(words, turn.others)}: {left(turn)}" for turn in turns[:_MOST_LISTED]]
    if len(turns) > _MOST_LISTED:
        more = len(turns) - _MOST_LISTED
        lines.append(words.say_count("and {count} more game", "and {count} more games", more))
    title = words.say_count("{count} game waits for you", "{count} games wait for you", len(turns))
    return title, "\n".join(lines)


def question(words: Translator) -> tuple[str, str]:
    """Title and text of the question whether the owner of a mail address wants calls.

    No name and nothing else that whoever asked for it has written: it may go to a stranger.
    """
    return words.say("Shall we write to you when it is your turn?"), words.say(
        "Somebody who plays Can't Stop here, you perhaps, wants to be told at this address when it "
        "is their turn. If it was you, open the link and say yes. If it was not, there is nothing "
        "to do: without a yes nothing more is sent, and tomorrow the address is forgotten."
    )


def trial(words: Translator) -> tuple[str, str]:
    """Title and text of a test message."""
    return words.say("This is a test"), words.say(
        "Here you will be told when it is your turn at Can't Stop."
    )


def stop_text(words: Translator) -> str:
    """What is written on the link that ends mails."""
    return words.say("Send no more of these mails")


def feed_title(words: Translator) -> str:
    """What a feed or calendar is called."""
    return words.say("Can't Stop: my turns")


def feed_turns(words: Translator, turns: Sequence[Waiting], site: str) -> list[WaitingTurn]:
    """Turns as a feed and a calendar show them: no more than a watcher of the table sees."""
    return [
        WaitingTurn(
            f"{turn.table_id}.{turn.since}",
            words.say("Your turn: {names}", names=_names(words, turn.others)),
            _game_with(words, turn),
            f"{site}/t/{turn.table_id}",
            turn.began_at,
            turn.ends_at,
        )
        for turn in turns
    ]
