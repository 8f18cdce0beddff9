"""The command line: parse options, call the engine, print.

`start.py` is where `helix` starts, `main.py` its options and how they lead to a command,
`ending.py` how one ends, `registry.py` gathers the subcommands of
`commands/`, `options.py` declares the options that several of them share and loads the
configuration and the engine for them, `output.py` prints JSON and tables, `progress.py` shows a
running sweep, `interrupts.py` ends a job in order on Ctrl-C, `logs.py` starts Helix's own log, and
`review/` is `helix curate` in a plain terminal. Nothing imports this package but the entry point.
"""
