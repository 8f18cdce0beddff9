"""peewee without the drivers of other databases.

It loads each driver that is installed, which costs every command of whoever has `helix-tui[team]`
as much again as peewee itself. A store is SQLite; `helix_tui/team/driver.py` gives peewee what it
lacks where a PostgreSQL is opened.
"""

from __future__ import annotations

import sys

# What PostgreSQL and MySQL are reached by; a name without a module cannot be imported.
_DRIVERS = ("psycopg2cffi", "psycopg2", "psycopg", "MySQLdb", "pymysql", "mysql")

_hidden = [] if "peewee" in sys.modules else [one for one in _DRIVERS if one not in sys.modules]
sys.modules.update(dict.fromkeys(_hidden))  # type: ignore[arg-type]  # None is what hides it
try:
    import peewee
finally:
    for _name in _hidden:
        del sys.modules[_name]

__all__ = ["peewee"]
