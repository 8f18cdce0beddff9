"""The tables as peewee models; the migrations create them.

No model is bound to a database: a query names its store when it is executed, so that a process
may have several open.
"""

from __future__ import annotations

from helix_tui.store.orm import peewee


class _Table(peewee.Model):
    class Meta:
        legacy_table_names = False


class SessionRow(_Table):
    """One session with the figures that lists show."""

    key = peewee.IntegerField(primary_key=True)
    id = peewee.TextField(unique=True)
    flavor = peewee.TextField()
    native_id = peewee.TextField()
    parent = peewee.TextField(null=True)
    repo = peewee.TextField(null=True)
    cwd = peewee.TextField(null=True)
    cwd_ts = peewee.IntegerField(null=True)
    branch = peewee.TextField(null=True)
    branch_ts = peewee.IntegerField(null=True)
    model = peewee.TextField(null=True)
    model_ts = peewee.IntegerField(null=True)
    first_ts = peewee.IntegerField(null=True)
    last_ts = peewee.IntegerField(null=True)
    events = peewee.IntegerField()
    turns = peewee.IntegerField()
    prompts = peewee.IntegerField()
    tool_calls = peewee.IntegerField()
    tool_errors = peewee.IntegerField()
    compactions = peewee.IntegerField()
    input = peewee.IntegerField()
    output = peewee.IntegerField()
    cache_read = peewee.IntegerField()
    cache_write = peewee.IntegerField()
    reasoning = peewee.IntegerField()
    pack_bytes = peewee.IntegerField()
    ended = peewee.TextField(null=True)
    outcome = peewee.TextField()
    outcome_confidence = peewee.FloatField(null=True)
    outcome_reason = peewee.TextField(null=True)
    is_analyzed = peewee.BooleanField()
    is_exact = peewee.BooleanField()
    evicted_events = peewee.IntegerField()
    profile = peewee.BlobField(null=True)
    agent_version = peewee.TextField(null=True)
    agent_version_ts = peewee.IntegerField(null=True)

    class Meta:
        table_name = "session"


class EventRow(_Table):
    """Where an event is stored: the part it was read from, and its frame and slot."""

    session = peewee.IntegerField()
    fingerprint = peewee.IntegerField()
    part = peewee.IntegerField()
    position = peewee.IntegerField()
    ts = peewee.IntegerField(null=True)
    kind = peewee.IntegerField()
    is_error = peewee.BooleanField()
    frame = peewee.IntegerField()
    slot = peewee.IntegerField()

    class Meta:
        table_name = "event"
        primary_key = peewee.CompositeKey("session", "fingerprint")
        without_rowid = True


class FrameRow(_Table):
    """A compressed run of events in a session's pack."""

    session = peewee.IntegerField()
    offset = peewee.IntegerField()
    length = peewee.IntegerField()
    size = peewee.IntegerField()
    checksum = peewee.IntegerField()

    class Meta:
        table_name = "frame"
        primary_key = peewee.CompositeKey("session", "offset")
        without_rowid = True


class PartRow(_Table):
    """A part of a unit and its cursor; a size of -1 means that it was not read to its end."""

    key = peewee.IntegerField(primary_key=True)
    flavor = peewee.TextField()
    unit = peewee.TextField()
    name = peewee.TextField()
    path = peewee.TextField()
    device = peewee.IntegerField()
    inode = peewee.IntegerField()
    size = peewee.IntegerField()
    mtime_ns = peewee.IntegerField()
    offset = peewee.IntegerField()
    head_length = peewee.IntegerField()
    head_hash = peewee.IntegerField()
    tail_hash = peewee.IntegerField()
    is_document = peewee.BooleanField()

    class Meta:
        table_name = "part"


class FoldRow(_Table):
    """The state of the fold over a session's events in one part."""

    key = peewee.IntegerField(primary_key=True)
    session = peewee.IntegerField(index=True)
    part = peewee.IntegerField()
    data = peewee.BlobField()

    class Meta:
        table_name = "fold"


class SearchTextRow(_Table):
    """Searchable texts of a session; the key is the session's times 2^20, plus a running number."""

    key = peewee.IntegerField(primary_key=True)
    data = peewee.BlobField()

    class Meta:
        table_name = "search_text"


class SearchPendingRow(_Table):
    """Texts that are not in the index yet."""

    key = peewee.IntegerField(primary_key=True)

    class Meta:
        table_name = "search_pending"


class InstructionTextRow(_Table):
    """Instructions that agents were given, redacted; each text once."""

    hash = peewee.IntegerField(primary_key=True)
    size = peewee.IntegerField()
    data = peewee.BlobField()

    class Meta:
        table_name = "instruction_text"


class InstructedRow(_Table):
    """Which instructions a session was given; a hash of 0 where its log says that it was none."""

    key = peewee.IntegerField(primary_key=True)
    session = peewee.IntegerField()
    hash = peewee.IntegerField()
    source = peewee.TextField()
    ts = peewee.IntegerField(null=True)
    cut = peewee.IntegerField(null=True)

    class Meta:
        table_name = "instructed"


class EvictedRow(_Table):
    """The fingerprints of events whose bodies and rows are gone, and the parts that had them."""

    session = peewee.IntegerField(primary_key=True)
    fingerprints = peewee.BlobField()
    parts = peewee.TextField()

    class Meta:
        table_name = "evicted"


class FolderRow(_Table):
    """A folder with nothing new as long as its listing has this digest: a shortcut past `part`."""

    flavor = peewee.TextField()
    path = peewee.TextField()
    digest = peewee.IntegerField()
    own_units = peewee.IntegerField()
    shared_units = peewee.BlobField()

    class Meta:
        table_name = "folder"
        primary_key = peewee.CompositeKey("flavor", "path")
        without_rowid = True


class UnitStateRow(_Table):
    """What an adapter remembers of a unit between two reads."""

    flavor = peewee.TextField()
    unit = peewee.TextField()
    state = peewee.BlobField()

    class Meta:
        table_name = "unit_state"
        primary_key = peewee.CompositeKey("flavor", "unit")
        without_rowid = True


class UsageTable(_Table):
    """What one provider message cost, and the session that it counts for."""

    key = peewee.TextField(primary_key=True)
    session = peewee.IntegerField()
    ts = peewee.IntegerField(null=True)
    model = peewee.TextField(null=True)
    input = peewee.IntegerField()
    output = peewee.IntegerField()
    cache_read = peewee.IntegerField()
    cache_write = peewee.IntegerField()
    reasoning = peewee.IntegerField()
    cost_ticks = peewee.IntegerField(null=True)
    cache_write_1h = peewee.IntegerField()
    requests = peewee.IntegerField()

    class Meta:
        table_name = "usage"
        without_rowid = True


class ModelRow(_Table):
    """A model that some message names; the empty name stands for messages that name none."""

    key = peewee.IntegerField(primary_key=True)
    name = peewee.TextField(unique=True)

    class Meta:
        table_name = "model"


class SpendRow(_Table):
    """Sums over a session's messages of one day, model and price step."""

    session = peewee.IntegerField()
    day = peewee.IntegerField()
    model = peewee.IntegerField()
    step = peewee.IntegerField()
    messages = peewee.IntegerField()
    input = peewee.IntegerField()
    output = peewee.IntegerField()
    cache_read = peewee.IntegerField()
    cache_write = peewee.IntegerField()
    cache_write_1h = peewee.IntegerField()
    reasoning = peewee.IntegerField()
    cost_ticks = peewee.IntegerField()

    class Meta:
        table_name = "spend"
        primary_key = peewee.CompositeKey("session", "day", "model", "step")
        without_rowid = True


class UsageHolderRow(_Table):
    """The sessions that hold a message, where it is more than one."""

    key = peewee.TextField()
    session = peewee.IntegerField(index=True)

    class Meta:
        table_name = "usage_holder"
        primary_key = peewee.CompositeKey("key", "session")
        without_rowid = True


class ProblemRow(_Table):
    """Something in the sources that could not be read; an offset of -1 means none."""

    path = peewee.TextField()
    offset = peewee.IntegerField()
    reason = peewee.TextField()
    first_ts = peewee.IntegerField()
    is_stale = peewee.BooleanField()

    class Meta:
        table_name = "problem"
        primary_key = peewee.CompositeKey("path", "offset", "reason")
        without_rowid = True


class SignalRow(_Table):
    """A session's signals in one bucket."""

    bucket = peewee.IntegerField()
    session = peewee.IntegerField(index=True)
    data = peewee.BlobField()

    class Meta:
        table_name = "signal"
        primary_key = peewee.CompositeKey("bucket", "session")
        without_rowid = True


class CountedRow(_Table):
    """A session as the last grouping counted it; `gate` is the rule that excludes it."""

    key = peewee.IntegerField(primary_key=True)
    id = peewee.TextField()
    root = peewee.TextField()
    flavor = peewee.TextField()
    repo = peewee.TextField()
    branch = peewee.TextField()
    first_ts = peewee.IntegerField(index=True)
    last_ts = peewee.IntegerField()
    gate = peewee.TextField(null=True)

    class Meta:
        table_name = "counted"


class ChangedBucketRow(_Table):
    """A bucket that has to be grouped again."""

    bucket = peewee.IntegerField(primary_key=True)

    class Meta:
        table_name = "changed_bucket"


class ChangedSessionRow(_Table):
    """A session that has to be counted again."""

    session = peewee.IntegerField(primary_key=True)

    class Meta:
        table_name = "changed_session"


class CandidateRow(_Table):
    """A candidate that a bucket's signals form."""

    id = peewee.TextField()
    bucket = peewee.IntegerField(index=True)
    sessions = peewee.IntegerField(index=True)
    brief = peewee.BlobField(null=True)
    data = peewee.BlobField()

    class Meta:
        table_name = "candidate"
        primary_key = peewee.CompositeKey("id", "bucket")


class SpeechRow(_Table):
    """What people say in a repository, as the last grouping laid it down."""

    repo = peewee.TextField(primary_key=True)
    data = peewee.BlobField()

    class Meta:
        table_name = "speech"
        without_rowid = True


class SayingRow(_Table):
    """A hash of what the candidate of a bucket is made of, where that is what people say."""

    bucket = peewee.IntegerField(primary_key=True)
    seal = peewee.IntegerField()

    class Meta:
        table_name = "saying"


class TriggeredRow(_Table):
    """What a session did that makes candidates possible, a line each: `run git`, `edit test`."""

    session = peewee.IntegerField(primary_key=True)
    names = peewee.TextField()

    class Meta:
        table_name = "triggered"


class SeenErrorRow(_Table):
    """An error that was seen, by the key of what its message says."""

    key = peewee.IntegerField()
    bucket = peewee.IntegerField(index=True)
    template = peewee.TextField()
    data = peewee.BlobField()

    class Meta:
        table_name = "seen"
        primary_key = peewee.CompositeKey("key", "bucket", "template")
        without_rowid = True


class RegroupedRow(_Table):
    """An id that was replaced, and the one that replaced it."""

    old = peewee.TextField(primary_key=True)
    new = peewee.TextField()

    class Meta:
        table_name = "regrouped"
        without_rowid = True


class SweepRow(_Table):
    """How a sweep went."""

    key = peewee.IntegerField(primary_key=True)
    started_ts = peewee.IntegerField()
    seconds = peewee.FloatField()
    discovered = peewee.IntegerField()
    ingested = peewee.IntegerField()
    skipped_unchanged = peewee.IntegerField()
    bytes_read = peewee.IntegerField()
    new_problems = peewee.IntegerField()
    is_complete = peewee.BooleanField()
    analyzed = peewee.IntegerField()
    evicted = peewee.IntegerField()
    raw_usage = peewee.IntegerField()
    distilled_usage = peewee.IntegerField()

    class Meta:
        table_name = "sweep"


class NoteRow(_Table):
    """A fact about the store itself."""

    name = peewee.TextField(primary_key=True)
    value = peewee.TextField()

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
