"""What somebody looks for, and how a session that has it is shown."""
