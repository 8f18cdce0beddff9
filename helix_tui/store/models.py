"""The tables as peewee models; the migrations create them.

No model is bound to a database: a query names its store when it is executed, so that a process
may have several open.
"""

from __future__ import annotations

from peewee import (
    BlobField,
    BooleanField,
    CompositeKey,
    FloatField,
    IntegerField,
    Model,
    TextField,
)


class _Table(Model):
    class Meta:
        legacy_table_names = False


class SessionRow(_Table):
    """One session with the figures that lists show."""

    key = IntegerField(primary_key=True)
    id = TextField(unique=True)
    flavor = TextField()
    native_id = TextField()
    parent = TextField(null=True)
    repo = TextField(null=True)
    cwd = TextField(null=True)
    cwd_ts = IntegerField(null=True)
    branch = TextField(null=True)
    branch_ts = IntegerField(null=True)
    model = TextField(null=True)
    model_ts = IntegerField(null=True)
    first_ts = IntegerField(null=True)
    last_ts = IntegerField(null=True)
    events = IntegerField()
    turns = IntegerField()
    prompts = IntegerField()
    tool_calls = IntegerField()
    tool_errors = IntegerField()
    compactions = IntegerField()
    input = IntegerField()
    output = IntegerField()
    cache_read = IntegerField()
    cache_write = IntegerField()
    reasoning = IntegerField()
    pack_bytes = IntegerField()
    ended = TextField(null=True)
    outcome = TextField()
    outcome_confidence = FloatField(null=True)
    outcome_reason = TextField(null=True)
    is_analyzed = BooleanField()
    is_exact = BooleanField()
    evicted_events = IntegerField()
    profile = BlobField(null=True)
    agent_version = TextField(null=True)
    agent_version_ts = IntegerField(null=True)

    class Meta:
        table_name = "session"


class EventRow(_Table):
    """Where an event is stored: the part it was read from, and its frame and slot."""

    session = IntegerField()
    fingerprint = IntegerField()
    part = IntegerField()
    position = IntegerField()
    ts = IntegerField(null=True)
    kind = IntegerField()
    is_error = BooleanField()
    frame = IntegerField()
    slot = IntegerField()

    class Meta:
        table_name = "event"
        primary_key = CompositeKey("session", "fingerprint")
        without_rowid = True


class FrameRow(_Table):
    """A compressed run of events in a session's pack."""

    session = IntegerField()
    offset = IntegerField()
    length = IntegerField()
    size = IntegerField()
    checksum = IntegerField()

    class Meta:
        table_name = "frame"
        primary_key = CompositeKey("session", "offset")
        without_rowid = True


class PartRow(_Table):
    """A part of a unit and its cursor; a size of -1 means that it was not read to its end."""

    key = IntegerField(primary_key=True)
    flavor = TextField()
    unit = TextField()
    name = TextField()
    path = TextField()
    device = IntegerField()
    inode = IntegerField()
    size = IntegerField()
    mtime_ns = IntegerField()
    offset = IntegerField()
    head_length = IntegerField()
    head_hash = IntegerField()
    tail_hash = IntegerField()
    is_document = BooleanField()

    class Meta:
        table_name = "part"


class FoldRow(_Table):
    """The state of the fold over a session's events in one part."""

    key = IntegerField(primary_key=True)
    session = IntegerField(index=True)
    part = IntegerField()
    data = BlobField()

    class Meta:
        table_name = "fold"


class SearchTextRow(_Table):
    """Searchable texts of a session; the key is the session's times 2^20, plus a running number."""

    key = IntegerField(primary_key=True)
    data = BlobField()

    class Meta:
        table_name = "search_text"


class SearchPendingRow(_Table):
    """Texts that are not in the index yet."""

    key = IntegerField(primary_key=True)

    class Meta:
        table_name = "search_pending"


class InstructionTextRow(_Table):
    """Instructions that agents were given, redacted; each text once."""

    hash = IntegerField(primary_key=True)
    size = IntegerField()
    data = BlobField()

    class Meta:
        table_name = "instruction_text"


class InstructedRow(_Table):
    """Which instructions a session was given; a hash of 0 where its log says that it was none."""

    key = IntegerField(primary_key=True)
    session = IntegerField()
    hash = IntegerField()
    source = TextField()
    ts = IntegerField(null=True)
    cut = IntegerField(null=True)

    class Meta:
        table_name = "instructed"


class EvictedRow(_Table):
    """The fingerprints of events whose bodies and rows are gone, and the parts that had them."""

    session = IntegerField(primary_key=True)
    fingerprints = BlobField()
    parts = TextField()

    class Meta:
        table_name = "evicted"


class FolderRow(_Table):
    """A folder with nothing new as long as its listing has this digest: a shortcut past `part`."""

    flavor = TextField()
    path = TextField()
    digest = IntegerField()
    own_units = IntegerField()
    shared_units = BlobField()

    class Meta:
        table_name = "folder"
        primary_key = CompositeKey("flavor", "path")
        without_rowid = True


class UnitStateRow(_Table):
    """What an adapter remembers of a unit between two reads."""

    flavor = TextField()
    unit = TextField()
    state = BlobField()

    class Meta:
        table_name = "unit_state"
        primary_key = CompositeKey("flavor", "unit")
        without_rowid = True


class UsageTable(_Table):
    """What one provider message cost, and the session that it counts for."""

    key = TextField(primary_key=True)
    session = IntegerField()
    ts = IntegerField(null=True)
    model = TextField(null=True)
    input = IntegerField()
    output = IntegerField()
    cache_read = IntegerField()
    cache_write = IntegerField()
    reasoning = IntegerField()
    cost_ticks = IntegerField(null=True)
    cache_write_1h = IntegerField()
    requests = IntegerField()

    class Meta:
        table_name = "usage"
        without_rowid = True


class ModelRow(_Table):
    """A model that some message names; the empty name stands for messages that name none."""

    key = IntegerField(primary_key=True)
    name = TextField(unique=True)

    class Meta:
        table_name = "model"


class SpendRow(_Table):
    """Sums over a session's messages of one day, model and price step."""

    session = IntegerField()
    day = IntegerField()
    model = IntegerField()
    step = IntegerField()
    messages = IntegerField()
    input = IntegerField()
    output = IntegerField()
    cache_read = IntegerField()
    cache_write = IntegerField()
    cache_write_1h = IntegerField()
    reasoning = IntegerField()
    cost_ticks = IntegerField()

    class Meta:
        table_name = "spend"
        primary_key = CompositeKey("session", "day", "model", "step")
        without_rowid = True


class UsageHolderRow(_Table):
    """The sessions that hold a message, where it is more than one."""

    key = TextField()
    session = IntegerField(index=True)

    class Meta:
        table_name = "usage_holder"
        primary_key = CompositeKey("key", "session")
        without_rowid = True


class ProblemRow(_Table):
    """Something in the sources that could not be read; an offset of -1 means none."""

    path = TextField()
    offset = IntegerField()
    reason = TextField()
    first_ts = IntegerField()
    is_stale = BooleanField()

    class Meta:
        table_name = "problem"
        primary_key = CompositeKey("path", "offset", "reason")
        without_rowid = True


class SignalRow(_Table):
    """A session's signals in one bucket."""

    bucket = IntegerField()
    session = IntegerField(index=True)
    data = BlobField()

    class Meta:
        table_name = "signal"
        primary_key = CompositeKey("bucket", "session")
        without_rowid = True


class CountedRow(_Table):
    """A session as the last grouping counted it; `gate` is the rule that excludes it."""

    key = IntegerField(primary_key=True)
    id = TextField()
    root = TextField()
    flavor = TextField()
    repo = TextField()
    branch = TextField()
    first_ts = IntegerField(index=True)
    last_ts = IntegerField()
    gate = TextField(null=True)

    class Meta:
        table_name = "counted"


class ChangedBucketRow(_Table):
    """A bucket that has to be grouped again."""

    bucket = IntegerField(primary_key=True)

    class Meta:
        table_name = "changed_bucket"


class ChangedSessionRow(_Table):
    """A session that has to be counted again."""

    session = IntegerField(primary_key=True)

    class Meta:
        table_name = "changed_session"


class CandidateRow(_Table):
    """A candidate that a bucket's signals form."""

    id = TextField()
    bucket = IntegerField(index=True)
    sessions = IntegerField(index=True)
    brief = BlobField(null=True)
    data = BlobField()

    class Meta:
        table_name = "candidate"
        primary_key = CompositeKey("id", "bucket")


class SpeechRow(_Table):
    """What people say in a repository, as the last grouping laid it down."""

    repo = TextField(primary_key=True)
    data = BlobField()

    class Meta:
        table_name = "speech"
        without_rowid = True


class SayingRow(_Table):
    """A hash of what the candidate of a bucket is made of, where that is what people say."""

    bucket = IntegerField(primary_key=True)
    seal = IntegerField()

    class Meta:
        table_name = "saying"


class TriggeredRow(_Table):
    """What a session did that makes candidates possible, a line each: `run git`, `edit test`."""

    session = IntegerField(primary_key=True)
    names = TextField()

    class Meta:
        table_name = "triggered"


class SeenErrorRow(_Table):
    """An error that was seen, by the key of what its message says."""

    key = IntegerField()
    bucket = IntegerField(index=True)
    template = TextField()
    data = BlobField()

    class Meta:
        table_name = "seen"
        primary_key = CompositeKey("key", "bucket", "template")
        without_rowid = True


class RegroupedRow(_Table):
    """An id that was replaced, and the one that replaced it."""

    old = TextField(primary_key=True)
    new = TextField()

    class Meta:
        table_name = "regrouped"
        without_rowid = True


class SweepRow(_Table):
    """How a sweep went."""

    key = IntegerField(primary_key=True)
    started_ts = IntegerField()
    seconds = FloatField()
    discovered = IntegerField()
    ingested = IntegerField()
    skipped_unchanged = IntegerField()
    bytes_read = IntegerField()
    new_problems = IntegerField()
    is_complete = BooleanField()
    analyzed = IntegerField()
    evicted = IntegerField()
    raw_usage = IntegerField()
    distilled_usage = IntegerField()

    class Meta:
        table_name = "sweep"


class NoteRow(_Table):
    """A fact about the store itself."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "note"
        without_rowid = True


TABLES = (
    SessionRow,
    EventRow,
    FrameRow,
    PartRow,
    FolderRow,
    UnitStateRow,
    FoldRow,
    SearchTextRow,
    SearchPendingRow,
    EvictedRow,
    UsageTable,
    UsageHolderRow,
    ModelRow,
    SpendRow,
    ProblemRow,
    SignalRow,
    CountedRow,
    ChangedBucketRow,
    ChangedSessionRow,
    CandidateRow,
    TriggeredRow,
    RegroupedRow,
    SweepRow,
    NoteRow,
)
