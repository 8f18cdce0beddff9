"""Verdicts, the catalog, the gate, and decisions."""
