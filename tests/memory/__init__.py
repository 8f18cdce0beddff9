"""Memory: the spool, hooks, flushes and what they leave behind."""
