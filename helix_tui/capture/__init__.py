"""Tier 0 → Tier 1: finds the agents' logs, reads what is new, normalizes it."""
