"""Memory: what a session taught, kept while it is fresh; daily logs, knowledge, live notes."""
