"""Many games at once: a row for each seat of each game, and what each player's games add up to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cantstop.language import Translator, name_text, worth_text
from cantstop.review.game import Review, SeatReview
from cantstop.review.grades import Grade
from cantstop.review.played_like import PlayedLike, played_like
from cantstop.review.text import change, columns_text, like_text
from cantstop.rules import Rules


@dataclass
class PlayerSummary:
    """All games of one name; solo games and games against others are apart, as are their units."""

    name: str
    solo: bool
    games: int = 0
    wins: float = 0.0
    luck: float = 0.0
    error: float = 0.0
    at_stake: float = 0.0
    decisions: int = 0
    mistakes: int = 0
    rated: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Error and decisions of the games that can be rated."""

    def add(self, review: Review, seat: SeatReview) -> None:
        """Count one more game."""
        self.games += 1
        if review.winners is not None:
            self.wins += seat.seat in review.winners
        self.luck += seat.luck
        self.error += seat.error
        self.at_stake += sum(decision.at_stake for decision in seat.decisions)
        self.decisions += len(seat.decisions)
        self.mistakes += seat.count(Grade.MISTAKE) + seat.count(Grade.BLUNDER)
        if seat.played_like is not None:
            self.rated[0] += seat.error
            self.rated[1] += len(seat.decisions)

    @property
    def accuracy(self) -> float | None:
        """The share, in percent, that was kept of all that the decisions could have given away."""
        return 100 * (1 - self.error / self.at_stake) if self.at_stake else None

    @property
    def error_per_decision(self) -> float:
        """What a decision gave away on average."""
        return self.error / self.decisions if self.decisions else 0.0

    @property
    def played_like(self) -> PlayedLike | None:
        """What rating the play in all games was worth that can be rated."""
        return played_like(Rules(), self.rated[0], int(self.rated[1]))


class Summary:
    """The players of many games, by their names."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, bool], PlayerSummary] = {}

    def add(self, review: Review) -> None:
        """Count one more game."""
        for seat in review.seats:
            key = seat.name, review.is_solo
            self._players.setdefault(key, PlayerSummary(*key)).add(review, seat)

    @property
    def players(self) -> list[PlayerSummary]:
        """Who has played most first."""
        return sorted(self._players.values(), key=lambda player: (-player.games, player.name))


def game_rows(number: int, review: Review, words: Translator) -> Iterator[tuple[str, ...]]:
    """One row of the table for each seat of a game; ``heading`` is above them."""
    for seat in review.seats:
        yield (
            str(number) if seat.seat == 0 else "",
            name_text(words, seat.name),
            worth_text(words, seat.result, solo=review.is_solo),
            change(words, seat.luck, solo=review.is_solo),
            change(words, seat.skill, solo=review.is_solo),
            f"{_points(seat.error_per_decision, solo=review.is_solo)}",
            "-" if seat.accuracy is None else f"{seat.accuracy:.0f} %",
            str(seat.count(Grade.MISTAKE) + seat.count(Grade.BLUNDER)),
        )


def heading(words: Translator) -> tuple[str, ...]:
    """What the columns of the table of games are."""
    return (
        words.say("game"),
        words.say("player"),
        words.say("result"),
        words.say("luck"),
        words.say("skill"),
        words.say("error/decision"),
        words.say("accuracy"),
        words.say("mistakes"),
    )


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows under each other; names to the left, figures to the right."""
    return columns_text(list(map(tuple, rows)), left=2)


def summary_text(summary: Summary, words: Translator) -> str:
    """One line for each player over all their games."""
    rows: list[tuple[str, ...]] = [
        (
            words.say("player"),
            words.say("games"),
            words.say("wins"),
            words.say("luck/game"),
            words.say("error/decision"),
            words.say("accuracy"),
            words.say("mistakes/game"),
            words.say("played like"),
        )
    ]
    for player in summary.players:
        luck = player.luck / player.games
        rows.append(
            (
                _player_text(words, player),
                str(player.games),
                "-" if player.solo else f"{player.wins:.0f}",
                change(words, luck, solo=player.solo),
                _points(player.error_per_decision, solo=player.solo),
                "-" if player.accuracy is None else f"{player.accuracy:.0f} %",
                f"{player.mistakes / player.games:.1f}",
                like_text(player.played_like),
            )
        )
    return columns_text(rows, left=1)


def _player_text(words: Translator, player: PlayerSummary) -> str:
    name = name_text(words, player.name)
    return words.say("{name}, alone", name=name) if player.solo else name


def _points(error: float, *, solo: bool) -> str:
    return f"{error:.3f}" if solo else f"{100 * error:.2f}"
