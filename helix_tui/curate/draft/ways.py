"""Judge what overcame a problem: advised, quoted from a log, or never proposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from helix_tui.curate.draft.advice import advice_table
from helix_tui.curate.draft.allowed import (
    may_replace,
    may_run_first,
    may_run_through,
    programs_with,
)
from helix_tui.curate.draft.names import code
from helix_tui.text.weakening_ways import leaves_out, way_weakens
from helix_tui.text.weakens import names_package, option_programs, weakens

Standing = Literal["advised", "quoted", "unadvised"]

_LEADS = (("use ", "use"), ("add ", "add"), ("run it with ", "with"))
_OF_OPTIONS = frozenset({"unknown_option", "no_tests_found", "invalid_tool_input"})
_INSTALL = "install"


class Way(NamedTuple):
    """A way out of a problem in our words: for a title, and as a line of guidance."""

    standing: Standing
    title: str
    line: str


def way_of(verb: str, ran: str, subject: str) -> Way:
    """Word a way out, given what was run and what the problem is about.

    Only what is on a list of what may be recommended is put in our words. Anything else is left to
    be quoted as it was run, unless it gives up a safeguard: that is not even named. Anybody may
    have published a package that somebody named.
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
    return _worded("advised", kind, names) if is_allowed else Way("quoted", "", "")


def is_unadvised(verb: str, ran: str) -> bool:
    """Whether a way out gives up a safeguard, or what was run with it does."""
    if way_weakens(verb, ran):
        return True
    kind, name = _kind_of(verb)
    return verb not in advice_table().way and kind != "add" and weakens(name)


def is_withheld(verb: str, ran: str, error_class: str) -> bool:
    """Whether a way out is not put into a page, though nothing is known against it.

    What an option was for is not known where it is left out, unless the failure is about options.
    Anybody may have published a package that somebody named.
    """
    return (leaves_out(verb) and error_class not in _OF_OPTIONS) or names_package(ran)


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
