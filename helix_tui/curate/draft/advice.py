"""Look up Helix's own advice on a failure or signal; none of it comes from a log."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from helix_tui.curate.draft.names import code
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.quality import RECURRING

_FOLDER = Path(__file__).parent / "advised"
# These mean the same whether the model's service or another one reports them.
_ALSO_OF_THE_MODEL = frozenset({"rate_limited", "service_overloaded", "context_too_long"})
_HOLE = re.compile(r"\{(?P<of>subject|class)(?:\|(?P<without>[^}]*)|:(?P<around>[^}]*))\}")
_CORRECTIONS = frozenset({"user_correction", "user_reaction"})


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page without its evidence.

    `covers` are the ways out that its guidance already names, each with the number of the line:
    the sessions in which it helped are counted for that line.

    `{subject|a program}` is the subject, or these words where there is none. `{subject: (*)}` puts
    words around the subject, and is empty without one.
    """

    title: str
    problem: str
    applies: str
    does_not_apply: str
    guidance: list[str]
    covers: dict[str, int] = {}

    def case(self) -> str:
        """Return when it applies, as the rest of a sentence."""
        return self.applies.removeprefix("When ").removesuffix(".")


class WayText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wording of a way out, for a title and as a line of guidance."""

    title: str
    line: str


class AdviceTable(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"error_class": "class"}
):
    """All advice, by class and by signal, and the wording of ways out."""

    error_class: dict[str, Advice]
    signal: dict[str, Advice]
    way: dict[str, WayText]
    way_kind: dict[str, WayText]


@cache
def advice_table() -> AdviceTable:
    """Load the advice that is shipped with Helix."""
    merged: dict[str, dict[str, Any]] = {}
    for file in sorted(_FOLDER.glob("*.toml")):
        for kind, rows in tomllib.loads(file.read_text(encoding="utf-8")).items():
            merged.setdefault(kind, {}).update(rows)
    return msgspec.convert(merged, AdviceTable)


def advice_of(candidate: Candidate) -> Advice:
    """Return the advice for a candidate; there is some for each."""
    table = advice_table()
    name = candidate.signal
    if name in _CORRECTIONS:
        return table.signal["user_correction"]
    class_advice = table.error_class.get(candidate.error_class)
    if class_advice and (name != "api_error" or candidate.error_class in _ALSO_OF_THE_MODEL):
        return class_advice
    if name == "workflow" and candidate.shape:
        is_first = bool(candidate.check) and candidate.laid_down < RECURRING
        return table.signal["workflow_run_first" if is_first else _workflow_of(candidate.shape)]
    return table.signal.get(f"{name}_{candidate.subject}") or table.signal[name]


def _workflow_of(shape: str) -> str:
    """The name of the advice for a command, a collection of commands, or a run by hand."""
    if not shape.startswith("/"):
        return "workflow_run"
    return "workflow_collection" if shape.endswith(":") else "workflow_command"


def filled(text: str, subject: str, error_class: str = "") -> str:
    """Fill the subject into a text as code, or the words for where there is none."""
    values = {"subject": code(subject), "class": error_class.replace("_", " ")}

    def fill(match: re.Match[str]) -> str:
        value = values[match["of"]]
        if match["around"] is not None:
            return match["around"].replace("*", value) if value else ""
        return value or match["without"]

    sentence = _HOLE.sub(fill, text)
    return sentence[:1].upper() + sentence[1:]
