"""An evaluator for the official board: networks that have learned what positions are worth.

``model.ValueModel`` is the evaluator; ``network`` and ``file``, which need NumPy, are what
``research/train`` makes its file with.
"""
