"""Steps that may be the reason why the same action passes behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from helix_tui.digest.programs import is_looking, verb_of
from helix_tui.text.shape import SHELL, Shape


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What running a program amounts to, where that changes what others find.
_VERBS = frozenset(
    {"install", "kill", "chmod", "start the service", "git pull", "format", "remove"}
)
# Words of a sub-command or script that make, start or open something.
_MAKING = _set(
    "build compile generate gen codegen start up init setup login auth migrate migration seed sync"
    " bootstrap configure prepare restore create link fmt format fix fetch install"
    " vendor upgrade sso autoload"
)
_PROGRAMS = _set("mkdir touch ln dos2unix initdb createdb tsc gofmt goimports prettier black isort")
# What changes a repository is a reason only for what git does there.
_GIT_STEPS = _set(
    "add commit stash fetch config init checkout switch reset restore merge rebase rm"
)
_WORD = re.compile(r"[a-z]+")
# Options by which a program only says what it would change.
CHECKING = _set("--check --check-only --dry-run --diff --list-different -l")
# Options by which a check mends what it finds.
_FIXING = _set("--fix --write --apply --autocorrect --autocorrect-all --in-place")
# Short ones, by program.
_FIXING_OF = frozenset({"rubocop -a", "rubocop -A", "standardrb -a", "ktlint -F"})
_FIXER = re.compile(
    r"(?:^|[ :])(?:format|fmt|fix|lint:fix)$| --(?:fix|write|apply|autocorrect)| -[aAF]$"
)
# How a message asks for a command: “run `poetry lock`”, “please run "prisma generate"”.
_ASKED = re.compile(
    r"(?i)\b(?:run|running|use|using|try|execute|call|with)\b[^`'\"\n]{0,24}"
    r"[`'\"](?P<command>[a-z][\w./@-]{1,40} [a-z][\w./@:-]{1,40})"
)
_MOST_ASKED = 4


@lru_cache(maxsize=1024)
def only_looks(program: str, verb: str) -> bool:
    """Whether a program only looks, so that nothing is other than before it ran."""
    return is_looking(f"{program} {verb}".strip())


def asked_in(line: str, failed: Shape) -> list[str]:
    """The commands that an error asks for by program and sub-command, but for the failed one."""
    found = [match["command"] for match in _ASKED.finditer(line)]
    return [command for command in found if command != failed.base][:_MOST_ASKED]


def asked_step(command: str, asked: Sequence[str]) -> str:
    """What a command line runs of what an error asked for; nothing where it runs none of that."""
    words = f" {' '.join(command.split())} "
    return next((one for one in asked if f" {one} " in words), "")


def only_checks(before: Shape, now: Shape) -> bool:
    """Whether a program only said what it would change, and now changes it: that is a step."""
    return not (CHECKING & set(before.flags)) <= set(now.flags)


def step_of(shape: Shape, failed: Shape) -> str:
    """What a step amounts to, where it may be why an action that failed then passes."""
    step = step_in(shape)
    is_other = bool(step) and (shape.base != failed.base or only_checks(failed, shape))
    return step if is_other and (shape.program != "git" or failed.program == "git") else ""


@lru_cache(maxsize=1024)
def step_in(shape: Shape) -> str:
    """What a step amounts to, where others may pass because of it."""
    if shape.tool != SHELL or not shape.program or only_looks(shape.program, shape.verb):
        return ""
    base = shape.base
    verb = verb_of(f"{shape.program} {shape.verb}".strip())
    if verb == f"{shape.program} {shape.verb}" and shape.verb.endswith((" up", " start")):
        verb = verb_of(verb.rpartition(" ")[0])
    if shape.program == "git":
        is_reason = verb == "git pull" or shape.verb.partition(" ")[0] in _GIT_STEPS
        return verb if is_reason else ""
    if verb in _VERBS:
        return verb
    known = (one for one in shape.flags if one in _FIXING or f"{shape.program} {one}" in _FIXING_OF)
    if fixing := next(known, ""):
        return f"{base} {fixing}"
    words = _WORD.findall(f"{shape.verb} {shape.script}".lower())
    is_making = not _MAKING.isdisjoint(words) or shape.program in _PROGRAMS
    return base if is_making else ""


def fixer_of(shape: Shape, failed: Shape) -> str:
    """The command of a step that mends, without files: `npm run fix`, `biome check --write`."""
    if not is_fixer(step_of(shape, failed)):
        return ""
    mending = [
        name for name in shape.flags if name in _FIXING or f"{shape.program} {name}" in _FIXING_OF
    ]
    return " ".join((shape.base, *mending))


def is_fixer(step: str) -> bool:
    """Whether a step mends what a linter or formatter found: `npm run fix`, `eslint --fix`."""
    return _FIXER.search(step) is not None
