"""Every JSON that leaves the process: its types, and the one codec that writes and reads it."""
