"""What best play against others teaches; ``python -m tools.two_players`` has the commands."""
