"""Planted causes: catalogs that make sense, the same steps for a seed, remedies judged."""

from __future__ import annotations

import os
import random
import sys
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from score.causes import Judged, is_right, judge, seen, without_troubles
from score.held_out import CAUSES, load_catalog, load_planter
from score.held_out.catalog import load_causes
from score.held_out.cause import piped
from score.held_out.checking import CatalogError
from score.held_out.loading import load_script
from score.planted import Trial, run_trial

ORACLE = (sys.executable, str(Path(__file__).with_name("oracle.py")))
SHARED = os.environ.get("HELIX_SHARED")
needs_shared = pytest.mark.skipif(not SHARED, reason="HELIX_SHARED is not set")
SOUND: dict[str, Any] = {
    "about": "one cause",
    "pairs": [],
    "names": {"jdk": ["/opt/jdk"]},
    "world": {"repos": [f"r{n}" for n in range(10)], "dirs": ["a"], "exts": ["py"], "ordinary": []},
    "pattern": [
        {
            "id": "old-jdk",
            "title": "invalid source release",
            "regexes": ["source release"],
            "works": 0.8,
            "remedy": {"says": ["JAVA_HOME"], "never": ["clean"]},
            "variant": [
                {
                    "cmd": ["gradle test"],
                    "out": ["error: invalid source release: 21"],
                    "then": ["JAVA_HOME={jdk} {cmd}"],
                    "good": ["BUILD SUCCESSFUL"],
                }
            ],
        }
    ],
    "trouble": [],
    "noise": {"lures": [], "lure_prompts": [], "one_offs": []},
}


def spoiled(**changes: object) -> dict[str, Any]:
    """The sound catalog with something in its only cause changed, or taken out where it is None."""
    raw = deepcopy(SOUND)
    for key, value in changes.items():
        raw["pattern"][0][key] = value
        if value is None:
            del raw["pattern"][0][key]
    return raw


def with_variant(**changes: object) -> dict[str, Any]:
    raw = deepcopy(SOUND)
    raw["pattern"][0]["variant"][0].update(changes)
    return raw


def test_a_sound_catalog_is_taken() -> None:
    assert load_causes(SOUND).REMEDIES == {
        "old-jdk": {"says": ["JAVA_HOME"], "never": ["clean"]},
    }


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (spoiled(title="something else"), "title"),
        (spoiled(works=0.2), "more than half"),
        (spoiled(remedy=None), "belong together"),
        (spoiled(repo="nowhere"), "no repository"),
        (spoiled(wroks=1), "unknown key"),
        (spoiled(remedy={"says": ["DOCKER_HOST"]}), "otherwise than the remedy says"),
        (spoiled(remedy={"says": ["JAVA_HOME"], "never": ["JAVA"]}), "must never be said"),
        (with_variant(out=["all is well"]), "does not fit its words"),
        (with_variant(out="no list"), "not a list"),
        (with_variant(**{"for": ["claude"]}), "no variant for codex"),
        (with_variant(**{"for": ["claude", "codex", "grok", "cursor"]}), "unknown agent"),
        (with_variant(good=[]), "nothing overcomes it"),
        ({**SOUND, "pairs": [["old-jdk", "new-jdk"]]}, "no cause new-jdk"),
        ({**SOUND, "pattern": SOUND["pattern"] * 2}, "twice"),
    ],
)
def test_nonsense_is_rejected(raw: dict[str, Any], fault: str) -> None:
    with pytest.raises(CatalogError, match=fault):
        load_causes(raw)


@pytest.mark.parametrize("name", CAUSES)
def test_a_catalog_has_causes_of_every_sort(name: str) -> None:
    catalog: Any = load_catalog(name)
    assert len(catalog.REMEDIES) >= 7
    assert None in catalog.REMEDIES.values(), "one that is never overcome"
    assert catalog.TROUBLES
    assert catalog.PAIRS
    assert len(catalog.ONE_OFFS) >= 60


def test_a_pipe_takes_the_status_but_never_the_cause() -> None:
    text = "the cause\n" + "\n".join(f"line {n}" for n in range(30))
    kept = piped("run", text, 1, " 2>&1 | tail -5", ["the cause"])
    assert (kept["cmd"], kept["code"]) == ("run", 1)
    cut = piped("run", text, 1, " 2>&1 | head -40", ["the cause"])
    assert (cut["cmd"], cut["code"]) == ("run 2>&1 | head -40", 0)
    told = piped("run", "the cause", 3, ' 2>&1; echo "exit: $?"', ["the cause"])
    assert (told["out"], told["code"]) == ("the cause\nexit: 3", 0)


def test_a_remedy_is_right_by_its_words_alone() -> None:
    truth = {"says": ["JAVA_HOME"], "never": ["clean"]}
    assert is_right("`JAVA_HOME=… gradle test`", truth, {})
    assert not is_right("gradle clean, with JAVA_HOME", truth, {})
    assert not is_right("`git status`, then JAVA_HOME", truth, {})
    assert not is_right("try again", truth, {})
    assert not is_right("JAVA_HOME", None, {})
    assert is_right("read the file again: `cat a`", {"says": [r"(?i)\bread"]}, {})


class Row:
    """A candidate as the shared scorer sees it, without reading any evidence."""

    def __init__(self, raw: dict[str, Any], _truth: dict[str, Any]) -> None:
        self.title, self.members = raw["title"], set(raw["members"])

    def speaks_of(self, pattern: dict[str, Any]) -> bool:
        return bool(pattern["id"] in self.title)

    def purity(self, pattern: dict[str, Any], extra: Any = ()) -> float:
        return len(self.members & {*pattern["members"], *extra}) / len(self.members)


SCORER: Any = SimpleNamespace(Candidate=Row)


def row(title: str, members: str, remedy: str | None = None) -> dict[str, Any]:
    cure = {"text": remedy} if remedy else None
    return {
        "id": title,
        "kind": "problem",
        "title": title,
        "members": list(members),
        "remedy": cure,
    }


TRUTH: dict[str, Any] = {
    "names": {},
    "patterns": [
        {"id": "one", "members": list("abcd"), "also": []},
        {"id": "never", "members": list("efgh"), "also": []},
        {"id": "red", "members": list("ijkl"), "also": []},
    ],
    "errors": [["a", "one", "", "x"], ["b", "one", "", "x 2>&1 | tail -5"], ["a", "else", "", ""]],
}


def test_remedies_are_right_wrong_none_or_false() -> None:
    remedies = {"one": {"says": ["--flag"]}, "other": {"says": ["x"]}, "never": None}
    report = {"patterns": [{"pattern": "one", "candidate": "one"}, {"pattern": "other"}]}
    rows = [row("one", "abc", "add --flag"), row("never", "ef", "wait"), row("red", "ij", "edit")]
    judged = judge(SCORER, TRUTH, {"candidates": rows}, report, remedies)
    assert judged.by_cause == {"one": "right", "other": "none"}
    assert judged.false == ["never: wait", "red: edit"]
    assert judged.figures["remedy_right"] == 0.5
    part = judge(SCORER, TRUTH, {"candidates": [row("one!", "ab", "--flag")]}, report, remedies)
    assert part.false == []


def test_a_wrong_remedy_of_a_cause_is_told() -> None:
    report = {"patterns": [{"pattern": "one", "candidate": "one"}]}
    rows = {"candidates": [row("one", "abcd", "git status")]}
    judged = judge(SCORER, TRUTH, rows, report, {"one": {"says": ["--flag"]}})
    assert judged == Judged({"one": "wrong"}, [])
    assert judged.tells == ["remedy wrong: one"]


def test_what_is_no_one_cause_is_neither_found_nor_false() -> None:
    rows = {"candidates": [row("red", "ijk"), row("one", "abcd")]}
    truth, found = without_troubles(SCORER, TRUTH, rows, frozenset({"red"}))
    assert [p["id"] for p in truth["patterns"]] == ["one", "never"]
    assert [c["id"] for c in found["candidates"]] == ["one"]


def test_what_is_seen_is_told_by_how_it_failed() -> None:
    assert seen(SCORER, TRUTH, {"candidates": [row("one", "ac")]}) == {
        "seen_plain": 1.0,
        "seen_piped": 0.0,
    }


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", CAUSES)
def test_a_seed_makes_the_same_steps_and_each_agent_meets_every_cause(name: str) -> None:
    tools = Path(str(SHARED)) / "tools" / "planted"

    def steps() -> list[list[Any]]:
        catalog: Any = load_catalog(name)
        planter: Any = load_planter(tools, catalog)
        names = catalog.draw_names(random.Random(1))
        return [
            pattern[6](flavor, planter.Text(f"{pattern[0]}/{flavor}", "/home/dev/code/x", names))
            for pattern in catalog.PATTERNS
            for flavor in catalog.FLAVORS
        ]

    made = steps()
    assert made == steps()
    failed = load_script(tools / "native.py").failed
    for episode in made:
        assert any(failed(step) or "label" in step for step in episode)
    hidden = [step for episode in made for step in episode if "label" in step and not failed(step)]
    assert hidden, "failures behind a pipe are part of the truth"


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", CAUSES)
def test_a_perfect_detector_finds_every_cause_and_no_remedy(name: str) -> None:
    trial = Trial(name, seed=1, sessions=150, command=ORACLE, is_stability_checked=False)
    figures = run_trial(Path(str(SHARED)) / "tools" / "planted", trial).figures
    assert figures["score"] == 1
    assert (figures["seen_plain"], figures["seen_piped"]) == (1, 1)
    assert (figures["remedy_none"], figures["remedy_false"]) == (1, 0)


@needs_shared
@pytest.mark.shared
def test_a_cause_of_one_repository_is_met_only_there() -> None:
    tools = Path(str(SHARED)) / "tools" / "planted"
    catalog: Any = load_catalog("jvm")
    planter: Any = load_planter(tools, catalog)
    sessions = [s for s in planter.plan(1, 300) if "flyway-checksum" in s["patterns"]]
    assert sessions
    assert {s["repo"] for s in sessions} == {catalog.HOMES["flyway-checksum"]}
