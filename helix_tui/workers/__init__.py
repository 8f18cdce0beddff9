"""Processes that read and fold units while one writer stores them.

`pool.py` spreads units over worker processes, `process.py` is such a process, `reading.py` what it
does with a unit, `wire.py` the messages between them, `garbage.py` tunes the garbage collector.

Adapters of plug-ins run in processes of their own: `plugins.py` is the adapter as the sweep sees
it, `plugin_process.py` its process from the outside, `plugin_host.py` that process itself,
`plugin_batches.py` checks what it sends. A sweep uses `read_units` and `Plugins`.
"""
