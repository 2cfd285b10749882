"""Every result as a table of pandas."""

import pandas

import cantstop

record = cantstop.play_game(["careful", "bold"], "win=1", dice=7)
events = pandas.DataFrame(record.rows())
print("rolls", (events["event"] == "rolled").sum() == record.game().rolls)

review = cantstop.review(record)
decisions = pandas.DataFrame(review.rows())
lost = decisions.groupby("name")["error"].sum().to_dict()
print("errors", all(abs(lost[seat.name] - seat.error) < 1e-9 for seat in review.seats))

whole = pandas.DataFrame(review.decisions)
print("columns", list(whole.columns[:4]))

results = cantstop.compete(["careful", "bold"], "win=1", games=20, seed=1)
print("wins", pandas.DataFrame(results.rows())["wins"].sum())
