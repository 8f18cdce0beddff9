"""What a prompt asks for, in a line: of a long brief, the task that stands in or behind it."""

from __future__ import annotations

import re

from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.prose import ProseLine, lines_of, shortened
from helix_tui.memory.notes.pasted import own_words

# A longer prompt is a brief, or made of a template.
_BRIEF = 1_000
# Under such a heading a brief says what is to be done this time.
_TASK = re.compile(
    r"(?i)^\W*(?:(?:your|the|current|my|user) )?(?:tasks?|request|assignment|objective|goal|input"
    r"|arguments|question|what to do|work item)\b(?! *[^:\w\s]*\w+ \w+ \w+ \w+)"
)
_MOST_LINES = 4
_LETTERS = re.compile(r"\w{3,}")


def asked_for(prompt: str, title: str, limit: int) -> str:
    """A prompt on one line of at most so many characters.

    A brief begins with the passage that speaks of the title, else with its task, which stands
    under a heading that says so or at its end.
    """
    if len(prompt) > _BRIEF and title:
        passage = gist(prompt, title)
        if passage != gist(prompt):
            return shortened(passage, limit)
    prompt = own_words(prompt)
    lines = [line for line in lines_of(prompt, has_code=True) if _LETTERS.search(line.text)]
    whole = " ".join(line.text for line in lines if not line.is_heading) or " ".join(prompt.split())
    if len(prompt) <= _BRIEF:
        return shortened(whole, limit)
    return shortened(" ".join(_task_lines(lines, limit)).strip('" ') or whole, limit)


def _task_lines(lines: list[ProseLine], limit: int) -> list[str]:
    headed = [at for at, line in enumerate(lines) if line.is_heading and _TASK.match(line.text)]
    if headed:
        below = lines[headed[-1] + 1 :]
        end = next((at for at, line in enumerate(below) if line.is_heading), len(below))
        if end:
            return [line.text for line in below[:end]]
    last: list[str] = []
    for line in reversed([line.text for line in lines if not line.is_heading]):
        if last and (len(last) == _MOST_LINES or len(line) + sum(map(len, last)) > limit):
            break
        last.insert(0, line)
    return last
