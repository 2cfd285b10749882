"""What made the package's data and the figures of its pages; README.md says how to run it."""
