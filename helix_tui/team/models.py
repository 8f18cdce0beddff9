"""The team's tables as peewee models; the migrations create them."""

from __future__ import annotations

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    Field,
    FloatField,
    IntegerField,
    Model,
    TextField,
)

SCHEMA = "helix"


class ArrayOfNumbers(Field):
    """A column of many whole numbers."""

    field_type = "BIGINT[]"


class _Table(Model):
    class Meta:
        legacy_table_names = False
        schema = SCHEMA


class FactRow(_Table):
    """A fact about the team's store itself."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "fact"


class MemberRow(_Table):
    """A person or a CI project: the role that signs in, and the name that others see."""

    role = TextField(primary_key=True)
    pseudonym = TextField(unique=True)
    kind = TextField()
    is_keeper = BooleanField()
    joined_ms = BigIntegerField(null=True)
    revoked_ms = BigIntegerField(null=True)

    class Meta:
        table_name = "member"


class OriginRow(_Table):
    """A data folder that pushes, and whose it is."""

    origin = TextField(primary_key=True)
    owner = TextField()
    made_ms = BigIntegerField()

    class Meta:
        table_name = "origin"


class SessionKeyRow(_Table):
    """The number and the month that a session was given when it first came."""

    uid = TextField(primary_key=True)
    key = BigIntegerField(unique=True)
    month = IntegerField()
    origin = TextField()
    owner = TextField()

    class Meta:
        table_name = "session_key"


class TeamSessionRow(_Table):
    """A session's figures, as its machine pushed them."""

    month = IntegerField()
    key = BigIntegerField()
    uid = TextField()
    origin = TextField()
    owner = TextField()
    flavor = TextField()
    native_id = TextField()
    parent = TextField(null=True)
    repo = TextField()
    repo_name = TextField(null=True)
    branch = TextField()
    is_placeless = BooleanField()
    first_ts = BigIntegerField(null=True)
    last_ts = BigIntegerField(null=True)
    model = TextField(null=True)
    events = BigIntegerField()
    turns = BigIntegerField()
    prompts = BigIntegerField()
    tool_calls = BigIntegerField()
    tool_errors = BigIntegerField()
    compactions = BigIntegerField()
    input = BigIntegerField()
    output = BigIntegerField()
    cache_read = BigIntegerField()
    cache_write = BigIntegerField()
    reasoning = BigIntegerField()
    ended = TextField(null=True)
    outcome = TextField()
    outcome_confidence = FloatField(null=True)
    profile = TextField()
    triggers = TextField()
    exposure = TextField()
    marks = ArrayOfNumbers()
    share = TextField()
    signals_version = TextField()
    extractor = IntegerField()
    revision = BigIntegerField()
    hash = TextField()
    change = TextField()
    received_ms = BigIntegerField()

    class Meta:
        table_name = "session"
        primary_key = CompositeKey("month", "key")


class TeamFoldRow(_Table):
    """What others see of a session beyond its figures, as JSON."""

    month = IntegerField()
    key = BigIntegerField()
    data = TextField()

    class Meta:
        table_name = "fold"
        primary_key = CompositeKey("month", "key")


class TeamSignalRow(_Table):
    """A session's signals in one bucket, as JSON."""

    month = IntegerField()
    bucket = BigIntegerField()
    key = BigIntegerField()
    data = TextField(null=True)

    class Meta:
        table_name = "signal"
        primary_key = CompositeKey("month", "key", "bucket")


class EffectRow(_Table):
    """What one machine measured of a pattern."""

    origin = TextField()
    pattern = TextField()
    version = TextField()
    owner = TextField()
    figures = TextField()
    received_ms = BigIntegerField()

    class Meta:
        table_name = "effect"
        primary_key = CompositeKey("origin", "pattern", "version")


class VerdictRow(_Table):
    """A line of somebody's journal, numbered in the order in which the lines were taken."""

    n = BigIntegerField(primary_key=True)
    line_id = TextField(unique=True)
    origin = TextField()
    owner = TextField()
    pseudonym = TextField()
    at = TextField()
    line = TextField()
    received_ms = BigIntegerField()

    class Meta:
        table_name = "verdict"


class TombstoneRow(_Table):
    """What somebody asked to be forgotten, for good."""

    n = BigIntegerField(primary_key=True)
    kind = TextField()
    origin = TextField()
    target = TextField()
    owner = TextField()
    received_ms = BigIntegerField()

    class Meta:
        table_name = "tombstone"


class ChangedRow(_Table):
    """A bucket to be grouped again, or a session to be counted again."""

    n = BigIntegerField(primary_key=True)
    bucket = BigIntegerField(null=True)
    key = BigIntegerField(null=True)

    class Meta:
        table_name = "changed"


class TeamCandidateRow(_Table):
    """A candidate that a bucket's signals form."""

    id = TextField()
    bucket = BigIntegerField()
    sessions = BigIntegerField()
    brief = BlobField(null=True)
    data = BlobField(null=True)
    n = BigIntegerField()
    seal = BigIntegerField(null=True)
    excerpts = BlobField(null=True)

    class Meta:
        table_name = "candidate"
        primary_key = CompositeKey("id", "bucket")
