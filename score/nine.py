"""Plants the same patterns in homes of nine agents, and asks whether any two of them join.

The planting script knows three agents. The further ones tell the same steps through the writers of
the tests, each in its agent's own tools and with what its harness says of an edit that does not
match and of a call that a person refuses.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from score.figures import Board, Figure, Goal, mean
from score.held_out import load_planter
from score.held_out.loading import load_script
from score.helix import Helix, shared_folder
from score.planted import Outcome, Trial, details_of, figures_of, run_trials
from tests.claude_log import START
from tests.more_agents import LOGS
from tests.opencode_storage_log import OpenCodeStorageLog

Step = dict[str, Any]
Files = dict[str, bytes]
PAIRS = "cross_recall of the worst pair"
# tool and what it is given, by what a step does: shell, read, edit, write, search, fetch
Tools = Mapping[str, Callable[[Step], tuple[str, dict[str, Any]]]]

_COPILOT: Tools = {
    "shell": lambda s: ("bash", {"command": s["cmd"], "description": "Run it"}),
    "read": lambda s: ("view", {"path": s["path"]}),
    "edit": lambda s: ("edit", {"path": s["path"], "old_str": s["old"], "new_str": s["new"]}),
    "write": lambda s: ("create", {"path": s["path"], "file_text": s["new"]}),
    "search": lambda s: ("grep", {"pattern": s["pattern"], "path": "."}),
    "fetch": lambda s: ("web_fetch", {"url": s["url"]}),
}
_GEMINI: Tools = {
    "shell": lambda s: ("run_shell_command", {"command": s["cmd"], "description": "Run it"}),
    "read": lambda s: ("read_file", {"file_path": s["path"]}),
    "edit": lambda s: (
        "replace",
        {"file_path": s["path"], "old_string": s["old"], "new_string": s["new"]},
    ),
    "write": lambda s: ("write_file", {"file_path": s["path"], "content": s["new"]}),
    "search": lambda s: ("grep_search", {"pattern": s["pattern"]}),
    "fetch": lambda s: ("web_fetch", {"prompt": f"Read {s['url']}"}),
}
_QWEN: Tools = {
    **_GEMINI,
    "edit": lambda s: (
        "edit",
        {"file_path": s["path"], "old_string": s["old"], "new_string": s["new"]},
    ),
}
_PI: Tools = {
    "shell": lambda s: ("bash", {"command": s["cmd"], "timeout": 30}),
    "read": lambda s: ("read", {"path": s["path"]}),
    "edit": lambda s: (
        "edit",
        {"path": s["path"], "edits": [{"oldText": s["old"], "newText": s["new"]}]},
    ),
    "write": lambda s: ("write", {"path": s["path"], "content": s["new"]}),
    "search": lambda s: ("grep", {"pattern": s["pattern"], "path": "."}),
    "fetch": lambda s: ("webfetch", {"url": s["url"]}),
}
_DROID: Tools = {
    "shell": lambda s: ("Execute", {"command": s["cmd"], "timeout": 60}),
    "read": lambda s: ("Read", {"file_path": s["path"]}),
    "edit": lambda s: (
        "Edit",
        {"file_path": s["path"], "old_str": s["old"], "new_str": s["new"]},
    ),
    "write": lambda s: ("Create", {"file_path": s["path"], "content": s["new"]}),
    "search": lambda s: ("Grep", {"pattern": s["pattern"], "path": "."}),
    "fetch": lambda s: ("FetchUrl", {"url": s["url"]}),
}
_OPENCODE: Tools = {
    "shell": lambda s: ("bash", {"command": s["cmd"], "description": "Run it"}),
    "read": lambda s: ("read", {"filePath": s["path"]}),
    "edit": lambda s: (
        "edit",
        {"filePath": s["path"], "oldString": s["old"], "newString": s["new"]},
    ),
    "write": lambda s: ("write", {"filePath": s["path"], "content": s["new"]}),
    "search": lambda s: ("grep", {"pattern": s["pattern"]}),
    "fetch": lambda s: ("webfetch", {"url": s["url"]}),
}
TOOLS: dict[str, Tools] = {
    "copilot": _COPILOT,
    "gemini": _GEMINI,
    "qwen": _QWEN,
    "pi": _PI,
    "droid": _DROID,
    "opencode": _OPENCODE,
}
# Cursor is not among them: its transcripts do not tell what became of a call.
WRITERS: dict[str, type[Any]] = {**LOGS, "opencode": OpenCodeStorageLog}
# What each harness says of an edit whose text is not in the file.
NO_MATCH = {
    "copilot": ("No match found for old_str in {path}", "old_str was not found in {path}."),
    "gemini": (
        "Failed to edit, 0 occurrences found for old_string in {path}. Ensure you're not escaping "
        "content incorrectly and check whitespace, indentation, and context.",
        "Failed to edit, could not find the string to replace.",
    ),
    "qwen": ("Failed to edit, 0 occurrences found for old_string in {path}. No edits made.",),
    "pi": (
        "Could not find the exact text in {path}. The old text must match exactly including all "
        "whitespace and newlines.",
        "Could not find edits[1] in {path}. The oldText must match exactly including all "
        "whitespace and newlines.",
    ),
    "droid": ("Text to replace not found in {path}", "old_str not found in {path}"),
    "opencode": (
        "Could not find oldString in the file. It must match exactly, including whitespace, "
        "indentation, and line endings.",
        "oldString not found in content",
    ),
}
REFUSED = {
    "copilot": "The user rejected this tool call.",
    "gemini": "[Operation Cancelled] Reason: User denied execution.",
    "qwen": "[Operation Cancelled] Reason: User did not allow tool call",
    "pi": "User rejected the command",
    "droid": "User cancelled the tool execution",
    "opencode": "The user rejected permission to use this specific tool call.",
}
# Every new agent's shells print what the first three print.
# How the words above speak of what is planted.
FITS = {"edit-nomatch": [r"(?i)0 occurrences found|could not find|no match found|not found in"]}
SPEAKS_AS = {
    "copilot": "claude",
    "gemini": "grok",
    "qwen": "codex",
    "pi": "claude",
    "droid": "grok",
    "opencode": "claude",
}


class Told:
    """A session of a further agent, told step by step through its writer."""

    def __init__(
        self, flavor: str, x: Any, sid: str, cwd: str, start: Any, branch: str = "main"
    ) -> None:
        self.x, self.r, self.t, self.start = x, x.r, start, start
        self._flavor, self._sid, self._cwd = flavor, sid, cwd
        self._log = WRITERS[flavor](sid, cwd, start.timestamp() - START)
        self._words = ""

    def run(self, steps: Sequence[Step]) -> Files:
        """Tells all steps; returns the files that they come to."""
        from datetime import timedelta

        for step in steps:
            self._tick()
            self._take(step)
        if self._words:
            self._log.reply(self._words)
            self._words = ""
        self.t = self.start + timedelta(seconds=self._log.second - (self.start.timestamp() - START))
        return self._files()

    def resumed(self, sid: str, steps: Sequence[Step]) -> Files:
        """The same session goes on later, in the same file."""
        self._log.second += self.r.uniform(4000, 90_000)
        return self.run(steps)

    def _tick(self) -> None:
        self._log.second += self.r.uniform(0.5, 20)

    def _take(self, step: Step) -> None:
        do = step["do"]
        if do == "ask":
            if self._words:
                self._log.reply(self._words)
            self._words = ""
            self._log.second += self.r.uniform(20, 900)
            self._log.prompt(step["text"])
        elif do == "say":
            self._words = step["text"]
        elif do == "think":
            self._log.think(step["text"])
        elif do == "parallel":
            for inner in step["steps"]:
                self._take(inner)
        elif do != "interrupt":
            self._use(do, step)

    def _use(self, do: str, step: Step) -> None:
        tool, given = TOOLS[self._flavor][do](step)
        call = self._log.call(tool, given, self._words)
        self._words = ""
        self._tick()
        if step.get("err"):
            self._log.result(call, error=step["err"])
        elif do == "shell":
            self._log.result(call, step["out"], step["code"])
        else:
            self._log.result(call, step.get("out") or "Done.")

    def _files(self) -> Files:
        with tempfile.TemporaryDirectory() as name:
            self._log.write(Path(name))
            found = sorted(path for path in Path(name).rglob("*") if path.is_file())
            return {str(path.relative_to(name)): path.read_bytes() for path in found}


def planter(tools: Path) -> Any:
    """The planting script with all agents: each has as many sessions as any other."""
    catalog = load_script(tools / "catalog.py")
    flavors = (*catalog.FLAVORS, *TOOLS)
    catalog.PATTERNS[:] = [_for_all(row, flavors) for row in catalog.PATTERNS]
    catalog.REFUSAL.update(REFUSED)
    vars(catalog)["FLAVORS"] = flavors
    script = load_planter(tools, catalog)
    share, some = 1 / len(flavors), (4, 6)
    script.__dict__.update(
        MIX=dict.fromkeys(flavors, share),
        MEMBERS=dict.fromkeys(flavors, some),
        ALONE=dict.fromkeys(flavors, (7, 9)),
        WRITERS={**script.__dict__["WRITERS"], **{one: partial(Told, one) for one in TOOLS}},
        plan=_once(script.__dict__["plan"]),
    )
    return script


def _once(plan: Callable[[int, int], list[Step]]) -> Callable[[int, int], list[Step]]:
    """The plan without copies of the further agents: theirs go on in the same file."""

    def planned(seed: int, n: int) -> list[Step]:
        sessions = plan(seed, n)
        for session in sessions:
            if session["flavor"] in TOOLS:
                session["copy"] = None
        return sessions

    return planned


def _for_all(row: tuple[Any, ...], flavors: Sequence[str]) -> tuple[Any, ...]:
    """A pattern of several agents as one of all; those of a single agent stay as they are."""
    name, kind, signal, theirs, title, regexes, make = row
    if len(theirs) == 1:
        return row

    def made(flavor: str, x: Any, **how: Any) -> list[Step]:
        steps: list[Step] = make(SPEAKS_AS.get(flavor, flavor), x, **how)
        if flavor in TOOLS:
            for step in steps:
                step.pop("argv", None)
                if step["do"] == "edit" and step.get("err"):
                    step["err"] = x.r.choice(NO_MATCH[flavor]).format(path=step["path"])
                elif step["do"] == "shell" and step.get("err"):
                    step["out"], step["code"], step["err"] = _missing(step), 127, None
        return steps

    return name, kind, signal, tuple(flavors), title, [*regexes, *FITS.get(name, [])], made


def _missing(step: Step) -> str:
    """Only Codex runs a program without a shell that would name it."""
    return f"bash: line 1: {step['cmd'].split()[0]}: command not found"


def run_trial(tools: Path, trial: Trial) -> Outcome:
    """Plants a home of all agents, takes it in, detects, and scores also each pair of agents."""
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        home = Path(name) / "home"
        home.mkdir()
        truth, _, _ = planter(tools).plant(trial.seed, trial.sessions, str(home))
        helix = Helix(home, Path(name) / "store", trial.command)
        helix.sweep()
        found = helix.detect()
    scorer = load_script(tools / "score.py")
    report: dict[str, Any] = scorer.score(truth, found)
    by_pair = pairs_of(truth, found, report)
    report["figures"][PAIRS] = min(by_pair.values())
    report["pairs of agents"] = {" and ".join(pair): value for pair, value in by_pair.items()}
    return Outcome(trial.seed, report, {})


def pairs_of(
    truth: dict[str, Any], found: dict[str, Any], report: dict[str, Any]
) -> dict[tuple[str, str], float]:
    """For each two agents, in how many patterns of both one candidate has members of both."""
    members = {c["id"]: {m.partition(":")[0] for m in c["members"]} for c in found["candidates"]}
    own = {row["pattern"]: row.get("candidate") for row in report["patterns"]}
    patterns = [p for p in truth["patterns"] if p["cross_flavor"]]
    flavors = sorted({flavor for p in patterns for flavor in p["flavors"]})
    shares: dict[tuple[str, str], float] = {}
    for one, two in itertools.combinations(flavors, 2):
        both = [
            {one, two} <= members.get(str(own.get(p["id"])).removesuffix("/remedy"), set())
            for p in patterns
        ]
        shares[one, two] = sum(both) / len(both)
    return shares


def board(seeds: int, sessions: int) -> Board:
    """The figures over all seeds; the worst pair of agents has a goal of its own."""
    trials = [Trial(None, seed, sessions) for seed in range(1, seeds + 1)]
    tools = shared_folder() / "tools" / "planted"
    outcomes = run_trials(partial(run_trial, tools), trials)
    worst: Figure = mean(PAIRS, [outcome.figures[PAIRS] for outcome in outcomes], Goal(0.9))
    weak = [
        f"seed {outcome.seed}: {pair} {value:.2f}"
        for outcome in outcomes
        for pair, value in outcome.report["pairs of agents"].items()
        if value < 1
    ]
    title = f"Planted patterns in homes of {len(TOOLS) + 3} agents"
    return Board(title, [*figures_of(outcomes), worst], [*details_of(outcomes), *weak[:20]], {})
