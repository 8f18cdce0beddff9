"""Runs of checks, commits and pushes: recognised in a command, judged by what they printed."""
