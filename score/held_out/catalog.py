"""Reads a catalog of patterns or causes into the shape that the planting script expects."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from score.held_out.cause import cause_maker, trouble_maker
from score.held_out.checking import FLAVORS, check
from score.held_out.steps import Step, ask, edit, maker, shell

FOLDER = Path(__file__).parent / "catalogs"
CAUSES_FOLDER = Path(__file__).parent / "causes"
CATALOGS = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
CAUSES = tuple(sorted(path.stem for path in CAUSES_FOLDER.glob("*.toml") if path.stem != "noise"))
HELLO = (
    "hey",
    "is this thing on?",
    "reply with just the word pong",
    "hello there",
    "quick check, answer yes",
    "say ok",
    "smoke test",
)
CASCADE = (
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
    "<tool_use_error>Cancelled: parallel tool call Bash({cmd}) errored</tool_use_error>",
)
NOISE_REGEX = {
    "benign": r"(?i)^(\W|bash|shell|command|tool|failed|with|no|output|empty|error|exit(ed)?"
    r"|status|code|1)*$",
    "diff": r"(?m)^(---|\+\+\+|@@) |(?i:\bdiff\b)",
    "cascade": r"(?i)sibling tool call|parallel tool call",
    "refusal": r"(?i)doesn't want to (proceed|take)|(reject|abort)\w* by (the )?user"
    r"|user (cancel|reject|refus|declin|elected)|refusal|interrupted by user for tool use",
}


def load_catalog(name: str) -> ModuleType:
    """One of the catalogs as a module, new at each call."""
    if name in CAUSES:
        return load_causes(_read(CAUSES_FOLDER / f"{name}.toml"))
    raw = _read(FOLDER / f"{name}.toml")
    return _module(raw, [_pattern(entry) for entry in raw["pattern"]])


def load_causes(raw: Mapping[str, Any]) -> ModuleType:
    """A catalog of causes: what overcomes each, what is no one cause, and the world around them."""
    check(raw)
    noise = {**_read(CAUSES_FOLDER / "noise.toml"), **raw["noise"]}
    rows = [_problem(entry, cause_maker(entry)) for entry in raw["pattern"]]
    rows += [_problem(entry, trouble_maker(entry)) for entry in raw["trouble"]]
    module = _module({**raw, "noise": noise}, rows, noise["one_offs"])
    module.__dict__.update(
        REMEDIES={entry["id"]: entry.get("remedy") for entry in raw["pattern"]},
        TROUBLES=frozenset(entry["id"] for entry in raw["trouble"]),
        HOMES={entry["id"]: entry["repo"] for entry in raw["pattern"] if "repo" in entry},
        WORLD=raw["world"],
    )
    return module


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _module(
    raw: Mapping[str, Any], patterns: list[tuple[object, ...]], own: Sequence[list[str]] = ()
) -> ModuleType:
    module = ModuleType("catalog", str(raw["about"]))
    refusal: dict[str, str] = {}
    module.__dict__.update(
        FLAVORS=FLAVORS,
        PATTERNS=patterns,
        PAIRS=[tuple(pair) for pair in raw["pairs"]],
        NOISE_REGEX=NOISE_REGEX,
        BENIGN=raw["noise"]["benign"],
        REFUSAL=refusal,
        CASCADE=CASCADE,
        LURES=raw["noise"]["lures"],
        LURE_PROMPTS=raw["noise"]["lure_prompts"],
        ONE_OFFS=[*_one_offs(frozenset(raw["noise"]["not"])), *own],
        HELLO=HELLO,
        shell=shell,
        ask=ask,
        edit=edit,
        draw_names=_draw(raw["names"], raw["noise"]["refusal"], refusal),
    )
    return module


def _pattern(entry: Mapping[str, Any]) -> tuple[object, ...]:
    flavors = tuple(entry.get("flavors", FLAVORS))
    make: Callable[..., list[Step]] = maker(entry)
    return (
        entry["id"],
        entry["kind"],
        entry["signal"],
        flavors,
        entry["title"],
        entry["regexes"],
        make,
    )


def _problem(entry: Mapping[str, Any], make: Callable[..., list[Step]]) -> tuple[object, ...]:
    words = (entry["title"], entry["regexes"])
    return (entry["id"], "problem", "tool_error", FLAVORS, *words, make)


def _draw(
    names: Mapping[str, list[str]], wordings: Mapping[str, list[str]], refusal: dict[str, str]
) -> Callable[[random.Random], dict[str, str]]:
    def draw_names(r: random.Random) -> dict[str, str]:
        """The names that one seed uses; each seed has one wording of a refusal per flavor too."""
        refusal.update({flavor: r.choice(wordings[flavor]) for flavor in FLAVORS})
        return {key: r.choice(choices) for key, choices in names.items()}

    return draw_names


def _one_offs(unwanted: frozenset[str]) -> list[list[str]]:
    """Code, command and text of every error of which there is but one, less those of a family
    that is a pattern in the catalog."""
    rows = []
    for line in (FOLDER / "one_offs.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            family, *row = line.split("|", 3)
            if family not in unwanted:
                rows.append(row)
    return rows
