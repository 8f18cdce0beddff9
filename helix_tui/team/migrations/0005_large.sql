-- Buckets of very many conversations: a row for each conversation in one, what it adds to figures and
-- its place in the draw, and sums over all of a bucket. Only keepers write them.
CREATE TABLE helix.held (
    bucket bigint NOT NULL,
    root text COLLATE "C" NOT NULL,
    keys bigint[] NOT NULL,
    -- Null where all of its events are copies of another's.
    rank bigint,
    is_cured boolean NOT NULL,
    began bigint NOT NULL,
    flavor text,
    repo text,
    -- Null where nothing failed in it first hand.
    count bigint,
    chars bigint,
    ms bigint,
    first_ts bigint,
    last_ts bigint,
    prints bigint[] NOT NULL,
    is_cut boolean NOT NULL,
    PRIMARY KEY (bucket, root)
);
CREATE INDEX held_in_order ON helix.held (bucket, is_cured, rank, began, root)
    WHERE rank IS NOT NULL;
CREATE INDEX held_earliest ON helix.held (bucket, began, rank, root) WHERE rank IS NOT NULL;
CREATE INDEX held_by_key ON helix.held USING gin (keys) WITH (fastupdate = off);
CREATE INDEX held_by_print ON helix.held USING gin (prints) WITH (fastupdate = off);
CREATE TABLE helix.large_bucket (bucket bigint PRIMARY KEY, data bytea NOT NULL);
-- The month of a session leads to the partition that it lies in.
ALTER TABLE helix.counted ADD COLUMN month integer;
UPDATE helix.counted c SET month = k.month FROM helix.session_key k WHERE k.key = c.key;
-- Who was in a conversation with a session that is gone, or is another now, counts otherwise.
CREATE INDEX counted_by_root ON helix.counted (root);
