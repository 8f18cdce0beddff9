"""The problems screen: what could not be read, and what went wrong."""
