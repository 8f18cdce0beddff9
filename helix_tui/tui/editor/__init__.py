"""The editor: a pattern's words, beside what they come to."""
