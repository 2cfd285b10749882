"""The two ratings simulated with the ladder's levels as people: see docs/ratings.md."""
