"""How the race model is made; ``tools/fit_race.py`` is the command."""
