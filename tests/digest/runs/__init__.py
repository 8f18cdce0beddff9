"""Runs of checks: the table, command lines, and verdicts."""
