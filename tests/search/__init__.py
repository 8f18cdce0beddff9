"""What somebody looks for, and how it is shown."""
