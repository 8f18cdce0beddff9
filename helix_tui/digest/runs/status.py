"""Whose exit status a status is."""

from __future__ import annotations

import re

from helix_tui.digest.runs.recognise import Plan, positional

_LEAVING = frozenset({"exit", "false", "return"})
# PowerShell keeps the status of the last program, whatever its output was handed to.
_FIRST_OF_PIPE = r"\$\{PIPESTATUS\[0\]\}|\$\{pipestatus\[1\]\}|\$(?i:LASTEXITCODE)\b"
_TOLD = re.compile(rf"\$\{{?\?\}}?|{_FIRST_OF_PIPE}")
_PIPED = re.compile(_FIRST_OF_PIPE)
_DIGITS = r"(\d{1,3})"
_BROKEN_PIPE = 141
_VALUED_OF_GIT = ("-C", "-c", "-m", "--message")
_STASHING = ((), ("push",), ("save",))
_TAKING_BACK = (("pop",), ("apply",))
_TRIVIAL = frozenset({"cd", "echo", "printf", "export", "source", ".", "set", "pushd", "true"})


def statuses_of(plan: Plan, text: str, status: int | None) -> dict[int, int]:
    """The status of each pipeline's first command, where it is known to be its own."""
    found = _echoed(plan, text)
    links = plan.pipelines
    if status is None or not links:
        return found
    start = len(links) - 1
    while start > 0 and _is_joined(plan, start):
        start -= 1
    chain = range(start, len(links))
    excuses = [at for at in chain if links[at].joint == "||"]
    if excuses:
        if excuses[0] != len(links) - 1 or links[-1].stages[0].words[0] not in _LEAVING:
            return found
        chain = range(start, len(links) - 1)
    own = [at for at in chain if has_own_status(plan, at)]
    if status == 0:
        for at in own:
            found.setdefault(at, 0)
    elif status != _BROKEN_PIPE:
        able = [at for at in chain if links[at].stages[0].words[0] not in _TRIVIAL]
        if len(able) == 1 and able[0] in own:
            found.setdefault(able[0], status)
    return found


def _is_joined(plan: Plan, at: int) -> bool:
    joint = plan.pipelines[at].joint
    return joint in ("&&", "||") or (plan.stops_at_errors and joint == ";")


def has_own_status(plan: Plan, at: int) -> bool:
    """Whether a pipeline's status is that of its first command."""
    line = plan.pipelines[at]
    if line.is_asked or line.is_background:
        return False
    return len(line.stages) == 1 or plan.has_pipefail


def put_aside(plan: Plan) -> set[int]:
    """The pipelines that ran while `git stash` had put the work aside: they tell nothing of it."""
    found: set[int] = set()
    is_aside = False
    for at, line in enumerate(plan.pipelines):
        words = positional(line.stages[0].words, _VALUED_OF_GIT)
        if words[:2] == ("git", "stash"):
            is_aside = words[2:3] in _STASHING or (is_aside and words[2:3] not in _TAKING_BACK)
        elif is_aside:
            found.add(at)
    return found


def _echoed(plan: Plan, text: str) -> dict[int, int]:
    """Statuses that a command line prints itself: `pytest; echo "exit $?"`."""
    asking: dict[str, list[int]] = {}
    for at, line in enumerate(plan.pipelines[1:], 1):
        words = line.stages[0].words
        if words[0] not in ("echo", "printf") or line.joint != ";":
            continue
        said = " ".join(words[1:])
        if not _TOLD.search(said):
            continue
        before = plan.pipelines[at - 1]
        if len(before.stages) > 1 and not _PIPED.search(said) and not plan.has_pipefail:
            continue
        pieces = [re.escape(piece) for piece in _TOLD.split(said.replace("\\n", ""))]
        asking.setdefault("^" + _DIGITS.join(pieces) + r"\s*$", []).append(at - 1)
    found: dict[int, int] = {}
    for pattern, those in asking.items():
        # What stands before the command's own lines may be a harness's.
        told = re.findall(pattern, text, re.MULTILINE)[-len(those) :]
        if len(told) == len(those) and isinstance(told[0], str):
            found.update(zip(those, map(int, told), strict=True))
    return found
