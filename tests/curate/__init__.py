"""Verdicts, patterns and the catalog."""
