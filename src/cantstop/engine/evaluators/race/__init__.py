"""An evaluator for every game: how far is each seat from winning, and who gets there first.

``model.RaceModel`` is the evaluator; ``network``, ``distances`` and ``chances``, which need Numba,
are what ``research/race`` fits it with.
"""
