"""What agents are told already: the instruction files that each loads in a folder.

`simulate.py` is the way in: an agent, a folder and a view of files come to a `Context`. `codex.py`,
`grok.py` and `claude.py` have each agent's rules, `gather.py` what they share; `claude_settings.py`
and `codex_settings.py` read settings as the agents do. `markdown.py` finds imports and comments,
`globs.py` matches paths. `files.py` is the view of files, and reads the disk within limits.
`matching` compares lines of a context with what recurs.
"""
