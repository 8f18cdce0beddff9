"""Which prompts tell an agent that what it just did was not what was wanted.

Some say so in words that can hardly mean anything else. Others are short reactions that may as well
be a new wish; those count only beside plain corrections about the same thing in other sessions.
"""

from __future__ import annotations

import re

# A long message is a new task, and one of many lines a pasted log, whatever words it holds.
_LONGEST = 400
_MOST_LINES = 5
_REACTION_WORDS = 16
_POLITE = re.compile(
    r"(?i)^\W{0,8}(?:no (?:problem|worries|need|rush|hurry|thanks|thank you|questions?|further"
    r"|changes? needed|more (?:questions|comments)|issues?|objections?|idea)\b|never ?mind\b"
    r"|not (?:bad|yet|sure|now|a problem)\b|don'?t (?:worry|bother|mind)\b|no-op|stop ?words?\b"
    r"|nothing (?:else|more)\b)"
)
_CONTENT = re.compile(
    r"(?i)\b(?:(?:was|is|are|looks?|all|that'?s|it'?s) (?:fine|good|great|ok|okay|right|correct"
    r"|perfect|better)(?=\W*$|[.,!;])|thanks?|thank you|perfect|great|lgtm|well done|as you proposed)\b"
)
# What a new task begins with; a prohibition behind it belongs to the task.
_TASK = re.compile(
    r"(?i)^\W{0,8}(?:ok(?:ay)?,? |yes,? |great[,.!]? |perfect[,.!]? |good[,.!]? |thanks[,.!]? "
    r"|nice[,.!]? |cool[,.!]? |now |next:? |then |also |and |please |(?:can|could|would) you "
    r"|let'?s |i want you to |we need to |go ahead and ){0,4}"
    r"(?:add|fix|implement|write|create|build|refactor|rename|port|bump|document|extract|make|update"
    r"|move|check|look|review|continue|cover|explain|show|find|investigate|improve|speed|test"
    r"|set up|open|merge|deploy|release|generate|convert|migrate|support|handle|clean|split"
    r"|commit|push|now|next|proceed|do the same|again,? (?:but|for)|the same for|what|where|which"
    r"|who|tell|list|describe|summari[sz]e|compare|analy[sz]e|plan|design|think)\b"
)
_IMPERATIVE = (
    r"(?:^|[.,;:!?…()–—-]\s{0,3}|\b(?:please|and|but|just|ok|okay|hey|again|so|then|here|code)\s)"
)
_NOT_FORBIDDEN = (
    r"(?!(?:forget|worry|bother|hesitate|mind|know|think|see|understand|get|have|need|want|care"
    r"|remember|believe|like|we|you|they|i|the|a|words?)\b)"
)
_PLAIN_START = re.compile(
    r"(?i)^\W{0,8}(?:"
    r"no\b(?!\.\w)|nope\b|nah\b|hold on\b|undo\b|revert\b|roll (?:it|that|this)? ?back\b|halt\b"
    r"|wrong\b(?=\W*$|[.,:;!-]| (?:file|branch|place|approach|one|way|repo|command|package|tool"
    r"|version|answer|direction|folder)\b)"
    r"|wait\b(?=\W|$)(?! (?:for|until|till)\b)"
    r"|stop\b(?=\W*$|[,.!;] ?|:? (?:\w{2,20}ing\b|it\b|that\b|this\b|please\b|now\b|there\b))"
    r"|actually,? (?:no|don'?t|not|never|i |we |stop|use|undo|revert|that'?s (?:not|wrong))"
    r"|not (?:that|what|like|quite|right|correct|again|so|another)\b"
    r"|(?:that|this|it)(?:'s| is| was| are)? (?:not|wrong|incorrect|isn'?t|wasn'?t|didn'?t|doesn'?t"
    r"|still|the wrong|far too|way too|too)\b"
    r"|you(?:'re| are) (?:not|wrong|supposed)\b|you keep\b|you again\b|again,? you\b"
    r"|you (?:didn'?t|did not|should(?:n'?t| not| have)?|forgot|missed|broke|were|ignored"
    r"|must(?:n'?t| not)|skipped|always|never)\b"
    r"|why (?:(?:did|are|do|have|didn'?t|would) you|the hell)\b"
    r"|i (?:said|asked|told you|meant|didn'?t (?:ask|say|want)|did not (?:ask|say|want)|never"
    r"|don'?t want|do not want|specifically|already (?:said|told))\b"
    r"|still (?:not|fail|broken|the same|getting|doesn'?t|see)"
    r"|(?:the )?same (?:error|problem|issue)\b|please (?:undo|revert|un-?\w|stop|don'?t|do not|no\b)"
    r"|(?:please )?(?:use|keep|stick (?:to|with)|prefer|leave|respect|follow) \S.{0,80}"
    r"(?:instead|\bnot \w|\balone\b|as (?:it|they) (?:is|was|are|were)|rather than|like i)"
    r"|we (?:don'?t|do not|only|never)\b|too (?:long|much|many|verbose|complicated)\b|ugh\b"
    r"|hmm,? no\b|enough\b|leave \w{1,20} (?:alone|to me)\b|hands off\b"
    r")"
)
_PLAIN_ANYWHERE = re.compile(
    r"(?i)(?:" + _IMPERATIVE + r"(?:don'?t|do not|never|quit|no more)\s" + _NOT_FORBIDDEN + "|"
    r"(?:[.,;:!?–—-]\s{0,3}|\bplease\s)stop \w{2,20}ing\b|[,.;!] ?don'?t\W*$|"
    r"\b(?:that'?s (?:wrong|not (?:right|what|correct|how|allowed|done))|not what i (?:asked|want"
    r"|meant)|you (?:didn'?t|haven'?t|forgot to|broke|should(?:n'?t| not)|were not|skipped)"
    r"|please (?:revert|undo|stop)|i did(?:n'?t| not) ask"
    r"|(?:revert|undo) (?:that|this|it|your|them|the)\b|take (?:that|it) back"
    r"|instead of (?:that|what you|a new)"
    r"|doesn'?t work|didn'?t work|still (?:fails?|failing|broken)|i (?:already )?told you"
    r"|(?:was|were|is)(?:n'?t| not) (?:asked|wanted|needed|allowed|necessary)"
    r"|(?:not|never|nobody) ask(?:ed)?\b|without (?:asking|my|permission|being asked|checking)"
    r"|not allowed|unless i (?:say|ask|tell|approve)"
    r"|until i (?:say|ask|tell|confirm|approve|review)"
    r"|leave (?:that|this|it|them|those) to me|i(?:'ll| will) (?:do|handle|take care of) "
    r"(?:it|that|this)|you (?:\w{1,20} ){1,4}again\b|again you\b|on your own\b|by yourself\b"
    r"|for the (?:second|third|last|nth|\w{1,8}th) time|how (?:often|many times)"
    r"|before you (?:say|claim|tell|call)|will be overwritten))"
)
# A short message that looks back at what was done: a question why, an order to take it away, a rule.
_REACTION = re.compile(
    r"(?i)(?:^\W{0,8}(?:why\b|how do you know|did you\b|how come|again\b(?!,? (?:but|for)\b)|same as"
    r"|no\b|not\b|be\b|only\b|just\b|always\b|less\b|fewer\b|shorter\b|simpler\b|stay\b|keep\b|leave\b"
    r"|use\b|reuse\b|do it\b|go back\b|put\b|answer\b|stick\b|prefer\b|way too\b|too\b|tl;?dr"
    r"|run the\b|you \w+(?:ed|t|de|ote|an|id)\b|this (?:exists|is|was|repo|project)|there(?:'s| is)"
    r"|that \w+|i (?:want|need|prefer|expect|don'?t|asked)|we (?:use|have|already|manage|do)"
    r"|(?:\w+ ){1,4}(?:is|are) (?:not|my|our|useless|noise|wrong|enough|generated|forbidden|taboo))"
    r"|\b(?:please )?(?:remove|delete|drop|strip|uninstall|take|get rid of|replace|restore|back out)"
    r" (?:that|the|those|these|your|it|them|this|any|all)\b"
    r"|\bshould (?:have|be|go|use|stay)\b|\b(?:has|have|needs?) to (?:stay|be|remain|go)\b"
    r"|\b(?:from now on|as always|like last time|as last time|please always|as agreed|every time)\b"
    r"|,? (?:no|not) (?:a |an |the |any |more )?\w+(?: please)?\W*$|^\W*[\w.-]+!|\bput (?:it|that) back"
    r"|\bis my job\b|\b(?:use|reuse|call) (?:the|our|that|ours)\b|\bplease (?:use|keep|be|drop|no)\b"
    r"|\b(?:breaks?|hides?|bypass(?:es)?|duplicates?|proves? nothing)\b|\bsays? done\b|\bstays\b"
    r"|\b(?:use|with|on) [\w.-]+(?: add| please)?\W*$|\bfirst, then\b)"
)
_NEW_TARGET = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.\w{1,4}\b")
# After a claim of done: what was wrong still is.
_PERSISTS = re.compile(
    r"(?i)(?:\bstill (?:not|fail\w{0,4}|broken|the same|getting|get|doesn'?t|does not|see\w{0,3}"
    r"|crash\w{0,3}|happen\w{0,3}|there|shows?|red|wrong|an? (?:error|problem)|throws?|errors?)\b"
    r"|\bsame (?:error|problem|issue|failure|result|thing)\b|\b(?:fails?|failing|broken|error"
    r"|crash\w{0,3}|happens?) again\b|\bagain the (?:same|error)|\bnot (?:working|fixed|solved|gone)"
    r"\b|\b(?:doesn'?t|does not|didn'?t) work\b|\bno (?:change|difference|luck)\b)"
)
_CLAIM = re.compile(
    r"(?i)\b(?:done|fixed|completed?|finished|resolved|implemented|ready|all (?:\w{1,12} ){0,2}"
    r"(?:tests|checks) (?:now )?pass(?:ed|ing)?|tests? (?:are |is )?(?:now )?(?:pass|green)"
    r"|(?:now|should) work(?:s|ing)?(?: now| as)?|works now|everything (?:works|passes|is green))\b"
)
_NO_CLAIM = re.compile(
    r"(?i)\b(?:not (?:yet )?(?:done|fixed|ready|complete)|once|when|before|if)\b"
)


def _heard(prompt: str) -> str:
    """The words of a prompt that may be a correction, or nothing."""
    text = prompt.strip()
    if len(text) > _LONGEST or text.count("\n") >= _MOST_LINES or "```" in text:
        return ""
    text = text.replace("’", "'")
    return "" if _POLITE.match(text) else text


def is_correction(prompt: str) -> bool:
    """Whether a prompt that follows the agent's work plainly rejects or redirects it."""
    text = _heard(prompt)
    if not text:
        return False
    if _PLAIN_START.match(text) is not None:
        return True
    return _TASK.match(text) is None and _PLAIN_ANYWHERE.search(text) is not None


def rejecting_clause(prompt: str) -> str:
    """The sentence of a correction that rejects something; the others may speak of anything."""
    text = _heard(prompt)
    found = _PLAIN_START.match(text) or _PLAIN_ANYWHERE.search(text)
    if found is None:
        return text
    # Marks of what comes before may belong to the match.
    at = found.end() if found.start() else 0
    start = max(text.rfind(mark, 0, max(at - 1, 0)) for mark in ".!?\n;") + 1
    ends = [end for mark in ".!?\n;" if (end := text.find(mark, at)) >= 0]
    return text[start : min(ends, default=len(text))].strip()


def is_reaction(prompt: str) -> bool:
    """Whether a prompt that is no plain correction may be one, as far as its words go."""
    text = _heard(prompt)
    return (
        bool(text)
        and len(text.split()) <= _REACTION_WORDS
        and _TASK.match(text) is None
        and _CONTENT.search(text) is None
        and _NEW_TARGET.search(text) is None
        and _REACTION.search(text) is not None
    )


def is_persistence(prompt: str) -> bool:
    """Whether a prompt says that what was wrong before still is."""
    text = prompt.strip()
    return 0 < len(text) <= _LONGEST and _PERSISTS.search(text.replace("’", "'")) is not None


def is_claim(reply: str) -> bool:
    """Whether an agent's last words say that the work is done."""
    said = reply[:300]
    return _CLAIM.search(said) is not None and _NO_CLAIM.search(said) is None
