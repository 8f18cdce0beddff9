-- What one list needs besides: numbers by which clients pull what changed, and what keepers
-- remember between two groupings.
ALTER TABLE helix.counted ADD COLUMN is_sub_agent boolean NOT NULL DEFAULT false;
CREATE INDEX counted_by_uid ON helix.counted (uid);
CREATE INDEX counted_by_latest ON helix.counted (repo, branch, last_ts DESC, root COLLATE "C" DESC);
DROP INDEX helix.counted_by_branch;
CREATE INDEX counted_by_end ON helix.counted (last_ts) WHERE gate IS NULL;

-- A candidate that is gone is a row without data: whoever pulls from a number on learns of it.
ALTER TABLE helix.candidate ADD COLUMN n bigint NOT NULL DEFAULT 0;
-- A hash of all of it, since what is stored of very many conversations is not all of it.
ALTER TABLE helix.candidate ADD COLUMN seal bigint;
ALTER TABLE helix.candidate ADD COLUMN excerpts bytea;
ALTER TABLE helix.candidate ALTER COLUMN data DROP NOT NULL;
CREATE INDEX candidate_by_number ON helix.candidate (n);

-- How repositories are named where their names are shared.
CREATE TABLE helix.place (repo text PRIMARY KEY, name text NOT NULL);
-- Conversations that count, by agent and repository.
CREATE TABLE helix.population (
    flavor text NOT NULL,
    repo text NOT NULL,
    sessions bigint NOT NULL,
    PRIMARY KEY (flavor, repo)
);
-- Buckets of many sessions, those that wait for a keeper with time, and whose speech does.
CREATE TABLE helix.big_bucket (bucket bigint PRIMARY KEY, sightings bigint NOT NULL);
CREATE TABLE helix.waiting (bucket bigint PRIMARY KEY, since_ms bigint NOT NULL);
CREATE TABLE helix.put_off (key bigint PRIMARY KEY);
