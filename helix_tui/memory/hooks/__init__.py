"""Hooks in the agents' own settings: which command, in which files, put in and taken out."""
