"""The scoreboard: what detection reaches on labelled, planted and held-out data."""
