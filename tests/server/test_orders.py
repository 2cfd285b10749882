"""Standing orders: what is decided for a player, who said it before, and never more than that."""

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cantstop import verify
from cantstop.dice import commitment
from cantstop.rules import (
    Board,
    CantStopError,
    Choice,
    Event,
    Move,
    Moved,
    Phase,
    Rolled,
    Rules,
    Sharing,
    Start,
    Stopped,
)
from cantstop.server.errors import Malformed, NotYourSeat, Refused
from cantstop.server.tables import orders
from cantstop.server.tables.changes import Change, StoredTable
from cantstop.server.tables.decisions import Caller, bot_action, decide, run_out
from cantstop.server.tables.records import record_of
from cantstop.table.events import (
    Entry,
    Mode,
    Opened,
    Order,
    OrderPart,
    Played,
    Seated,
    Started,
    SubstituteReason,
)
from cantstop.table.orders import ordered_action
from cantstop.table.permissions import MAX_ORDERS, SeatPresence, offered_orders
from cantstop.table.table import Stage, Table
from cantstop.wire.actions import (
    Agree,
    Decline,
    GiveOrder,
    Resign,
    Return,
    Revoke,
    TableAction,
    TakeBack,
)
from cantstop.wire.events import decode_entry, encode_entry
from pure_tables import NOW, a_table, after
from standing_orders import Watcher
from strategies import playable_rules
from table_client import OPEN, bot, human

RUNNERS: dict[str, Any] = {"runners": True}
COLUMN: dict[str, Any] = {"column": True}
ONE_MOVE = Rolled((1, 1, 1, 2))  # 2+3
TWO_TOPS = (Rolled((1, 1, 1, 1)), Moved(Move(2, 2)))
"""A runner one space below the top of column 2."""

_ids = count(1)


def a_game(rules: Rules, *, robot: int | None = None, seed: int = 0, **more: Any) -> StoredTable:
    """An online game that has begun, on any board, with dice that a test can repeat."""
    secret, seats = seed.to_bytes(32), rules.players
    defaults = {"help": False, "youngest": 0, "lesson": None, "hints": True}
    opened = Opened(
        Mode.ONLINE,
        "custom",
        str(rules),
        commitment=commitment(secret),
        reserved=(None,) * seats,
        **{**defaults, **more},
    )
    table = Table.from_log("t", [Entry(1, NOW, None, opened)])
    for seat in range(seats):
        name = "careful" if seat == robot else None
        table = table.append(Seated(f"P{seat}", seat, name, f"salt-{seat}"), seat, NOW)
    table = table.append(Started(table.salts), None, NOW)
    holders = {seat: f"holder-{seat}" for seat in range(seats) if seat != robot}
    return StoredTable(table, holders, secret)


def played(stored: StoredTable, *events: Event) -> StoredTable:
    """The table after plays with dice of our choice; whatever follows is decided as always."""
    table = stored.table
    for event in events:
        table = table.play(event, NOW)
    return replace(stored, table=table)


def last(stored: StoredTable, many: int) -> list[tuple[str, int | None, bool]]:
    """The last events: what, by whom, and whether by order."""
    return [
        (entry.kind, entry.seat, isinstance(entry.event, Played) and entry.event.ordered)
        for entry in stored.table.log[-many:]
    ]


def duel(**rules: Any) -> StoredTable:
    return a_game(Rules(players=2, **rules))


class TestRollUntilThreeRunnersAreOut:
    def test_the_dice_lie_there_when_the_turn_begins(self) -> None:
        stored = after(duel(), "order", 1, **RUNNERS)
        stored = played(stored, ONE_MOVE, Moved(Move(2, 3)))
        stopped = after(stored, "stop", 0)
        new = [entry.kind for entry in stopped.table.log[stored.table.n :]]
        assert new[:2] == ["stopped", "rolled"]
        assert last(stopped, len(new))[1] == ("rolled", 1, True)

    def test_it_rolls_at_once_when_it_is_given_at_a_choice(self) -> None:
        stored = played(duel(), ONE_MOVE, Moved(Move(2, 3)))
        ordered = after(stored, "order", 0, **RUNNERS)
        assert last(ordered, ordered.table.n - stored.table.n)[:2] == [
            ("ordered", 0, False),
            ("rolled", 0, True),
        ]

    def test_it_leaves_a_choice_of_moves_to_the_player(self) -> None:
        stored = played(after(a_table(human(salt="a"), OPEN), "order", 1, **RUNNERS))
        three_ways = played(duel(), Rolled((1, 2, 3, 4)))
        ordered = after(three_ways, "order", 0, **RUNNERS)
        assert last(ordered, 1) == [("ordered", 0, False)]
        assert stored.table.seats[1].order == Order(runners=True)

    def test_it_plays_a_move_that_is_the_only_one(self) -> None:
        ordered = after(played(duel(), ONE_MOVE), "order", 0, **RUNNERS)
        assert last(ordered, ordered.table.n - 5)[:3] == [
            ("ordered", 0, False),
            ("moved", 0, True),
            ("rolled", 0, True),
        ]

    def test_with_three_runners_out_the_player_is_asked(self) -> None:
        two = played(duel(), Rolled((1, 1, 5, 6)), Moved(Move(2, 11)), Rolled((3, 3, 4, 4)))
        third = after(after(two, "order", 0, **RUNNERS), "move", 0, move="7+7")
        assert last(third, 1) == [("moved", 0, False)]
        assert third.table.position.phase is Phase.CHOICE
        assert third.table.position.free_runners == 0

    @pytest.fixture
    def bust(self) -> StoredTable:
        """Two orders; the first one's roll is of no use, though two runners are still to come."""
        rules = Rules(players=2, board=Board((1, 1, 1)))  # two-sided dice: a top with every step
        for seed in range(1000):
            stored = after(a_game(rules, seed=seed), "order", 1, **RUNNERS)
            stored = played(stored, Rolled((1, 1, 1, 1)), Moved(Move(2)))
            stored = after(stored, "order", 0, **RUNNERS)
            if "busted" in [entry.kind for entry in stored.table.log]:
                return stored
        raise AssertionError("no bust in a thousand games")

    def test_a_bust_ends_the_turn_and_the_order_stands(self, bust: StoredTable) -> None:
        new = last(bust, bust.table.n)
        assert new[new.index(("busted", 0, False)) - 1] == ("rolled", 0, True)
        assert bust.table.seats[0].order == Order(runners=True)

    def test_two_players_with_orders_follow_each_other_in_one_change(
        self, bust: StoredTable
    ) -> None:
        new = last(bust, bust.table.n)
        assert new[new.index(("busted", 0, False)) + 1] == ("rolled", 1, True)


class TestStop:
    def test_when_a_column_is_won(self) -> None:
        near = played(duel(), *TWO_TOPS, Rolled((1, 1, 3, 4)))
        won = after(after(near, "order", 0, **COLUMN), "move", 0, move="2+7")
        assert last(won, 2) == [("moved", 0, False), ("stopped", 0, True)]
        stop = won.table.last_entry.event
        assert isinstance(stop, Played)
        assert stop.won == (2,)

    def test_and_not_before(self) -> None:
        near = played(duel(), *TWO_TOPS, Rolled((1, 1, 3, 4)))
        other = after(after(near, "order", 0, **COLUMN), "move", 0, move="4+5")
        assert last(other, 1) == [("moved", 0, False)]

    def test_winning_the_game_ends_it(self) -> None:
        near = played(duel(columns_to_win=1), *TWO_TOPS, Rolled((1, 1, 3, 4)))
        won = after(after(near, "order", 0, **COLUMN), "move", 0, move="2+7")
        assert [kind for kind, _, _ in last(won, 3)] == ["moved", "stopped", "finished"]
        assert won.table.stage is Stage.OVER
        assert won.table.seats[0].order is None

    @pytest.mark.parametrize(("percent", "stops"), [(1, True), (56, True), (57, False)])
    def test_above_a_chance_to_bust(self, percent: int, stops: bool) -> None:
        """With 2, 3 and 12, 728 of 1,296 rolls bust: 56.17 %."""
        two = played(duel(), ONE_MOVE, Moved(Move(2, 3)), Rolled((6, 6, 6, 5)))
        out = after(after(two, "order", 0, bust=percent), "move", 0, move="12")
        assert last(out, 1) == ([("stopped", 0, True)] if stops else [("moved", 0, False)])

    @pytest.mark.parametrize(("percent", "stops"), [(24, True), (25, False)])
    def test_a_chance_of_just_what_was_said_is_not_above_it(
        self, percent: int, stops: bool
    ) -> None:
        """With 2, 3 and 8 and four-sided dice, 64 of 256 rolls bust: a quarter."""
        there = ONE_MOVE, Moved(Move(2, 3)), Rolled((4, 4, 4, 3))
        two = played(duel(board=Board.stepped(sides=4, shortest=3)), *there)
        out = after(after(two, "order", 0, bust=percent), "move", 0, move="8")
        assert last(out, 1) == ([("stopped", 0, True)] if stops else [("moved", 0, False)])

    def test_where_that_is_forbidden_the_player_is_asked(self) -> None:
        """V3: the runners share spaces, and nobody has ordered to roll on."""
        there = ONE_MOVE, Moved(Move(2, 3))
        shared = played(duel(sharing=Sharing.NO_REST), *there, Stopped(), *there)
        third = played(shared, Rolled((6, 6, 6, 5)))
        ordered = after(after(third, "order", 1, bust=1), "move", 1, move="12")
        assert last(ordered, 1) == [("moved", 1, False)]
        assert not ordered.table.position.may_stop

    def test_a_reason_to_stop_goes_before_rolling(self) -> None:
        near = played(duel(), *TWO_TOPS, Rolled((1, 1, 3, 4)))
        won = after(after(near, "order", 0, runners=True, column=True), "move", 0, move="2+7")
        assert last(won, 1) == [("stopped", 0, True)]

    def test_an_order_that_only_stops_never_moves_or_rolls(self) -> None:
        ordered = after(played(duel(), ONE_MOVE), "order", 0, column=True, bust=99)
        assert last(ordered, 1) == [("ordered", 0, False)]


class TestItsEnd:
    def test_it_stands_until_it_is_revoked(self) -> None:
        stored = after(duel(), "order", 1, **COLUMN)
        again = after(stored, "order", 1, **RUNNERS)
        assert again.table.seats[1].order == Order(runners=True)
        gone = after(again, "revoke", 1)
        assert gone.table.seats[1].order is None
        with pytest.raises(Refused, match="no standing order"):
            after(gone, "revoke", 1)

    def test_whoever_takes_back_decides_themselves(self) -> None:
        alone = a_table(human(salt="a"), bot(), hints=True)
        seat = alone.table.position.seat
        near = played(after(alone, "order", 0, **COLUMN) if seat == 0 else alone)
        near = played(near, *TWO_TOPS, Rolled((1, 1, 3, 4)))
        stopped = after(near, "move", 0, move="2+7")
        assert last(stopped, 1) == [("stopped", 0, True)]
        back = after(stopped, "takeback", 0)
        assert (back.table.position.phase, back.table.seats[0].order) == (Phase.CHOICE, None)
        assert last(back, 1) == [("takenback", 0, False)]

    def test_a_roll_by_order_says_that_the_decision_before_it_stands(self) -> None:
        stored = played(after(duel(), "order", 1, **RUNNERS), ONE_MOVE, Moved(Move(2, 3)))
        with pytest.raises(Refused, match="since the last roll"):
            after(after(stored, "stop", 0), "takeback", 0)

    def test_it_ends_when_a_bot_plays_for_the_seat(self) -> None:
        stored = after(a_table(human(salt="a"), OPEN), "order", 0, **COLUMN)
        for_anne: dict[str, Any] = {"for": 0}
        replaced = after(stored, "substitute", 1, **for_anne)
        assert replaced.table.seats[0].order is None
        with pytest.raises(Refused, match="come back"):
            after(replaced, "order", 0, **COLUMN)
        assert after(replaced, "return", 0).table.seats[0].order is None

    def test_it_ends_with_resigning(self) -> None:
        three = a_game(Rules(players=3))
        resigned = after(after(three, "order", 1, **COLUMN), "resign", 1)
        assert resigned.table.seats[1].order is None

    def test_when_time_is_up_the_bot_of_one_turn_leaves_the_next_to_the_order(self) -> None:
        stored = after(a_game(Rules(players=2), clock=30), "order", 1, **RUNNERS)
        stored = after(stored, "order", 0, **COLUMN)
        while stored.table.position.seat == 0:
            change = run_out(stored, stored.table.deciding_since, NOW)
            if change is None:
                stored = after(stored, "return", 0)
                continue
            assert change.entries[0].event.reason is SubstituteReason.TIME  # type: ignore[union-attr]
            stored = stored.after(change)
        assert stored.table.seats[0].order is None
        ended = next(entry.n for entry in stored.table.log if entry.kind in ("stopped", "busted"))
        assert last(stored, stored.table.n - ended)[0] == ("rolled", 1, True)

    def test_one_that_finds_no_end_is_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(orders, "MAX_ORDERED", 1)
        ordered = after(played(duel(), ONE_MOVE), "order", 0, **RUNNERS)
        assert last(ordered, 3) == [
            ("ordered", 0, False),
            ("moved", 0, True),
            ("revoked", 0, False),
        ]


class TestTime:
    def test_what_an_order_decides_takes_nothing_from_the_bank(self) -> None:
        near = played(a_game(Rules(players=2), clock=30, bank=60), *TWO_TOPS, Rolled((1, 1, 3, 4)))
        ordered = after(near, "order", 0, **COLUMN)
        won = after(ordered, "move", 0, move="2+7", thought=40.0)
        moved, stopped = (entry.event for entry in won.table.log[-2:])
        assert isinstance(moved, Played)
        assert isinstance(stopped, Played)
        assert (moved.spent, stopped.spent) == (10.0, 0.0)
        assert won.table.seats[0].bank == 50

    def test_nobody_keeps_their_bank_by_ordering_what_they_have_thought_over(self) -> None:
        stored = played(a_game(Rules(players=2), clock=30, bank=60), ONE_MOVE, Moved(Move(2, 3)))
        late = after(stored, "order", 0, thought=45.0, **RUNNERS)
        assert late.table.seats[0].bank == 45
        early = after(stored, "order", 1, thought=45.0, **RUNNERS)  # it is not their time
        assert [seat.bank for seat in early.table.seats] == [60, 60]

    def test_an_order_that_decides_nothing_gains_no_time(self) -> None:
        stored = played(a_game(Rules(players=2), clock=30, bank=60), ONE_MOVE, Moved(Move(2, 3)))
        ordered = after(stored, "order", 0, thought=45.0, **COLUMN)
        assert ordered.table.deciding_since == stored.table.deciding_since


class TestWhoMay:
    @pytest.mark.parametrize(
        ("stored", "order", "why"),
        [
            (lambda: a_table(human(salt="a"), mode="solo"), COLUMN, "no standing orders"),
            (
                lambda: a_table(human(salt="a"), human("B", salt="b"), mode="hotseat"),
                *(RUNNERS, "no standing orders"),
            ),
            (
                lambda: a_table(human(), human("B"), mode="hotseat", dice="entered"),
                *(RUNNERS, "no standing orders"),
            ),
            (lambda: a_table(human(salt="a"), OPEN), {"bust": 30}, "without hints"),
        ],
    )
    def test_some_tables_have_none(self, stored: Any, order: dict[str, Any], why: str) -> None:
        with pytest.raises(Refused, match=why):
            after(stored(), "order", 0, **order)

    def test_a_table_says_what_it_offers(self) -> None:
        plain = a_table(human(salt="a"), OPEN).table.opened
        assert offered_orders(plain) == (OrderPart.RUNNERS, OrderPart.COLUMN)
        assert offered_orders(replace(plain, hints=True)) == tuple(OrderPart)
        assert offered_orders(replace(plain, help=True)) == tuple(OrderPart)
        assert offered_orders(replace(plain, days=3)) == (OrderPart.RUNNERS, OrderPart.COLUMN)

    def test_an_order_says_something_and_something_new(self) -> None:
        with pytest.raises(Malformed, match="at least one"):
            after(duel(), "order", 0)
        stored = after(duel(), "order", 1, **COLUMN)
        with pytest.raises(Refused, match="already"):
            after(stored, "order", 1, **COLUMN)

    def test_only_the_owner_gives_and_revokes(self) -> None:
        stored = after(duel(), "order", 1, **COLUMN)
        for action in (
            GiveOrder(id="somebody-else", seat=1, runners=True),
            Revoke(id="somebody-else", seat=1),
        ):
            with pytest.raises(NotYourSeat):
                decide(stored, Caller(frozenset({0})), action, SeatPresence(), NOW)

    def test_there_is_a_limit(self) -> None:
        stored = duel()
        for number in range(MAX_ORDERS):
            stored = after(stored, "order", 1, **(RUNNERS if number % 2 else COLUMN))
        with pytest.raises(Refused, match="100 orders"):
            after(stored, "order", 1, column=True, runners=True)
        assert after(after(stored, "revoke", 1), "order", 0, **COLUMN).table.seats[1].order is None

    def test_a_retry_changes_nothing(self) -> None:
        action = GiveOrder(id="sent-twice", seat=0, runners=True)
        stored, caller = duel(), Caller(frozenset({0}))
        first = decide(stored, caller, action, SeatPresence(), NOW)
        assert isinstance(first, tuple)
        again = decide(stored.after(first[-1]), caller, action, SeatPresence(), NOW)
        assert isinstance(again, Entry)
        assert again.kind == "ordered"


# Random games: held against what tests/standing_orders.py says of orders in plain words

OFFICIAL = st.builds(
    Rules,
    players=st.integers(2, 4),
    columns_to_win=st.integers(1, 3),
    early=st.booleans(),
    sharing=st.sampled_from(Sharing),
    start=st.sampled_from(Start),
)
ANY_RULES = OFFICIAL | playable_rules().filter(lambda rules: rules.players > 1)
STEPS = 250


class RandomGame:
    """People who play, give orders, revoke them, take back, run out of time and resign at will."""

    def __init__(self, rules: Rules, lot: Random, *, youngest: int, robot: int | None) -> None:
        self.lot = lot
        self.stored = a_game(
            rules, robot=robot, seed=lot.getrandbits(64), youngest=youngest, clock=30, bank=60
        )
        self.watcher = Watcher.of(self.stored.table.position)

    def play(self, steps: int) -> None:
        """Take steps until the game is over, and check each."""
        for _ in range(steps):
            before = self.stored.table.n
            change = self._step()
            if change is not None:
                assert len(change.versions) <= 3 * orders.MAX_ORDERED + 4
                self.stored = self.stored.after(change)
            self.watcher.see(self.stored.table.log[before:])
            self.watcher.is_at_rest()
            if self.stored.table.stage is Stage.OVER:
                return

    def _step(self) -> Change | None:
        table = self.stored.table
        if self.lot.random() < 0.05:
            return run_out(self.stored, table.deciding_since, NOW)
        caller, action = self._action(table)
        try:
            decision = decide(
                self.stored, caller, action, SeatPresence(), NOW, self.lot.uniform(0, 40)
            )
        except CantStopError:
            return None
        assert isinstance(decision, tuple)
        return decision[-1]

    def _action(self, table: Table) -> tuple[Caller, TableAction]:
        seat = self.lot.choice(sorted(self.stored.holders))
        base: dict[str, Any] = {"id": f"action-{next(_ids):06}", "seat": seat}
        asked = 0 if table.asked is None else table.asked.n
        around: list[TableAction] = [
            *[self._order(base)] * 8,
            *(Revoke(**base), Revoke(**base), Return(**base), Return(**base)),
            *(TakeBack(**base), Agree(asked=asked, **base), Decline(asked=asked, **base)),
        ]
        if table.asked is not None and self.lot.random() < 0.5:
            return Caller(frozenset({seat})), Agree(asked=asked, **base)
        if self.lot.random() < 0.003:
            return Caller(frozenset({seat})), Resign(**base)
        if table.to_act is None or self.lot.random() < 0.4:
            return Caller(frozenset({seat})), self.lot.choice(around)
        acting = frozenset({table.position.seat})
        return Caller(acting, bot=table.bot_to_act is not None), self._decision(table)

    def _order(self, base: dict[str, Any]) -> TableAction:
        bust = self.lot.choice([None, self.lot.randint(1, 60)])
        runners, column = self.lot.random() < 0.6, self.lot.random() < 0.4
        return GiveOrder(**base, runners=runners, column=column, bust=bust)

    def _decision(self, table: Table) -> TableAction:
        position = table.position
        if position.phase is Phase.MOVE:
            return bot_action(self.lot.choice(list(position.legal_moves)), table)
        stops = position.may_stop and self.lot.random() < 0.1
        return bot_action(Choice.STOP if stops else Choice.ROLL, table)


@settings(max_examples=300)
@given(ANY_RULES, st.integers(0, 2**32), st.integers(0, 3), st.sampled_from([None, None, 0, 1]))
def test_no_roll_stop_or_move_is_ever_beyond_the_order(
    rules: Rules, seed: int, youngest: int, robot: int | None
) -> None:
    first = youngest % rules.players if rules.start is Start.YOUNGEST else 0
    game = RandomGame(rules, Random(seed), youngest=first, robot=robot)
    game.play(STEPS)
    table = game.stored.table
    assert Table.from_log(table.id, table.log) == table
    assert list(table.log) == [
        decode_entry(encode_entry(entry), entry.action) for entry in table.log
    ]
    assert ordered_action(table) is None
    verify(record_of(table))  # also that orders have rolled the dice of the seal


def test_random_games_have_orders_of_all_kinds_that_act() -> None:
    """Or the property above would say nothing."""
    done = [0, 0, 0]
    for seed in range(12):
        lot = Random(seed)
        game = RandomGame(Rules(players=2 + seed % 3), lot, youngest=0, robot=None)
        game.play(STEPS)
        for at, kind in enumerate(("roll", "stop", "move")):
            done[at] += game.watcher.played[kind]
    assert min(done) > 20, done
