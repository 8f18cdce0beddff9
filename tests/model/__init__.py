"""The model: what it is sent, how its answers are read, and what it may cost."""
