"""The commands by which checks passed in a session: what somebody runs there tomorrow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.digest.red_checks import red_checks
from helix_tui.digest.runs.recognise import may_run, plan_of
from helix_tui.engine.memory.verdicts import is_over_nothing
from helix_tui.schema import CommandTally, Facts
from helix_tui.schema.digest import RunFact

_MOST = 4
_WEIGHTS = {"test": 0, "ci": 0, "check": 0, "build": 1, "types": 1, "lint": 2}
_MOST_OF_ONE = 2
_LONGEST = 100
_BEHIND_FOLDER = re.compile(r"^cd (?P<folder>\S{1,300})\s*(?:&&|;)\s*")
_REDIRECTED = re.compile(r"\s*(?:\d?>{1,2}&?\s*\S+|\|\|?.*)", re.DOTALL)
# One test, one file: what was looked at on the way.
_OF_ONE = re.compile(
    r"::|\s-(?:k|t|g|run)\b|--(?:grep|testPathPattern|filter|run)\b|\.\w{1,4}\b|\s\S+/\S"
)
_OF_PACKAGE = re.compile(
    r"^((?:pnpm|npm|yarn|bun|turbo|lerna|nx|cargo)\b.*?)\s(?:--filter|-F|--workspace|-w|-p)[= ]\S+"
)
# What only lists or rewrites checks nothing.
_NO_CHECK = re.compile(
    r"--(?:collect-only|markers|fixtures|version|help|list\S*|dry-run|showConfig)\b|\s-l$"
    r"|\b(?:fmt|format)\b(?!\S*check|.*--(?:check|diff|verify|set-exit-if-changed))"
)


def checks_passed(facts: Facts) -> list[str]:
    """Commands that run a check whose last run passed, those run most often first.

    Where none ran the whole of a check, those that ran a part of it; where none of them ran a test,
    the tests that were run by themselves, too.
    """
    whole = _passed(facts, of_one=False)
    if any(_runs_tests(facts, command) for command in whole):
        return whole
    parts = _passed(facts, of_one=True)
    if whole:
        parts = [command for command in parts if _is_test(command)]
    return [*whole, *parts[:_MOST_OF_ONE]][:_MOST]


def _is_test(command: str) -> bool:
    """Whether a command runs tests by a program that runs nothing else."""
    return any(part.kind == "test" for part in plan_of(command).parts)


def _runs_tests(facts: Facts, command: str) -> bool:
    """Whether a command runs tests, or a script that ran some beside other checks."""
    if any(part.kind in ("test", "ci") for part in plan_of(command).parts):
        return True
    words = command.split()
    scripts = [run.script.split()[-1] for run in facts.runs if run.kind == "test" and run.script]
    return any(script in words for script in scripts)


def _passed(facts: Facts, *, of_one: bool) -> list[str]:
    # A run over nothing, as a hook makes it, takes nothing from the run before it.
    last = {run.name: run.state for run in facts.runs if not is_over_nothing(run)}
    idle = {run.name for run in facts.runs} - set(last)
    passed = {
        name
        for name, check in facts.checks.items()
        if check.state == "passed" and name not in idle and last.get(name) in (None, "passed")
    }
    scripts = {_script(run) for run in facts.runs if run.name in passed and run.script}
    scripts -= {_script(run) for run in red_checks(facts)}
    ran_well = passed | {run.script for run in facts.runs if run.state == "passed"}
    found: dict[str, dict[str, CommandTally]] = {}
    for command, tally in facts.commands.items():
        if not may_run(command):
            continue
        for plain in _commands_in(command, of_one=of_one):
            names = [
                part.name for part in plan_of(plain).parts if part.is_check and part.kind != "git"
            ]
            # What is known of a check goes before what is known of the script that it stands in.
            if any(one in facts.checks for one in names) and not ran_well.intersection(names):
                continue
            if names and (passed.intersection(names) or plain.split(" ")[0] in scripts):
                of_folder = found.setdefault(plain, {})
                known = of_folder.get(folder := _folder(command), CommandTally(0, 0))
                runs, failures = known.runs + tally.runs, known.failures + tally.failures
                of_folder[folder] = CommandTally(runs, failures)
    told = {
        name: runs for plain, of_folder in found.items() for name, runs in _told(plain, of_folder)
    }
    return sorted(told, key=lambda one: (_weight(facts, one), -told[one], one))[:_MOST]


def _weight(facts: Facts, command: str) -> int:
    """How little a command's checks tell: tests go before types, and types before style."""
    if _runs_tests(facts, command):
        return 0
    kinds = [part.kind for part in plan_of(command).parts if part.is_check]
    return min((_WEIGHTS.get(kind, len(_WEIGHTS)) for kind in kinds), default=len(_WEIGHTS))


def _told(plain: str, of_folder: dict[str, CommandTally]) -> Iterator[tuple[str, int]]:
    """A command with how often it passed; of several folders each with its own.

    By its name a check passed that was run in several last in any of them: so one counts only where
    it never failed.
    """
    # Whoever goes into one folder first may stay there.
    if sum(map(bool, of_folder)) <= 1:
        passes = sum(tally.runs - tally.failures for tally in of_folder.values())
        if passes > 0:
            yield plain, passes
        return
    for folder, tally in of_folder.items():
        if tally.runs and not tally.failures:
            yield (f"cd {folder} && {plain}" if folder else plain), tally.runs


def _folder(command: str) -> str:
    """The folder into which a command goes first, by its last two names."""
    match = _BEHIND_FOLDER.match(command)
    return "/".join(match["folder"].strip("'\"/").split("/")[-2:]) if match else ""


def _script(run: RunFact) -> str:
    """The script that a run is of, without what it was given."""
    return run.script.partition(" ")[0]


def _commands_in(command: str, *, of_one: bool) -> Iterator[str]:
    """The commands of a line, without folders, redirections and pipes; single tests if wanted."""
    for link in re.split(r"\s*(?:&&|;)\s*", _BEHIND_FOLDER.sub("", command)):
        plain = " ".join(_REDIRECTED.sub("", link).split())
        if plain.count(")") != plain.count("("):
            plain = plain.strip("() ")  # the rest of a subshell
        # A package of a workspace is a whole of its own.
        is_one = _OF_ONE.search(_OF_PACKAGE.sub(r"\1", plain)) is not None
        is_other = is_one is not of_one or _NO_CHECK.search(plain)
        is_cut = "…" in plain or plain.count('"') % 2 or plain.count("'") % 2
        if plain and len(plain) <= _LONGEST and not (is_cut or is_other):
            yield plain
