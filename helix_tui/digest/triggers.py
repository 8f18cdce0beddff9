"""What of a session's facts makes candidates possible, by the names of `text/triggers.py`."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from helix_tui.digest.programs import programs_in
from helix_tui.digest.shape.call import shape_of_text
from helix_tui.schema import REST, Facts
from helix_tui.text.scripts import is_script
from helix_tui.text.shape import SHELL
from helix_tui.text.triggers import ASKED, edit, passed, passed_again, run, use
from helix_tui.tools import tool_class

# A session that ran more has lost some from its digest as well.
_MOST = 400
# Programs that run another one where it finds other things.
_ELSEWHERE = frozenset({"docker", "docker-compose", "podman", "nerdctl", "kubectl", "ssh"})


def triggers_of(facts: Facts) -> tuple[str, ...]:
    """Everything that a session ran, used, edited or was asked for, each once and in order."""
    found = {ASKED} if facts.tasks or facts.prompts else set()
    for shape in facts.shapes:
        found.update(map(run, programs_of(shape)))
    for command in facts.commands:
        found.update(run(program.partition(" ")[0]) for program in programs_in(command))
    for tool in facts.tools:
        kind = tool_class("", tool)
        found.add(use(kind))
        if kind in ("mcp", "other"):
            found.add(use(tool))
    found.update(edit(kind) for kind in facts.kinds_edited)
    for script, times in _plain_passes(facts).items():
        found.add(passed(script))
        if times > 1:
            found.add(passed_again(script))
    found.discard(run(REST))
    return tuple(sorted(found)[:_MOST])


def _plain_passes(facts: Facts) -> Counter[str]:
    """How often each script of a repository passed as it is, with nothing set around it."""
    found: Counter[str] = Counter()
    for action, tally in facts.shapes.items():
        if tally.passed and action != REST:
            shape = shape_of_text(action)
            if is_script(shape.program) and not shape.env:
                found[shape.program] += tally.passed
    return found


@lru_cache(maxsize=4096)
def programs_of(action: str) -> tuple[str, ...]:
    """The programs of a shape or a command line, without sub-commands and what stands before."""
    shape = shape_of_text(action)
    if shape.tool != SHELL:
        return ()
    if not shape.program:
        return tuple(name.partition(" ")[0] for name in programs_in(action))
    around = (wrapper.partition(" ")[0] for wrapper in shape.wrappers)
    return (*(name for name in around if name in _ELSEWHERE), shape.program)
