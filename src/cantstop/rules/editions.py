"""The printed rulebooks as presets: what each one lets a table choose."""

from dataclasses import dataclass

from cantstop.rules.errors import InvalidRules, Phrase, check_is_text, choices_for
from cantstop.rules.settings import Rules, Sharing, Start


@dataclass(frozen=True)
class Edition:
    """One rulebook: how it starts, its tokens, and the variants that it prints.

    >>> RAVENSBURGER.rules(players=3, columns_to_win=4, sharing=Sharing.NO_REST).columns_to_win
    4
    """

    name: str
    title: str
    start: Start
    tokens: int | None = None
    """Tokens of each colour in the box (M2); the supply never stops anybody from placing one."""
    longer: tuple[tuple[int, int], ...] = ()
    """V1 as (players, columns to win) pairs."""
    early: bool = False
    sharing: tuple[Sharing, ...] = (Sharing.FREE,)

    def rules(
        self,
        players: int = 2,
        columns_to_win: int = 3,
        early: bool = False,
        sharing: Sharing = Sharing.FREE,
    ) -> Rules:
        """The rules of a game of this edition; a variant that it does not print is refused.

        Solo (M3) is ours: there every edition lends its variants and nobody to race.

        Raises:
            InvalidRules: If the rulebook does not have this game.
        """
        rules = Rules(players, columns_to_win, early, sharing, self.start)
        if columns_to_win != 3 and columns_to_win not in self.longer_games(players):
            raise InvalidRules(
                "The {edition} rulebook has no such game: columns to win {win}, players {players}.",
                edition=self.title,
                win=columns_to_win,
                players=players,
            )
        if early and not self.early:
            self._lacks(Phrase("V2 (runners out early)"))
        if sharing not in self.sharing:
            self._lacks(
                Phrase("V3 (no rest on a shared space)")
                if sharing is Sharing.NO_REST
                else Phrase("V4 (leapfrog)")
            )
        return rules

    def longer_games(self, players: int) -> tuple[int, ...]:
        """The numbers of columns to win that V1 offers for a number of players, besides three."""
        return tuple(win for seats, win in self.longer if seats == players)

    def _lacks(self, variant: Phrase) -> None:
        raise InvalidRules(
            "The {edition} rulebook does not print {variant}; a custom game can have it.",
            edition=self.title,
            variant=variant,
        )


CLASSIC = Edition("classic", "Classic (1981)", Start.FIRST_SEAT)
TRADEMARK = Edition("trademark", "™ edition", Start.ROLL_OFF, tokens=11)
RAVENSBURGER = Edition(
    "ravensburger",
    "Ravensburger (2007)",
    Start.YOUNGEST,
    tokens=11,
    longer=((3, 4), (2, 5)),
    early=True,
    sharing=(Sharing.FREE, Sharing.NO_REST),
)
ASMODEE = Edition(
    "asmodee",
    "Asmodee",
    Start.ROLL_OFF,
    tokens=9,
    longer=tuple((players, win) for players in (1, 2, 3, 4) for win in (4, 5)),
    sharing=(Sharing.FREE, Sharing.NO_REST, Sharing.LEAPFROG),
)

EDITIONS = {edition.name: edition for edition in (CLASSIC, TRADEMARK, RAVENSBURGER, ASMODEE)}


def edition_named(name: str) -> Edition:
    """The edition of that name.

    Raises:
        InvalidRules: If there is no such edition.
    """
    check_is_text(name, "ravensburger")
    try:
        return EDITIONS[name.lower()]
    except KeyError:
        raise InvalidRules(
            "There is no edition “{name}”; {choices}",
            name=name,
            choices=choices_for(name, EDITIONS),
        ) from None
