-- Facts: each row has an owner, the role that pushed it. Sessions and what hangs on them are
-- partitioned by the month in which a session began, as it was when it first came.
CREATE TABLE helix.fact (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE helix.member (
    role text PRIMARY KEY,
    pseudonym text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('person', 'ci')),
    is_keeper boolean NOT NULL DEFAULT false,
    joined_ms bigint,
    revoked_ms bigint
);

CREATE TABLE helix.origin (
    origin text PRIMARY KEY CHECK (origin ~ '^[A-Za-z0-9][A-Za-z0-9_-]{3,63}$'),
    owner text NOT NULL DEFAULT current_user,
    made_ms bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint
);

CREATE TABLE helix.session_key (
    uid text PRIMARY KEY CHECK (length(uid) <= 300),
    key bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    month integer NOT NULL,
    origin text NOT NULL,
    owner text NOT NULL DEFAULT current_user
);

CREATE TABLE helix.session (
    month integer NOT NULL,
    key bigint NOT NULL,
    uid text NOT NULL,
    origin text NOT NULL,
    owner text NOT NULL DEFAULT current_user,
    flavor text NOT NULL,
    native_id text NOT NULL,
    parent text,
    repo text NOT NULL DEFAULT '',
    repo_name text,
    branch text NOT NULL DEFAULT '',
    is_placeless boolean NOT NULL DEFAULT false,
    first_ts bigint,
    last_ts bigint,
    model text,
    events bigint NOT NULL,
    turns bigint NOT NULL,
    prompts bigint NOT NULL,
    tool_calls bigint NOT NULL,
    tool_errors bigint NOT NULL,
    compactions bigint NOT NULL,
    input bigint NOT NULL,
    output bigint NOT NULL,
    cache_read bigint NOT NULL,
    cache_write bigint NOT NULL,
    reasoning bigint NOT NULL,
    ended text,
    outcome text NOT NULL,
    outcome_confidence double precision,
    profile text NOT NULL,
    triggers text NOT NULL DEFAULT '',
    exposure text NOT NULL DEFAULT '[]',
    marks bigint[] NOT NULL DEFAULT '{}',
    share text NOT NULL CHECK (share IN ('numbers', 'excerpts')),
    signals_version text NOT NULL,
    extractor integer NOT NULL,
    revision bigint NOT NULL,
    hash text NOT NULL,
    change xid8 NOT NULL DEFAULT pg_current_xact_id(),
    received_ms bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    PRIMARY KEY (month, key)
) PARTITION BY RANGE (month);
CREATE INDEX session_by_key ON helix.session (key);
CREATE INDEX session_by_uid ON helix.session (uid);
CREATE INDEX session_by_parent ON helix.session (parent) WHERE parent IS NOT NULL;
CREATE INDEX session_by_start ON helix.session (first_ts, flavor);
CREATE INDEX session_by_origin ON helix.session (origin, repo);
CREATE INDEX session_by_change ON helix.session (change);
CREATE INDEX session_by_mark ON helix.session USING gin (marks);

CREATE TABLE helix.fold (
    month integer NOT NULL,
    key bigint NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (month, key)
) PARTITION BY RANGE (month);

CREATE TABLE helix.words (
    month integer NOT NULL,
    key bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (month, key)
) PARTITION BY RANGE (month);
CREATE INDEX words_by_word ON helix.words USING gin (words);

CREATE TABLE helix.signal (
    month integer NOT NULL,
    bucket bigint NOT NULL,
    key bigint NOT NULL,
    -- JSON of a list of signals; null marks a row that is gone, and a trigger takes it away.
    data text,
    PRIMARY KEY (month, key, bucket)
) PARTITION BY RANGE (month);
CREATE INDEX signal_by_bucket ON helix.signal (bucket, key);
CREATE INDEX signal_by_key ON helix.signal (key);

CREATE TABLE helix.effect (
    origin text NOT NULL,
    pattern text NOT NULL,
    version text NOT NULL,
    owner text NOT NULL DEFAULT current_user,
    figures text NOT NULL,
    received_ms bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    PRIMARY KEY (origin, pattern, version)
);

-- The number is given in the order of commits: whoever reads from a number on misses none.
CREATE SEQUENCE helix.verdict_number;
CREATE TABLE helix.verdict (
    n bigint PRIMARY KEY DEFAULT 0,
    line_id text NOT NULL UNIQUE,
    origin text NOT NULL,
    owner text NOT NULL DEFAULT current_user,
    pseudonym text NOT NULL DEFAULT '',
    at text NOT NULL,
    line text NOT NULL,
    received_ms bigint NOT NULL DEFAULT 0
);

CREATE TABLE helix.tombstone (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('session', 'repo', 'origin')),
    origin text NOT NULL,
    target text NOT NULL DEFAULT '',
    owner text NOT NULL DEFAULT current_user,
    received_ms bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    UNIQUE (origin, kind, target)
);

-- What has to be grouped or counted again: only ever appended to, and emptied by keepers row by
-- row, so that nobody waits and nothing that comes meanwhile is lost.
CREATE TABLE helix.changed (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bucket bigint,
    key bigint
);

-- Derived from the facts, by keepers alone; the same columns as in a local store.
CREATE TABLE helix.counted (
    key bigint PRIMARY KEY,
    uid text NOT NULL,
    root text NOT NULL,
    flavor text NOT NULL,
    repo text NOT NULL,
    branch text NOT NULL,
    first_ts bigint NOT NULL,
    last_ts bigint NOT NULL,
    gate text
);
CREATE INDEX counted_by_start ON helix.counted (first_ts, flavor);
CREATE INDEX counted_by_branch ON helix.counted (repo, branch, last_ts);

CREATE TABLE helix.candidate (
    id text NOT NULL,
    bucket bigint NOT NULL,
    sessions bigint NOT NULL,
    brief bytea,
    data bytea NOT NULL,
    PRIMARY KEY (id, bucket)
);
CREATE INDEX candidate_by_bucket ON helix.candidate (bucket);
CREATE INDEX candidate_by_sessions ON helix.candidate (sessions);

CREATE TABLE helix.note (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE helix.speech (repo text PRIMARY KEY, data bytea NOT NULL);
CREATE TABLE helix.saying (bucket bigint PRIMARY KEY, seal bigint NOT NULL);
CREATE TABLE helix.regrouped (old text PRIMARY KEY, new text NOT NULL);
CREATE TABLE helix.seen (
    key bigint NOT NULL,
    bucket bigint NOT NULL,
    template text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (key, bucket, template)
);
CREATE INDEX seen_by_bucket ON helix.seen (bucket);
