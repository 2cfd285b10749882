"""What best play against others teaches; ``python -m research.two_players`` has the commands."""
