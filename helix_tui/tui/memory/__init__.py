"""The memory screen: daily logs, knowledge, notes, what waits and what failed."""
