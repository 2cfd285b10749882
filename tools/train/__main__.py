"""Trains and measures all value networks: one command, resumable.

``python -m tools.train train WORK --seconds 550`` goes on with the plan where WORK says it stands, and ends
in time; ``... measure WORK --seconds 550`` does the same for the measurements; ``... export WORK FILE`` writes
the file that the package ships. WORK/inputs holds the anchors of ``classic.py`` and the race model's weights.
Seeds are fixed by the plan; what was used is written beside every network.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cantstop.rules import EDITIONS, Board, InvalidRules, Rules, Sharing

from . import measure
from .games import Evaluator, Library, race_tables
from .learn import Course, Fitter, Log, Net, Starts, fit_to, net_of, targets_of, train, values
from .network import Weights, rounded, write_file
from .rule_sets import FAMILIES, Family, first_start, lengths_of

UNITS = {2: 64, 3: 64, 4: 64}
LARGE = 256
"""Units of the network that is four times as large as the one that is shipped."""

LARGE_NAME = "2-free-large"
CHANCES = (0.4, 0.12, 0.12, 0.12, 0.12, 0.12)
"""How often each rule set of a family is trained; the plain game is the first."""

BOARDS = {
    "board-1": Rules(2, board=Board((1, 3, 5, 3, 1))),
    "board-2": Rules(2, board=Board((2, 4, 6, 4, 2))),
    "board-3": Rules(2, board=Board((2, 3, 4, 3, 2))),
    "board-4": Rules(2, board=Board((1, 2, 3, 4, 3, 2, 1))),
    "board-2-leapfrog": Rules(2, sharing=Sharing.LEAPFROG, board=Board((2, 4, 6, 4, 2))),
    "board-2-no-rest": Rules(2, sharing=Sharing.NO_REST, board=Board((2, 4, 6, 4, 2))),
    "board-2-early": Rules(2, early=True, board=Board((2, 4, 6, 4, 2))),
}
"""Small boards whose exact values ``cantstop solve`` finds: a check of the whole chain."""

BOARD_COURSE = Course(
    rounds=36, games=20_000, steps=500, turns=40, explore=0.3, capacity=2_000_000, samples=0, hold=0.4, average=0.999
)


@dataclass(frozen=True)
class Plan:
    """How a family's network is trained; with ``like`` it begins as another family's network."""

    course: Course
    seed: int
    like: str | None = None


def _courses() -> dict[str, Plan]:
    two = Course(rounds=105, games=20_000, steps=1_000, turns=80)
    three = Course(rounds=52, games=18_000, steps=1_000, turns=110)
    four = Course(rounds=56, games=13_000, steps=1_000, turns=140)
    plans = {}
    for number, family in enumerate(FAMILIES):
        course = {2: two, 3: three, 4: four}[family.players]
        if family.sharing is Sharing.FREE:
            plans[family.name] = Plan(course, 100 + number)
        else:
            rounds = {2: 34, 3: 28, 4: 30}[family.players]
            short = replace(course, rounds=rounds, rate=7e-4, hold=0.3)
            plans[family.name] = Plan(short, 100 + number, f"{family.players}-free")
    return plans


PLANS = _courses()
POLISH = Course(rounds=22, games=20_000, steps=1_000, rate=5e-4, hold=0.25, turns=80)


class OutOfTime(Exception):
    """The deadline came before the stage was done; what there is has been kept."""


class Work:
    """The folder that holds inputs, networks, logs and measurements, and the time that is left."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.begun = time.monotonic()
        self.deadline = self.begun + seconds
        for name in ("networks", "logs", "measured"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def network_path(self, name: str) -> Path:
        """Where a network lies."""
        return self.folder / "networks" / f"{name}.npz"

    def has(self, name: str) -> bool:
        """Whether a network is done."""
        return self.network_path(name).exists()

    def weights(self, name: str) -> Weights:
        """A network that is done."""
        with np.load(self.network_path(name)) as kept:
            return Weights(**{field.name: kept[field.name] for field in fields(Weights)})

    def notes(self, name: str) -> dict[str, Any]:
        """What was written beside a network."""
        with np.load(self.network_path(name)) as kept:
            found: dict[str, Any] = json.loads(str(kept["notes"]))
            return found

    def keep(self, name: str, weights: Weights, notes: dict[str, Any]) -> None:
        """Write a network that is done."""
        notes["seconds"] = round(time.monotonic() - self.begun, 1)
        arrays = {field.name: getattr(weights, field.name) for field in fields(Weights)}
        np.savez_compressed(self.network_path(name), notes=json.dumps(notes), **arrays)

    @contextmanager
    def log(self, name: str) -> Iterator[Log]:
        """A log of JSON lines that is printed too."""
        with (self.folder / "logs" / f"{name}.jsonl").open("a") as file:

            def write(row: dict[str, Any]) -> None:
                row = {"t": round(time.monotonic() - self.begun, 1), "stage": name} | row
                file.write(json.dumps(row) + "\n")
                file.flush()
                print(json.dumps(row), flush=True)

            yield write

    def check_time(self, needed: float = 0.0) -> None:
        """Stop here if the time does not suffice."""
        if time.monotonic() + needed > self.deadline:
            raise OutOfTime


def official_starts(library: Library, family: Family, work: Work) -> Starts:
    """Starts of a family on the official board."""
    rules = family.rule_sets
    with np.load(work.folder / "inputs" / f"classic-{family.name}.npz") as kept:
        classic = np.stack([kept[f"train{number}"] for number in range(len(rules))])
    return Starts(
        family, library.tensor(np.stack([first_start(one) for one in rules]), torch.int8),
        torch.tensor(CHANCES, device=library.device), library.tensor(classic, torch.int8),
        library.tensor(lengths_of(rules[0].board), torch.int8),
    )  # fmt: skip


def board_starts(library: Library, rules: Rules) -> Starts:
    """Starts on a small board."""
    return Starts(
        Family(2, rules.sharing), library.tensor(first_start(rules)[None], torch.int8),
        torch.ones(1, device=library.device), None, library.tensor(lengths_of(rules.board), torch.int8), at_first=0.6,
    )  # fmt: skip


def race_of(library: Library, work: Work) -> Evaluator:
    """The race model as the package ships it."""
    return library.race(race_tables(work.folder / "inputs" / "race.npz"))


def train_board(work: Work, name: str) -> None:
    """The whole chain on a small board."""
    rules = BOARDS[name]
    library = Library(sides=rules.board.sides)
    torch.manual_seed(3)
    with work.log(name) as log:
        fitter = train(library, Net(2, 64), board_starts(library, rules), BOARD_COURSE, seed=3, log=log)
    assert fitter is not None
    work.keep(name, fitter.mean.weights(), {"rules": str(rules), "seed": 3, "course": asdict(BOARD_COURSE)})


def train_family(work: Work, name: str) -> None:
    """Self-play from a network that has learned the race model's values, or from another family's."""
    plan = PLANS[name]
    family = next(one for one in FAMILIES if one.name == name)
    library = Library()
    torch.manual_seed(plan.seed)
    net = net_of(work.weights(plan.like)) if plan.like else Net(family.players, UNITS[family.players])
    boot = None if plan.like else race_of(library, work)
    checkpoint = work.folder / "networks" / f"{name}.checkpoint"
    with work.log(name) as log:
        fitter = train(
            library, net, official_starts(library, family, work), plan.course, seed=plan.seed, boot=boot,
            checkpoint=checkpoint, deadline=work.deadline, log=log,
        )  # fmt: skip
    if fitter is None:
        raise OutOfTime
    work.keep(name, fitter.mean.weights(), {"seed": plan.seed, "like": plan.like, "course": asdict(plan.course)})
    checkpoint.unlink(missing_ok=True)


def _games_of(library: Library, starts: Starts, net: Net, rounds: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Anchors and targets from games of a network that is not trained meanwhile."""
    torch.manual_seed(seed)
    evaluator = net.to(library.device).evaluator(library)
    rows, goals = [], []
    for at in range(rounds):
        drawn = starts.draw(20_000)
        played = library.play(starts.family, evaluator, drawn, turns=80, explore=0.15, seed=seed * 1_000_003 + at)
        anchors, goal, _ = targets_of(played, follow=True)
        early = drawn[:, -1:][:, None].expand(-1, played.solved.shape[1], -1)[played.live]
        rows.append(torch.cat([anchors, early], 1))
        goals.append(goal)
    return torch.cat(rows), torch.cat(goals)


def train_large(work: Work, name: str) -> None:
    """A network four times as large: fitted to the small one's games, polished by its own."""
    library = Library()
    family = FAMILIES[0]
    starts = official_starts(library, family, work)
    checkpoint = work.folder / "networks" / f"{name}.checkpoint"
    net = Net(2, LARGE)
    if not checkpoint.exists():
        anchors, goals = _games_of(library, starts, net_of(work.weights("2-free")), 12, 201)
        torch.manual_seed(202)
        fitter = Fitter(net, library.device, len(anchors))
        fit_to(fitter, anchors, goals, 10_000)
        net = fitter.mean
        del fitter
    with work.log(name) as log:
        polished = train(
            library, net, starts, POLISH, seed=203, checkpoint=checkpoint, deadline=work.deadline, log=log
        )
    if polished is None:
        raise OutOfTime
    work.keep(name, polished.mean.weights(), {"seed": 203, "course": asdict(POLISH)})
    checkpoint.unlink(missing_ok=True)


def distil(work: Work, name: str) -> None:
    """The shipped two-player network: fitted to the large one's games."""
    library = Library()
    starts = official_starts(library, FAMILIES[0], work)
    anchors, goals = _games_of(library, starts, net_of(work.weights(LARGE_NAME)), 16, 301)
    torch.manual_seed(302)
    fitter = Fitter(net_of(work.weights("2-free")), library.device, len(anchors))
    fitter.add(anchors, goals)
    fitter.size.fill_(len(anchors))
    for rate, steps in ((5e-4, 6_000), (2e-4, 4_000), (5e-5, 3_000), (1e-5, 3_000)):
        fitter.fit(steps, rate)
    with work.log(name) as log:
        log({"anchors": len(anchors), "fit": fitter.loss.item() ** 0.5})
    work.keep(name, fitter.mean.weights(), {"seed": 302, "like": "2-free", "from": LARGE_NAME})


def broaden(work: Work, name: str) -> None:
    """The shipped two-player network: polished where classic bots' games lead."""
    library = Library()
    starts = official_starts(library, FAMILIES[0], work)
    torch.manual_seed(401)
    with work.log(name) as log:
        fitter = train(library, net_of(work.weights(DISTILLED)), starts, BROADEN, seed=402, log=log)
    assert fitter is not None
    work.keep(name, fitter.mean.weights(), {"seed": 402, "like": DISTILLED, "course": asdict(BROADEN)})


def shrink(work: Work, name: str) -> None:
    """A network half as large, fitted to the games of the one that self-play has trained."""
    family = next(one for one in FAMILIES if f"{one.name}-small" == name)
    library = Library()
    starts = official_starts(library, family, work)
    teacher = net_of(work.weights(family.name))
    number = FAMILIES.index(family)
    anchors, goals = _games_of(library, starts, teacher, 6, 500 + number)
    held = len(anchors) // 16
    torch.manual_seed(600 + number)
    fitter = Fitter(Net(family.players, SMALL), library.device, len(anchors) - held)
    fit_to(fitter, anchors[held:], goals[held:], 12_000)
    off = {
        kind: (values(net.to(library.device), anchors[:held]) - goals[:held])[:, 0].pow(2).mean().sqrt().item()
        for kind, net in (("teacher", teacher), ("small", fitter.mean))
    }
    with work.log(name) as log:
        log({"anchors": len(anchors), "off": off, "lost": max(off["small"] ** 2 - off["teacher"] ** 2, 0) ** 0.5})
    work.keep(name, fitter.mean.weights(), {"seed": 600 + number, "from": family.name, "off": off})


SMALL = 32
MOST_LOST = 0.004
"""How much of a win the small networks may be farther from the targets."""

BROADEN = Course(
    rounds=24, games=8_000, broad_games=30_000, steps=1_000, rate=3e-4, hold=0.2, turns=80, prefill=5, average=0.9995
)
DISTILLED, BROAD = "2-free-distilled", "2-free-broad"
STAGES: dict[str, Callable[[Work, str], None]] = {
    "2-free": train_family,
    LARGE_NAME: train_large,
    DISTILLED: distil,
    BROAD: broaden,
    "3-free": train_family,
    "4-free": train_family,
    "2-no-rest": train_family,
    "2-leapfrog": train_family,
    "3-no-rest": train_family,
    "3-leapfrog": train_family,
    "4-no-rest": train_family,
    "4-leapfrog": train_family,
    **{f"{family.name}-small": shrink for family in FAMILIES if family.players > 2},
    **dict.fromkeys(BOARDS, train_board),
}


def shipped_name(work: Work, family: Family) -> str:
    """The network that the package ships for a family: the small one where that loses little."""
    if family == FAMILIES[0]:
        return BROAD
    small = f"{family.name}-small"
    if work.has(small):
        off = work.notes(small)["off"]
        if off["small"] ** 2 - off["teacher"] ** 2 < MOST_LOST**2:
            return small
    return family.name


# ---- measuring


def is_printed(rules: Rules) -> bool:
    """Whether an edition prints these rules; custom games may combine more."""
    for edition in EDITIONS.values():
        with suppress(InvalidRules):
            edition.rules(rules.players, rules.columns_to_win, rules.early, rules.sharing)
            return True
    return False


@dataclass(frozen=True)
class Amount:
    """How much is measured for one rule set."""

    positions: int
    repeats: int
    classic: int
    match: int
    seats: int


PLAIN = Amount(positions=4000, repeats=64, classic=2000, match=40_000, seats=40_000)
FIRST = Amount(positions=1000, repeats=50, classic=400, match=8_000, seats=8_000)
OTHER = Amount(positions=400, repeats=40, classic=160, match=3_000, seats=3_000)


def measure_rules(work: Work, family: Family, number: int) -> dict[str, Any]:
    """Errors, matches and seats of one rule set."""
    rules = family.rule_sets[number]
    plain = family == FAMILIES[0] and number == 0
    amount = PLAIN if plain else FIRST if number == 0 else OTHER
    library = Library()
    race = race_of(library, work)
    champion = library.network(rounded(work.weights(shipped_name(work, family))))
    playing = LARGE_NAME if plain else family.name  # the shipped one, or twice as large
    player = library.network(work.weights(playing))
    seed = 10_000 * (FAMILIES.index(family) + 1) + 1000 * number
    starts = measure.played_positions(library, rules, champion, amount.positions, seed)
    with np.load(work.folder / "inputs" / f"classic-{family.name}.npz") as kept:
        classic = library.tensor(kept[f"measure{number}"][: amount.classic], torch.int8)
    found: dict[str, Any] = {"rules": str(rules), "seed": seed, "truth_by": playing, "network": shipped_name(work, family)}
    for kind, positions in (("self_play", starts), ("classic", classic)):
        truth = measure.truth_of(library, family, player, positions, amount.repeats, seed + 100)
        found[kind] = {
            "repeats": amount.repeats,
            "champion": measure.judged(library, family, champion, truth),
            "race": measure.judged(library, family, race, truth),
        }
        if plain:
            found[kind]["large"] = measure.judged(library, family, player, truth)
    found["against_race"] = measure.match(library, rules, champion, race, amount.match, seed + 300)
    if family.players > 2:
        found["race_against"] = measure.match(library, rules, champion, race, amount.match // 2, seed + 400, alone=False)
    found["seats"] = measure.first_seat(library, rules, champion, amount.seats, seed + 500)
    if plain:
        found["counted"] = measure.counted_match(library, rules, champion, race, 120_000, seed + 600)
        found["large_against"] = measure.match(library, rules, player, champion, 20_000, seed + 700)
        before = library.network(rounded(work.weights(DISTILLED)))
        found["broad_against_distilled"] = measure.match(library, rules, champion, before, 10_000, seed + 900)
    return found


def measuring(work: Work) -> None:
    """Measure every rule set that has a network and no figures yet, the plain games first."""
    order = [(number, family) for number in (0, 4, 2, 1, 3, 5) for family in FAMILIES]
    order.sort(key=lambda one: not is_printed(one[1].rule_sets[one[0]]))
    for number, family in order:
        path = work.folder / "measured" / f"{family.name}-{number}.json"
        if path.exists() or not work.has(shipped_name(work, family)):
            continue
        work.check_time(10.0 if number == 0 else 4.0)
        before = time.monotonic()
        found = measure_rules(work, family, number)
        found["took_s"] = round(time.monotonic() - before, 1)
        path.write_text(json.dumps(found))
        short = {kind: found[kind]["champion"]["solved"]["all"]["rms"] for kind in ("self_play", "classic")}
        worse = {kind: found[kind]["race"]["solved"]["all"]["rms"] for kind in ("self_play", "classic")}
        print(json.dumps({
            "t": round(time.monotonic() - work.begun, 1), "rules": found["rules"], "rms": short, "race_rms": worse,
            "gain": found["against_race"]["less_luck"], "counted": found["against_race"]["counted"],
            "seats": found["seats"]["seats"], "took_s": found["took_s"],
        }), flush=True)  # fmt: skip


def training(work: Work, only: list[str]) -> None:
    """All stages that are not done yet."""
    for name, stage in STAGES.items():
        if work.has(name) or (only and name not in only):
            continue
        work.check_time(12.0 if name in BOARDS else 25.0)
        stage(work, name)


def export(work: Work, path: Path) -> None:
    """One file with all networks that are shipped."""
    names = {family.name: shipped_name(work, family) for family in FAMILIES}
    networks = {name: work.weights(stage) for name, stage in names.items()}
    like = {name: plan.like for name, plan in PLANS.items() if plan.like}
    size = write_file(path, networks, {}, like)
    print(f"{path}: {len(networks)} networks, {size} bytes")


def main() -> None:
    """Train, measure or export."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("what", choices=("train", "measure", "export"))
    reader.add_argument("work", type=Path)
    reader.add_argument("file", type=Path, nargs="?")
    reader.add_argument("--seconds", type=float, default=550.0)
    reader.add_argument("--only", nargs="*", default=[], help="stages by name")
    given = reader.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    work = Work(given.work, given.seconds)
    try:
        if given.what == "train":
            training(work, given.only)
        elif given.what == "measure":
            measuring(work)
        else:
            export(work, given.file)
    except OutOfTime:
        print("out of time: the same command goes on from here")


if __name__ == "__main__":
    main()
