"""What runs in a worker: the master that accepts actions, presence, bots, housekeeping."""
