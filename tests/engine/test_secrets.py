"""No byte that stays after eviction holds a secret of a log."""

from __future__ import annotations

import sqlite3

import pytest

from helix_tui.digest.codec import unpack_fold
from helix_tui.store.digests.texts import unpack_texts
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.engine.retained import set_caps
from tests.engine.secret_logs import SECRETS, write_logs
from tests.grok_log import CHAT, FOLDER, GrokLog

# Empty pages hold nothing, and all of them are searched for every piece of a secret.
_NOTHING = bytes(64)


@pytest.mark.parametrize("is_evicted", [False, True])
def test_planted_secrets_of_every_provider_are_in_no_distilled_byte(
    bench: Workbench, is_evicted: bool
) -> None:
    write_logs(bench.home)
    if is_evicted:
        set_caps(bench, 0)
    bench.helix("--sweep", "-v", *(["--config", str(bench.config)] if bench.config else []))
    kept = [
        path.read_bytes().replace(_NOTHING, b"")
        for path in bench.store.rglob("*")
        if path.is_file() and path.suffix != ".pack"
    ]
    texts = [content.decode("latin-1") for content in kept]
    with sqlite3.connect(bench.store / "store.db") as database:
        folds = database.execute("SELECT data FROM fold").fetchall()
        searched = database.execute("SELECT data FROM search_text").fetchall()
        # On disk a word of the index lacks what it shares with the one before it.
        database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search_index, row)")
        words = [word for (word,) in database.execute("SELECT term FROM temp.words")]
    assert len(folds) == len(searched) == len(SECRETS)
    assert {"curl", "retry", "saw"} <= set(words)
    texts += [repr(unpack_fold(data)) for (data,) in folds]  # on disk they are compressed
    texts += [repr(unpack_texts(data)) for (data,) in searched]
    everything, indexed = "\n".join(texts), "\n".join(words)
    for _, core in SECRETS:
        runs = {core[at : at + 8] for at in range(len(core) - 7)}
        assert {run for run in runs if not run.isdecimal() and run in everything} == set()
        assert {run for run in runs if not run.isdecimal() and run.lower() in indexed} == set()


def test_a_key_in_the_name_of_a_model_is_shown_nowhere(bench: Workbench) -> None:
    name, core = f"openai/{SECRETS[0][0]}", SECRETS[0][1]
    codex = CodexLog()
    codex.turn(name)
    codex.prompt("hello")
    codex.spend(fresh=3, out=1)
    codex.write(bench.home)
    grok = GrokLog(current_model_id=name)
    grok.prompt("hello")
    grok.write(bench.home)
    bench.sweep()
    models = [session.model for session in bench.sessions().values()]
    assert len(models) == 2
    assert all(model and core not in model for model in models)
    with sqlite3.connect(bench.store / "store.db") as database:
        tables = [database.execute(f"SELECT * FROM {table}") for table in ("usage", "model")]
        assert all(core not in repr(row) for table in tables for row in table)


def test_what_was_said_last_is_not_remembered_beside_the_pack(bench: Workbench) -> None:
    secret, core = SECRETS[0]
    log = GrokLog()
    log.prompt("hello")
    log.reply(f"your key is {secret}")
    log.write(bench.home, without=CHAT)
    bench.sweep()
    assert any(core in event.text for event in bench.events(f"grok:{FOLDER}"))
    with sqlite3.connect(bench.store / "store.db") as database:
        (state,) = database.execute("SELECT state FROM unit_state").fetchone()
    assert core.encode() not in state
