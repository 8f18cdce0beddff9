"""From the agents' own logs (Tier 0) to events: find what changed, read it, normalize it.

`discover.py` walks the agents' folders and lists what changed; `units.py` reads one unit from its
cursors on, as batches; `tail.py` and `compressed.py` give the lines of a part, plain or compressed;
`salvage.py` reads lines that no typed decoder takes. `draft.py` is where an adapter puts events and
facts, `repo.py` names the repository of a folder. `adapters/` has one adapter for each agent.

Sweeps call `discover` and `read_unit`; nothing here writes to the store.
"""
