"""Notes about sessions that run: when they are written, what stands in them, and the file."""
