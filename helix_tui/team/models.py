"""The team's tables as peewee models; the migrations create them."""

from __future__ import annotations

from helix_tui.store.orm import peewee

SCHEMA = "helix"


class ArrayOfNumbers(peewee.Field):
    """A column of many whole numbers."""

    field_type = "BIGINT[]"


class _Table(peewee.Model):
    class Meta:
        legacy_table_names = False
        schema = SCHEMA


class FactRow(_Table):
    """A fact about the team's store itself."""

    name = peewee.TextField(primary_key=True)
    value = peewee.TextField()

    class Meta:
        table_name = "fact"


class MemberRow(_Table):
    """A person or a CI project: the role that signs in, and the name that others see."""

    role = peewee.TextField(primary_key=True)
    pseudonym = peewee.TextField(unique=True)
    kind = peewee.TextField()
    is_keeper = peewee.BooleanField()
    joined_ms = peewee.BigIntegerField(null=True)
    revoked_ms = peewee.BigIntegerField(null=True)

    class Meta:
        table_name = "member"


class OriginRow(_Table):
    """A data folder that pushes, and whose it is."""

    origin = peewee.TextField(primary_key=True)
    owner = peewee.TextField()
    made_ms = peewee.BigIntegerField()

    class Meta:
        table_name = "origin"


class SessionKeyRow(_Table):
    """The number and the month that a session was given when it first came."""

    uid = peewee.TextField(primary_key=True)
    key = peewee.BigIntegerField(unique=True)
    month = peewee.IntegerField()
    origin = peewee.TextField()
    owner = peewee.TextField()

    class Meta:
        table_name = "session_key"


class TeamSessionRow(_Table):
    """A session's figures, as its machine pushed them."""

    month = peewee.IntegerField()
    key = peewee.BigIntegerField()
    uid = peewee.TextField()
    origin = peewee.TextField()
    owner = peewee.TextField()
    flavor = peewee.TextField()
    native_id = peewee.TextField()
    parent = peewee.TextField(null=True)
    repo = peewee.TextField()
    repo_name = peewee.TextField(null=True)
    branch = peewee.TextField()
    is_placeless = peewee.BooleanField()
    first_ts = peewee.BigIntegerField(null=True)
    last_ts = peewee.BigIntegerField(null=True)
    model = peewee.TextField(null=True)
    events = peewee.BigIntegerField()
    turns = peewee.BigIntegerField()
    prompts = peewee.BigIntegerField()
    tool_calls = peewee.BigIntegerField()
    tool_errors = peewee.BigIntegerField()
    compactions = peewee.BigIntegerField()
    input = peewee.BigIntegerField()
    output = peewee.BigIntegerField()
    cache_read = peewee.BigIntegerField()
    cache_write = peewee.BigIntegerField()
    reasoning = peewee.BigIntegerField()
    ended = peewee.TextField(null=True)
    outcome = peewee.TextField()
    outcome_confidence = peewee.FloatField(null=True)
    profile = peewee.TextField()
    triggers = peewee.TextField()
    exposure = peewee.TextField()
    marks = ArrayOfNumbers()
    share = peewee.TextField()
    signals_version = peewee.TextField()
    extractor = peewee.IntegerField()
    revision = peewee.BigIntegerField()
    hash = peewee.TextField()
    change = peewee.TextField()
    received_ms = peewee.BigIntegerField()

    class Meta:
        table_name = "session"
        primary_key = peewee.CompositeKey("month", "key")


class TeamFoldRow(_Table):
    """What others see of a session beyond its figures, as JSON."""

    month = peewee.IntegerField()
    key = peewee.BigIntegerField()
    data = peewee.TextField()

    class Meta:
        table_name = "fold"
        primary_key = peewee.CompositeKey("month", "key")


class TeamSignalRow(_Table):
    """A session's signals in one bucket, as JSON."""

    month = peewee.IntegerField()
    bucket = peewee.BigIntegerField()
    key = peewee.BigIntegerField()
    data = peewee.TextField(null=True)

    class Meta:
        table_name = "signal"
        primary_key = peewee.CompositeKey("month", "key", "bucket")


class EffectRow(_Table):
    """What one machine measured of a pattern."""

    origin = peewee.TextField()
    pattern = peewee.TextField()
    version = peewee.TextField()
    owner = peewee.TextField()
    figures = peewee.TextField()
    received_ms = peewee.BigIntegerField()

    class Meta:
        table_name = "effect"
        primary_key = peewee.CompositeKey("origin", "pattern", "version")


class VerdictRow(_Table):
    """A line of somebody's journal, numbered in the order in which the lines were taken."""

    n = peewee.BigIntegerField(primary_key=True)
    line_id = peewee.TextField(unique=True)
    origin = peewee.TextField()
    owner = peewee.TextField()
    pseudonym = peewee.TextField()
    at = peewee.TextField()
    line = peewee.TextField()
    received_ms = peewee.BigIntegerField()

    class Meta:
        table_name = "verdict"


class TombstoneRow(_Table):
    """What somebody asked to be forgotten, for good."""

    n = peewee.BigIntegerField(primary_key=True)
    kind = peewee.TextField()
    origin = peewee.TextField()
    target = peewee.TextField()
    owner = peewee.TextField()
    received_ms = peewee.BigIntegerField()

    class Meta:
        table_name = "tombstone"


class ChangedRow(_Table):
    """A bucket to be grouped again, or a session to be counted again."""

    n = peewee.BigIntegerField(primary_key=True)
    bucket = peewee.BigIntegerField(null=True)
    key = peewee.BigIntegerField(null=True)

    class Meta:
        table_name = "changed"


class TeamCandidateRow(_Table):
    """A candidate that a bucket's signals form."""

    id = peewee.TextField()
    bucket = peewee.BigIntegerField()
    sessions = peewee.BigIntegerField()
    brief = peewee.BlobField(null=True)
    data = peewee.BlobField(null=True)
    n = peewee.BigIntegerField()
    seal = peewee.BigIntegerField(null=True)
    excerpts = peewee.BlobField(null=True)

    class Meta:
        table_name = "candidate"
        primary_key = peewee.CompositeKey("id", "bucket")
