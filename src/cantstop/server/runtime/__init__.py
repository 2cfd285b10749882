"""What runs a table: accepting actions, presence, the bots' turns, housekeeping."""
