"""The strategy guide's figures, its page in docs and its boards: ``python -m research.guide``."""
