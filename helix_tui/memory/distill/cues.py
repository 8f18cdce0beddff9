"""The wordings by which the extractive distiller classifies a sentence."""

from __future__ import annotations

import re

# Words before the point is made.
FILLER = re.compile(
    r"(?i)(?:all )?(?:done|perfect|great|excellent|good|ok(?:ay)?|sure|got it|yes|no problem|"
    r"(?:that'?s a )?(?:great|good|fair) (?:question|catch|idea|point)|"
    r"you'?re (?:absolutely )?right)\b(?:[.!,:]*\Z| [-—–]+ )"
)
# Something that is about to be done.
PLAN = re.compile(
    r"(?i)(?:now )?(?:let me|let'?s|i'?ll|i will|i'?m going to|"
    r"i (?:now )?(?:have|understand|see))\b"
)
# The first words of an agent's own summary after its context was compacted.
CONTINUED = re.compile(r"This session is being continued from a previous conversation")
# An agent says what it chose, and over what.
DECIDED = re.compile(
    r"(?i)\b(?:decided (?:to|on|that|against)|decision(?: is|:)|chose|went with|opted (?:for|to)|"
    r"(?:us(?:e[ds]?|ing)|keep|kept|ma[dk]e|moved|renamed?|replaced?|removed?|added?)\b.{1,120}"
    r"\b(?:instead of|rather than)|switched (?:from|to)|we(?:'ll| will| should) (?:use|keep))\b"
)
# A person says how it is to be.
CHOSEN = re.compile(
    r"(?i)\b(?:let'?s (?:use|go|keep|do|not)|go with|use \S+ instead|instead of|rather than|"
    r"i(?:'d| would) (?:prefer|rather)|prefer|we (?:should|will|need to)|don'?t|do not|never|"
    r"always|make sure|must|should (?:not|be|use))\b"
)
# Somebody found out why.
LEARNT = re.compile(
    r"(?i)\b(?:root cause|(?:issue|problem|bug|failure|error|reason|culprit|cause) (?:was|is) "
    r"(?:that|because|caused|in|due|the|a|not)|turns? out|turned out|caused by|was because|"
    r"is because|due to (?:a|the)|the (?:trick|gotcha) (?:is|was)|gotcha|learned|lesson|"
    r"it appears that|only works|does not support|doesn'?t support|"
    r"must be (?:run|set|called|used))\b"
)
# The heading of a list of what remains to be done.
FOLLOW_UP = re.compile(
    r"(?i)^(?:next steps?|remaining(?: work| issues| items)?|follow[- ]?ups?|to ?dos?|still to do|"
    r"what'?s (?:left|next)|open (?:questions|issues|items)|known (?:issues|limitations)|"
    r"outstanding)\b"
)
# Something remains to be done.
OWED = re.compile(
    r"(?i)\b(?:still (?:needs?|fails?|failing|missing|open|to be)|not yet|needs? to be|"
    r"remains? (?:to|un|open|a )|(?-i:TODO)|you(?:'ll| will)? (?:need|have) to|next step|"
    r"follow[- ]up|was skipped|unfinished|could not (?:be )?(?:verif|test|run))\b"
)
# Titles of commits and pull requests.
TITLE = re.compile(r"--title[= ]+(?P<mark>[\"'])(?P<title>.{8,300}?)(?P=mark)")
HEREDOC = re.compile(r"\bcommit\b.{0,40}<<-?'?\"?\w+'?\"?\s+(?P<title>[^\n]{8,400})")
MESSAGE = re.compile(
    r"\bcommit\b.{0,40}?-[a-z]{0,4}m[= ]+(?P<mark>[\"'])(?P<title>[^$].{7,300}?)(?P=mark)"
)
# Summary and body of a message on one line: the body begins with a capital or a list.
SUMMARY = 72
BODY = re.compile(
    r"(?<! for)(?<! of)(?<! in)(?<! to)(?<! the)(?<! a)(?<! an)(?<! and)(?<! or)(?<! with)"
    r"(?<! from)(?<! on)(?<! by)(?<! as)(?<! at)(?<! add)(?<! use)(?<!:)(?<!,)"
    r"\s(?=- |\* |## |Co-Authored|[A-Z][a-z]+ )"
)
