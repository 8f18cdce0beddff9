"""No byte that stays after eviction holds a secret of a log."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from helix_tui.digest.codec import unpack_fold
from helix_tui.store.digests.texts import unpack_texts
from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.engine.retained import set_caps
from tests.grok_log import CHAT, FOLDER, GrokLog
from tests.text.planted import BODY, DASHES, KEYS, noise

# Empty pages hold nothing, and all of them are searched for every piece of a secret.
_NOTHING = bytes(64)
WORD = "abcdefghijklmnopqrstuvwxyz0123456789"
BEGIN, END = (f"{DASHES}{word} RSA PRIVATE KEY{DASHES}" for word in ("BEGIN", "END"))
# What stands in a log, and the part of it that must not stay.
SECRETS: list[tuple[str, str]] = [
    *((start.replace("|", "") + rest, rest) for _, start, rest in KEYS),
    ("\n".join([BEGIN, *BODY, END]), BODY[1]),
    (f"Authorization: Bearer {noise(WORD, 40, 1)}", noise(WORD, 40, 1)),
    (f"postgres://app:{noise(WORD, 20, 2)}@db.example.org/app", noise(WORD, 20, 2)),
    (f"SERVICE_API_KEY={noise(WORD, 30, 3)}", noise(WORD, 30, 3)),
    (f"AWS_SECRET_ACCESS_KEY={noise(WORD, 40, 4)}", noise(WORD, 40, 4)),
]


def write_logs(home: Path) -> None:
    """Each secret wherever a log can have one: prompts, commands, results, errors, file names."""
    for number, (secret, _) in enumerate(SECRETS):
        log = ClaudeLog(session=f"session-{number}")
        log.prompt(f"my key is {secret}, keep it")
        log.step(f"curl -H 'x: {secret}' https://example.org", f"got {secret}")
        log.step(f"echo {secret}", f"Exit code 1\nError: bad key {secret}\nmore", is_error=True)
        log.step(f"retry {secret}", f"{'x' * 9000}\n{secret}\nError: {secret}", is_error=True)
        call = log.call("Read", given={"file_path": f"/tmp/{secret}/a"})
        log.result(call["message"]["content"][0]["id"], secret)
        log.call("Task", given={"description": secret, "prompt": secret})
        log.prompt(f"no, that's wrong: {secret}")
        log.prompt("z" * 350 + f" {secret}")
        log.prompt("z" * 3990 + f" {secret} and " + "z" * 600)
        log.step(f"run {'z' * 460} {secret} {'z' * 400}")
        log.reply(f"{'z' * 480} {secret}")
        log.reply(f"I saw {secret}. {'z' * 360} {secret}?")
        log.write(home)


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
