"""Measures reviews: that they add up, that luck is fair, and what error goes with which rating."""
