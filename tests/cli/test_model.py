"""`helix model test` says in plain words what works, or what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conftest import Workbench
from tests.curate.hub_server import running, say, say_back
from tests.model.made import answers, openai_body, program

KEY = "sk-test-0123456789-4711"
READY = 'Of course: {"ready": true}'


def configure(bench: Workbench, text: str) -> None:
    file = bench.home / ".config" / "helix" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def by_program(bench: Workbench, body: str) -> Path:
    file = program(bench.home, "own", body)
    configure(bench, f'[model]\npreset = "command"\ncommand = [{json.dumps(str(file))}]\n')
    return file


def test_it_works(bench: Workbench) -> None:
    by_program(bench, f"print({READY!r})")
    told = bench.helix("model", "test")
    assert told.code == 0
    assert told.out.startswith("It works: command (")
    assert "Nothing asks it yet" in told.out


def test_as_json(bench: Workbench) -> None:
    file = by_program(bench, f"print({READY!r})")
    told = bench.helix("model", "test", "--json").json
    assert told["schema"] == "helix.model/1"
    assert (told["ready"], told["preset"], told["target"]) == (True, "command", str(file))
    assert (told["problem"], told["used_by"]) == (None, [])
    assert told["tokens"] > 0


def test_it_does_not_work(bench: Workbench) -> None:
    by_program(bench, "sys.exit('error: not logged in')")
    told = bench.helix("model", "test", check=False)
    assert told.code == 3
    assert "not logged in" in told.err
    assert "Look at [model] command." in told.err
    told = bench.helix("model", "test", "--json", check=False)
    assert told.code == 3
    assert (told.json["ready"], told.json["kind"]) == (False, "setup")


def test_an_echo_is_not_taken_for_an_answer(bench: Workbench) -> None:
    configure(bench, '[model]\npreset = "command"\ncommand = ["cat"]\n')
    told = bench.helix("model", "test", check=False)
    assert told.code == 3
    assert "repeated the request" in told.err


def test_without_a_model(bench: Workbench) -> None:
    told = bench.helix("model", "test", check=False)
    assert told.code == 3
    assert "Set [model] preset" in told.err


def test_a_server_with_a_key_that_no_log_shows(bench: Workbench) -> None:
    with running(None) as server:
        server.script = [answers(openai_body(READY)), say_back(401), say(302, location="x")]
        configure(bench, f'[model]\npreset = "openai"\nmodel = "m"\nurl = "{server.url}"\n')
        bench.variables = {"OPENAI_API_KEY": KEY}
        told = [bench.helix("model", "test", "-v", check=False) for _ in range(3)]
        assert [one.code for one in told] == [0, 3, 3]
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    printed = "".join(one.out + one.err for one in told)
    assert "does not accept the key" in printed
    kept = "".join(
        file.read_text("utf-8", "replace") for file in bench.store.rglob("*") if file.is_file()
    )
    assert KEY not in printed + kept


def test_settings_that_cannot_work_are_told_at_once(bench: Workbench) -> None:
    configure(bench, '[detect]\nreader = "model"\n')
    told = bench.helix("config", "check", check=False)
    assert told.code == 78
    assert "model.preset: must be set" in told.err
    configure(bench, '[model]\npreset = "openai"\nurl = "http://models.example.com"\n')
    told = bench.helix("config", "check", check=False)
    assert "model.url: must be an https address" in told.err
    assert "model.model: must name a model" in told.err


def checked(bench: Workbench) -> dict[str, Any]:
    """What `helix doctor` says of the model."""
    told = bench.helix("doctor", "--json", check=False).json["checks"]
    return next((check for check in told if check["name"] == "model"), {})


def test_the_doctor_looks_for_program_and_key_and_asks_nothing(bench: Workbench) -> None:
    by_program(bench, "sys.exit('asked')")
    assert checked(bench) == {}, "nothing uses it"
    used = '[detect]\nreader = "model"\n[model]\n'
    configure(bench, f'{used}preset = "command"\ncommand = ["no-such-program"]\n')
    assert not checked(bench)["ok"]
    configure(bench, f'{used}preset = "command"\ncommand = ["cat"]\n')
    assert checked(bench)["ok"]
    configure(bench, f'{used}preset = "openai"\nmodel = "m"\n')
    assert "$OPENAI_API_KEY is not set" in checked(bench)["detail"]
    bench.variables = {"OPENAI_API_KEY": KEY}
    assert checked(bench)["ok"]
    assert KEY not in str(checked(bench))
