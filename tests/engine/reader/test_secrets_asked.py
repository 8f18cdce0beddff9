"""No byte that a model is sent holds a secret of a log."""

from __future__ import annotations

import json

from helix_tui.engine.reader.reading import TurnReader
from tests.conftest import Workbench
from tests.curate.hub_server import running
from tests.engine.secret_logs import SECRETS, write_logs
from tests.model.made import answers, ollama_body

_MOST_QUESTIONS = 5_000


def test_planted_secrets_of_every_provider_are_in_no_question(bench: Workbench) -> None:
    write_logs(bench.home)
    # Sessions of nobody's repository count as well, so that each is read.
    bench.config = bench.home / "config.toml"
    with running(None) as server:
        server.script = [answers(ollama_body('{"kind": "none", "noop": true}'))] * _MOST_QUESTIONS
        bench.config.write_text(
            '[detect]\nreader = "model"\n[detect.quality]\nrequire_repo = false\n'
            '[memory]\ndistiller = "model"\n'
            f'[model]\npreset = "ollama"\nmodel = "m"\nurl = "{server.url}"\ndaily_token_cap = 0\n'
        )
        bench.sweep()
        engine = bench.engine()
        done = TurnReader(engine.config).read(300)
        assert done.problem == ""
        assert done.labelled >= 3 * len(SECRETS)
        flushed = list(bench.sessions().values())[::4]
        for session in flushed:
            assert engine.memory.flush(session).by == "model"
        sent = [json.loads(request.body)["messages"] for request in server.received]
    assert len(sent) == done.asked + len(flushed)
    everything = "\n".join(message["content"] for messages in sent for message in messages)
    assert "my key is" in everything
    for _, core in SECRETS:
        runs = {core[at : at + 8] for at in range(len(core) - 7)}
        assert {run for run in runs if not run.isdecimal() and run in everything} == set()
