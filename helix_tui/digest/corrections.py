"""Which prompts tell an agent that what it just did was not what was wanted."""

from __future__ import annotations

import re

# A long message is a new task, and one of many lines a pasted log, whatever words it holds.
_LONGEST = 400
_MOST_LINES = 5
_POLITE = re.compile(
    r"(?i)^\W{0,8}(?:no (?:problem|worries|need|rush|hurry|thanks|thank you|questions?|further"
    r"|changes?|more (?:questions|comments)|issues?|objections?|idea)\b|never ?mind\b"
    r"|not (?:bad|yet|sure|now|a problem)\b|don'?t (?:worry|bother|mind)\b|no-op|stop ?words?\b"
    r"|nothing (?:else|more)\b)"
)
# What a new task begins with; a prohibition behind it belongs to the task.
_TASK = re.compile(
    r"(?i)^\W{0,8}(?:ok(?:ay)?,? |yes,? |great[,.!]? |perfect[,.!]? |good[,.!]? |thanks[,.!]? "
    r"|nice[,.!]? |cool[,.!]? |now |next:? |then |also |and |please |(?:can|could|would) you "
    r"|let'?s |i want you to |we need to |go ahead and ){0,4}"
    r"(?:add|fix|implement|write|create|build|refactor|rename|port|bump|document|extract|make|update"
    r"|move|run|check|look|review|continue|cover|explain|show|find|investigate|improve|speed|test"
    r"|set up|open|merge|deploy|release|generate|convert|migrate|support|handle|clean|split|replace"
    r"|commit|push|now|next|proceed|do the same|again,? but|the same for|what|how|where|which|who"
    r"|tell|list|describe|summari[sz]e|compare|analy[sz]e|plan|design|think)\b"
)
_IMPERATIVE = r"(?:^|[.,;:!?…()–—-]\s{0,3}|\b(?:please|and|but|just|ok|okay|hey|again|so|then)\s)"
_NOT_FORBIDDEN = (
    r"(?!(?:forget|worry|bother|hesitate|mind|know|think|see|understand|get|have|need|want|care"
    r"|remember|believe|like|we|you|they|i|the|words?)\b)"
)
_STARTS = re.compile(
    r"(?i)^\W{0,8}(?:"
    r"no\b(?!\.)|nope\b|nah\b|wrong\b|hold on\b|undo\b|revert\b|roll (?:it|that|this)? ?back\b"
    r"|wait\b(?=\W|$)(?! (?:for|until|till)\b)|stop\b|halt\b"
    r"|actually\b|not (?:that|what|like|quite|right|correct|again|so)\b"
    r"|(?:that|this|it)(?:'s| is| was| are)? (?:not|wrong|incorrect|isn'?t|wasn'?t|didn'?t|doesn'?t"
    r"|still|too|the wrong)\b"
    r"|you(?:'re| are) (?:not|wrong|supposed)\b|you keep\b|you again\b|again,? you\b"
    r"|you (?:didn'?t|did not|should(?:n'?t| not| have)?|forgot|missed|broke|were|ignored"
    r"|must(?:n'?t| not)|can'?t|cannot|just|always|never)\b"
    r"|why (?:(?:did|are|do|have|didn'?t|would) you|the hell)\b"
    r"|i (?:said|asked|told you|meant|didn'?t (?:ask|say|want)|did not (?:ask|say|want)|never"
    r"|don'?t want|do not want|wanted|specifically|already (?:said|told))\b"
    r"|still (?:not|fail|broken|the same|getting|doesn'?t|see)"
    r"|(?:the )?same (?:error|problem|issue)\b|please (?:undo|revert|un-?\w|stop|don'?t|do not)"
    r"|(?:please )?(?:use|keep|stick (?:to|with)|prefer|leave|respect|follow) \S.{0,80}"
    r"(?:instead|not \w|\balone\b|as (?:it|they) (?:is|was|are|were)|please$|rather than|like i)"
    r"|we (?:use|don'?t|do not|only|never|always|have|already)\b"
    r"|(?:this|our|the) (?:repo|project|codebase|team|code base)\b.{0,40}(?:uses?|is|has|on|never)\b"
    r"|less\b|shorter\b|simpler\b|too (?:long|much|many|verbose|complicated)\b|ugh\b|hmm,? no\b"
    r"|enough\b|leave \w{1,20} (?:alone|to me)\b|hands off\b|keep your hands\b"
    r")"
)
_ANYWHERE = re.compile(
    r"(?i)(?:"
    + _IMPERATIVE
    + r"(?:don'?t|do not|never|stop|quit|no more)\s"
    + _NOT_FORBIDDEN
    + r"|"
    r"\b(?:that'?s (?:wrong|not (?:right|what|correct|how|allowed))|not what i (?:asked|want|meant)"
    r"|you (?:didn'?t|forgot to|broke|should(?:n'?t| not)|were not)|please (?:revert|undo|stop)"
    r"|(?:revert|undo|take) (?:that|this|it|your|them)\b(?: back)?|instead of (?:that|what you)"
    r"|doesn'?t work|didn'?t work|still (?:fails?|failing|broken)|i (?:already )?told you"
    r"|(?:was|were|is)(?:n'?t| not) (?:asked|wanted|needed|allowed|necessary)"
    r"|(?:not|never|nobody) ask(?:ed)?\b|without (?:asking|my|permission|being asked|checking)"
    r"|not allowed|unless i (?:say|ask|tell|approve)|until i (?:say|ask|tell|confirm|approve|review)"
    r"|leave (?:that|this|it|them|those) to me|i(?:'ll| will) (?:do|handle|take care of) "
    r"(?:it|that|this)|you (?:\w{1,20} ){1,4}again\b|again you\b|on your own\b|by yourself\b"
    r"|for the (?:second|third|last|nth|\w{1,8}th) time|how (?:often|many times)|(?:^|, ?)not \w+!))"
)
# After a claim of done: what was wrong still is.
_PERSISTS = re.compile(
    r"(?i)(?:\bstill (?:not|fail\w{0,4}|broken|the same|getting|get|doesn'?t|does not|see\w{0,3}"
    r"|crash\w{0,3}|happen\w{0,3}|there|shows?|red|wrong|an? (?:error|problem)|throws?|errors?)\b"
    r"|\bsame (?:error|problem|issue|failure|result|thing)\b|\b(?:fails?|failing|broken|crash\w{0,3}"
    r"|happens?|error) again\b|\bagain the (?:same|error)|\b(?:doesn'?t|does not|didn'?t) work\b"
    r"|\bnot (?:working|fixed|solved|gone)\b|\bno (?:change|difference|luck)\b)"
)
_CLAIM = re.compile(
    r"(?i)\b(?:done|fixed|completed?|finished|resolved|implemented|ready|all (?:\w{1,12} ){0,2}"
    r"(?:tests|checks) (?:now )?pass(?:ed|ing)?|tests? (?:are |is )?(?:now )?(?:pass|green)"
    r"|(?:now|should) work(?:s|ing)?(?: now| as)?|works now|everything (?:works|passes|is green))\b"
)
_NO_CLAIM = re.compile(
    r"(?i)\b(?:not (?:yet )?(?:done|fixed|ready|complete)|once|when|before|if)\b"
)


def is_correction(prompt: str) -> bool:
    """Whether a prompt that follows the agent's work rejects or redirects it."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST or text.count("\n") >= _MOST_LINES or "```" in text:
        return False
    text = text.replace("’", "'")
    if _POLITE.match(text):
        return False
    if _STARTS.match(text) is not None:
        return True
    return _TASK.match(text) is None and _ANYWHERE.search(text) is not None


def is_persistence(prompt: str) -> bool:
    """Whether a prompt says that what was wrong before still is."""
    text = prompt.strip()
    return 0 < len(text) <= _LONGEST and _PERSISTS.search(text.replace("’", "'")) is not None


def is_claim(reply: str) -> bool:
    """Whether an agent's last words say that the work is done."""
    said = reply[:300]
    return _CLAIM.search(said) is not None and _NO_CLAIM.search(said) is None
