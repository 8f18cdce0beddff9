"""The session list: filter, search what was said, open one, resume it."""
