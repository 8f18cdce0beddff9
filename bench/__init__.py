"""Benchmarks: each figure is a ratio to a baseline that was measured in the same run."""
