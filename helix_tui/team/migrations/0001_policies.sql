-- A row is its owner's: written by no other role, and changed by no other. People read all rows of
-- facts, CI projects their own.
ALTER TABLE helix.origin ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.session_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.session ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.fold ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.words ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.signal ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.effect ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.verdict ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.tombstone ENABLE ROW LEVEL SECURITY;
ALTER TABLE helix.member ENABLE ROW LEVEL SECURITY;

CREATE POLICY reads ON helix.member FOR SELECT
    USING (role = current_user OR (SELECT helix.reads_all()));

CREATE POLICY reads ON helix.origin FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.origin FOR INSERT WITH CHECK (owner = current_user);

CREATE POLICY reads ON helix.session_key FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.session_key FOR INSERT
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user)
        AND right(uid, length(origin) + 1) = '.' || origin);

CREATE POLICY reads ON helix.session FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.session FOR INSERT
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user)
        AND helix.owns_key(key, month, current_user)
        AND right(uid, length(origin) + 1) = '.' || origin);
CREATE POLICY changes ON helix.session FOR UPDATE USING (owner = current_user)
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user)
        AND helix.owns_key(key, month, current_user));

CREATE POLICY reads ON helix.fold FOR SELECT
    USING ((SELECT helix.reads_all()) OR helix.owns_key(key, month, current_user));
CREATE POLICY writes ON helix.fold FOR INSERT
    WITH CHECK (helix.owns_key(key, month, current_user));
CREATE POLICY changes ON helix.fold FOR UPDATE USING (helix.owns_key(key, month, current_user));

CREATE POLICY reads ON helix.words FOR SELECT
    USING ((SELECT helix.reads_all()) OR helix.owns_key(key, month, current_user));
CREATE POLICY writes ON helix.words FOR INSERT
    WITH CHECK (helix.owns_key(key, month, current_user));
CREATE POLICY changes ON helix.words FOR UPDATE USING (helix.owns_key(key, month, current_user));

CREATE POLICY reads ON helix.signal FOR SELECT
    USING ((SELECT helix.reads_all()) OR helix.owns_key(key, month, current_user));
CREATE POLICY writes ON helix.signal FOR INSERT
    WITH CHECK (helix.owns_key(key, month, current_user));
CREATE POLICY changes ON helix.signal FOR UPDATE USING (helix.owns_key(key, month, current_user));

CREATE POLICY reads ON helix.effect FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.effect FOR INSERT
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user));
CREATE POLICY changes ON helix.effect FOR UPDATE USING (owner = current_user)
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user));

CREATE POLICY reads ON helix.verdict FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.verdict FOR INSERT
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user));

CREATE POLICY reads ON helix.tombstone FOR SELECT
    USING (owner = current_user OR (SELECT helix.reads_all()));
CREATE POLICY writes ON helix.tombstone FOR INSERT
    WITH CHECK (owner = current_user AND helix.owns(origin, current_user));
