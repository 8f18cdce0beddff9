"""How people say that something was not what they wanted, and agents that they are done.

Tables of expressions, one wording a line; they are laid on small letters, which is several times
as fast as not to tell letters apart, and `’` is read as `'`.
"""

from __future__ import annotations

import re

# What begins a clause: a prohibition is one only there.
_CLAUSE = (
    r"(?:^|[.,;:!?…()–—-]\s{0,3}|\b(?:please|and|but|just|ok|okay|hey|again|so|then|here|code)\s)"
)


def _any(*wordings: str) -> str:
    return f"(?:{'|'.join(wordings)})"


def _words(*wordings: str) -> str:
    # The beginning of a word is looked for once, not for each wording.
    return rf"\b{_any(*wordings)}"


# Beginnings that sound like a rejection and are none.
POLITE = re.compile(
    r"^\W{0,8}"
    + _any(
        r"no (?:problem|worries|rush|hurry|thanks|thank you|questions?|further|idea)\b",
        # `no need to restart it` tells what was not wanted.
        r"no need\b(?! to (?!hurry|wait|worry|rush|thank|apologi|explain|answer))",
        r"no (?:changes? needed|more (?:questions|comments)|issues?|objections?)\b",
        r"never ?mind\b",
        r"not (?:bad|yet|sure|now|a problem)\b",
        r"don'?t (?:worry|bother|mind)\b",
        r"no-op",
        r"stop ?words?\b",
        r"nothing (?:else|more)\b",
    )
)
CONTENT = re.compile(
    _words(
        r"(?:was|is|are|looks?|all|that'?s|it'?s)"
        r" (?:fine|good|great|ok|okay|right|correct|perfect|better)(?=\W*$|[.,!;])",
        r"thanks?\b",
        r"thank you\b",
        r"perfect\b",
        r"great\b",
        r"lgtm\b",
        r"well done\b",
        r"as you proposed\b",
    )
)
# What a new task begins with; a prohibition behind it belongs to the task.
TASK = re.compile(
    r"^\W{0,8}(?:ok(?:ay)?,? |yes,? |(?:great|perfect|good|thanks|nice|cool)[,.!]? |now "
    r"|next:? "
    r"|then |also |and |please |(?:can|could|would) you |let'?s |i want you to |we need to "
    r"|go ahead and ){0,4}"
    + _any(
        r"(?:add|fix|implement|write|create|build|refactor|rename|port|bump|document|extract)\b",
        r"(?:make|update|move|check|look|review|continue|cover|explain|show|find|investigate)\b",
        r"(?:improve|speed|test|set up|open|merge|deploy|release|generate|convert|migrate)\b",
        r"(?:support|handle|clean|split|commit|push|now|next|proceed|tell|list|describe)\b",
        r"(?:do the same|again,? (?:but|for)|the same for|what|where|which|who)\b",
        r"(?:summari[sz]e|compare|analy[sz]e|plan|design|think)\b",
    )
)
# How a message begins that plainly rejects what was done.
PLAIN_START = re.compile(
    r"^\W{0,8}"
    + _any(
        # What programs say begins with the same word.
        r"no\b(?!\.\w)(?! (?:such|module|space|match\w{0,4}|rule to|route to|tests? (?:ran|found)"
        r"|files? (?:found|matched)|default export|overload|suitable|valid|configuration)\b)",
        r"(?:nope|nah|ugh|halt|hold (?:on|off)|enough|hands off)\b",
        r"(?:undo|revert)\b(?=\W*$|[.,!;:]| (?:that|this|it|the|your|my|all|everything|last|those"
        r"|these|what|please|to)\b)",
        r"roll (?:it|that|this)? ?back\b",
        r"wrong\b(?=\W*$|[.,:;!-])",
        r"wrong (?:file|branch|place|approach|one|way|repo|command|package|tool|version)\b",
        r"wrong (?:answer|direction|folder)\b",
        r"wait\b(?=\W|$)(?! (?:for|until|till)\b)",
        r"stop\b(?=\W*$|[,.!;])",
        r"stop:? (?:\w{2,20}ing|it|that|this|please|now|there)\b",
        r"actually,? (?:no|don'?t|not|never|i |we |stop|use|undo|revert|that'?s (?:not|wrong))",
        r"not (?:that|what|like|quite|right|correct|again|so|another)\b",
        r"(?:that|this|it)(?:'s| is| was| are)? (?:not|wrong|incorrect|still|the wrong)\b",
        r"(?:that|this|it)(?:'s| is| was| are)? (?:far too|way too|too)\b",
        r"(?:that|this|it) (?:isn'?t|wasn'?t|didn'?t|doesn'?t)\b",
        r"you(?:'re| are) (?:not|wrong|supposed)\b",
        r"(?:you keep|you again|again,? you)\b",
        r"you (?:didn'?t|did not|should(?:n'?t| not| have)?|forgot|missed|broke|were|ignored)\b",
        r"you (?:must(?:n'?t| not)|skipped|always|never)\b",
        r"why (?:(?:did|are|do|have|didn'?t|would) you|the hell)\b",
        r"i (?:said|asked|told you|meant|never|don'?t want|do not want|specifically)\b",
        r"i (?:didn'?t|did not|already) (?:ask|say|want|said|told)\b",
        r"still (?:not|fail|broken|the same|getting|doesn'?t|see)",
        r"(?:the )?same (?:error|problem|issue)\b",
        r"please (?:undo|revert|un-?\w|stop|don'?t|do not|no\b)",
        r"(?:please )?(?:use|keep|stick (?:to|with)|prefer|leave|respect|follow) \S.{0,80}"
        r"(?:instead|\bnot \w|\balone\b|as (?:it|they) (?:is|was|are|were)|rather than|like i)",
        r"we (?:don'?t|do not|only|never)\b",
        r"too (?:long|much|many|verbose|complicated)\b",
        r"hmm,? no\b",
        r"leave \w{1,20} (?:alone|to me)\b",
    )
)
# What plainly rejects wherever it stands.
PLAIN_ANYWHERE = re.compile(
    _any(
        _CLAUSE + r"(?:don'?t|do not|never|quit|no more)\s"
        r"(?!(?:forget|worry|bother|hesitate|mind|seen|heard|had|know|think|see|understand|get|have|need|want|care"
        r"|remember|believe|like|we|you|they|i|the|a|words?)\b)",
        r"(?:[.,;:!?–—-]\s{0,3}|\bplease\s)stop \w{2,20}ing\b",
        r"[,.;!] ?don'?t\W*$",
        _words(
            r"that'?s (?:wrong|not (?:right|what|correct|how|allowed|done))\b",
            r"not what i (?:asked|want|meant)\b",
            r"you (?:didn'?t|haven'?t|forgot to|broke|should(?:n'?t| not)|were not|skipped)\b",
            r"please (?:revert|undo|stop)\b",
            r"i did(?:n'?t| not) ask\b",
            r"(?:revert|undo) (?:that|this|it|your|them|the)\b",
            r"take (?:that|it) back\b",
            r"instead of (?:that|what you|a new)\b",
            r"(?:doesn'?t|didn'?t) work\b",
            r"still (?:fails?|failing|broken)\b",
            r"(?:was|were|is)(?:n'?t| not) (?:asked|wanted|needed|allowed|necessary)\b",
            r"(?:unless|until) i (?:say|ask|tell|approve|confirm|review)\b",
            r"leave (?:that|this|it|them|those) to me\b",
            r"i(?:'ll| will) (?:do|handle|take care of) (?:it|that|this)\b",
            r"before you (?:say|claim|tell|call)\b",
            r"will be overwritten\b",
        ),
    )
)
# What rejects however the message begins.
PLAIN_ALWAYS = re.compile(
    _words(
        r"i (?:already )?told you\b",
        r"(?:not|never|nobody) ask(?:ed)?\b",
        r"without (?:asking|my|permission|being asked|checking)\b",
        r"not allowed\b",
        r"you (?:\w{1,20} ){1,4}again\b",
        r"(?:again you|on your own|by yourself)\b",
        r"for the (?:second|third|last|nth|\w{1,8}th) time\b",
        r"how (?:often|many times)\b",
    )
)
# Looks back at what was done: asks why, orders to take it away, states a rule.
REACTION = re.compile(
    _any(
        r"^\W{0,8}"
        + _any(
            r"(?:why|how do you know|did you|how come|same as|no|not|be|only|just|always)\b",
            r"(?:less|fewer|shorter|simpler|stay|keep|leave|use|reuse|do it|go back|put)\b",
            r"(?:answer|stick|prefer|way too|too|tl;?dr|run the|let (?:the|it|them)|do it)\b",
            r"again\b(?!,? (?:but|for)\b)",
            r"you \w+(?:ed|t|de|ote|an|id)\b",
            r"(?:this (?:exists|is|was|repo|project)|there(?:'s| is)|that \w+)",
            r"i (?:want|need|prefer|expect|don'?t|asked)\b",
            r"we (?:use|have|already|manage|do)\b",
            r"(?:\w+ ){1,4}(?:is|are)"
            r" (?:not|my|our|useless|noise|wrong|enough|generated|forbidden|taboo)\b",
        ),
        r"^\W*[\w.-]+!",
        r",? (?:no|not) (?:a |an |the |any |more )?\w+(?: please)?\W*$",
        _words(
            r"(?:remove|delete|drop|strip|uninstall|take|get rid of|replace|restore|back out)"
            r" (?:that|the|those|these|your|it|them|this|any|all)\b",
            r"should (?:have|be|go|use|stay)\b",
            r"(?:has|have|needs?) to (?:stay|be|remain|go)\b",
            r"(?:from now on|as always|(?:like|as) last time|please always|as agreed|every time)\b",
            r"put (?:it|that) back",
            r"is my job\b",
            r"(?:use|reuse|call) (?:the|our|that|ours)\b",
            r"please (?:use|keep|be|drop|no)\b",
            r"(?:breaks?|hides?|bypass(?:es)?|duplicates?|proves? nothing)\b",
            r"(?:says? done|stays|first, then)\b",
            r"(?:use|with|on) [\w.-]+(?: add| please)?\W*$",
        ),
    )
)
# A file that is named opens a new task.
NEW_TARGET = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.\w{1,4}\b")
# What asks for something else, whatever failures it speaks of.
NEW_REQUEST = re.compile(
    r"^\W{0,8}(?:(?:ok(?:ay)?|yes|great|perfect|good|thanks|nice|cool|now|next|then|also|and"
    r"|please|(?:can|could|would) you|let'?s)[,.:!]? ){0,4}"
    + _any(
        r"(?:add|implement|write|create|build|refactor|rename|document|extract|support|handle)\b",
        r"(?:show|cover|generate|convert|migrate|port|bump|describe|explain|log|print|retry)\b",
    )
)
# After a claim of done: what was wrong still is.
PERSISTS = re.compile(
    _words(
        r"still (?:not|fail\w{0,4}|broken|the same|get(?:ting)?|doesn'?t|does not|see\w{0,3})\b",
        r"still (?:crash\w{0,3}|happen\w{0,3}|there|shows?|red|wrong|throws?|errors?)\b",
        r"still an? (?:error|problem)\b",
        r"same (?:error|problem|issue|failure|result|thing)\b",
        r"(?:fails?|failing|broken|error|crash\w{0,3}|happens?) again\b",
        r"again the (?:same|error)",
        r"not (?:working|fixed|solved|gone)\b",
        r"(?:doesn'?t|does not|didn'?t) work\b",
        r"no (?:change|difference|luck)\b",
    )
)
# A claim has one of these, and most of what agents say none.
CLAIMING = (
    *("done", "fixed", "complete", "finished", "resolved", "implemented", "ready"),
    *("pass", "green", "work"),
)
CLAIM = re.compile(
    _words(
        r"(?:done|fixed|completed?|finished|resolved|implemented|ready)\b",
        r"all (?:\w{1,12} ){0,2}(?:tests|checks) (?:now )?pass(?:ed|ing)?\b",
        r"tests? (?:are |is )?(?:now )?(?:pass|green)\b",
        r"(?:now|should) work(?:s|ing)?(?: now| as)?\b",
        r"(?:works now|everything (?:works|passes|is green))\b",
    )
)
NO_CLAIM = re.compile(r"\b(?:not (?:yet )?(?:done|fixed|ready|complete)|once|when|before|if)\b")
