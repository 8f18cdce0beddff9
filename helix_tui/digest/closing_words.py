"""How an agent's reply asks, offers, and says that something is not done.

One wording a line; they are laid on text in which `’` is read as `'`.
"""

from __future__ import annotations

import re

from helix_tui.text.lazy import lazy


def _any(*wordings: str) -> str:
    return f"(?:{'|'.join(wordings)})"


def _words(*wordings: str) -> re.Pattern[str]:
    return lazy(rf"(?i)\b{_any(*wordings)}")


# Whom a question is for; any other may be a heading, or one that the reply answers itself.
ADDRESSED = _words(r"(?:you|your|me|i|we|us|shall|should|want|ready|proceed|prefer|ok|okay)\b")
# A question that only offers more.
OFFER = _words(
    r"(?:would|do) you (?:also )?(?:like|want|prefer) (?:me|us|to (?:see|know|try|add|go))\b",
    r"want me to\b",
    r"(?:shall|should|can|may|could) (?:i|we)\b",
    r"ready (?:to|for)\b",
    r"if you(?:'d| would)? (?:want|like|wish|prefer)\b",
    r"i can\b",
)
# An offer of nothing in particular, as replies end out of politeness.
POLITE = _words(
    r"anything else\b",
    r"any (?:other |further )?questions\b",
    r"what (?:would|do) you (?:like|want) (?:me )?to (?:do|work on|search|explore|help|look|find"
    r"|know|investigate|analy[sz]e)\b",
    r"(?:how|what) (?:else )?can i help\b",
    r"help you with\b",
    r"need anything\b",
    r"if you(?:'d| would)? (?:want|like|prefer) (?:a different|another (?:\w{1,20} )?"
    r"(?:format|style|layout|wording|name|representation)|it (?:differently|another way)"
    r"|something (?:else|different))\b",
    r"let me know (?:what you think|your thoughts|how (?:it|that|this) (?:looks|goes|feels))\b",
    r"let me know if you (?:have|need|want|'d like|would like)\b",
)
# What a person is asked to do before the agent can go on.
REQUEST = _words(
    r"let me know (?:when|once|which|what|how|whether|if (?:you see|it|there|that|any))\b",
    r"tell me (?:when|once|which|what|how|if)\b",
    r"(?:pick|choose) (?:one|an option)\b",
    r"reply with\b",
    r"once you(?:'ve| have)\b",
    r"waiting for (?:you|your)\b",
    r"i(?:'ll| will) wait\b",
    r"please (?:confirm|provide|share|send|paste|run|try|test|check|restart|reload|review|choose"
    r"|let me|tell me|verify|approve|specify|clarify|upload|grant)\b",
)
# The heading of a list of what remains.
HEADING = lazy(
    r"(?i)^"
    + _any(
        r"(?:recommended |suggested )?next(?: steps?| up| actions?)?",
        r"what(?:'s| is) (?:next|left|missing)",
        r"remaining(?: \w{1,20}){0,3}",
        r"still (?:to do|open|missing)",
        r"to-?dos?",
        r"open (?:items|questions|issues|points|tasks)",
        r"follow[- ]?ups?(?: needed)?",
        r"(?:\w{1,12} )?(?:things?|points?|items?) (?:that )?(?:needs?|for) your "
        r"(?:eyes?|attention|input|review|decision|call|confirmation)",
        r"not (?:yet )?(?:done|implemented|covered|tested|addressed|fixed)",
        r"known (?:issues|limitations)",
        r"limitations|deferred|pending|outstanding",
    )
    + r"\b[^.!?\n]{0,60}$"
)
_DONE = (
    r"(?:committed|pushed|deployed|merged|tested|implemented|verified|wired|run|covered|addressed"
    r"|added)"
)
_DOING = (
    r"(?:run|verif\w{1,4}|test\w{0,3}|check\w{0,3}|reproduc\w{1,3}|install\w{0,3}|access|reach"
    r"|complet\w{1,3}|find|fix\w{0,3}|confirm)"
)
# The same by what it says: what is not sure, not looked at, or in the way.
RISK = lazy(
    r"(?i)^"
    + _any(
        r"(?:known |current |remaining )?(?:limitations?|caveats?|gaps)",
        r"(?:open|residual|remaining|outstanding|unresolved|known) (?:\w{1,20} ){0,2}"
        r"(?:risks?|questions?|issues?|items?|points?|tasks?|gaps?|problems?|work|blockers?)",
        r"(?:residual|remaining) risks?",
        r"(?:current )?blockers?",
        r"(?:things? |what )?(?:i did|was) not (?:do|done|change|test|verify|check|run)\w{0,4}",
        r"not (?:yet )?(?:done|implemented|covered|tested|addressed|fixed|verified|checked|run)",
        r"un(?:verified|tested|resolved|finished)",
        r"still (?:to do|open|missing|needed)",
        r"follow[- ]?ups?(?: needed)?",
        r"to-?dos?",
    )
    + r"\b[^.!?:\n]{0,40}$"
)
# What such a heading, or such a field of a report, may say as well: nothing.
NONE = lazy(
    r"(?i)^\W*(?:none\b|nothing\b|no[.:]?$|n/?a\b|not applicable|✅"
    r"|no (?:(?:known|open|new|other|further|remaining|outstanding|unresolved|residual) )?"
    r"(?:blockers?|risks?|issues?|questions?|limitations?|findings?|problems?|items?|work|gaps?"
    r"|follow[- ]?ups?|concerns?|caveats?)\b|no [^.]{1,60}\b(?:observed|found|needed|required)\b)"
)
# A finding of a review begins with its weight: `[P1] …`, `**High**: …`, `blocker - …`.
FINDING = lazy(
    r"(?i)^(?:\[(?:p[0-3]|critical|blocker|high|major|medium|minor|low)\]"
    r"|[A-Z][\w-]{1,20} \((?:critical|blocker|high|major|medium|minor)\b[^()\n]{0,40}\) ?:"
    r"|finding #?\d{1,2}(?= ?[:—–]| - )"
    r"|(?:p[0-3]|critical|blocker|high|major|medium|minor)(?: (?:severity|risk|priority))?"
    r"(?: ?[:—–]| - )) ?(?=\S+ \S)"
)
# The same where it is settled already, or looks at what there is of a thing.
SETTLED = lazy(
    r"(?i)(?<![\w-])(?:fixed|resolved|addressed|done|implemented|mitigated|none"
    r"|no (?:findings?|issues?)|not an? (?:issue|problem)|closed|corrected|merged|added|removed"
    r"|now)\b|✅|✓|→"
)
# A finding with an id of its own, and what says even of that that it is settled.
FINDING_ID = lazy(r"[A-Z][\w-]{1,20} \((?i:critical|blocker|high|major|medium|minor)\b")
SETTLED_FOR_SURE = lazy(r"(?i)(?<![\w-])(?:fixed|resolved|addressed|mitigated)\b(?! in)|✅|✓")
# The heading of such findings, where they bear no weight of their own; the field of a report.
FINDINGS = lazy(
    r"(?i)^(?:(?:code |security |design )?review findings|open findings|must[- ]fix|blockers"
    r"|(?:critical|blocking|major) (?:findings|issues|problems))\b[^.!?\n]{0,30}$"
)
FINDINGS_FIELD = lazy(r"(?i)^(?:review )?findings$")
# A sentence that begins with what was done.
WAS_DONE = lazy(
    r"(?i)^(?:[\w -]{2,30}: ?)?(?:i |we )?(?:also |then |successfully )?"
    r"(?:ran|fixed|added|updated|verified|checked|tested|built|formatted|cleaned|reviewed|removed"
    r"|resolved|confirmed|made|ensured|rebased|created)\b"
)
# What a person is told of the time at which something was done.
BEFORE = lazy(r"(?i)\bbefore (?:committing|merging|pushing|deploying|releasing)\b")
_DISCLOSED = (
    r"(?:flagged|noted|reported|found|pre-existing)[^.\n]{0,40}\b(?:but )?not (?:been )?fixed\b"
)
# What was seen and left as it is, wherever in a reply that is said.
DISCLOSED = _words(_DISCLOSED)
# Sentences that say that something is not done.
REMAINS = _words(
    rf"not (?:yet )?(?:been )?{_DONE}\b",
    rf"(?:haven't|have not|hasn't|has not) (?:yet )?(?:been )?{_DONE}\b",
    r"still (?:needs?|fails?|failing|missing|broken|open|to do|pending|outstanding)\b",
    r"still to be \w{2,20}ed\b",
    r"not yet\b",
    r"still (?:some |a few |several |many |open )?remaining\b",
    r"remains? (?:to be|un\w{3,20}|open|broken|a todo)\b",
    r"ready (?:to|for) `{0,2}(?:git )?(?:commit|push|merge|deploy|publish|review|release)",
    r"you(?:'ll| will| may| might| would| still) (?:still )?(?:need|have) to\b"
    r"(?! (?:reload|restart|refresh|reopen) your\b)",
    r"(?:could not|couldn't|wasn't able to|was not able to|unable to|did not|didn't|can't|cannot)"
    rf" (?:be )?{_DOING}\b",
    r"(?:can|could|should|will) (?:(?!\(?if\b)\S{1,20} ){1,8}later\b",
    r"(?:must|has to|have to|needs? to) (?:first |still )?be (?:re)?(?:released|installed|published"
    r"|deployed|merged|restarted|rebuilt|pushed|started)\b",
    r"as a follow[- ]?up\b",
    r"before (?:committing|merging|pushing|deploying|releasing)\b",
    _DISCLOSED,
    r"(?:did not|didn't|have not|haven't) (?:\w{1,12} )?"
    r"(?:commit|push|deploy|merge)(?:ted|ed|d)?\b",
    r"(?:did not|didn't|have not|haven't) (?:create|make|open)d? (?:an? |any )?(?:\w{1,12} )?"
    r"(?:commits?|prs?|pull requests?)\b",
    r"(?:only|sole|last|single|one) (?:\w{1,20} )?remaining (?:\S{1,20} ){0,3}"
    r"(?:blocker|failure|error|issue|problem|warning|task|item|step)s?\b",
    r"(?:is|are|was|were|remains?|still) blocked\b",
    r"(?:still|only|just|is|are|as|with) (?:an? )?placeholders?\b",
    r"placeholders? (?:for now|until|that)\b",
    r"left (?:out|open|for later|as a todo)\b",
    r"out of scope\b",
    r"was skipped\b",
    r"for (?:future|later) (?:consideration|work)\b",
    r"(?:unfinished|incomplete)\b",
    r"known (?:issue|limitation)\b",
)
# A task is reported as one that could not go on.
BLOCKED = (
    r"(?:implementation|work|task|(?:gate|phase|step) \d{1,3}) (?:is |was |remains )?"
    r"blocked (?:by|on|until|because)\b"
)
# The same with nothing changed, as the report of a whole turn.
NOTHING_CHANGED = lazy(r"(?i)\bchanged files:?\W{1,6}none\b|\bno files (?:were )?changed\b")
# The agent says that it could not do what was asked; what it did not find is an answer.
UNABLE = _words(
    r"i\b[^.\n]{0,60}?\b(?:can't|cannot|could not|couldn't)\b(?! (?:find|see|spot|think|help"
    r"|reproduce))",
    r"i(?:'m| am| was)(?: sorry[^.\n]{0,20})?[^.\n]{0,20} (?:not able|unable) to\b",
    r"i (?:do|did)(?:n't| not) (?:\w{1,12} )?have (?:\w{1,20} ){0,4}(?:access|ability|tools?"
    r"|permissions?|way|internet|capabilit\w{1,3})\b",
    r"i do(?:n't| not) (?:\w{1,12} )?(?:browse|access)\b",
    r"blocked by (?:the |a )?(?:sandbox|permission|policy|network)\b",
    BLOCKED,
    r"not (?:possible|permitted|allowed|available) in (?:this|the current) (?:environment|session"
    r"|sandbox)\b",
)
