"""Steps that may be the reason why the same action passes behind them."""

from __future__ import annotations

import re
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
    " vendor upgrade sso"
)
_PROGRAMS = _set("mkdir touch ln dos2unix initdb createdb tsc gofmt goimports prettier black isort")
# What changes a repository is a reason only for what git does there.
_GIT_STEPS = _set(
    "add commit stash fetch config init checkout switch reset restore merge rebase rm"
)
_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=1024)
def only_looks(program: str, verb: str) -> bool:
    """Whether a program only looks, so that nothing is other than before it ran."""
    return is_looking(f"{program} {verb}".strip())


def step_of(shape: Shape, failed: Shape) -> str:
    """What a step amounts to, where it may be why an action that failed then passes."""
    step = step_in(shape)
    is_other = bool(step) and shape.base != failed.base
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
    words = _WORD.findall(f"{shape.verb} {shape.script}".lower())
    is_making = not _MAKING.isdisjoint(words) or shape.program in _PROGRAMS
    return base if is_making else ""
