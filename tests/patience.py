"""How long tests wait for what is about to be so."""

PATIENCE = 400
"""Seconds: nothing takes so long, but a machine may have many other things to do."""
