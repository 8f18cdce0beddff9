"""The hub that is served, asked by the client of every machine."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.curate.hub.hub import Failed, Hub, Sent
from helix_tui.curate.hub.queue import Queue
from helix_tui.curate.hub.sync import sync
from helix_tui.errors import StoreError
from tests.conftest import Workbench
from tests.curate.decision_lines import approve, reject, undo
from tests.hub_server.served import serving

LINES = [approve(1, "a"), reject(2, "b"), undo(3, 1)]
NOW = 1_772_400_000_000


def filled(folder: Path) -> Queue:
    queue = Queue(folder / "decisions.jsonl")
    assert queue.reconcile(decisions_of(LINES)) == ""
    return queue


def test_client_sends_and_a_lost_queue_changes_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        settings = served.settings(served.records().add_token("kim", NOW), tmp_path)
        for _ in range(2):
            with Hub(settings, {}) as hub:
                report = sync(filled(tmp_path), hub, NOW, is_all=True)
            assert (report.sent, report.queued, report.problem) == (3, 0, "")
            (tmp_path / "decisions.jsonl").unlink()
        recorded = served.records().decisions()
    assert [(row.verdict, row.sender, row.holds) for row in recorded] == [
        ("approved", "kim", False),
        ("rejected", "kim", True),
        ("retracted", "kim", False),
    ]


def test_tokens_limits_and_refusals_as_the_client_hears_them(tmp_path: Path) -> None:
    first, second, _ = decisions_of(LINES)
    with serving(tmp_path, per_second=5) as served:
        wrong = Hub(served.settings("wrong", tmp_path), {}).send(first.id, body_of(first))
        assert isinstance(wrong, Failed)
        assert "401 and does not accept the token" in wrong.reason
        token = served.records().add_token("kim", NOW)
        hub = Hub(served.settings(token, tmp_path), {})
        # The tokens that the server knows are a second old at most.
        served_at_once = _until(lambda: hub.send(first.id, body_of(first)), Sent)
        assert served_at_once == Sent(201)
        assert hub.send(first.id, body_of(first)) == Sent(200)
        other = hub.send(first.id, body_of(first).replace("approved", "rejected"))
        assert isinstance(other, Failed)
        assert other.is_permanent
        assert "409" in other.reason
        crowd = [hub.send(second.id, body_of(second)) for _ in range(12)]
        limited = [answer for answer in crowd if isinstance(answer, Failed)]
        assert limited
        assert limited[0].retry_after == 1
        served.records().revoke_token("kim", NOW)
        ended = _until(lambda: hub.send(second.id, body_of(second)), Failed, "401")
        assert isinstance(ended, Failed)
        hub.close()


def _until(
    send: Callable[[], Sent | Failed], kind: type[Sent | Failed], words: str = ""
) -> Sent | Failed:
    for _ in range(400):
        answer = send()
        if isinstance(answer, kind) and words in str(answer):
            return answer
        threading.Event().wait(0.01)
    raise AssertionError(answer)


def test_many_at_once_are_each_recorded_once(tmp_path: Path) -> None:
    decisions = decisions_of([approve(n, f"c{n}") for n in range(1, 61)])
    with serving(tmp_path) as served:
        settings = served.settings(served.records().add_token("kim", NOW), tmp_path)
        answers: list[object] = []

        def send_all() -> None:
            with Hub(settings, {}) as hub:
                answers.extend(hub.send(one.id, body_of(one)) for one in decisions)

        threads = [threading.Thread(target=send_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        recorded = served.records().decisions()
    assert len(answers) == 240
    assert answers.count(Sent(201)) == 60
    assert answers.count(Sent(200)) == 180
    assert {row.key for row in recorded} == {one.id for one in decisions}
    assert len(recorded) == 60


def test_ready_and_metrics(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        token = served.records().add_token("kim", NOW)
        trust = ssl.create_default_context(cafile=served.ca_file)
        with httpx2.Client(base_url=served.url, verify=trust) as client:
            assert client.get("/ready").status_code == 200
            assert client.get("/metrics").status_code == 401
            assert client.post("/decisions", content=b"{}").status_code == 401
            assert client.get("/decisions").status_code == 405
            assert client.get("/elsewhere").status_code == 404
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            huge = client.post("/decisions", content=b"x" * 200_000, headers=headers)
            assert huge.status_code == 400  # it names no key
            headers["Idempotency-Key"] = "k1"
            huge = client.post("/decisions", content=b"x" * 200_000, headers=headers)
            assert huge.status_code == 413
            text = client.get("/metrics", headers=headers).text
    assert 'helix_hub_requests_total{status="401"} 1' in text
    assert 'helix_hub_requests_total{status="413"} 1' in text
    assert "helix_hub_waiting 0" in text


def test_database_that_went_away_is_told_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, *_) = decisions_of(LINES)
    with serving(tmp_path) as served:
        hub = Hub(served.settings(served.records().add_token("kim", NOW), tmp_path), {})
        with monkeypatch.context() as broken:
            broken.setattr("helix_tui.hub_server.records.Records._known", _broken)
            failed = hub.send(first.id, body_of(first))
        assert isinstance(failed, Failed)
        assert not failed.is_permanent
        assert failed.retry_after == 60
        assert hub.send(first.id, body_of(first)) == Sent(201)
        hub.close()


def _broken(*_: object) -> dict[str, bytes]:
    raise StoreError("The database is away.")


def test_commands(bench: Workbench) -> None:
    made = bench.helix("hub", "token", "add", "kim", "--json")
    assert made.json["token"].startswith("helix_")
    assert bench.helix("hub", "token", "add", "kim", check=False).code == 2
    assert "kim" in bench.helix("hub", "token", "list").out
    assert bench.helix("hub", "token", "revoke", "kim").code == 0
    assert bench.helix("hub", "token", "revoke", "kim", check=False).code == 66
    assert "No decision was recorded yet" in bench.helix("hub", "decisions").out
    outside = bench.helix("hub", "serve", "--host", "0.0.0.0", check=False)
    assert outside.code == 2
    assert "--certificate" in outside.err
