-- What runs inside the database. Made again by each `helix team init`, whatever migrations ran.

-- A month that sessions may lie in by this server's clock; 0 holds those without a believable time.
CREATE OR REPLACE FUNCTION helix.month_of(ts bigint) RETURNS integer LANGUAGE plpgsql STABLE
SET search_path = helix, pg_temp AS $$
DECLARE found integer;
BEGIN
    IF ts IS NULL OR ts < 1577836800000 OR ts > (extract(epoch FROM now()) * 1000)::bigint + 172800000 THEN
        RETURN 0;
    END IF;
    found := to_char(to_timestamp(ts / 1000) AT TIME ZONE 'UTC', 'YYYYMM')::integer;
    RETURN found;
END $$;

-- Make the partitions of a month. The parents are locked for a moment: call it before a push, in a
-- transaction of its own.
CREATE OR REPLACE FUNCTION helix.make_month(wanted integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
DECLARE parent text;
BEGIN
    IF wanted <> 0 AND (wanted NOT BETWEEN 202001 AND 209912 OR wanted % 100 NOT BETWEEN 1 AND 12
        OR wanted > to_char((now() + interval '3 days') AT TIME ZONE 'UTC', 'YYYYMM')::integer) THEN
        RAISE EXCEPTION 'there is no month %', wanted USING ERRCODE = '22023';
    END IF;
    IF to_regclass(format('helix.words_%s', wanted)) IS NOT NULL THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(8123, 1);
    FOREACH parent IN ARRAY ARRAY['session', 'fold', 'signal', 'words'] LOOP
        EXECUTE format('CREATE TABLE IF NOT EXISTS helix.%I PARTITION OF helix.%I '
            'FOR VALUES FROM (%s) TO (%s)', parent || '_' || wanted, parent, wanted, wanted + 1);
    END LOOP;
END $$;

-- Whether somebody asked that a session be forgotten: by itself, or with its repository or origin.
CREATE OR REPLACE FUNCTION helix.is_forgotten(an_origin text, a_uid text, a_repo text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM tombstone WHERE origin = an_origin AND (
        kind = 'origin' OR (kind = 'session' AND target = a_uid)
        OR (kind = 'repo' AND target = a_repo)))
$$;

-- Whether a session began in a month that retention has dropped.
CREATE OR REPLACE FUNCTION helix.is_expired(ts bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
    SELECT month_of(ts) > 0 AND month_of(ts) < coalesce(
        (SELECT value::integer FROM fact WHERE name = 'kept_from'), 0)
$$;

CREATE OR REPLACE FUNCTION helix.owns(an_origin text, an_owner text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM origin WHERE origin = an_origin AND owner = an_owner)
$$;

CREATE OR REPLACE FUNCTION helix.owns_key(a_key bigint, a_month integer, an_owner text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM session_key
        WHERE key = a_key AND month = a_month AND owner = an_owner)
$$;

-- Whether the current role is one of the people, who read what all others push. It runs as who
-- asks: within a function of another owner everybody would be that owner.
CREATE OR REPLACE FUNCTION helix.reads_all() RETURNS boolean LANGUAGE sql STABLE
SET search_path = helix, pg_temp AS $$
    SELECT coalesce((SELECT pg_has_role(current_user, value, 'member')
        FROM fact WHERE name = 'role_member'), false)
$$;

-- A push takes this shared and a tombstone alone: no row slips in beside its tombstone.
CREATE OR REPLACE FUNCTION helix.refuse_forgotten() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(8124, hashtext(NEW.origin));
    IF is_forgotten(NEW.origin, NEW.uid, NEW.repo) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER forgotten BEFORE INSERT ON helix.session
    FOR EACH ROW EXECUTE FUNCTION helix.refuse_forgotten();

CREATE OR REPLACE FUNCTION helix.note_session() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    INSERT INTO changed (key) VALUES (NEW.key);
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE ON helix.session
    FOR EACH ROW EXECUTE FUNCTION helix.note_session();

-- Nobody may delete signals; a row that was emptied by its owner goes here.
CREATE OR REPLACE FUNCTION helix.note_signal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    INSERT INTO changed (bucket, key) VALUES (NEW.bucket, NEW.key);
    IF NEW.data IS NULL THEN
        DELETE FROM signal WHERE month = NEW.month AND bucket = NEW.bucket AND key = NEW.key;
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE ON helix.signal
    FOR EACH ROW EXECUTE FUNCTION helix.note_signal();

-- Take every trace of some sessions away, and have what they were part of grouped again.
CREATE OR REPLACE FUNCTION helix.drop_sessions(keys bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    INSERT INTO changed (bucket, key) SELECT bucket, key FROM signal WHERE key = ANY (keys);
    INSERT INTO changed (key) SELECT unnest(keys);
    DELETE FROM signal WHERE key = ANY (keys);
    DELETE FROM words WHERE key = ANY (keys);
    DELETE FROM fold WHERE key = ANY (keys);
    DELETE FROM session WHERE key = ANY (keys);
    DELETE FROM session_key WHERE key = ANY (keys);
END $$;

CREATE OR REPLACE FUNCTION helix.await_pushes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(8124, hashtext(NEW.origin));
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER alone BEFORE INSERT ON helix.tombstone
    FOR EACH ROW EXECUTE FUNCTION helix.await_pushes();

CREATE OR REPLACE FUNCTION helix.forget() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    PERFORM drop_sessions(coalesce((
        SELECT array_agg(s.key) FROM session s WHERE s.origin = NEW.origin AND (
            NEW.kind = 'origin' OR (NEW.kind = 'session' AND s.uid = NEW.target)
            OR (NEW.kind = 'repo' AND s.repo = NEW.target))), '{}'));
    -- What was measured names sessions; whoever still may measures again.
    DELETE FROM effect WHERE origin = NEW.origin;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER forgets AFTER INSERT ON helix.tombstone
    FOR EACH ROW EXECUTE FUNCTION helix.forget();

CREATE OR REPLACE FUNCTION helix.number_verdict() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(8125, 1);
    NEW.n := nextval('helix.verdict_number');
    NEW.pseudonym := coalesce((SELECT pseudonym FROM member WHERE role = NEW.owner), NEW.owner);
    NEW.received_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER numbered BEFORE INSERT ON helix.verdict
    FOR EACH ROW EXECUTE FUNCTION helix.number_verdict();

CREATE OR REPLACE FUNCTION helix.note_joined() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
BEGIN
    UPDATE member SET joined_ms = coalesce(joined_ms, NEW.made_ms) WHERE role = NEW.owner;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER joined AFTER INSERT ON helix.origin
    FOR EACH ROW EXECUTE FUNCTION helix.note_joined();

-- Take what lies in the temporary table `incoming`, one JSON object a row. It runs as who pushes:
-- the policies decide on every row. Each session is answered: `taken`, `same` where this or a newer
-- one is there, `forgotten` where somebody asked for that.
CREATE OR REPLACE FUNCTION helix.take() RETURNS TABLE (sent_uid text, state text) LANGUAGE plpgsql
SET search_path = helix, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(8124, hashtext(o.origin)) FROM (
        SELECT DISTINCT i.row::json ->> 'origin' AS origin FROM pg_temp.incoming i ORDER BY 1) o;
    -- Who sends a session twice in one batch means the later one.
    CREATE TEMP TABLE arrived ON COMMIT DROP AS
        SELECT DISTINCT ON (r.uid) r.*, is_forgotten(r.origin, r.uid, coalesce(r.repo, ''))
            OR is_expired(r.first_ts) AS gone
        FROM pg_temp.incoming i, json_to_record(i.row::json) AS r (
            uid text, origin text, flavor text, native_id text, parent text, repo text,
            repo_name text, branch text, is_placeless boolean, first_ts bigint, last_ts bigint,
            model text, events bigint, turns bigint, prompts bigint, tool_calls bigint,
            tool_errors bigint, compactions bigint, input bigint, output bigint,
            cache_read bigint, cache_write bigint, reasoning bigint, ended text, outcome text,
            outcome_confidence double precision, profile json, triggers text, exposure json,
            marks bigint[], share text, signals_version text, extractor integer,
            revision bigint, hash text, signals json, fold json, words text)
        ORDER BY r.uid, r.extractor DESC, r.revision DESC;
    INSERT INTO session_key (uid, month, origin)
        SELECT a.uid, month_of(a.first_ts), a.origin FROM arrived a WHERE NOT a.gone
        ORDER BY a.uid ON CONFLICT (uid) DO NOTHING;
    CREATE TEMP TABLE took (key bigint, month integer, uid text) ON COMMIT DROP;
    WITH done AS (
        INSERT INTO session AS s (month, key, uid, origin, flavor, native_id, parent, repo,
            repo_name, branch, is_placeless, first_ts, last_ts, model, events, turns, prompts,
            tool_calls, tool_errors, compactions, input, output, cache_read, cache_write,
            reasoning, ended, outcome, outcome_confidence, profile, triggers, exposure, marks,
            share, signals_version, extractor, revision, hash)
        SELECT k.month, k.key, a.uid, a.origin, a.flavor, a.native_id, a.parent,
            coalesce(a.repo, ''), a.repo_name, coalesce(a.branch, ''), a.is_placeless,
            a.first_ts, a.last_ts, a.model, a.events, a.turns, a.prompts, a.tool_calls,
            a.tool_errors, a.compactions, a.input, a.output, a.cache_read, a.cache_write,
            a.reasoning, a.ended, a.outcome, a.outcome_confidence, a.profile::text,
            coalesce(a.triggers, ''), coalesce(a.exposure::text, '[]'), coalesce(a.marks, '{}'),
            a.share, a.signals_version, a.extractor, a.revision, a.hash
        FROM arrived a JOIN session_key k ON k.uid = a.uid WHERE NOT a.gone ORDER BY k.key
        ON CONFLICT (month, key) DO UPDATE SET
            parent = excluded.parent, repo = excluded.repo, repo_name = excluded.repo_name,
            branch = excluded.branch, is_placeless = excluded.is_placeless,
            first_ts = excluded.first_ts, last_ts = excluded.last_ts, model = excluded.model,
            events = excluded.events, turns = excluded.turns, prompts = excluded.prompts,
            tool_calls = excluded.tool_calls, tool_errors = excluded.tool_errors,
            compactions = excluded.compactions, input = excluded.input, output = excluded.output,
            cache_read = excluded.cache_read, cache_write = excluded.cache_write,
            reasoning = excluded.reasoning, ended = excluded.ended, outcome = excluded.outcome,
            outcome_confidence = excluded.outcome_confidence, profile = excluded.profile,
            triggers = excluded.triggers, exposure = excluded.exposure, marks = excluded.marks,
            share = excluded.share, signals_version = excluded.signals_version,
            extractor = excluded.extractor, revision = excluded.revision, hash = excluded.hash,
            change = pg_current_xact_id(),
            received_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE s.hash <> excluded.hash
            AND (excluded.extractor, excluded.revision) > (s.extractor, s.revision)
        RETURNING s.key, s.month, s.uid)
    INSERT INTO took SELECT * FROM done;
    CREATE TEMP TABLE signed ON COMMIT DROP AS
        SELECT t.month, e.key::bigint AS bucket, t.key, e.value::text AS data
        FROM took t JOIN arrived a ON a.uid = t.uid,
            json_each(coalesce(a.signals, '{}'::json)) AS e;
    UPDATE signal g SET data = NULL FROM took t WHERE g.month = t.month AND g.key = t.key
        AND NOT EXISTS (SELECT 1 FROM signed n WHERE n.key = g.key AND n.bucket = g.bucket);
    INSERT INTO signal AS g (month, bucket, key, data)
        SELECT n.month, n.bucket, n.key, n.data FROM signed n ORDER BY n.bucket, n.key
        ON CONFLICT (month, key, bucket) DO UPDATE SET data = excluded.data
        WHERE g.data IS DISTINCT FROM excluded.data;
    INSERT INTO fold AS f (month, key, data)
        SELECT t.month, t.key, coalesce(a.fold::text, '{}') FROM took t JOIN arrived a ON a.uid = t.uid
        ON CONFLICT (month, key) DO UPDATE SET data = excluded.data;
    INSERT INTO words AS w (month, key, words)
        SELECT t.month, t.key, to_tsvector('simple', coalesce(a.words, ''))
        FROM took t JOIN arrived a ON a.uid = t.uid
        ON CONFLICT (month, key) DO UPDATE SET words = excluded.words;
    RETURN QUERY SELECT a.uid, CASE WHEN a.gone THEN 'forgotten'
        WHEN t.uid IS NULL THEN 'same' ELSE 'taken' END
        FROM arrived a LEFT JOIN took t ON t.uid = a.uid;
    DROP TABLE pg_temp.arrived, pg_temp.took, pg_temp.signed;
END $$;

-- What retention would drop, and dropping it: whole months, by whoever owns the tables.
CREATE OR REPLACE FUNCTION helix.drop_month(wanted integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = helix, pg_temp AS $$
DECLARE parent text; dropped bigint;
BEGIN
    IF to_regclass(format('helix.session_%s', wanted)) IS NULL THEN
        RETURN 0;
    END IF;
    LOCK TABLE session, fold, signal, words IN ACCESS EXCLUSIVE MODE;
    INSERT INTO changed (bucket, key) SELECT bucket, key FROM signal WHERE month = wanted;
    INSERT INTO changed (key) SELECT key FROM session WHERE month = wanted;
    SELECT count(*) INTO dropped FROM session WHERE month = wanted;
    INSERT INTO fact VALUES ('kept_from', (wanted + 1)::text)
        ON CONFLICT (name) DO UPDATE SET value = greatest(fact.value, excluded.value);
    DELETE FROM session_key WHERE month = wanted;
    DELETE FROM effect;
    FOREACH parent IN ARRAY ARRAY['session', 'fold', 'signal', 'words'] LOOP
        EXECUTE format('DROP TABLE helix.%I', parent || '_' || wanted);
    END LOOP;
    RETURN dropped;
END $$;

-- Sessions that have all words of a question. A policy is asked of every row before an operator that
-- might tell what it saw, so that no index of words would be used. Whoever may call this reads all.
-- Months are read from the newest on; the sum keeps the planner from walking all keys of a month.
CREATE OR REPLACE FUNCTION helix.find(asked text, most integer) RETURNS TABLE (key bigint, month integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
DECLARE a_month integer; found bigint := 0;
BEGIN
    FOR a_month IN SELECT substr(c.relname, 7)::integer FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'helix.words'::regclass ORDER BY 1 DESC
    LOOP
        RETURN QUERY EXECUTE format('SELECT w.key, w.month FROM helix.%I w '
            'WHERE w.words @@ $1 ORDER BY w.key + 0 DESC LIMIT $2', 'words_' || a_month)
            USING asked::tsquery, most;
        GET DIAGNOSTICS found = ROW_COUNT;
        most := most - found;
        EXIT WHEN most <= 0;
    END LOOP;
END $$;

-- The sessions that have any of these marks, for keepers, past the policies for the same reason.
-- One mark at a time: of many at once the planner expects half of all sessions, and reads them all.
CREATE OR REPLACE FUNCTION helix.sharing(asked bigint[]) RETURNS TABLE (mark bigint, key bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = helix, pg_temp AS $$
    SELECT m, s.key FROM unnest(asked) AS m JOIN session s ON s.marks @> ARRAY[m]
$$;
