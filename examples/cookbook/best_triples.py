"""The three columns that are safest to have runners in, of all there are."""

from cantstop.odds import rolls_of, triple_rolls

rolls = triple_rolls()
for triple in sorted(rolls, key=rolls.__getitem__, reverse=True)[:3]:
    print(triple, f"{rolls[triple] / rolls_of():.1%}")
