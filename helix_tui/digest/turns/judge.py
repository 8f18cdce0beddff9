"""What a turn is: a correction, a report, or neither, with the reasons; a pure function of it."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.digest.turns.traits import names_of
from helix_tui.schema import TurnFact, TurnKind

# From here on a turn is marked.
THRESHOLD = 2.0


class Judgement(NamedTuple):
    """What a turn is, and why."""

    kind: TurnKind
    score: float
    reasons: tuple[str, ...]


# A trait, what it adds, and how it is told; traits of position first, words last.
WEIGHTS: tuple[tuple[str, float, str], ...] = (
    ("refusal", 2.5, "said while refusing a call"),
    ("interrupted", 1.25, "behind an interruption"),
    ("refused", 0.75, "behind a refusal"),
    ("queued", 1.0, "queued while the agent worked"),
    ("beside a result", 1.5, "typed beside a result"),
    ("claim", 0.25, "behind a claim of done"),
    ("edited", 0.5, "behind edits"),
    ("names", 0.5, "names what the agent just wrote or ran"),
    ("about", 0.25, "speaks of what the agent just did"),
    ("reverts", 1.5, "the agent takes work back"),
    ("reworks", 0.75, "the agent edits the same file again"),
    ("redoes", 0.25, "the agent repeats its last action in another form"),
    ("concedes", 1.0, "the agent follows the point"),
    ("admits", 1.0, "the agent says that it was wrong"),
    ("plain", 1.5, "plainly rejects"),
    ("persists", 1.5, "says that it is still wrong"),
    ("doubts", 1.5, "doubts what was done"),
    ("reaction", 0.5, "may look back at what was done"),
    ("negates", 0.5, "negates"),
    ("instead", 0.75, "says what to do instead"),
    ("should", 0.5, "says what should be"),
    ("why", 0.75, "asks why"),
    ("broken", 1.0, "says that something fails"),
    ("failure", 1.0, "holds the words of a failing program"),
    ("open", -1.25, "the agent said itself that it is not done"),
    ("menu", -1.0, "answers a list of choices"),
    ("question", -0.5, "answers a question"),
    ("accepts", -1.5, "accepts"),
    ("adds", -0.75, "adds a wish"),
    ("wishes", -0.5, "asks as for something new"),
    ("long", -1.0, "long, as a new task is"),
    ("elsewhere", -0.5, "names a file that the agent did not touch"),
    ("retyped", -1.5, "repeats the turn before"),
    ("answer", -0.5, "a word or two"),
)
# What counts in addition where the words are of a language that the tables hardly know, or so few
# that they say little: then what the agent does next has to tell.
STRUCTURE: tuple[tuple[str, float], ...] = (
    ("names", 0.25),
    ("reworks", 0.75),
    ("redoes", 1.25),
    ("reruns", 0.5),
)
_OTHER_BUSINESS = frozenset(
    {"asks", "accepts", "wishes", "adds", "elsewhere", "menu", "question", "retyped"}
)
_NEVER = frozenset({"first", "idle", "task", "pick"})


def kind_of(turn: TurnFact) -> Judgement:
    """What a turn is; its traits decide, unless a model has read it."""
    if turn.label is not None:
        is_mark = turn.label.kind != "none"
        reasons_read = (f"read by {turn.label.model}",)
        return Judgement(turn.label.kind, THRESHOLD if is_mark else 0.0, reasons_read)
    traits = {*names_of(turn.traits), turn.via}
    if traits & _NEVER or {"accepts", "answer"} <= traits:
        return Judgement("none", 0.0, ())
    traits -= _set_aside(traits)
    found = [(weight, reason) for name, weight, reason in WEIGHTS if name in traits]
    score = sum(weight for weight, _ in found)
    reasons = [reason for weight, reason in found if weight > 0]
    if "unread" in traits:
        score += sum(weight for name, weight in STRUCTURE if name in traits)
        if "brief" in traits and traits & {"edited", "claim"} and not traits & _OTHER_BUSINESS:
            score += 1.0
            reasons.append("a brief word behind finished work")
    elif {"brief", "reworks"} <= traits and not traits & _OTHER_BUSINESS:
        score += 0.75
        reasons.append("a brief word, and the agent edits the same file again")
    if "declines" in traits and not traits & {"plain", "failure", "menu", "question"}:
        score += 1.0
        reasons.append("says no where nothing was asked")
    is_failure = {"failure", "pasted"} <= traits
    if is_failure:
        score += 1.0
        reasons.append("a failure was pasted behind the agent's work")
    if score < THRESHOLD:
        if "standing" in traits:
            return Judgement("instruction", score, ("says what is always to be done",))
        return Judgement("none", score, ())
    is_report = is_failure or bool(traits & {"persists", "failure"})
    says_it_fails = "broken" in traits and "plain" not in traits
    is_report = is_report or (says_it_fails and turn.via != "refusal")
    return Judgement("report" if is_report else "correction", score, tuple(reasons))


def _set_aside(traits: set[str]) -> set[str]:
    """Traits that mean nothing beside others that a turn has."""
    aside: set[str] = set()
    if traits & {"asks", "admits", "instead"}:
        aside |= {"menu", "question"}  # whoever asks back or offers another way does not answer
    elif "declines" in traits and traits & {"menu", "question"}:
        aside |= {"plain", "reaction", "negates"}  # a question was answered with no
    if "interrupted" in traits:
        aside.add("elsewhere")  # whoever stops the agent sends it there
    if traits & {"negates", "declines"} and {"brief", "edits"} <= traits:
        aside.add("elsewhere")  # so does who says no, where the agent then edits something else
    if "open" in traits:
        aside |= {"persists", "broken", "failure"}  # the agent had said so
    if traits & {"queued", "beside a result"}:
        aside.add("redoes")  # the agent was at it already
    if traits & {"negates", "instead", "why", "doubts", "admits", "failure"}:
        aside.add("wishes")
    return aside
