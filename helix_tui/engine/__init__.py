"""What Helix can do, for the command line and the workstation.

`facade.py` has `Engine`, the one class that callers use; it loads the rest when it is needed. What
it answers stands in a class for each use: `open_store.py` opens a store, `transcripts/sessions.py`
answers for sessions, `memory/remembering.py` for memory, `health/upkeep.py` for what keeps a store
sound and small, `curation.py` for candidates and verdicts. `search.py` finds sessions, `status.py`
says what the store holds, and `sample.py` sets up the bundled sample.

The packages are its parts: `sweep` takes logs in, `candidates` groups and lists what recurs,
`review` records verdicts, `catalog` keeps the catalog's files, `hub` sends decisions, `memory`
flushes sessions and keeps notes, `transcripts` reads events, and `health` checks and repairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.engine.facade import Engine

__all__ = ["Engine"]


def __getattr__(name: str) -> object:
    # A command that needs one part only, such as `helix context`, does not wait for all.
    if name != "Engine":
        raise AttributeError(name)
    from helix_tui.engine.facade import Engine

    return Engine
