"""Did it help? From logs to verdicts."""
