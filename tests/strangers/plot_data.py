"""What a plot needs: numbers along an axis."""

import cantstop

results = cantstop.compete(["careful", "bold"], "win=1", games=50, seed=3)
counts = results.matches[0].turn_counts
xs, ys = zip(*enumerate(counts), strict=True)
print(len(xs) == len(ys), sum(ys))
review = cantstop.review(cantstop.play_game(["careful", "bold"], "win=1", dice=7))
line = [(moment.n, moment.worths[0]) for moment in review.moments]
print(line[0][0], 0 < line[0][1] < 1, line[-1][1] in (0.0, 1.0))
