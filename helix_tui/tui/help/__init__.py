"""Help: every key with what it does, made of the registry."""
