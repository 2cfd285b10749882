"""What counts as time at slow tables: zones with summer time, quiet hours, weekends, times away."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.server.errors import Malformed, Refused
from cantstop.server.tables.hours import (
    ALWAYS,
    MOST_PERIODS,
    Away,
    Calendar,
    Hours,
    away_in,
    check_away,
    check_hours,
    cut_short,
    moved,
    resumed,
    zone_named,
)

DAY = 86400
BERLIN = "Europe/Berlin"


def at(text: str, zone: str = "UTC") -> datetime:
    """A moment as a wall clock in a zone shows it, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def away(start: str, end: str) -> Away:
    return Away(at(start), at(end))


def quiet(first: int, last: int, zone: str = BERLIN) -> Calendar:
    return Calendar(Hours(zone, first * 60, last * 60))


def weekends(zone: str = BERLIN, *more: Away) -> Calendar:
    return Calendar(Hours(zone, weekends_off=True), more)


class TestTimeThatCounts:
    def test_without_hours_all_of_it_does(self) -> None:
        start = at("2026-11-16T12:00")
        assert ALWAYS.end_of(start, 2 * DAY) == at("2026-11-18T12:00")
        assert ALWAYS.counted(start, at("2026-11-18T12:00")) == 2 * DAY
        assert ALWAYS.held_back(start) == start

    def test_a_time_away_does_not(self) -> None:
        calendar = Calendar(away=(away("2026-11-17T08:00", "2026-11-20T20:00"),))
        assert calendar.end_of(at("2026-11-16T12:00"), 2 * DAY) == at("2026-11-22T00:00")
        assert calendar.counted(at("2026-11-16T12:00"), at("2026-11-19T12:00")) == 20 * 3600
        assert calendar.end_of(at("2026-11-18T12:00"), 3600) == at("2026-11-20T21:00")

    def test_a_weekend_lasts_from_saturday_to_monday_where_the_player_is(self) -> None:
        friday = at("2026-11-20T12:00", BERLIN)
        assert weekends().end_of(friday, DAY) == at("2026-11-23T12:00", BERLIN)
        auckland = weekends("Pacific/Auckland")
        assert auckland.counted(friday, friday + timedelta(days=7)) == 5 * DAY
        begins = at("2026-11-21T00:00", "Pacific/Auckland")
        assert auckland.counted(begins, at("2026-11-23T00:00", "Pacific/Auckland")) == 0

    @pytest.mark.parametrize(
        ("friday", "monday", "hours"),
        [
            ("2026-03-27T23:00", "2026-03-30T01:00", 47),
            ("2026-10-23T23:00", "2026-10-26T01:00", 49),
        ],
    )
    def test_the_weekend_of_summer_time_is_an_hour_shorter_or_longer(
        self, friday: str, monday: str, hours: int
    ) -> None:
        start, end = at(friday, BERLIN), at(monday, BERLIN)
        assert (end - start).total_seconds() == (hours + 2) * 3600
        assert weekends().counted(start, end) == 2 * 3600
        assert weekends().end_of(start, 2 * 3600) == end

    def test_a_midnight_that_there_is_not_or_twice_is_a_weekends_end_all_the_same(self) -> None:
        """In Havana the clocks change at midnight, on Sundays; in Beirut too."""
        for zone, friday in (("America/Havana", "2026-03-06"), ("Asia/Beirut", "2026-03-27")):
            start = at(f"{friday}T12:00", zone)
            assert weekends(zone).counted(start, start + timedelta(days=3)) == 25 * 3600

    def test_a_time_away_over_a_weekend_counts_once(self) -> None:
        both = weekends("UTC", away("2026-11-20T18:00", "2026-11-21T18:00"))
        assert both.end_of(at("2026-11-20T12:00"), DAY) == at("2026-11-23T18:00")

    def test_who_is_away_is_so_until_then(self) -> None:
        calendar = Calendar(away=(away("2026-11-17T08:00", "2026-11-20T20:00"),))
        assert calendar.away_until(at("2026-11-17T07:59")) is None
        assert calendar.away_until(at("2026-11-17T08:00")) == at("2026-11-20T20:00")
        assert calendar.away_until(at("2026-11-20T20:00")) is None


class TestQuietHours:
    @pytest.mark.parametrize(
        ("ends", "held"),
        [
            ("2026-11-16T21:59", "2026-11-16T21:59"),
            ("2026-11-16T22:00", "2026-11-17T08:00"),
            ("2026-11-17T00:00", "2026-11-17T08:00"),
            ("2026-11-17T07:59:59", "2026-11-17T08:00"),
            ("2026-11-17T08:00", "2026-11-17T08:00"),
            # clocks go forward, and back
            ("2026-03-28T23:00", "2026-03-29T08:00"),
            ("2026-10-24T23:00", "2026-10-25T08:00"),
        ],
    )
    def test_no_turn_ends_in_them(self, ends: str, held: str) -> None:
        assert quiet(22, 8).held_back(at(ends, BERLIN)) == at(held, BERLIN)

    def test_they_may_be_in_the_day(self) -> None:
        assert quiet(9, 17).held_back(at("2026-11-16T10:00", BERLIN)) == at(
            "2026-11-16T17:00", BERLIN
        )
        assert quiet(9, 17).held_back(at("2026-11-16T20:00", BERLIN)) == at(
            "2026-11-16T20:00", BERLIN
        )

    def test_an_hour_that_there_is_twice_is_quiet_twice(self) -> None:
        late = Calendar(Hours(BERLIN, 23 * 60, 2 * 60 + 30))
        second = datetime(2026, 10, 25, 2, 10, tzinfo=ZoneInfo(BERLIN), fold=1).astimezone(UTC)
        assert late.held_back(second) == second + timedelta(minutes=20)

    def test_an_end_that_there_is_not_is_after_the_gap(self) -> None:
        late = Calendar(Hours(BERLIN, 23 * 60, 2 * 60 + 30))
        assert late.held_back(at("2026-03-29T01:30", BERLIN)) == at("2026-03-29T03:30", BERLIN)


class TestWhatCanBeSaid:
    @pytest.mark.parametrize("zone", ["", "Mars/Base", "../../etc/passwd", "America", "a\0b", "é"])
    def test_a_zone_that_there_is_not(self, zone: str) -> None:
        with pytest.raises(Malformed):
            zone_named(zone)

    @pytest.mark.parametrize(("first", "last"), [(8, None), (None, 8), (480, 480), (0, 721)])
    def test_quiet_hours_have_an_end_within_twelve_hours(
        self, first: int | None, last: int | None
    ) -> None:
        with pytest.raises(Malformed):
            check_hours(Hours(BERLIN, first, last))

    def test_twelve_hours_are_fine_over_midnight_too(self) -> None:
        check_hours(Hours(BERLIN, 20 * 60, 8 * 60))

    NOW = at("2026-11-16T12:30")

    def test_a_time_away_may_begin_with_the_hour_that_has_begun(self) -> None:
        check_away(away("2026-11-16T12:00", "2026-11-16T13:00"), (), self.NOW)

    @pytest.mark.parametrize(
        ("start", "end", "error"),
        [
            ("2026-11-16T11:00", "2026-11-16T18:00", Refused),
            ("2026-11-17T11:00", "2026-11-17T11:00", Malformed),
            ("2026-11-17T11:00", "2026-11-17T10:00", Malformed),
            ("2026-11-17T11:05", "2026-11-17T12:00", Malformed),
            ("2026-11-17T11:00", "2026-12-08T12:00", Refused),
            ("2028-11-17T11:00", "2028-11-18T12:00", Refused),
        ],
    )
    def test_one_that_cannot_be(self, start: str, end: str, error: type[Exception]) -> None:
        with pytest.raises(error):
            check_away(away(start, end), (), self.NOW)

    def test_there_are_21_days_in_each_calendar_year(self) -> None:
        most = away("2026-12-11T00:00", "2027-01-22T00:00")
        check_away(most, (), self.NOW)
        assert away_in(2026, (most,)) == away_in(2027, (most,)) == timedelta(days=21)
        with pytest.raises(Refused, match="21 days"):
            check_away(away("2026-11-20T00:00", "2026-11-20T01:00"), (most,), self.NOW)

    def test_two_at_once_are_one_too_many(self) -> None:
        known = (away("2026-11-20T00:00", "2026-11-22T00:00"),)
        check_away(away("2026-11-22T00:00", "2026-11-23T00:00"), known, self.NOW)
        with pytest.raises(Refused, match="already"):
            check_away(away("2026-11-21T23:00", "2026-11-23T00:00"), known, self.NOW)

    def test_there_are_not_any_number_of_them(self) -> None:
        first = at("2026-12-01T00:00")
        hour = timedelta(hours=1)
        known = tuple(
            Away(first + 2 * number * hour, first + (2 * number + 1) * hour)
            for number in range(MOST_PERIODS)
        )
        with pytest.raises(Refused, match="too often"):
            check_away(away("2026-12-20T00:00", "2026-12-21T00:00"), known, self.NOW)

    def test_who_is_back_early_has_taken_up_to_the_next_quarter(self) -> None:
        taken = away("2026-11-16T08:00", "2026-11-18T08:00")
        assert cut_short(taken, self.NOW) == away("2026-11-16T08:00", "2026-11-16T12:30")
        later = self.NOW + timedelta(seconds=1)
        assert cut_short(taken, later) == away("2026-11-16T08:00", "2026-11-16T12:45")
        assert cut_short(away("2026-11-17T08:00", "2026-11-18T08:00"), self.NOW) is None


class TestChanges:
    """Nothing that is said later gives back what has passed."""

    NOW = at("2026-11-16T12:00")

    def test_a_turn_whose_time_is_up_stays_over(self) -> None:
        gone = Calendar(away=(away("2026-11-16T12:00", "2026-11-20T12:00"),))
        assert moved(self.NOW, self.NOW, ALWAYS, gone) == self.NOW

    def test_a_time_away_moves_the_end_of_a_turn_by_itself(self) -> None:
        ends = self.NOW + timedelta(hours=5)
        gone = Calendar(away=(away("2026-11-16T13:00", "2026-11-20T13:00"),))
        later = moved(ends, self.NOW, ALWAYS, gone)
        assert later == ends + timedelta(days=4)
        # and back: what was not taken is counted again, from now on
        back = at("2026-11-18T13:00")
        assert moved(later, back, gone, ALWAYS) == back + timedelta(hours=4)

    def test_a_time_without_a_server_counts_for_nobody(self) -> None:
        stopped, now = at("2026-11-20T12:00"), at("2026-11-21T12:00")
        assert resumed(at("2026-11-20T18:00"), stopped, now, ALWAYS) == at("2026-11-21T18:00")
        # a day of it was a weekend, which would not have counted anyway
        ends = at("2026-11-23T00:00")
        assert resumed(ends, stopped, now, weekends("UTC")) == at("2026-11-23T12:00")


# Against the plainest truth: minute by minute

zones = st.sampled_from(["UTC", BERLIN, "America/New_York", "Asia/Kathmandu", "Australia/Sydney"])
starts = st.datetimes(datetime(2026, 3, 1), datetime(2026, 11, 20)).map(  # noqa: DTZ001
    lambda moment: moment.replace(second=0, microsecond=0, tzinfo=UTC)
)
times_away = st.lists(st.tuples(st.integers(0, 300), st.integers(1, 72)), max_size=2)


@given(zones, starts, times_away, st.booleans(), st.integers(0, 4 * DAY // 60))
def test_the_count_is_that_of_minutes(
    zone: str, start: datetime, gone: list[tuple[int, int]], off: bool, minutes: int
) -> None:
    calendar = Calendar(
        Hours(zone, weekends_off=off),
        tuple(
            Away(start + timedelta(hours=first), start + timedelta(hours=first + hours))
            for first, hours in gone
        ),
    )
    local = ZoneInfo(zone)

    def counts(moment: datetime) -> bool:
        is_weekend = off and moment.astimezone(local).weekday() >= 5
        return not is_weekend and not any(one.start <= moment < one.end for one in calendar.away)

    at, passed = start, 0
    while passed < minutes:
        passed += counts(at)
        at += timedelta(minutes=1)
    assert calendar.end_of(start, minutes * 60) == at
    assert calendar.counted(start, at) == minutes * 60
    assert calendar.counted(start, at + timedelta(minutes=30)) == 60 * (
        minutes + sum(counts(at + timedelta(minutes=one)) for one in range(30))
    )
