"""Give peewee the driver for PostgreSQL that `helix_tui/store/orm.py` keeps from every start."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from helix_tui.errors import UsageError
from helix_tui.store.orm import peewee


def load_psycopg() -> None:
    """Let peewee reach PostgreSQL, as if it had found the driver when it was loaded."""
    loaded: Any = peewee
    if loaded.psycopg is not None:
        return
    if find_spec("psycopg") is None:
        raise UsageError("A team needs psycopg.", "Install it with: pip install 'helix-tui[team]'")
    import psycopg
    from psycopg.pq import TransactionStatus
    from psycopg.types.json import Json, Jsonb

    loaded.psycopg, loaded.TransactionStatus = psycopg, TransactionStatus
    loaded.Json_pg3, loaded.Jsonb_pg3 = Json, Jsonb
    adapter = loaded.Psycopg3Adapter
    adapter.txn_idle = TransactionStatus.IDLE
    adapter.txn_inerror = TransactionStatus.INERROR
    adapter.txn_unknown = TransactionStatus.UNKNOWN
