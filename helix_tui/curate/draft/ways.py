"""Judge what overcame a problem: advised, quoted from a log, or never proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from helix_tui.curate.draft.advice import advice_table
from helix_tui.curate.draft.allowed import (
    may_replace,
    may_run_first,
    may_run_through,
    programs_with,
)
from helix_tui.curate.draft.names import code, quoted
from helix_tui.curate.draft.weakens import names_package, option_programs, weakens
from helix_tui.schema.candidate import Remedy

Standing = Literal["advised", "quoted", "unadvised"]

_LEADS = (("use ", "use"), ("add ", "add"), ("run it with ", "with"))
_SHORT_OPTION = re.compile(r"-[A-Za-z0-9]{1,2}")
_SHELL = "$ "
_QUOTED_LENGTH = 61
_LONGEST = 160
_PATH, _MEND = "use the path ", "mend what it names"
_INSTALL = "install"
# Verbs of digests for what ends, removes or opens something.
_HARMFUL = frozenset({"kill", "remove", "chmod"})


class Way(NamedTuple):
    """A way out of a problem: for a title, as a line of guidance, and the words it quotes."""

    standing: Standing
    title: str
    line: str
    cited: str = ""


def way_of(verb: str, ran: str, subject: str) -> Way:
    """Word a way out, given what was run and what the problem is about.

    Only what is on a list of what may be recommended is put in our words. Anything else is quoted,
    unless it gives up a safeguard: that is not even named.
    """
    table = advice_table()
    if is_unadvised(verb, ran):
        text = table.way_kind["unadvised"]
        return Way("unadvised", text.title, text.line)
    way_text = table.way.get(verb)
    if way_text and not (verb == _INSTALL and names_package(ran)):
        return Way("advised", way_text.title, way_text.line)
    kind, name = _kind_of(verb)
    names = {"name": code(name)}
    if kind == "add":
        programs = programs_with(name).intersection(option_programs(ran, name))
        is_allowed = bool(programs)
        # `git pull` says more than `git`.
        names["program"] = code(max(programs, key=len, default="").replace("_", " "))
    elif kind == "use":
        is_allowed = may_replace(name, subject)
    else:
        is_allowed = may_run_through(name) if kind == "with" else may_run_first(name)
    if is_allowed:
        return _worded("advised", kind, names)
    # Anybody may have published a package that somebody named.
    name = ran.removeprefix(_SHELL) if verb == _INSTALL else _with_value(name, ran)
    words = quoted(name, _QUOTED_LENGTH)
    return _worded("quoted", "quoted", {"name": code(words)})._replace(cited=words)


def difference_of(remedy: Remedy) -> Way | None:
    """Word the difference between what failed and what passed, as both stand in a log.

    None where they are too long to be told apart, or where one of them cannot be shown.
    """
    failed, works, ran = (_as_run(text) for text in (remedy.failed, remedy.works, remedy.ran))
    if remedy.verb == _MEND:
        return _quoting("mend", {"name": works})
    if remedy.verb.startswith(_PATH):
        return _quoting("path", {"name": quoted(remedy.verb.removeprefix(_PATH), _QUOTED_LENGTH)})
    if failed and works and failed != works:
        return _quoting("instead", {"works": works, "failed": failed})
    return _quoting("first", {"name": ran, "failed": failed}) if ran != failed else None


def _as_run(action: str) -> str:
    """Return a command as it was run; nothing where it is none, is too long or is refused."""
    command = action.removeprefix(_SHELL)
    is_short = action.startswith(_SHELL) and len(command) <= _LONGEST
    return quoted(command, _LONGEST) if is_short else ""


def _quoting(kind: str, names: Mapping[str, str]) -> Way | None:
    if not all(names.values()):
        return None
    cited = next(iter(names.values()))
    shown = {name: code(value) for name, value in names.items()}
    return _worded("quoted", kind, shown)._replace(cited=cited)


def is_unadvised(verb: str, ran: str) -> bool:
    """Whether a way out gives up a safeguard, or what was run with it does."""
    if verb in _HARMFUL or (ran.startswith(_SHELL) and weakens(ran)):
        return True
    if verb in advice_table().way:
        return False
    kind, name = _kind_of(verb)
    return weakens(f"_ {name}" if kind == "add" else name)


def counts_as_advised(verb: str, ran: str) -> bool:
    """Whether advice that covers a way out may count its sessions, going by what was run."""
    return not is_unadvised(verb, ran) and not (verb == _INSTALL and names_package(ran))


def unadvised_sessions(ways: Mapping[str, int], ran: str) -> int:
    """Count the sessions that overcame a problem in a way that is not advised.

    `ran` is an example of the first way.
    """
    first = next(iter(ways), "")
    return sum(
        count for verb, count in ways.items() if is_unadvised(verb, ran if verb == first else "")
    )


def _kind_of(verb: str) -> tuple[str, str]:
    return next(
        ((kind, verb.removeprefix(lead)) for lead, kind in _LEADS if verb.startswith(lead)),
        ("run", verb),
    )


def _worded(standing: Standing, kind: str, names: Mapping[str, str]) -> Way:
    text = advice_table().way_kind[kind]
    title, line = text.title, text.line
    for name, value in names.items():
        title, line = (part.replace(f"{{{name}}}", value) for part in (title, line))
    return Way(standing, title, line)


def _with_value(name: str, ran: str) -> str:
    """Return an option such as `-p` with its value: it says nothing without."""
    words = ran.split()
    if not _SHORT_OPTION.fullmatch(name) or name not in words[:-1]:
        return name
    value = words[words.index(name) + 1]
    return f"{name} {value}" if value[0] not in "-|&;<>" else name
