"""Keeps raw bytes under their budget: a pure plan, and its execution."""
