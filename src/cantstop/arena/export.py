"""Results for programs: JSON, and one row for each bot in each match as CSV or Parquet."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from cantstop.arena.results import LuckFree, MatchResult, Results, Standing
from cantstop.arena.statistics import Estimate
from cantstop.extras import require
from cantstop.files import write_csv
from cantstop.rules import InvalidText


@dataclass(frozen=True, slots=True)
class EstimateReport:
    """A mean, and its standard error."""

    mean: float
    error: float | None


@dataclass(frozen=True, slots=True)
class RatingReport:
    """The rating of a bot among those that played."""

    rating: float
    error: float


@dataclass(frozen=True, slots=True)
class StandingReport:
    """What a bot came to in a match."""

    name: str
    wins: float
    share: float
    interval: tuple[float, float]
    turns: int
    rolls: int
    busts: int
    busts_per_turn: float


@dataclass(frozen=True, slots=True)
class LuckFreeReport:
    """A bot's share of the wins with the luck of the dice taken out."""

    share: float
    error: float | None
    interval: tuple[float, float] | None
    luck: EstimateReport


@dataclass(frozen=True, slots=True)
class MatchReport:
    """One match."""

    bots: tuple[StandingReport, ...]
    games: int
    unfinished: int
    first_player_wins: float
    first_player_share: EstimateReport
    turns_per_game: EstimateReport
    rolls_per_game: EstimateReport
    busts_per_turn: float
    turn_counts: tuple[int, ...]
    without_luck: tuple[LuckFreeReport, ...] | None
    games_worth: float | None


@dataclass(frozen=True, slots=True)
class ArenaReport:
    """Everything, by keys that programs may rely on.

    ``games``, ``wins`` (one number for each bot as named), ``first_player_wins``,
    ``turns_per_game`` and ``rolls_per_game`` are of all matches together.
    """

    rules: str
    seed: int
    finished: bool
    bots: tuple[str, ...]
    games: int
    wins: tuple[float, ...]
    first_player_wins: float
    turns_per_game: float
    rolls_per_game: float
    ratings: tuple[RatingReport, ...] | None
    tables: tuple[MatchReport, ...]


def arena_report(results: Results) -> ArenaReport:
    """Results for programs."""
    return ArenaReport(
        rules=str(results.plan.rules),
        seed=results.plan.seed,
        finished=results.finished,
        bots=tuple(results.plan.bots),
        games=results.games,
        wins=tuple(map(_whole, results.wins)),
        first_player_wins=_whole(results.first_player_wins),
        turns_per_game=results.per_game("turns"),
        rolls_per_game=results.per_game("rolls"),
        ratings=None
        if results.ratings is None
        else tuple(RatingReport(rating.value, rating.error) for rating in results.ratings),
        tables=tuple(map(_match, results.matches)),
    )


def writer_for(path: Path) -> Callable[[Results], None]:
    """What writes results to a file of that name; checked before anything is played."""
    writers = {".json": _write_json, ".csv": _write_csv, ".parquet": _write_parquet}
    if path.suffix not in writers:
        raise InvalidText(
            "{path} cannot be written: its name has to end in {endings}.",
            path=path,
            endings=", ".join(writers),
        )
    if path.suffix == ".parquet":
        require("parquet")
    check_writable(path)

    def write(results: Results) -> None:
        writers[path.suffix](results, path)

    return write


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written before hours of work are done for it."""
    try:
        path.open("ab").close()
    except OSError as error:
        raise InvalidText(
            "{path} cannot be written: {reason}.", path=path, reason=error.strerror
        ) from None


def _write_json(results: Results, path: Path) -> None:
    path.write_text(
        json.dumps(asdict(arena_report(results)), ensure_ascii=False, indent=2) + "\n", "utf-8"
    )


def _write_csv(results: Results, path: Path) -> None:
    table = results.rows()
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, [table[0], *(row.values() for row in table)])


def _write_parquet(results: Results, path: Path) -> None:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    parquet.write_table(arrow.Table.from_pylist(results.rows()), path)


def _match(match: MatchResult) -> MatchReport:
    return MatchReport(
        bots=tuple(map(_standing, match.standings)),
        games=match.games,
        unfinished=match.unfinished,
        first_player_wins=_whole(match.first_player_wins),
        first_player_share=_estimate(match.first_player_share),
        turns_per_game=_estimate(match.turns_per_game),
        rolls_per_game=_estimate(match.rolls_per_game),
        busts_per_turn=match.busts_per_turn,
        turn_counts=tuple(match.turn_counts),
        without_luck=None if match.luck_free is None else tuple(map(_luck_free, match.luck_free)),
        games_worth=match.games_worth,
    )


def _luck_free(found: LuckFree) -> LuckFreeReport:
    return LuckFreeReport(
        found.share.mean, found.share.error, found.interval, _estimate(found.luck)
    )


def _standing(standing: Standing) -> StandingReport:
    return StandingReport(
        standing.name,
        _whole(standing.wins),
        standing.share,
        standing.interval,
        standing.turns,
        standing.rolls,
        standing.busts,
        standing.busts_per_turn,
    )


def _estimate(estimate: Estimate) -> EstimateReport:
    return EstimateReport(estimate.mean, estimate.error)


def _whole(number: float) -> int | float:
    """Shared wins make parts; whole numbers are written as such."""
    return int(number) if number == int(number) else number
