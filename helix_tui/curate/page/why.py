"""Word the evidence of a pattern for somebody who has never seen Helix."""

from __future__ import annotations

import re

from msgspec.structs import replace

from helix_tui.agent_homes import agent_name
from helix_tui.curate.page.pattern import Pattern, PatternEvidence
from helix_tui.schema.candidate import CandidateKind
from helix_tui.text.hashing import hash64
from helix_tui.text.human import plural

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
# What people said did not happen to anybody: how the sentence begins, and what the tokens went to.
_SAID = {
    "user_correction": ("This was said", "the work that it corrects"),
    "user_reaction": ("This was said", "the work that it corrects"),
    "instruction": ("This was asked for", "the turns that ask for it"),
    "workflow": ("This was asked for", "the turns that ask for it"),
}


def why_of(pattern: Pattern) -> str:
    """Word the evidence of a pattern."""
    return why_text(pattern.evidence, pattern.kind, pattern.signal)


def is_our_why(pattern: Pattern) -> bool:
    """Whether nobody reworded it; pages of before say of words of people that they worked."""
    ours = (why_of(pattern), why_text(pattern.evidence, pattern.kind, ""))
    return pattern.why in ours


def why_text(evidence: PatternEvidence, kind: CandidateKind, signal: str) -> str:
    """Say how often it was seen, where and when, what it cost, and how often the remedy helped."""
    opening, on_what = "This happened", "it"
    if signal in _SAID:
        opening, on_what = _SAID[signal]
    elif kind == "success":
        # The page may not, or no longer, say what worked.
        is_lost = not evidence.remedied and bool(evidence.remedied_line or evidence.unadvised)
        opening = "It was overcome" if is_lost else "This worked"
        on_what = "the trouble that it ends"
    often = "once" if evidence.frequency == 1 else f"{evidence.frequency:,} times"
    where = [f"in {plural(evidence.sessions, 'session')}{_agents(evidence.flavors)}"]
    if evidence.repos:
        where.append(f"in {plural(evidence.repos, 'repository', 'repositories')}")
    where.append(_days(evidence.first_seen, evidence.last_seen))
    sentences = [f"{opening} {often} {', '.join(filter(None, where))}."]
    if evidence.cost_impact:
        tokens = plural(evidence.cost_impact, "token")
        verb = "was" if evidence.cost_impact == 1 else "were"
        sentences.append(f"About {tokens} {verb} spent on {on_what}.")
    if evidence.remedied and kind == "problem":
        sentences.append(_helped(evidence))
    if evidence.unadvised:
        sessions = plural(evidence.unadvised, "session")
        sentences.append(
            f"In {sessions} the agent got past it in a way that switches a safeguard off or "
            "destroys something; that is not advised."
        )
    return " ".join(sentences)


def line_mark(line: str) -> str:
    """Hash a line of guidance, so that it is recognised whatever its bullet."""
    words = " ".join(_BULLET.sub("", line, count=1).split())
    mark = hash64(words.encode("utf-8", "surrogatepass")) & 0xFFFFFFFFFFFFFFFF
    return f"{mark:016x}" if words else ""


def drop_stale_remedy(pattern: Pattern, *, is_untouched: bool) -> Pattern:
    """Drop the count of a remedy whose line of guidance was deleted or reworded.

    An older page does not say which line its count belongs to: there the whole guidance must be
    untouched.
    """
    evidence = pattern.evidence
    if not evidence.remedied:
        return pattern
    stands = {line_mark(line) for line in pattern.guidance.split("\n")}
    if evidence.remedied_line in stands or (is_untouched and not evidence.remedied_line):
        return pattern
    # A success still records that the page no longer says what worked.
    remedied_line = evidence.remedied_line if pattern.kind == "success" else ""
    bare = replace(evidence, remedied=0, remedied_line=remedied_line)
    if is_our_why(pattern):
        return replace(pattern, evidence=bare, why=why_text(bare, pattern.kind, pattern.signal))
    # Somebody reworded `why`; our sentence on that line goes all the same.
    sentence = re.compile(rf"[ \t]*{re.escape(_helped(evidence))}")
    return replace(pattern, evidence=bare, why=sentence.sub("", pattern.why).strip())


def _helped(evidence: PatternEvidence) -> str:
    helped, sessions = evidence.remedied, evidence.sessions
    if helped > sessions:
        return f"What to do about it helped in {plural(helped, 'session')}."
    if helped == sessions:
        which = {1: "that session", 2: "both sessions"}.get(sessions, f"all {sessions:,} sessions")
        return f"What to do about it helped in {which}."
    return f"What to do about it helped in {helped:,} of the {sessions:,} sessions."


def _agents(flavors: dict[str, int]) -> str:
    """Name the agents, the one with most sessions first; several with their sessions."""
    ranked = sorted(flavors.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return ""
    if len(ranked) == 1:
        return f" of {agent_name(ranked[0][0])}"
    named = [f"{agent_name(flavor)} ({sessions:,})" for flavor, sessions in ranked]
    return f" of {', '.join(named[:-1])} and {named[-1]}"


def _days(first_seen: str | None, last_seen: str | None) -> str:
    first, last = (first_seen or "")[:10], (last_seen or "")[:10]
    if first and last and first != last:
        return f"between {first} and {last}"
    return f"on {first or last}" if first or last else ""
