"""Makes the drills, and measures them; ``python -m research.drills`` has the commands."""
