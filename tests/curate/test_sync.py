"""Sending: every decision arrives once in effect, and nobody waits for it."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock
from msgspec.structs import replace

from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.curate.hub.hub import Hub
from helix_tui.curate.hub.queue import Queue, QueueRow
from helix_tui.curate.hub.sync import LONGEST_SECONDS, SyncReport, delay_seconds, eligible, sync
from helix_tui.schema.curation import HubSettings
from helix_tui.schema.review import JournalLine
from helix_tui.text.times import iso, parse_iso
from tests.curate.decision_lines import approve, name, reject, undo
from tests.curate.hub_server import (
    Certificates,
    HubServer,
    hang,
    refusing_url,
    running,
    say,
    say_back,
    seconds_taken,
    take,
    take_and_break,
    take_and_hang,
)

NOW = parse_iso("2026-03-02T00:00:00.000Z") or 0
MINUTE = 60_000
TOKEN = "t0p-s3cret-of-the-hub"
ENVIRON = {"HELIX_HUB_TOKEN": TOKEN}
LINES = [approve(1, "a"), reject(2, "b"), approve(3, "c")]


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return filled(tmp_path, LINES)


def filled(folder: Path, lines: list[JournalLine]) -> Queue:
    queue = Queue(folder / "decisions.jsonl")
    assert queue.reconcile(decisions_of(lines)) == ""
    return queue


def once(
    queue: Queue, server: HubServer, now: int = NOW, timeout: float = 5, *, is_all: bool = False
) -> SyncReport:
    with Hub(server.settings(timeout), ENVIRON) as hub:
        return sync(queue, hub, now, is_all=is_all)


def states(queue: Queue) -> list[str]:
    return [row.state for row in queue.rows()]


def test_sends_all_in_order_and_once(queue: Queue, server: HubServer) -> None:
    assert once(queue, server) == SyncReport(3, 0, 0, "")
    assert server.keys == [name(1), name(2), name(3)]
    assert [request.body.decode() for request in server.received] == [
        body_of(one) for one in decisions_of(LINES)
    ]
    assert states(queue) == ["sent"] * 3
    assert once(queue, server, is_all=True) == SyncReport(0, 0, 0, "")
    assert len(server.received) == 3


def test_the_key_is_the_id_in_the_body(queue: Queue, server: HubServer) -> None:
    once(queue, server)
    for request in server.received:
        assert json.loads(request.body)["id"] == request.headers["idempotency-key"]


def test_without_a_hub_nothing_is_tried(queue: Queue) -> None:
    before = queue.path.read_bytes()
    assert sync(queue, Hub(HubSettings(), {}), NOW, is_all=True) == SyncReport(0, 3, 0, "")
    assert queue.path.read_bytes() == before
    assert [path.name for path in queue.path.parent.glob("*.sync.lock")] == []


def test_settings_that_are_wrong_are_told_and_cost_no_attempt(queue: Queue) -> None:
    report = sync(queue, Hub(HubSettings(url="http://hub.example"), {}), NOW, is_all=True)
    assert (report.sent, report.queued, report.dead) == (0, 3, 0)
    assert "not encrypted" in report.problem
    assert {row.attempts for row in queue.rows()} == {0}


def test_a_failing_hub_gets_everything_later(queue: Queue, server: HubServer) -> None:
    server.script.append(say(500))
    report = once(queue, server)
    assert (report.sent, report.queued, report.dead) == (0, 3, 0)
    assert "500" in report.problem
    assert [row.attempts for row in queue.rows()] == [1, 0, 0]
    assert once(queue, server, NOW + 5 * MINUTE) == SyncReport(3, 0, 0, "")
    assert server.keys == [name(1), name(1), name(2), name(3)]
    assert server.received[0].body == server.received[1].body


def test_a_hub_that_is_away_is_asked_once_and_all_wait_alike(queue: Queue) -> None:
    with Hub(HubSettings(url=refusing_url()), ENVIRON) as hub:
        report = sync(queue, hub, NOW, is_all=False)
        assert "cannot be reached" in report.problem
        rows = queue.rows()
        assert [row.attempts for row in rows] == [1, 0, 0]
        assert len({row.next_at for row in rows}) == 1
        next_ts = parse_iso(rows[0].next_at) or 0
        assert MINUTE <= next_ts - NOW < MINUTE + 5_000
        # Before that time a sweep does not even try; asked to, it does.
        assert sync(queue, hub, NOW + MINUTE // 2, is_all=False) == SyncReport(0, 3, 0, "")
        assert sync(queue, hub, NOW + MINUTE // 2, is_all=True).problem
        assert [row.attempts for row in queue.rows()] == [2, 0, 0]


@pytest.mark.parametrize("status", [401, 403, 404, 302, 429, 503])
def test_what_is_wrong_with_the_hub_stops_it_at_once(
    queue: Queue, server: HubServer, status: int
) -> None:
    server.script.append(say(status, Location="https://localhost:1/"))
    assert str(status) in once(queue, server).problem
    assert len(server.received) == 1
    assert states(queue) == ["queued"] * 3


def test_a_silent_hub_holds_us_once(queue: Queue, server: HubServer) -> None:
    server.script += [hang, hang, hang]
    assert once(queue, server, timeout=0.3).queued == 3
    assert len(server.received) == 1


def test_what_the_hub_refuses_is_dead_and_holds_nobody_up(
    tmp_path: Path, server: HubServer
) -> None:
    queue = filled(tmp_path, [approve(1, "a"), reject(2, "a"), approve(3, "b")])
    server.script.append(say(409, b"another body under this key"))
    assert once(queue, server) == SyncReport(2, 0, 1, "")
    dead = queue.rows()[0]
    assert (dead.state, dead.attempts) == ("dead", 1)
    assert "another body" in dead.error
    once(queue, server, is_all=True)
    assert len(server.received) == 3


def test_a_hub_that_asks_for_time_gets_it(queue: Queue, server: HubServer) -> None:
    server.script.append(say(429, Retry_After="600"))
    once(queue, server)
    next_ts = parse_iso(queue.rows()[2].next_at) or 0
    assert 600_000 <= next_ts - NOW < 605_000
    once(queue, server, NOW + 599_000)
    assert len(server.received) == 1
    assert once(queue, server, NOW + 606_000).sent == 3


def test_waits_are_doubled_up_to_a_quarter_of_a_day() -> None:
    waits = [delay_seconds(attempts) for attempts in range(1, 12)]
    assert waits[:4] == [60, 120, 240, 480]
    assert waits[-1] == LONGEST_SECONDS == delay_seconds(10_000)
    assert delay_seconds(1, 0.0) == 60
    assert delay_seconds(1, 1e9) == LONGEST_SECONDS


def test_nothing_overtakes_what_its_candidate_still_has_to_tell(
    tmp_path: Path, server: HubServer
) -> None:
    queue = filled(tmp_path, [approve(1, "a"), undo(2, 1), reject(3, "b")])
    first = queue.rows()[0]
    queue.record([replace(first, attempts=1, next_at=iso(NOW + MINUTE) or "")])
    assert once(queue, server) == SyncReport(1, 2, 0, "")
    assert server.keys == [name(3)]
    assert once(queue, server, NOW + 2 * MINUTE).sent == 2
    assert server.keys == [name(3), name(1), name(2)]


def test_a_decision_that_the_hub_chokes_on_holds_up_only_its_candidate(
    tmp_path: Path, server: HubServer
) -> None:
    queue = filled(tmp_path, [approve(1, "a"), undo(2, 1), reject(3, "b"), reject(4, "c")])
    for attempt in range(3):
        server.script.append(say(500))
        assert once(queue, server, NOW + attempt * 60 * MINUTE).sent == 0
    server.script += [take, take, say(500)]
    assert once(queue, server, NOW + 300 * MINUTE).sent == 2
    assert server.keys[3:] == [name(3), name(4), name(1)]
    assert states(queue) == ["queued", "queued", "sent", "sent"]


def test_a_clock_that_was_wrong_does_not_put_off_for_years(queue: Queue, server: HubServer) -> None:
    queue.record([replace(row, next_at="2099-01-01T00:00:00.000Z") for row in queue.rows()])
    assert once(queue, server).sent == 3


def test_an_answer_that_got_lost_leads_to_the_same_bytes_again(
    queue: Queue, server: HubServer
) -> None:
    server.script.append(take_and_break)
    assert once(queue, server).sent == 0
    assert once(queue, server, is_all=True).sent == 3
    assert server.keys[:2] == [name(1), name(1)]
    assert server.received[0].body == server.received[1].body
    assert list(server.effects) == [name(1), name(2), name(3)]


def test_a_lost_queue_is_sent_again_and_is_once_in_effect(queue: Queue, server: HubServer) -> None:
    once(queue, server)
    queue.path.unlink()
    queue.reconcile(decisions_of(LINES))
    assert once(queue, server) == SyncReport(3, 0, 0, "")
    assert len(server.received) == 6
    assert list(server.effects) == [name(1), name(2), name(3)]


def test_a_lost_journal_leaves_the_queue_to_be_sent(queue: Queue, server: HubServer) -> None:
    again = Queue(queue.path)
    again.reconcile([])
    assert once(again, server).sent == 3


CHILD = """
import sys
from pathlib import Path
from helix_tui.curate.hub.hub import Hub
from helix_tui.curate.hub.queue import Queue
from helix_tui.curate.hub.sync import sync
from helix_tui.schema.curation import HubSettings
url, ca_file, path, now = sys.argv[1:]
hub = Hub(HubSettings(url=url, ca_file=Path(ca_file), timeout_seconds=30), {})
print(sync(Queue(Path(path)), hub, int(now), is_all=True))
"""


def child(queue: Queue, server: HubServer) -> subprocess.Popen[str]:
    """Another process that sends the same queue to the same hub."""
    ca_file = server.settings().ca_file
    arguments = [server.url, str(ca_file), str(queue.path), str(NOW)]
    command = [sys.executable, "-c", CHILD, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_killed_between_request_and_answer_sends_the_same_bytes_again(
    queue: Queue, server: HubServer
) -> None:
    server.script += [take, take_and_hang]
    with child(queue, server) as killed:
        deadline = time.monotonic() + 10
        while len(server.received) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
    assert states(queue) == ["sent", "queued", "queued"]
    assert once(queue, server, is_all=True) == SyncReport(2, 0, 0, "")
    assert server.keys == [name(1), name(2), name(2), name(3)]
    assert server.received[1].body == server.received[2].body
    assert list(server.effects) == [name(1), name(2), name(3)]


def test_two_at_once_do_not_send_twice_and_verdicts_go_on(queue: Queue, server: HubServer) -> None:
    goes_on = threading.Event()

    def wait_then_take(hub_server: HubServer, connection: object, request: object) -> None:
        goes_on.wait(10)
        take(hub_server, connection, request)  # type: ignore[arg-type]

    server.script.append(wait_then_take)
    with child(queue, server) as other:
        assert server.arrived.wait(10)
        report = once(queue, server, is_all=True)
        assert (report.sent, report.queued) == (0, 3)
        assert "Another process" in report.problem
        begun = time.monotonic()
        verdicts = Queue(queue.path)
        assert verdicts.reconcile(decisions_of([*LINES, reject(4, "d")])) == ""
        assert seconds_taken(begun) < 2
        goes_on.set()
        told, _ = other.communicate(timeout=10)
    assert "sent=3" in told
    assert server.keys == [name(1), name(2), name(3)]
    assert states(queue) == ["sent", "sent", "sent", "queued"]


def test_a_killed_sender_frees_the_lock(queue: Queue, server: HubServer) -> None:
    lock = queue.path.with_name(f"{queue.path.name}.sync.lock")
    with FileLock(lock):
        assert "Another process" in once(queue, server).problem
    assert once(queue, server).sent == 3


def test_stops_where_it_is_told_to(queue: Queue, server: HubServer) -> None:
    with Hub(server.settings(), {}) as hub:
        report = sync(queue, hub, NOW, is_all=True, cancelled=lambda: bool(server.received))
    assert len(server.received) == 1
    assert report.problem == ""
    assert report.sent + report.queued == 3
    assert once(queue, server, is_all=True).queued == 0
    assert list(server.effects) == [name(1), name(2), name(3)]


def test_begins_nothing_when_its_time_is_over(queue: Queue, server: HubServer) -> None:
    with Hub(server.settings(), {}) as hub:
        assert sync(queue, hub, NOW, is_all=True, budget_seconds=0) == SyncReport(0, 3, 0, "")
    assert server.received == []
    assert {row.next_at for row in queue.rows()} == {""}


def test_what_cannot_be_put_down_is_told_and_sent_again(unprivileged: Path) -> None:
    queue = filled(unprivileged, LINES)
    Path(f"{queue.path}.lock").touch()
    Path(f"{queue.path}.sync.lock").touch()
    queue.path.chmod(0o400)
    with running(Certificates(unprivileged)) as server:
        report = once(queue, server)
        assert str(queue.path) in report.problem
        assert len(server.received) == 1
        queue.path.chmod(0o600)
        assert once(queue, server).sent == 3
        assert server.keys[:2] == [name(1), name(1)]


def test_the_token_is_in_no_file_report_or_log(
    queue: Queue, server: HubServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script += [say_back(422), say_back(500)]
    report = once(queue, server)
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"
    files = b"".join(path.read_bytes() for path in queue.path.parent.iterdir())
    assert TOKEN not in f"{report} {caplog.text}"
    assert TOKEN.encode() not in files


SECRETS = ("sk-ant-api03-abcdefghij0123456789", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")


def test_planted_secrets_never_reach_the_wire(tmp_path: Path, server: HubServer) -> None:
    first, second = SECRETS
    lines = [
        replace(approve(1, "a", note=first), author=second),
        reject(2, first),
        undo(3, 2),
        replace(approve(4, "b"), author=f"kim {first}"),
    ]
    queue = filled(tmp_path, lines)
    assert once(queue, server) == SyncReport(2, 0, 0, "")
    assert states(queue) == ["sent", "dead", "dead", "sent"]
    wire = b"".join(request.raw + request.body for request in server.received)
    for secret in SECRETS:
        assert secret.encode() not in wire


def test_a_secret_that_got_into_the_queue_stays_there(queue: Queue, server: HubServer) -> None:
    first = queue.rows()[0]
    queue.record([replace(first, body=json.dumps({"id": first.id, "said": SECRETS[0]}))])
    assert once(queue, server) == SyncReport(2, 0, 1, "")
    assert SECRETS[0].encode() not in b"".join(request.raw for request in server.received)


def test_a_sent_decision_leaves_its_state_and_no_body(queue: Queue, server: HubServer) -> None:
    once(queue, server)
    for row in queue.rows():
        assert row.body == ""
        assert (parse_iso(row.sent_at) or 0) - NOW < 5_000


def row(seq: int, candidate: str, next_at: int = 0, attempts: int = 0) -> QueueRow:
    return QueueRow(
        id=name(seq),
        seq=seq,
        journal="",
        candidate=candidate,
        verdict="approved",
        at="",
        attempts=attempts,
        next_at=(iso(next_at) or "") if next_at else "",
    )


def test_only_what_is_due_is_tried_by_itself() -> None:
    rows = [row(1, "a", NOW + 1), row(2, "b", NOW), row(3, "c")]
    assert [one.seq for one in eligible(rows, NOW, is_all=False)] == [2, 3]
    assert [one.seq for one in eligible(rows, NOW, is_all=True)] == [1, 2, 3]
