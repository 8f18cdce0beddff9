"""The hub: what it takes, records and answers."""
