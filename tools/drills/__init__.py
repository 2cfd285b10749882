"""Makes the drills, and measures them; ``python -m tools.drills`` has the commands."""
