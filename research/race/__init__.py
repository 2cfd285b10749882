"""How the race model is made; ``python -m research.race`` is the command."""
