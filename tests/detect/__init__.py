"""Grouping, ranking and gating."""
