"""How checks are run in a repository: the commands that passed, as people would type them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.knowledge.open_ends import is_aimed, red_checks, runs_check
from helix_tui.memory.knowledge.session_facts import Held, SessionFacts, facts_of
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_MOST = 4
# So many sessions make a check one of the repository; of fewer, only the shortest are told.
_OFTEN = 2
_MOST_RARE = 2
_LONGEST = 90
_MOST_CITED = 3
# The folder in which a command is run, and one that is of one machine or one worktree.
_FOLDER = re.compile(r"^cd [^;&|]{1,200}(?:;|&&) *")
_OWN_FOLDER = re.compile(r"""^cd ["']?(?:[~/$]|[A-Za-z]:)[^;&|]{0,200}(?:;|&&) *""")
_OWN_PATH = re.compile(
    r"(?:^|[\s='\"])(?:~|/(?:Users|home|private|tmp|var|mnt|workspace)|[A-Z]:)[/\\]"
)


def checks_told(latest: Sequence[Held]) -> tuple[str, list[str]]:
    """The line on checks and its citations; those that several sessions share come first.

    A check that a later session saw red, or that one session ran on one file alone while others
    cover all, is not told.
    """
    seen: dict[str, dict[str, str]] = {}
    shown: dict[str, str] = {}
    days: dict[str, str] = {}
    red: set[str] = set()
    for one in latest:
        facts = facts_of(one.entry)
        red.update(red_checks(one.entry, facts))
        for command, bare in _typed(facts):
            if bare not in seen and any(runs_check(bare, name) for name in red):
                continue
            # Where one session ran it in a folder of the repository, it is told with that.
            if _FOLDER.match(command) or bare not in shown:
                shown.setdefault(bare, command)
            days.setdefault(bare, one.day)
            seen.setdefault(bare, {}).setdefault(one.entry.short_id, one.cited)
    whole = [command for command in seen if not is_aimed(command)]
    ranked = sorted(whole or seen, key=lambda command: (-len(seen[command]), len(command), command))
    often = [one for one in ranked if len(seen[one]) >= _OFTEN][:_MOST]
    told = often if len(often) >= _MOST_RARE else ranked[:_MOST_RARE]
    if not told:
        return "", []
    named = [
        f"{code_span(shown[one])} ({plural(len(seen[one]), 'session')}, last {days[one]})"
        for one in told
    ]
    cited = dict.fromkeys(link for one in told for link in list(seen[one].values())[:2])
    return f"Checks that passed here: {', '.join(named)}", sorted(cited, reverse=True)[:_MOST_CITED]


def _typed(facts: SessionFacts) -> Iterator[tuple[str, str]]:
    """The green commands that somebody could type here: as they were run, and without a folder."""
    for green in facts.green:
        command = _OWN_FOLDER.sub("", green)
        # What was cut within a quotation can be run by nobody, nor can what was cut at all.
        is_whole = command.count('"') % 2 == 0 and not command.endswith("…")
        if is_whole and len(command) <= _LONGEST and not _OWN_PATH.search(command):
            yield command, _FOLDER.sub("", command)
