"""Tests in a real browser: a package, so that its fixtures end with it."""
