"""Servers of both forms: read, tried again, given up; the key stays in its header."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_tui.model import server_call
from helix_tui.model.ask import Model
from helix_tui.model.failure import ModelError
from tests.curate.hub_server import (
    Behaviour,
    Certificates,
    HubServer,
    drip,
    hang,
    running,
    say,
    say_back,
    say_raw,
)
from tests.model.made import (
    ANSWER,
    DAY,
    FENCED,
    INSTRUCTIONS,
    QUESTION,
    answers,
    asked,
    model_of,
    ollama_body,
    openai_body,
)

KEY = "sk-test-0123456789-4711"
ENVIRON = {"OPENAI_API_KEY": KEY}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_call, "FIRST_PAUSE_SECONDS", 0.01)


@pytest.fixture
def server() -> Iterator[HubServer]:
    with running(None) as made:
        yield made


def openai(server: HubServer, folder: Path, **settings: object) -> Model:
    return model_of(
        folder, ENVIRON, **{"preset": "openai", "model": "m", "url": f"{server.url}/v1", **settings}
    )


def failed(model: Model) -> ModelError:
    with pytest.raises(ModelError) as failure:
        asked(model)
    assert KEY not in str(failure.value)
    return failure.value


def test_openai(server: HubServer, tmp_path: Path) -> None:
    server.script = [answers(openai_body(FENCED))]
    answer = asked(openai(server, tmp_path))
    assert (answer.value, answer.tokens) == ({"answer": 42}, 34)
    (request,) = server.received
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = json.loads(request.body)
    assert (body["model"], body["stream"]) == ("m", False)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == QUESTION.material


def test_ollama_gets_room_for_the_whole_question(server: HubServer, tmp_path: Path) -> None:
    server.script = [answers(ollama_body(ANSWER))] * 2
    model = model_of(tmp_path, {}, preset="ollama", model="q", url=server.url)
    assert asked(model).tokens == 30
    with model:
        model.ask(QUESTION._replace(material="word " * 8_000), lambda value: True, DAY)
    small, large = (json.loads(request.body) for request in server.received)
    assert server.received[0].path == "/api/chat"
    assert "authorization" not in server.received[0].headers
    assert small["options"]["num_ctx"] == 4_096
    assert large["options"]["num_ctx"] * 4 > 40_000
    assert small["format"] == "json"


def test_tls_is_verified(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    with running(certificates) as server:
        server.script = [answers(openai_body(ANSWER))]
        trusting = openai(server, tmp_path, ca_file=certificates.ca_file)
        assert asked(trusting).value == {"answer": 42}
        error = failed(openai(server, tmp_path))
    assert error.kind == "unreachable"
    assert "certificate is not trusted" in error.what
    assert len(server.received) == 1, "nothing is sent to whom nobody vouches for"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(server: HubServer, tmp_path: Path, status: int) -> None:
    server.script = [say(status), say(status), answers(openai_body(ANSWER))]
    assert asked(openai(server, tmp_path)).value == {"answer": 42}


@pytest.mark.parametrize(("status", "kind"), [(429, "limited"), (500, "failed")])
def test_but_only_so_often(server: HubServer, tmp_path: Path, status: int, kind: str) -> None:
    server.script = [say(status)] * 9
    assert failed(openai(server, tmp_path)).kind == kind
    assert len(server.received) == server_call.TRIES


def test_a_pause_that_is_asked_for_is_kept(server: HubServer, tmp_path: Path) -> None:
    server.script = [say(429, retry_after="1"), answers(openai_body(ANSWER))]
    started = time.monotonic()
    asked(openai(server, tmp_path))
    assert time.monotonic() - started >= 1


def test_one_beyond_the_time_is_not_waited_for(server: HubServer, tmp_path: Path) -> None:
    server.script = [say(429, retry_after="3600")] * 2
    started = time.monotonic()
    error = failed(openai(server, tmp_path))
    assert time.monotonic() - started < 3
    assert error.kind == "limited"
    assert "3,600 s" in error.what
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (answers(openai_body("I'm sorry, but I can't help with that.")), "refused"),
        (answers(openai_body(ANSWER, finish_reason="content_filter")), "refused"),
        (
            answers({"choices": [{"message": {"content": None, "refusal": "No."}}]}),
            "refused",
        ),
        (answers(openai_body('{"answer": 4', finish_reason="length")), "unusable"),
        (answers(openai_body(INSTRUCTIONS)), "unusable"),
        (answers(openai_body("x" * 400_000)), "unusable"),
        (answers({"choices": []}), "unusable"),
        (answers({"error": {"message": "model is loading"}}), "failed"),
        (say(200, b"<html>hello</html>"), "unusable"),
        (answers({"error": {"message": "no such model"}}, 404), "setup"),
        (answers({"error": {"message": "bad key"}}, 401), "setup"),
        (say(302, location="http://localhost:9/v1/chat/completions"), "setup"),
        (say(400, b"bad request"), "failed"),
        (say_raw(b"hello\r\n\r\n"), "failed"),
        (say_back(401), "setup"),
        (say_back(400), "failed"),
    ],
)
def test_what_is_no_answer(
    server: HubServer, tmp_path: Path, behaviour: Behaviour, kind: str
) -> None:
    server.script = [behaviour] * 5
    assert failed(openai(server, tmp_path)).kind == kind


@pytest.mark.parametrize(
    "behaviour", [hang, drip(b""), drip(b"HTTP/1.1 200 So\r\nContent-Length: 9999\r\n\r\n{")]
)
def test_what_hangs_is_given_up(server: HubServer, tmp_path: Path, behaviour: Behaviour) -> None:
    server.script = [behaviour] * 5
    started = time.monotonic()
    error = failed(openai(server, tmp_path, timeout_seconds=1))
    assert error.kind == "late"
    assert time.monotonic() - started < 5


def test_nobody_listens(tmp_path: Path) -> None:
    model = model_of(tmp_path, {}, preset="ollama", model="q", url="http://127.0.0.1:9")
    error = failed(model)
    assert error.kind == "unreachable"
    assert "ollama serve" in error.todo
    assert model.spent(DAY) == 0


def test_a_redirect_never_takes_the_key_along(server: HubServer, tmp_path: Path) -> None:
    with running(None) as other:
        server.script = [say(307, location=f"{other.url}/v1/chat/completions")]
        failed(openai(server, tmp_path))
        assert other.received == []


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": "two words"}])
def test_a_key_that_is_none_is_told(tmp_path: Path, environ: dict[str, str]) -> None:
    model = model_of(tmp_path, environ, preset="openai", model="m")
    error = failed(model)
    assert error.kind == "setup"
    assert "$OPENAI_API_KEY" in error.what
    assert "two words" not in str(error)


def test_a_server_of_ones_own_may_want_no_key(server: HubServer, tmp_path: Path) -> None:
    server.script = [answers(openai_body(ANSWER))]
    asked(model_of(tmp_path, {}, preset="openai", model="m", url=server.url))
    assert "authorization" not in server.received[0].headers


def test_the_key_is_in_no_log(
    server: HubServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script = [say_back(500), say_back(429), answers(openai_body(ANSWER))]
    model = openai(server, tmp_path)
    asked(model)
    assert KEY not in caplog.text
    assert KEY not in repr(model) + repr(model._call)
    assert KEY not in "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())


def test_the_key_is_not_handed_on_to_programs(tmp_path: Path) -> None:
    """In a process of its own: what is kept secret there stays so until its end."""
    file = tmp_path / "config.toml"
    file.write_text('[model]\npreset = "openai"\nmodel = "m"\n')
    source = (
        "import sys\nfrom pathlib import Path\nfrom helix_tui import config\n"
        "from helix_tui.program import run_program\n"
        "config.load(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "print(run_program(['env'], b'', 20).decode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", source, str(file), str(tmp_path / "store")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENAI_API_KEY": KEY},
    )
    assert "HELIX_INVOKED_BY" in done.stdout
    assert KEY not in done.stdout
