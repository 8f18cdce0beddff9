"""The digests of a real user's sessions, against the separate counter of their facts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from helix_tui.schema import Session
from helix_tui.schema.digest import OUTCOMES, Digest, Facts
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.truth.claude_digests import Distilled, Failure, distill_home

SAME = (
    "first_ts",
    "last_ts",
    "active_ms",
    "prompts",
    "replies",
    "refusals",
    "cascades",
    "retries",
    "interruptions",
    "api_errors",
    "compactions",
    "ended",
)
TEXTS = ("first_prompt", "last_prompt", "last_reply")
COMPARED_CHARACTERS = 60
# Where redaction may have struck: folders, mails, secrets, and what stands in their place.
REDACTABLE = re.compile(r"[/@~\[]|sk-")
PICTURE = "[image]"
MOST_ERRORS, MOST_ERRORS_OF_A_GROUP, MOST_CALLS_AFTER = 40, 4, 2
MOST_FILES = 200

Swept = dict[str, tuple[Session, Digest | None]]


@pytest.fixture(scope="module")
def swept(on_swept_home: OnSweptHome, tmp_path_factory: pytest.TempPathFactory) -> Swept:
    """Every session of the corpus and what was distilled of it."""
    bench = on_swept_home(Workbench(tmp_path_factory.mktemp("digests")))
    engine = bench.engine()
    return {name: (session, engine.digest(session)) for name, session in bench.sessions().items()}


@pytest.fixture(scope="module")
def claude(swept: Swept) -> dict[str, Facts]:
    """The facts that Helix tells of the Claude sessions."""
    return {
        name: digest.facts
        for name, (session, digest) in swept.items()
        if session.flavor == "claude" and digest is not None
    }


@pytest.fixture(scope="module")
def truth(shared: Path) -> dict[str, Distilled]:
    """The facts that the counter finds."""
    return distill_home(shared / "corpus" / "home")


def beginning(text: str) -> str:
    """As much of a text as can be compared, whether redacted or not."""
    plain = text.replace(PICTURE, "").strip()
    return REDACTABLE.split(plain, maxsplit=1)[0][:COMPARED_CHARACTERS].rstrip()


def helix_facts(facts: Facts) -> dict[str, Any]:
    """A digest's facts in the terms of the counter, but for its errors."""
    commands = facts.commands.values()
    codes: Counter[int] = Counter()
    for command in commands:
        codes.update(command.exit_codes)
    return {
        **{name: getattr(facts, name) for name in SAME},
        **{name: beginning(getattr(facts, name)) for name in TEXTS},
        "tools": {name: (tally.calls, tally.errors) for name, tally in facts.tools.items()},
        "command_runs": sum(command.runs for command in commands),
        "command_failures": sum(command.failures for command in commands),
        "exit_codes": codes,
        "timed": sum(command.timed for command in commands),
        "total_ms": sum(command.total_ms for command in commands),
        "longest_ms": max((command.longest_ms for command in commands), default=0),
        "files": Counter(
            (Path(path).name, tally.reads, tally.edits) for path, tally in facts.files.items()
        ),
        "failures": sum(facts.error_groups.values()),
        "loops": sorted(loop.count for loop in facts.loops),
    }


def true_facts(facts: Distilled) -> dict[str, Any]:
    """The counter's facts in the same terms."""
    paths = facts.reads | facts.edits
    assert len(paths) <= MOST_FILES, "Helix sums up further files under no name"
    figures = ("command_runs", "command_failures", "exit_codes", "timed", "total_ms", "longest_ms")
    return {
        **{name: getattr(facts, name) for name in (*SAME, *figures, "tools", "loops")},
        **{name: beginning(getattr(facts, name)) for name in TEXTS},
        "files": Counter((Path(path).name, facts.reads[path], facts.edits[path]) for path in paths),
        "failures": len(facts.failures),
    }


class TestDigests:
    """What is distilled of a real user's sessions is what their logs say."""

    def test_every_session_has_an_exact_digest(self, swept: Swept) -> None:
        assert swept
        for name, (_, digest) in swept.items():
            assert digest is not None, name
            assert digest.is_exact, name

    def test_every_fact_equals_the_counters(
        self, claude: dict[str, Facts], truth: dict[str, Distilled]
    ) -> None:
        assert claude.keys() == truth.keys()
        for name, expected in truth.items():
            found, wanted = helix_facts(claude[name]), true_facts(expected)
            for told_by_output in ("failures", "command_failures", "retries"):
                assert found.pop(told_by_output) >= wanted.pop(told_by_output), name
            assert found == wanted, name

    def test_every_error_is_one_of_the_counters_in_order(
        self, claude: dict[str, Facts], truth: dict[str, Distilled]
    ) -> None:
        for name, expected in truth.items():
            flagged = {(failure.ts, failure.tool) for failure in expected.failures}
            rest = iter([as_told(failure) for failure in expected.failures])
            for error in claude[name].errors:
                if (error.ts, error.tool) not in flagged:
                    continue  # no status tells it: its output does
                told = (error.ts, error.tool, error.exit_code, len(error.after))
                assert told in rest, name  # which takes what it passes

    def test_no_error_is_left_out_but_the_fifth_of_its_group(
        self, claude: dict[str, Facts]
    ) -> None:
        for name, facts in claude.items():
            kept = Counter(error.group for error in facts.errors)
            assert len(facts.errors) < MOST_ERRORS, name
            assert kept == {
                group: min(MOST_ERRORS_OF_A_GROUP, count)
                for group, count in facts.error_groups.items()
            }, name

    def test_every_verdict_says_how_sure_it_is_and_why(self, swept: Swept) -> None:
        for name, (session, digest) in swept.items():
            assert digest is not None
            verdict = digest.verdict
            assert verdict.outcome in OUTCOMES, name
            assert verdict.confidence is not None, name
            assert 0 <= verdict.confidence <= 1, name
            assert verdict.reason, name
            assert verdict.ended == digest.facts.ended == session.ended, name
            assert verdict.outcome == session.outcome, name


def as_told(failure: Failure) -> tuple[int | None, str, int | None, int]:
    """What Helix must tell of a failure."""
    later = min(MOST_CALLS_AFTER, failure.later)
    return failure.ts, failure.tool, failure.exit_code, later
