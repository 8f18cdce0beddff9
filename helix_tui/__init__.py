"""Helix: from coding agents' session logs to a curated Pattern Catalog."""

__version__ = "0.2.0"
