"""A team: its store, what leaves for it, and what never does."""
