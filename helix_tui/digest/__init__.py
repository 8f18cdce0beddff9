"""Distills sessions: folds over events, their merge, and what may be concluded from it."""
