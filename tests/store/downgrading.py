"""A store taken back to the tables of an earlier version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

# What the eleventh version added, taken away again.
WITHOUT_AGENT_VERSION = """
ALTER TABLE session DROP COLUMN agent_version;
ALTER TABLE session DROP COLUMN agent_version_ts;
DELETE FROM schema_migration WHERE name LIKE '0011%';
PRAGMA user_version = 10;
"""

# The same of the tenth.
WITHOUT_SEEN = f"""
{WITHOUT_AGENT_VERSION}
DROP TABLE seen;
DELETE FROM schema_migration WHERE name LIKE '0010%';
PRAGMA user_version = 9;
"""

# The same of the ninth.
WITHOUT_TRIGGERS = f"""
{WITHOUT_SEEN}
DROP TABLE triggered;
DELETE FROM schema_migration WHERE name LIKE '0009%';
PRAGMA user_version = 8;
"""

# The same of the eighth.
WITHOUT_SPEECH = f"""
{WITHOUT_TRIGGERS}
DROP TABLE speech;
DROP TABLE saying;
DELETE FROM schema_migration WHERE name LIKE '0008%';
PRAGMA user_version = 7;
"""

# The same of the seventh.
WITHOUT_INSTRUCTIONS = f"""
{WITHOUT_SPEECH}
DROP TABLE instructed;
DROP TABLE instruction_text;
DELETE FROM schema_migration WHERE name LIKE '0007%';
PRAGMA user_version = 6;
"""

TO_FOURTH_VERSION = f"""
{WITHOUT_INSTRUCTIONS}
DROP TABLE signal;
DROP TABLE counted;
DROP TABLE candidate;
DROP TABLE changed_bucket;
DROP TABLE changed_session;
DROP TABLE regrouped;
DROP INDEX session_parent;
ALTER TABLE session DROP COLUMN profile;
DELETE FROM note WHERE name IN ('signals', 'grouped');
DELETE FROM schema_migration WHERE name LIKE '0005%' OR name LIKE '0006%';
PRAGMA user_version = 4;
"""

TO_SECOND_VERSION = f"""
{TO_FOURTH_VERSION}
DROP TABLE search_index;
DROP TABLE search_text;
DROP TABLE search_pending;
DROP TABLE spend;
DROP TABLE model;
ALTER TABLE usage DROP COLUMN cost_ticks;
ALTER TABLE usage DROP COLUMN cache_write_1h;
ALTER TABLE usage DROP COLUMN requests;
DELETE FROM schema_migration WHERE name LIKE '0003%' OR name LIKE '0004%';
PRAGMA user_version = 2;
"""

TO_FIRST_VERSION = f"""
{TO_SECOND_VERSION}
DROP INDEX session_pending;
DROP TABLE fold;
DROP TABLE evicted;
ALTER TABLE session DROP COLUMN ended;
ALTER TABLE session DROP COLUMN outcome;
ALTER TABLE session DROP COLUMN outcome_confidence;
ALTER TABLE session DROP COLUMN outcome_reason;
ALTER TABLE session DROP COLUMN is_analyzed;
ALTER TABLE session DROP COLUMN is_exact;
ALTER TABLE session DROP COLUMN evicted_events;
ALTER TABLE part DROP COLUMN is_document;
ALTER TABLE sweep DROP COLUMN analyzed;
ALTER TABLE sweep DROP COLUMN evicted;
ALTER TABLE sweep DROP COLUMN raw_usage;
ALTER TABLE sweep DROP COLUMN distilled_usage;
DELETE FROM note;
DELETE FROM schema_migration WHERE name NOT LIKE '0001%';
PRAGMA user_version = 1;
"""


def downgrade(store: Path, script: str = TO_FIRST_VERSION) -> None:
    connection = sqlite3.connect(store / "store.db")
    connection.executescript(script)
    connection.close()
