"""Exit code 127 told from the text alone: what is a missing executable, says `helix signature`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.schema import SessionFilter
from score.figures import Board, Figure, Goal, share
from score.held_out import load_catalog, load_planter
from score.helix import HELIX, Helix, environ, shared_folder, signatures

NOT_FOUND = 127
MISSING = "command_not_found"
_LINES = re.compile(
    r"(?im)^(?:exit code:?[ ]?-?\d+|exit:[ ]?-?\d+|process exited with code -?\d+)[ \t]*(?:\n|\Z)"
)
_FIELDS = re.compile(r'"(?:exit_code|exitCode|status)"\s*:\s*-?\d+\s*,?')
_PHRASES = re.compile(
    r"(?i)\b((?:exit(?:ed)?|exit(?:ed with)? (?:status|code)|status|code|error|errno)[:=]? ?)127\b"
)


@dataclass(frozen=True, slots=True)
class Result:
    """A failed shell call: its text without the code, and the code."""

    flavor: str
    text: str
    exit_code: int


@dataclass(slots=True)
class Tally:
    """How often the text tells the code."""

    hits: int = 0
    predicted: int = 0
    true: int = 0

    def add(self, *, is_predicted: bool, is_true: bool) -> None:
        """Counts one result."""
        self.hits += is_predicted and is_true
        self.predicted += is_predicted
        self.true += is_true


def board(seeds: int, sessions: int) -> Board:
    """Precision and recall for each flavor: on planted homes against the goal, on the real logs
    beside it, and the recall on wordings that the planted ones lack."""
    shared = shared_folder()
    tools = shared / "tools" / "planted"
    figures: list[Figure] = []
    examples: list[str] = []
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        folder = Path(name)
        planted = [
            r for s in range(1, seeds + 1) for r in _planted(folder, tools, None, s, sessions)
        ]
        held_out = list(_planted(folder, tools, "toolchain", 1, sessions))
        real = list(shell_failures(shared / "corpus" / "home", folder / "corpus"))
        for label, results, goals in (
            ("planted", planted, (Goal(0.95), Goal(0.9))),
            ("corpus", real, (None, None)),
            ("held-out", held_out, (None, Goal(0.9))),
        ):
            tallies, wrong = judge(results, folder)
            examples += [f"{label}: {line}" for line in wrong[:12]]
            for flavor, tally in sorted(tallies.items()):
                prefix = f"{label} {flavor}"
                # Wrappers such as make exit otherwise though an executable is missing, so the
                # code is no truth for the precision there.
                if label != "held-out":
                    figures.append(
                        share(f"{prefix} precision", tally.hits, tally.predicted, goals[0])
                    )
                figures.append(share(f"{prefix} recall", tally.hits, tally.true, goals[1]))
    return Board("Exit 127 from the text alone", figures, examples)


def judge(
    results: Sequence[Result], home: Path, command: Sequence[str] = HELIX
) -> tuple[dict[str, Tally], list[str]]:
    """Counts by flavor, and the texts that mislead."""
    tallies: dict[str, Tally] = {}
    wrong = []
    told = signatures((result.text for result in results), home, command)
    for result, signature in zip(results, told, strict=True):
        is_predicted = signature.error_class == MISSING
        is_true = result.exit_code == NOT_FOUND
        tallies.setdefault(result.flavor, Tally()).add(is_predicted=is_predicted, is_true=is_true)
        if is_predicted != is_true:
            kind = "missed" if is_true else f"wrongly, exit {result.exit_code}"
            wrong.append(f"{result.flavor} {kind}: {' '.join(result.text.split())[:110]}")
    return tallies, wrong


def without_code(text: str) -> str:
    """The text without any statement of the exit code."""
    return _PHRASES.sub(r"\1", _FIELDS.sub("", _LINES.sub("", text)))


def shell_failures(home: Path, store: Path) -> Iterator[Result]:
    """The failed shell calls of a home whose exit code is on record, each event once."""
    Helix(home, store).sweep()
    engine = Engine(load(None, store, environ(home)))
    seen: set[str] = set()
    for session in engine.sessions(SessionFilter()):
        for event in engine.session_events(session):
            if event.kind != "tool_result" or event.tool_class != "shell":
                continue
            if not event.exit_code or event.fingerprint in seen:
                continue
            seen.add(event.fingerprint)
            yield Result(session.flavor, without_code(event.text), event.exit_code)


def _planted(
    folder: Path, tools: Path, catalog: str | None, seed: int, sessions: int
) -> Iterable[Result]:
    place = folder / f"{catalog}-{seed}"
    home = place / "home"
    home.mkdir(parents=True)
    load_planter(tools, load_catalog(catalog) if catalog else None).plant(seed, sessions, str(home))
    return shell_failures(home, place / "store")
