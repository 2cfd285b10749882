"""From the options of a user to ``Rules``: an edition or a custom game, options, a rules text."""

from cantstop.rules.board import OFFICIAL
from cantstop.rules.editions import edition_named
from cantstop.rules.errors import InvalidRules, InvalidText, WrongType
from cantstop.rules.settings import Rules, Sharing, Start

_USUAL = Rules()


def rules_for(
    edition: str | None,
    players: int,
    columns_to_win: int = 3,
    early: bool = False,
    sharing: Sharing = Sharing.FREE,
    start: Start | None = None,
) -> Rules:
    """The rules of an edition with these options, or of a custom game if ``edition`` is None.

    >>> str(rules_for("asmodee", 2, columns_to_win=4))
    'v1,players=2,win=4,start=roll-off'

    Raises:
        InvalidRules: If the rulebook settles something that is chosen otherwise.
    """
    if edition is None:
        return Rules(players, columns_to_win, early, sharing, start or Start.FIRST_SEAT)
    if start is not None:
        raise InvalidRules("Only a custom game can choose who starts: the rulebooks settle it.")
    return edition_named(edition).rules(players, columns_to_win, early, sharing)


def read_rules(rules: Rules | str | None, players: int | None = None) -> Rules:
    """The rules that a caller asks for: ``Rules``, their text, or only how many play.

    >>> str(read_rules("win=4", players=3)), str(read_rules(None))
    ('v1,players=3,win=4', 'v1,players=2')

    Raises:
        WrongType: If they are neither rules nor a text.
    """
    if rules is None:
        return _USUAL if players is None else Rules(players)
    if isinstance(rules, str):
        return _for_players(rules_from_text(rules, players=players), players)
    if isinstance(rules, Rules):
        return _for_players(rules, players)
    raise WrongType(
        "{rules} are not rules: give Rules(players=3), or text such as “players=3,win=4”.",
        rules=repr(rules),
    )


def _for_players(rules: Rules, players: int | None) -> Rules:
    if players is not None and players != rules.players:
        raise InvalidRules(
            "The rules are for another number of players: {due}, not {players}.",
            due=rules.players,
            players=players,
        )
    return rules


def rules_from_text(
    text: str | None, *, edition: str | None = None, players: int | None = None
) -> Rules:
    """The rules of a text, of an edition with what a text adds to it, or the usual ones.

    ``players`` is how many play if the text leaves it open.

    >>> str(rules_from_text("win=4", edition="asmodee", players=3))
    'v1,players=3,win=4,start=roll-off'

    Raises:
        InvalidText: If the text is not that of rules.
    """
    parts = [] if text is None else [text]
    if players is not None and not names_players(text):
        parts.insert(0, f"players={players}")
    given = Rules.parse(",".join(parts) or "players=2")
    if edition is None:
        return given
    if given.board != OFFICIAL:
        raise InvalidText(
            "An edition has the official board: give lengths or an edition, not both."
        )
    return rules_for(edition, given.players, given.columns_to_win, given.early, given.sharing)


def names_players(text: str | None) -> bool:
    """Whether a rules text says how many play."""
    return text is not None and any(part.startswith("players=") for part in text.split(","))
