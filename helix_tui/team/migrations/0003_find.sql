-- Sessions that have all words of a question. A policy is asked of every row before an operator that
-- might tell what it saw, so that no index of words would be used. Whoever may call this reads all.
-- Months are read from the newest on; the sum keeps the planner from walking all keys of a month.
CREATE FUNCTION helix.find(asked text, most integer) RETURNS TABLE (key bigint, month integer)
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
