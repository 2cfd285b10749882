"""What to do in a position: every option with its chance to win, the best first."""

from cantstop import Position

position = Position.parse("v1,players=2 7:4/6:9,8:3 1 - -").roll("2345")
for option in position.hint().options:
    print(f"{option.action}: {option.worth:.1%}")
