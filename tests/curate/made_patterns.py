"""Patterns for tests: an ordinary one, and any that hypothesis can think of."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.draft.draft import draft
from helix_tui.curate.page.pattern import Excerpt, Hint, Pattern, PatternEvidence, Provenance
from tests.curate.candidates import candidate, ranked

# A draft as it is made without a drafter.
PLAIN_DRAFT = draft(
    ranked(
        candidate("command-not-found-rg-cd630925", error_class="command_not_found", subject="rg")
    ),
    {},
    author="kim",
    at="2026-05-31T08:30:00Z",
    detail="excerpts",
    is_reviewed=True,
).pattern


def made_evidence(**fields: Any) -> PatternEvidence:
    """Evidence of two agents over a month, with what a test sets."""
    ordinary: dict[str, Any] = {
        "sessions": 12,
        "frequency": 41,
        "flavors": {"claude": 9, "codex": 3},
        "repos": 4,
        "cost_impact": 12_400,
        "first_seen": "2026-05-02T08:00:00.000Z",
        "last_seen": "2026-06-01T17:30:00.000Z",
        "remedied": 7,
    }
    return PatternEvidence(**{**ordinary, **fields})


def made_pattern(**fields: Any) -> Pattern:
    """A pattern that a person would recognize, with what a test sets."""
    ordinary: dict[str, Any] = {
        "id": "missing-module-yaml-0a1b2c3d",
        "version": "1.0.0",
        "kind": "problem",
        "status": "approved",
        "distribution_ready": True,
        "signal": "error_signature",
        "error_class": "missing_module",
        "subject": "yaml",
        "candidates": ["missing-module-yaml-0a1b2c3d"],
        "evidence": made_evidence(),
        "provenance": Provenance(
            author="Ada",
            at="2026-06-02T09:00:00Z",
            candidate="missing-module-yaml-0a1b2c3d",
            score=3.5,
        ),
        "title": "Run Python through the project's environment",
        "problem": "`import yaml` fails, because the system's Python has no packages.",
        "applies": "A command runs `python` in a folder that has a `.venv`.",
        "guidance": "Call `.venv/bin/python`, never `python`.",
        "why": "Seen 41 times.",
        "excerpts": [
            Excerpt(
                session="claude:aaaa-1",
                fingerprint="00ff",
                at="2026-05-02T08:00:00.000Z",
                text="$ python x.py\nModuleNotFoundError: No module named 'yaml'",
            )
        ],
    }
    return Pattern(**{**ordinary, **fields})


_HOSTILE = (
    *(
        "## Problem",
        "## what to do",
        "## Foo",
        "\\## Foo",
        "\\\\## Excerpts",
        "# Title",
        "### a · b",
    ),
    *("---", "...", "```", "```text", "````", "~~~", "  ```sh", "    ```", "``` `x`", "\t```"),
    *(
        "",
        " ",
        "a: b",
        "# no comment",
        "- dash",
        "-",
        "* star",
        "? q",
        "| x",
        "> quote",
        "&a *a !t",
    ),
    *("trailing  ", "\ttab", "{{ x }}", "%YAML 1.1", "no", "Ünï çödé 🍎", "\u2028", "\u3000", "`"),
    *("\r", "\x1b[31m", "x" * 300, "'\"", "<!-- x -->", "a\u0085b", "\\", "null", "0o17", "~"),
)
lines = st.one_of(st.sampled_from(_HOSTILE), st.text(max_size=12))
blocks = st.builds(
    lambda parts, end: end.join(parts), st.lists(lines, max_size=8), st.sampled_from(("\n", "\r\n"))
)
words = st.one_of(st.sampled_from(("no", "2026-05-31", "1e3", "=", "", "a: b", "# x")), blocks)
valid_words = words.map(lambda text: text.encode("utf-8", "replace").decode()[:500])
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
flavors = st.one_of(st.sampled_from(("claude", "codex", "no", "1.0")), names)
counts = st.integers(0, 2**53 - 1)
times = st.sampled_from(("2026-05-31", "2026-05-31T08:30:00.000Z", "2026-05-31T08:30+02:00"))
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    valid_words,
    st.floats(allow_nan=False, allow_infinity=False),
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(valid_words, inner, max_size=3),
)
unknown = st.dictionaries(
    st.sampled_from(("tags", "x", "1", "null", "owner: me")), values, max_size=3
)


@st.composite
def any_pattern(draw: st.DrawFn) -> Pattern:
    """A pattern with hostile text everywhere, and with fields and sections that nobody knows."""
    needed = blocks.map(lambda text: f"{text}.")
    version = ".".join(str(draw(st.integers(0, 30))) for _ in range(3))
    hint = st.builds(
        Hint,
        wording=valid_words,
        scope=st.lists(valid_words.filter(bool).map(lambda s: s[:300]), max_size=2),
        target=valid_words,
    )
    rendering = draw(st.dictionaries(flavors, hint, max_size=2))
    extra = draw(unknown)
    for name, inner in (("evidence", draw(unknown)), ("provenance", draw(unknown))):
        extra |= {name: inner} if inner else {}
    if rendering and (inner := draw(unknown)):
        extra["rendering"] = {next(iter(rendering)): inner}
    excerpt = st.builds(
        Excerpt,
        session=st.sampled_from(("claude:1-2.a", "grok:·")),
        fingerprint=names,
        at=st.none() | times,
        text=blocks,
    )
    evidence = st.builds(
        PatternEvidence,
        sessions=counts,
        frequency=counts,
        flavors=st.dictionaries(flavors, counts, max_size=3),
        repos=counts,
        cost_impact=counts,
        first_seen=st.none() | times,
        repo_names=st.lists(valid_words, max_size=2),
        remedied=counts,
    )
    return replace(
        made_pattern(),
        id=draw(names),
        version=version,
        kind=draw(st.sampled_from(("problem", "success"))),
        status=draw(st.sampled_from(("provisional", "approved", "deprecated"))),
        distribution_ready=draw(st.booleans()),
        subject=draw(valid_words),
        candidates=draw(st.lists(names, min_size=1, max_size=3)),
        evidence=draw(evidence),
        rendering=rendering,
        provenance=Provenance(
            author=draw(valid_words),
            at=draw(times),
            candidate=draw(names),
            score=draw(st.floats(0, 1e6)),
            guidance="person",
        ),
        related=draw(st.lists(names, max_size=2, unique=True)),
        superseded_by=draw(st.just("") | names),
        title=draw(lines.map(lambda text: f"{text}."[-200:])),
        problem=draw(needed),
        applies=draw(needed),
        does_not_apply=draw(blocks),
        guidance=draw(needed),
        why=draw(blocks),
        excerpts=draw(st.lists(excerpt, max_size=2)),
        sections=draw(
            st.dictionaries(st.sampled_from(("Notes", "see also ·", "C #")), blocks, max_size=2)
        ),
        extra=extra,
    )
