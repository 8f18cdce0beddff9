"""Whether a sentence earns its place in an entry: by a reason, a cause, a fact or a limit.

What an agent says of its own work, of the state of a moment, or in praise tells nobody anything
tomorrow; what was edited is told by the files.
"""

from __future__ import annotations

import re

from helix_tui.memory.distill import cues
from helix_tui.text.causes import names_cause

# The agent's own doing: what it looked at, ran or is about to do is borne out by its calls alone.
_DOING = re.compile(
    r"(?i)^\W*(?:(?:i|we)(?:['’]ve| have|['’]m| am)? )?(?:(?:also|then|now|just|successfully"
    r"|carefully|thoroughly|fully|already|first|and) )*"
    r"(?:reviewed|audited|verif(?:ied|ying)|validated|checked|double-checked|ran|re-?ran|tested"
    r"|examined|inspected|grepped|searched|compared|analy[sz]ed|explored|investigated|read|looked|noticed|confirmed|traced"
    r"|continued|proceeded|committed|pushed|tagged|pulled|rebased|staged|opened|posted|replied"
    r"|pushing|committing|exiting|waiting|checking|running|reading|looking|continuing|starting"
    r"|addressed|covered|handled|marked|claimed|preserved|kept everything|cleaned up|completed"
    r"|created (?:an? |the )?(?:\w+ )?(?:commit|pr|pull request|branch|tag)|progress complete"
    r"|finished|implemented (?:all|both|every|the (?:requested|whole|full)))\b"
)
# Behind what was looked at stands what came of it.
_MADE = re.compile(
    r"(?i),? (?:and|then) (?:\w+ly )?(?:found|created|added|wrote|built|established|fixed|defined"
    r"|discovered|introduced|replaced|removed|split)\b"
    r"|\b(?:found|discovered|turned out|showed) that\b"
)
_PASSIVE = re.compile(
    r"(?i)\b(?:\d+|no|zero|all|both|every) (?:[\w`#/-]+ ){0,4}(?:was|were|is|are|has been|have been"
    r"|has|have) (?:now |all |both |each |present or )?(?:been )?(?:analy[sz]ed|reviewed"
    r"|replied to|addressed|resolved|asked|answered|updated|completed?|done|in|implemented"
    r"|converted|checked|committed|pushed)\b"
    r"|\b(?:another|the next|a later) (?:\w+ ){0,2}(?:agent|instance|session|run|task)"
    r" (?:can|will)\b"
    r"|\b(?:exit|exiting|stopping here|picks? up the (?:next|subsequent))\b.{0,40}\b(?:agent|task"
    r"|instance|playbook|protocol)s?\b"
)
# How a tree, a branch or a pull request stands in passing.
_MOMENT = re.compile(
    r"(?i)^\W*(?:session|task|phase|work|implementation|migration|everything|all)"
    r" (?:is |are )?(?:now )?(?:complete|done|finished)\b"
    r"|\b(?:work(?:ing)?[ -]?tree (?:is|was|remains)"
    r"|(?:branch|main|master|local|head)\b.{0,30}"
    r"\b(?:ahead|behind|up to date|in sync)\b|(?:no|zero) (?:active |remaining )?(?:merge )?"
    r"conflicts|(?:merge )?commit\b.{0,24}\b(?:already )?(?:completed?|succeeded|exists|is (?:done"
    r"|in))|ready (?:for (?:you|review|the|your|commit|merge)|to (?:commit|merge|push|go|ship))"
    r"|(?:is|was|are|were|been|and|now)(?: now| already)? (?:committed|pushed|merged|tagged)\b"
    r"|^\W*(?:pushed|committed|merged)\b|pushed to (?:the )?(?:pr|origin|remote|branch|main)"
    r"|(?:dev )?server (?:is )?(?:now )?(?:running|started|live|up)\b"
    r"|(?:is|are) (?:now )?untouched|(?:can['’]?t|cannot) (?:continue|proceed)"
    r"|next (?:recommended |suggested )?(?:command|step)|(?:suggested|recommended) (?:next )?"
    r"(?:command|step)|you need to (?:either|re-?run|run)|on behalf of|co-authored)\b"
)
# That it does not go on just now: the next prompt says how it does.
_STUCK = re.compile(r"(?i)\bi (?:can['’]?t|cannot|could ?n['’]?o?t) (?:continue|proceed|go on)\b")
# Only a hash, a link, a path or a label of one.
_LABELLED = re.compile(
    r"(?i)^\W*(?:(?:pr|pull request|commit|branch) (?:created|opened|pushed|merged)\b"
    r"|no (?:code |file )?(?:changes|edits) (?:were )?made"
    r"|(?:file|commit|branch|pr|pull request|link|url|path|see|ticket|status|repo"
    r"|summary|commit message|commit hash|push status|pushed|tests?|testing|verification"
    r"|validation)\b\s*(?:[:#]|not run\b)|https?://|`?[0-9a-f]{7,40}`?\b)"
)
# What the sentence speaks of stands elsewhere.
_POINTING = re.compile(
    r"(?i)\b(?:items?|points?|findings?|questions?|comments?|issues?|options?|steps?|concerns?)"
    r" #?\d+(?: ?(?:[+&,/–-]|and) ?#?\d+)*(?! ?[:—–-] ?\w)"
    r"|\b(?:both|all|two|three|the) (?:optional|requested|remaining|above|other|mentioned|listed"
    r"|suggested|review|open)(?: \w+)? (?:points?|items?|changes?|fixes|updates|comments?|findings"
    r"|issues?|suggestions?|enhancements?|tasks?)\b|\b(?:as (?:above|described|listed|requested"
    r"|discussed)|(?:see|listed|shown|mentioned|described) (?:above|below|earlier))\b"
)
# It goes on with what stood before it.
_GOING_ON = re.compile(
    r"^\W*(?:(?:Will|Would|Already|Doesn['’]t|Does not|Was|Were|Has|Have)\b [a-z]"
    r"|(?:This|That|It|They|These|Those|He|She|Both|Each|Same|Such)\b(?![’'-]s why)"
    r"|(?:But|So|And|Also|However|Then|Otherwise|Instead|Similarly|Likewise|Additionally)\b,? "
    r"|The (?:comment|change|changes|fix|method|file|script|approach|new structure|result|same"
    r"|other|former|latter|second|first|two|code|function|test|tests|implementation|warning)"
    r" (?:now |already |also )?(?:is|are|was|were|will|can|should|uses?|ensures?|explains?|has"
    r"|have|focuses|properly|directly|combines?|says|does)\b)"
)
# A fact that outlives the change: when it holds, what it needs, where it ends.
_TEST_OF = re.compile(
    r"(?i)^\W*(?:in )?`?[\w./]*test\w*`?[^.]{0,80}[-–—:] ?(?:verif|check|test|ensur|assert"
    r"|cover|compre)"
)
_FACT = re.compile(
    r"(?i)\b(?:because|since|so that|therefore|thus|hence|means|meaning|unless|except|only|never"
    r"|always|must|cannot|can['’]?t|\w{2,8}n['’]t|without|no longer|not|still|instead|rather|but"
    r"|however|although|though|fail\w*|miss(?:es|ing)|requires?|needs?|depends?|defaults?"
    r"|expects?|limit\w*|when|whenever|if|until|already|risks?|caveat|blocked|blocker|remain\w*"
    r"|skipped|dropped|reverted|deprecated|at (?:most|least)|separate|ignor\w+|too|lost|wrong"
    r"|bugs?|race|leak\w*|stale|mismatch\w*|unsafe|insecure|vulnerab\w+|conflicts?|prevents?"
    r"|avoids?|to (?:avoid|prevent|keep)|so (?:it|the|that|a|an|we|they|this|no))\b"
)
_REASON = re.compile(
    r"(?i)\b(?:because|since|so that|therefore|otherwise|unless|except|only (?:if|when|where|for)"
    r"|instead of|rather than|no longer|requires?|depends?|caveat|breaking|not (?:yet|included"
    r"|covered|supported)|(?:does|do|did|is|was|can|could|will) ?n[o'’]t)\b"
)
_CONCLUDES = re.compile(
    r"(?i)^\W*(?:so|therefore|thus|hence|in short|bottom line|conclusion|verdict|overall|in other"
    r" words|net|short answer|answer|result|this means|that means|the answer|recommendation"
    r"|my (?:recommendation|take|view|verdict)|no\b|yes\b|i was (?:wrong|parroting|mistaken))\b"
)

# That a cause was found, or in which lines, and not what it is.
_ANNOUNCED = re.compile(
    r"(?i)\b(?:found|identified|know|see|understand) (?:the|what|why|exactly)\b[^.,:;]{0,60}\W*$"
    r"|^[^:—–]*\b(?:problem|issue|bug|cause|error) is (?:in|at|on|the same|here|clear|now)\b"
    r"(?: [^\s:—–]+){0,6}\W*$"
    r"|\bidentified the root cause of\b"
)


def is_noise(text: str) -> bool:
    """Whether a sentence speaks of the work's progress or a moment's state, or points elsewhere."""
    if _STUCK.search(text):
        return True
    if names_cause(text):
        return False
    if cues.PRAISE.search(text) and "`" not in text:
        return True
    is_told = cues.OVER.search(text) is not None and cues.DECIDED.search(text) is not None
    is_doing = _DOING.match(text) is not None and not (is_told or _MADE.search(text))
    is_moment = _MOMENT.search(text) is not None or _PASSIVE.search(text) is not None
    if _TEST_OF.match(text):
        return True
    return is_doing or is_moment or _LABELLED.match(text) is not None or points_elsewhere(text)


def is_passing(text: str) -> bool:
    """Whether a text tells how things stand at the moment, or what is to be run next."""
    return _MOMENT.search(text) is not None


def points_elsewhere(text: str) -> bool:
    """Whether a text names a thing by its number in a list that is not shown with it."""
    return _POINTING.search(text) is not None


def goes_on(text: str) -> bool:
    """Whether a sentence has no sense without the one before it."""
    return _GOING_ON.match(text) is not None


def earns(text: str) -> bool:
    """Whether a sentence tells a reason, a cause, a limit or how a thing behaves."""
    return names_cause(text) or (_FACT.search(text) is not None) or bool(cues.DECIDED.search(text))


def gives_reason(text: str) -> bool:
    """Whether a sentence says why, or under which condition."""
    return names_cause(text) or _REASON.search(text) is not None


def concludes(text: str) -> bool:
    """Whether a sentence says what an argument comes to."""
    return _CONCLUDES.match(text) is not None


def announces(text: str) -> bool:
    """Whether a sentence says that a cause was found, and not what it is."""
    return _ANNOUNCED.search(text) is not None
