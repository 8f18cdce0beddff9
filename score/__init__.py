"""Scores of what Helix finds, against labelled data."""
