"""With the labels of a person played as a perfect reader, whatever recurs becomes a candidate."""

from __future__ import annotations

import csv
import json
import socket
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from helix_tui.digest.reader.question import GIVEN_BEFORE, question_of
from helix_tui.engine.facade import Engine
from helix_tui.engine.reader.reading import TurnReader
from helix_tui.model.ask import Question
from helix_tui.schema import SessionFilter
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.text.redact import redact
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.curate.hub_server import Behaviour, HubServer, Received, running, send
from tests.model.made import ollama_body

_KINDS = {"C": "correction", "D": "report", "P": "instruction", "W": "instruction"}
_MOST_TURNS = 5_000


class Row(NamedTuple):
    """A turn that a person labelled, by the fingerprint of its event."""

    session: str
    fingerprint: int
    kind: str
    topic: str
    is_clear: bool


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[Row]:
    with (shared / "labels" / "findings" / "corrections.tsv").open(newline="") as file:
        labelled = list(csv.DictReader(file, delimiter="\t"))
    return [
        Row(
            row["session"],
            int.from_bytes(bytes.fromhex(row["fingerprint"]), "big", signed=True),
            _KINDS[row["type"]],
            # A reader has few words; what slugs have more of is joined.
            " ".join(row["topic"].split("-", 4)),
            row["clear"] == "1",
        )
        for row in labelled
        if row["fingerprint"]
    ]


def knowing(labels: dict[str, dict[str, str]]) -> Behaviour:
    """A model that has the label for each question, and answers as ollama does."""

    def behave(_: HubServer, connection: socket.socket, request: Received) -> None:
        asked = json.loads(request.body)["messages"][1]["content"]
        label = labels.get(asked.partition(f"\n{GIVEN_BEFORE}")[0], {"kind": "none"})
        send(
            connection, 200, json.dumps(ollama_body(f"```json\n{json.dumps(label)}\n```")).encode()
        )

    return behave


def labels_of(bench: Workbench, rows: list[Row]) -> dict[str, dict[str, str]]:
    """The right label for each question; some turns are alike, and are labelled alike."""
    by_event = {row.fingerprint: row for row in rows}
    engine = bench.engine()
    labels: dict[str, dict[str, str]] = {}
    for session in bench.sessions().values():
        digest = engine.digest(session)
        turns = digest.facts.turns if digest else []
        for at, turn in enumerate(turns):
            if (row := by_event.get(turn.fingerprint)) is not None:
                question: Question = question_of(turns, at)
                label = {"kind": row.kind, "topic": row.topic, "rule": f"Mind {row.topic}."}
                labels[redact(question.material)] = label
    return labels


@pytest.fixture(scope="module")
def read(
    on_swept_home: OnSweptHome, rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> Engine:
    """The corpus, swept and read by a model that is always right."""
    bench = on_swept_home(Workbench(tmp_path_factory.mktemp("perfect")))
    labels = labels_of(bench, rows)
    bench.config = bench.store.with_name("config.toml")
    with running(None) as server:
        server.script = [knowing(labels)] * _MOST_TURNS
        bench.config.write_text(
            '[detect]\nreader = "model"\n[model]\npreset = "ollama"\nmodel = "perfect"\n'
            f'url = "{server.url}"\ndaily_token_cap = 0\n'
        )
        done = TurnReader(bench.engine().config).read(600)
    assert done.problem == ""
    assert done.labelled == done.asked > 300
    return bench.engine()


def test_every_recurring_topic_is_a_candidate(read: Engine, rows: list[Row]) -> None:
    roots = {session.id: session.parent or session.id for session in read.sessions(SessionFilter())}
    talks: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.is_clear and not row.topic.startswith("kind "):
            talks[row.topic].add(roots.get(row.session, row.session))
    recurring = {topic: where for topic, where in talks.items() if len(where) >= 2}
    assert len(recurring) > 20
    found = read.candidates.detect(CandidateFilter(is_all=True)).ranked
    held = {one.candidate.subject: {*one.candidate.members} for one in found}
    missed = {
        topic: where - held.get(topic, set())
        for topic, where in recurring.items()
        if len(held.get(topic, set()) & where) < 2
    }
    assert missed == {}
