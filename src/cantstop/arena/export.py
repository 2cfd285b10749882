"""Results for programs: JSON, and one row for each bot in each match as CSV or Parquet."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

from cantstop.arena.results import LuckFree, MatchResult, Results, Standing
from cantstop.arena.statistics import Estimate
from cantstop.extras import require
from cantstop.rules import InvalidText


def to_json(results: Results) -> dict[str, object]:
    """Everything, by keys that programs may rely on.

    ``games``, ``wins`` (one number for each bot as named), ``first_player_wins``,
    ``turns_per_game`` and ``rolls_per_game`` are of all matches together.
    """
    return {
        "rules": str(results.plan.rules),
        "seed": results.plan.seed,
        "finished": results.finished,
        "bots": list(results.plan.bots),
        "games": results.games,
        "wins": [_whole(wins) for wins in results.wins],
        "first_player_wins": _whole(results.first_player_wins),
        "turns_per_game": results.per_game("turns"),
        "rolls_per_game": results.per_game("rolls"),
        "ratings": None
        if results.ratings is None
        else [{"rating": rating.value, "error": rating.error} for rating in results.ratings],
        "tables": [_table_json(match) for match in results.matches],
    }


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
    path.write_text(json.dumps(to_json(results), ensure_ascii=False, indent=2) + "\n", "utf-8")


def _write_csv(results: Results, path: Path) -> None:
    table = results.rows()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)


def _write_parquet(results: Results, path: Path) -> None:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    parquet.write_table(arrow.Table.from_pylist(results.rows()), path)


def _table_json(match: MatchResult) -> dict[str, object]:
    return {
        "bots": [_standing_json(standing) for standing in match.standings],
        "games": match.games,
        "unfinished": match.unfinished,
        "first_player_wins": _whole(match.first_player_wins),
        "first_player_share": _estimate_json(match.first_player_share),
        "turns_per_game": _estimate_json(match.turns_per_game),
        "rolls_per_game": _estimate_json(match.rolls_per_game),
        "busts_per_turn": match.busts_per_turn,
        "turn_counts": match.turn_counts,
        "without_luck": None
        if match.luck_free is None
        else [_luck_free_json(found) for found in match.luck_free],
        "games_worth": match.games_worth,
    }


def _luck_free_json(found: LuckFree) -> dict[str, object]:
    return {
        "share": found.share.mean,
        "error": found.share.error,
        "interval": None if found.interval is None else list(found.interval),
        "luck": _estimate_json(found.luck),
    }


def _standing_json(standing: Standing) -> dict[str, object]:
    return {
        "name": standing.name,
        "wins": _whole(standing.wins),
        "share": standing.share,
        "interval": list(standing.interval),
        "turns": standing.turns,
        "rolls": standing.rolls,
        "busts": standing.busts,
        "busts_per_turn": standing.busts_per_turn,
        "forfeits": [{"reason": reason, "games": times} for reason, times in standing.forfeits],
    }


def _estimate_json(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "error": estimate.error}


def _whole(number: float) -> int | float:
    """Shared wins make parts; whole numbers are written as such."""
    return int(number) if number == int(number) else number
