"""The options for the rules of a new game: an edition or a custom game, with variants."""

from dataclasses import dataclass, replace
from enum import Enum

from cantstop.rules import (
    Edition,
    InvalidRules,
    InvalidText,
    Rules,
    Sharing,
    choices_for,
    edition_named,
    rules_for,
)


class Variant(Enum):
    """An optional rule, by the word that asks for it; its id is accepted as well."""

    LONGER = "longer"  # V1
    EARLY = "early"  # V2
    NO_REST = "no-rest"  # V3
    LEAPFROG = "leapfrog"  # V4


def variant_named(text: str) -> Variant:
    """The variant of that name or id.

    >>> variant_named("no-rest") is variant_named("V3")
    True
    """
    name = text.strip().lower()
    for number, variant in enumerate(Variant, 1):
        if name in (variant.value, f"v{number}"):
            return variant
    raise InvalidText(
        "There is no variant “{text}”; {choices}",
        text=text,
        choices=choices_for(text, [variant.value for variant in Variant]),
    )


@dataclass(frozen=True)
class RulesOptions:
    """The rules that a player asked for, before the number of players is known."""

    text: str | None = None
    """Everything as one text; then nothing else can be asked for."""
    edition: str | None = None
    columns_to_win: int | None = None
    variants: frozenset[Variant] = frozenset()

    def __post_init__(self) -> None:
        if self.text is not None and (
            self.edition is not None or self.columns_to_win is not None or self.variants
        ):
            raise InvalidText("--rules says it all: leave --edition, --win and --variant out.")
        if {Variant.NO_REST, Variant.LEAPFROG} <= self.variants:
            raise InvalidRules(
                "V3 (no rest on a shared space) and V4 (leapfrog) exclude each other."
            )

    @property
    def players(self) -> int | None:
        """For how many players these rules are, where they say it."""
        if self.text is None or "players=" not in self.text:
            return None
        return Rules.parse(self.text).players

    def rules(self, players: int) -> Rules:
        """The rules for a number of players."""
        if self.text is not None:
            return replace(Rules.parse(self.text), players=players)
        early, sharing = Variant.EARLY in self.variants, self._sharing
        edition = None if self.edition is None else edition_named(self.edition)
        columns_to_win = self._columns_to_win(players, edition)
        return rules_for(self.edition, players, columns_to_win, early, sharing)

    @property
    def _sharing(self) -> Sharing:
        if Variant.NO_REST in self.variants:
            return Sharing.NO_REST
        return Sharing.LEAPFROG if Variant.LEAPFROG in self.variants else Sharing.FREE

    def _columns_to_win(self, players: int, edition: Edition | None) -> int:
        if self.columns_to_win is not None:
            return self.columns_to_win
        if Variant.LONGER not in self.variants:
            return 3
        offered = edition.longer_games(players) if edition else (4, 5)
        if len(offered) == 1:
            return offered[0]
        if edition and not offered:
            raise InvalidRules(
                "The {edition} rulebook has no longer game (V1) for this number of players: "
                "{players}.",
                edition=edition.title,
                players=players,
            )
        raise InvalidRules("How long is the longer game (V1)? Say with --win how many columns win.")
