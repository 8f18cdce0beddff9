"""Say what a candidate is worth to a person: to be fixed, to be known, or neither; and why."""

from __future__ import annotations

import re
from math import inf
from statistics import median
from typing import NamedTuple

from helix_tui.detect.kinds import KINDS, OF_NETWORKS, OF_SERVICES, OF_SURROUNDINGS, SAY_HOW
from helix_tui.detect.scope import is_of_agent_tool
from helix_tui.schema.candidate import Candidate, Sort, Tier
from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import SignalName
from helix_tui.text.clauses import sentences_of
from helix_tui.text.leads import exact_lead, is_kept_to
from helix_tui.text.shape_change import MEND, SAYS_SO, is_asked_by_tool
from helix_tui.text.standing import is_standing, says_what_instead

_SORTS: dict[SignalName, Sort] = {
    "tool_error": "error",
    "env_missing": "error",
    "edit_mismatch": "error",
    "permission": "error",
    "repeated_error": "error",
    "api_error": "error",
    "user_correction": "correction",
    "user_reaction": "correction",
    "error_persistence": "report",
    "user_request": "instruction",
    "instruction": "instruction",
    "workflow": "workflow",
}
# What shows only that something happened; why it did differs from one time to the next.
_MOMENTS: dict[SignalName, str] = {
    "interruption": "that somebody stopped the agent does not say why",
    "compaction": "long sessions fill their context; nothing failed",
    "slow_command": "a slow run is no failure",
    "abandoned": "how a session ended does not say what to do about it",
    "retry_loop": "repeating an action is mostly waiting or looking again",
    "edit_test_fix": "it is the work itself: the causes differ each time",
    "false_claim": "it says that a check was not run, not what failed",
    "api_error": "the model's service failed; nothing in a repository changes that",
}
# Checks in which every time has a cause of its own.
_OF_CHECKS = {
    "test": "tests that are red while they are worked on are the work itself",
    "types": "a checker found faults of the change at hand, each time others",
    "build": "a compiler found faults of the change at hand, each time others",
    "ci": "a pipeline that fails tells that a step of it did, not which",
}
_OF_STYLE = ("lint", "format", "check")
_NOTHING_KNOWN = "it recurs; no one way past it was seen in two conversations"
# What is handed over word for word is written down somewhere, often by a program.
_KEPT_TEXT = "a text that begins alike each time is a template already"
_KEPT_COMMAND = "it is a command already"
_ANY_WORK = "any session may be asked for it, and nobody says when it is due"
_BY_HAND = "people run a check by hand that agents can run before they are done"
_AT_FIRST = "people run a check by hand and hand over what it finds, before anything was done"
_OWN_RUN = "what people run by hand, and is no check, they may go on to run themselves"
_OF_MOMENTS = "two remarks that share words; neither says that it holds for more than its moment"
_SAME_FILE = "two remarks that share words, and both times the agent then edited the same file"
_SAID_AND_DONE = "people say what is to be done instead, and agents then edited the same file"
_NO_ACTION = "different commands share only the kind of failure"
_ASKED = "the tool itself says so when it refuses"
_OWN_TOOL = "an agent's own tool refuses it, in whatever repository"
_ONE_HAS_MOST = "one conversation has most of it"
_OWN_SANDBOX = "one agent's sandbox has no network: a call shows that, and no repository changes it"
_OWN_LOOP = "agents ran the check themselves and mended what it named, so nothing is left to teach"
_SAYS_HOW = "what it finds is mended on the spot; its own output names a command that does so"
_GLOB = "no_glob_match"
_PROBED = "a pattern that matches nothing is mostly a look whether anything is there"
_SEEN_ONCE = "seen to work in one conversation"
_KEPT_TO = "one conversation kept to it, and it passed each time"
_FOLLOWS = "it follows from what `{0}` had failed by each time before: that one is to be mended"
_OUTAGE = "all of it at one time, so an outage: nothing that could be written down"
_ONE_MOMENT = "all of it within two hours, and whatever got past it then failed by something else"
_QUICK = "a quick next call makes up for it, and few conversations meet it again"
# A call and the answer to it, with what stands between both.
_RETRY_CHARS = 4000
_DAY_MS = 24 * 3600 * 1000
# The status of a server that stands before another one, which is away.
_AWAY = frozenset({"502", "503", "504"})
_ONCE_MS = 2 * 3600 * 1000
# Conversations that meet the same and end with it.
_MANY = 5


_WORD = re.compile(r"(?<![<\w])[A-Za-z][a-z]{2,}\w*")
_EMPTY = ("Error", "Exception", "error", "assert", "exit", "failed", "code", "status")
_LEAST_WORDS = 2


class Standing(NamedTuple):
    """A tier and its reason."""

    tier: Tier
    reason: str


def sort_of(signal: SignalName) -> Sort:
    """Return the sort of a candidate by its signal."""
    return _SORTS.get(signal, "moment")


def _heap_of(candidate: Candidate) -> str:
    """Say why a candidate is a heap of many causes; nothing where it is one."""
    if candidate.error_class in KINDS:
        return KINDS[candidate.error_class]
    if candidate.check in _OF_STYLE and candidate.kinds:
        return "what it finds is mended on the spot, each time something else"
    is_one_each = all(number < RECURRING for number in candidate.kinds.values())
    if candidate.check == "hook" and candidate.kinds and is_one_each:
        return "a hook runs several checks, and each time another one was red"
    return _OF_CHECKS.get(candidate.check, "") if not candidate.error_class else ""


def has_cause(candidate: Candidate) -> bool:
    """Whether an error says more than that something failed."""
    if candidate.error_class or candidate.sort != "error":
        return True
    words = [
        word
        for word in _WORD.findall(candidate.said or " ".join(candidate.kinds))
        if not word.endswith(_EMPTY)
    ]
    return len(words) >= _LEAST_WORDS


def is_figure(candidate: Candidate) -> bool:
    """Whether an error tells only that work was not finished yet: a figure, nothing to review.

    A check that is red while it is worked on says something where the same thing is wrong in two
    conversations, or one change overcame it.
    """
    if candidate.cure is not None or candidate.sort != "error" or candidate.is_remainder:
        return False
    if candidate.check and not has_cause(candidate):
        return True
    recurs = any(number >= RECURRING for number in candidate.kinds.values())
    is_red = candidate.check in (*_OF_CHECKS, *_OF_STYLE) and bool(candidate.kinds)
    return is_red and not recurs


def _is_outage(candidate: Candidate) -> bool:
    """Whether a service was away for a while, and never again.

    However many conversations meet it within two hours, it was away once. What many of one
    repository meet all day long, and none of them got past, is more than that: a port that is
    closed there, or another way out that nobody took.
    """
    is_status = candidate.error_class == "http_error" and candidate.subject in _AWAY
    is_away = is_status or candidate.error_class in OF_SERVICES
    if not is_away:
        return False
    is_many = candidate.scope == "repo" and len(candidate.members) >= _MANY
    is_closed = is_many and not (candidate.ways or candidate.leads)
    return _lasted(candidate) < (_ONCE_MS if is_closed else _DAY_MS)


def _lasted(candidate: Candidate) -> float:
    """From the first time to the last, in milliseconds; without end where one is not known."""
    times = [ts for one in candidate.members.values() for ts in (one.first_ts, one.last_ts)]
    known = [ts for ts in times if ts is not None]
    return max(known) - min(known) if known and len(known) == len(times) else inf


def _is_quick_retry(candidate: Candidate) -> bool:
    """Whether each time costs no more than a call and its answer, and mostly comes once.

    What an agent's tool says in words, and the agent does next, is nothing to tell it beforehand;
    what it meets again in the same conversation it did not learn from that.
    """
    members = candidate.members.values()
    each = median(member.chars / max(member.count, 1) for member in members)
    again = sum(member.count > 1 for member in members)
    return each < _RETRY_CHARS and 2 * again <= len(members)


def _opening_of(candidate: Candidate) -> str:
    """The first sentence of what is quoted; news before an order is of its day."""
    return next(iter(sentences_of(candidate.title.partition("“")[2].removesuffix("”"))), "")


def tier_of(candidate: Candidate) -> Standing:
    """Return the tier of a candidate, by what its evidence gives somebody to do."""
    cure = candidate.cure
    if candidate.behind:
        return Standing("rest", _FOLLOWS.format(candidate.behind))
    if cure is not None:
        told = f"{cure.text}: worked in {cure.sessions - cure.further} of {cure.of}"
        if cure.is_weakening or cure.further >= cure.sessions:
            is_one_moment = cure.further >= cure.sessions and _lasted(candidate) < _ONCE_MS
            return Standing("rest", _ONE_MOMENT) if is_one_moment else Standing("know", cure.text)
        if cure.verb == MEND and candidate.late < RECURRING:
            hint = candidate.hint if candidate.scope == "repo" else ""
            return Standing("know", _SAYS_HOW) if hint else Standing("rest", _OWN_LOOP)
        if is_asked_by_tool(cure.verb, candidate.scope):
            # Which command it names, somebody can be told before.
            is_named = cure.verb.endswith(SAYS_SO)
            return Standing("know" if is_named else "rest", f"{told}; {_ASKED}")
        if is_of_agent_tool(candidate):
            if _is_quick_retry(candidate):
                return Standing("rest", f"{told}; {_QUICK}")
            if candidate.mostly_once:
                return Standing("rest", f"{told}; {_OWN_TOOL}; {_ONE_HAS_MOST}")
            return Standing("know", f"{told}; {_OWN_TOOL}")
        return Standing("fix", told)
    if reason := _MOMENTS.get(candidate.signal):
        return Standing("rest", reason)
    if candidate.signal == "error_persistence" and not candidate.subject:
        return Standing("rest", "it says that work was not done, not what was missing")
    if candidate.signal == "workflow" and candidate.shape[:1] in ("", "/"):
        return Standing("rest", _KEPT_TEXT if not candidate.shape else _KEPT_COMMAND)
    if candidate.is_any_work:
        return Standing("rest", _ANY_WORK)
    if candidate.moment:
        return Standing("rest", candidate.moment)
    if candidate.sort == "workflow":
        if not candidate.check:
            return Standing("rest", _OWN_RUN)
        is_behind = candidate.laid_down >= RECURRING
        return Standing("fix", _BY_HAND) if is_behind else Standing("rest", _AT_FIRST)
    if candidate.sort == "instruction":
        if candidate.laid_down >= RECURRING and is_standing(_opening_of(candidate)):
            return Standing("fix", "people ask for it in words that hold for every time")
        return Standing("know", "people ask for it again; nothing failed")
    if candidate.sort == "correction" and len(candidate.members) <= RECURRING:
        quote = candidate.title.partition("“")[2].removesuffix("”")
        if quote and not is_standing(quote):
            if not candidate.reworked:
                return Standing("rest", _OF_MOMENTS)
            is_said = candidate.scope == "repo" and says_what_instead(quote)
            return Standing("fix", _SAID_AND_DONE) if is_said else Standing("know", _SAME_FILE)
    if candidate.sort in ("correction", "report"):
        return Standing("fix", "people say it in their own words")
    if reason := _heap_of(candidate):
        return Standing("rest", reason)
    if _is_outage(candidate):
        return Standing("rest", _OUTAGE)
    if is_of_agent_tool(candidate) and candidate.error_class in SAY_HOW:
        return Standing("rest", _ASKED)
    is_of_sandbox = candidate.scope == "agent" and candidate.error_class in OF_NETWORKS
    if is_of_sandbox and _is_quick_retry(candidate):
        return Standing("rest", _OWN_SANDBOX)
    if is_of_agent_tool(candidate) and _is_quick_retry(candidate):
        return Standing("rest", f"{_OWN_TOOL}; {_QUICK}")
    if candidate.is_remainder:
        return Standing("rest", "what more specific candidates leave of it has many causes")
    if not has_cause(candidate):
        return Standing("rest", "what it says is too general to name a cause")
    if candidate.error_class == _GLOB and not candidate.subject:
        return Standing("rest", _PROBED)
    is_one = candidate.has_common_action or candidate.error_class in OF_SURROUNDINGS
    if lead := exact_lead(candidate):
        seen = _KEPT_TO if is_kept_to(lead) else _SEEN_ONCE
        return Standing("fix", f"{seen}: {lead.verb}")
    if not is_one and not candidate.subject:
        return Standing("rest", _NO_ACTION)
    return Standing("know", _NOTHING_KNOWN)
