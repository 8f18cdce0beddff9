"""The words by which a line of instructions says how it is meant, and for whom, where and when."""

from __future__ import annotations

import re

EXCEPT = re.compile(
    r"\b(?:except(?:ion|ions)?|unless|besides|other than|apart from|aside from|excluding|save for|"
    r"(?:every|all|any|each|no|none|nothing)\b[^.,;]{0,40}\bbut|"
    r"everything but|everywhere but|all but|anything but|but not|only (?:if|when|after|where)|"
    r"just for|may go|au(?:ß|ss)er|sauf|exempt\w*|(?:does|do) not "
    r"apply|need not|optional(?:ly)?)\b([^.;]{0,120})",
    re.IGNORECASE,
)
# What is forbidden unless somebody asks for it is forbidden.
CONSENT = re.compile(
    r"\b(?:asked|ask|told|tell|requested|request|explicit\w*|permission|instructed|says? so|"
    r"approved|want(?:s|ed)?)\b",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"\b(?:do not|don'?t|did(?: not|n'?t)|never|no|not|stop|without|why)\b", re.IGNORECASE
)
PLACE = re.compile(
    r"(?:^|[\s(,;:])(?:in|under|inside(?: of)?|within|below|for|on)\s+(?:the\s+|our\s+|all\s+)?"
    r"(`[^`\n]{1,80}`|[\w.-]+/[\w./-]*)",
    re.IGNORECASE,
)
OWN_PLACE = re.compile(
    r"\b(?:in|inside|within|for|on|of)\s+(?:the\s+|our\s+)?(?!(?:the|this|that|our|your|a|an|all|"
    r"any|every|each|whole|full|entire|first|same)\b)([\w-]+)\s+(?:package|module|service|app|repo|"
    r"repository|folder|directory|crate|workspace|project|subproject|component|team|branch(?:es)?|"
    r"notebooks?|examples?|demos?|pages?)\b",
    re.IGNORECASE,
)
SETTING = re.compile(
    r"\b(?:in|on|for|under|inside)\s+(?:the\s+|a\s+|our\s+)?(ci|continuous integration|pipelines?|"
    r"windows|mac(?:os|s)?|linux|wsl|docker|production|prod|staging|releases?|nightly|"
    r"(?:the )?release branch(?:es)?|ios|android|arm64|apple silicon|hotfix(?:es)?|emergenc\w+|"
    r"prototypes?|legacy|examples?|demos?|migrations?|generated)\b|\b(ci|windows|macos|production|"
    r"staging|releases?|release branch(?:es)?|hotfix(?:es)?|nightly|nightlies|legacy|prototypes?)"
    r"\s+(?:only|use[sd]?|runs?|builds?|is|are|may|can|machines?|jobs?|has|have)\b",
    re.IGNORECASE,
)
# What a line is about alone.
ONLY = re.compile(
    r"\b(?:for|on|with|under)\s+([^,:;.`]{1,40}?)\s+only\b|"
    r"^\W*([\w-]+(?:\s[\w-]+)?)\s+only\s*[:,]|\bonly\s+(?:for|on|with|under)\s+([^,:;.]{1,40})",
    re.IGNORECASE,
)
# Where a word stands that is only mentioned.
MENTION_BEFORE = re.compile(
    r"\b(?:of|about|see|like|called|named|from|described|output|result|results|logs?|docs|version|"
    r"history|glossary|replaces|wraps|writes|reads|calls|runs|behind|does|is what|uses|"
    r"invokes|executes)\s+(?:the\s+)?[`'\"]*$",
    re.IGNORECASE,
)
MENTION_AFTER = re.compile(
    r"^[`'\"]*\s+(?:(?:is|are|was|were|has been|gets?)\s+(?:also\s+|now\s+|only\s+)?"
    r"(?:describ|kept|keep|document|explain|list|generat|shown|stor|written|own|us(?:ed|ing) by|"
    r"run by|call(?:ed)? by|maintain|cover|track|a\b|an\b|the\b|what\b|part|defin|deprecat|slow|"
    r"cach|ignor|publish|fine|optional|tested|check(?:ed)? by|allowed|in\b|at\b|not needed|"
    r"unsupported|unreliable|broken|gone|obsolete|known|experimental|flaky)|"
    r"writes|reads|prints|creates|produces|lists|shows|opens|takes|returns|comes(?! first| before)|"
    r"lives|calls|"
    r"generates|builds|starts|belongs|stands|means|runs|checks|removes|deletes|updates|formats|"
    r"installs|uploads|downloads|hangs|breaks|crashes|fails|chokes|corrupts|ruins|loses|"
    r"does not|"
    r"doesn'?t|can(?:not|'?t)|won'?t|will not|hides|skips|swallows|conflicts|was|has|had|would|"
    r"used to)\b",
    re.IGNORECASE,
)
AWAY = re.compile(
    r"\b(?:unset|clear|disable|turn off|switch off|ignore|delete|do away with|get rid of|do not|"
    r"don'?t|never|avoid|no|not|without|leave|drop|omit|remove|skip|stop|instead of|"
    r"rather than|no longer|nicht|kein\w*|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|"
    r"forbidden|banned|needless|unnecessary|refrain|forget|over|beware|stay away from)\b"
    r"[^.;:!?]{0,50}$",
    re.IGNORECASE,
)
CLAUSE = re.compile(r"[.;:!?](?:\s|$)|,\s|\s-\s|\s[–—]\s|\b(?:but|instead(?! of)|so|then)\b")
LACK = re.compile(r"\b(?:without|otherwise|or else|else|lest|there is no|there are no)\b", re.I)
BEHIND_AWAY = re.compile(
    r"^[`'\"]*\s*(?:[\w.=/-]+[`'\"]*\s+){0,3}?(?:away|out|alone|is (?:banned|forbidden|not|wrong|"
    r"off)|are (?:banned|forbidden|not)|must not|may not|should not|never|no longer)\b",
    re.IGNORECASE,
)
DEMANDS = re.compile(
    r"^\W*(?:always|never|please|only|first|then|when|if|before|after|to\b|do|don'?t|no|keep|use|run|"
    r"set|pass|call|put|add|write|make|give|ask|prefer|avoid|read|start|stop|answer|reply|leave|"
    r"show|test|check|format|lint|build|install|delete|remove|commit|push|wait|stick|store|quote|"
    r"name|open|execute|work|follow|fix|log|let|create|mock|update|verify|explain|type|tell|take|"
    r"export|prefix|fetch|regenerate|rebase|merge|squash|indent|limit|ensure|mark|split|document|"
    r"describe|include|return|handle|move|import|sort|cover|review|reuse|bump|tag|publish|talk|"
    r"say|"
    r"respond|cite|skip|enter|activate|quiet|pin|load)\b|\b(?:must|should|shall|need(?:s|ed)?|"
    r"ha(?:s|ve) to|required?|always|never|only|do not|don'?t|no|not|want(?:s)?|before|first|"
    r"without|"
    r"instead|otherwise|every|each|rather|prefer(?:red)?|use|run|pass|set|via|through|by|with|goes?|"
    r"come|comes|wait|else|forbidden|banned|nicht|immer|nie|kein\w*|bitte)\b",
    re.IGNORECASE,
)
HAS_NO = re.compile(r"\b(?:has|have|had|contains?|knows?)\s+no\b", re.IGNORECASE)
CAN = re.compile(r"^\W*(?:\w+\s+){1,3}(?:can|may|could)\b", re.IGNORECASE)
VALUED = re.compile(r"^(--?[\w-]+)=(.+)$")
DIGITS = re.compile(r"(?<![\w.-])\d+(?:\.\d+)*(?![\w-])")
LATER = ("release", "deploy", "publish", "tag", "ship")
WHEN = re.compile(
    r"\b(?:before|after|once|when|until|prior to|ahead of|following)\s+(?:you\s+|a\s+|the\s+|"
    r"each\s+|"
    r"every\s+|any\s+)*((?:`[^`]{1,60}`|[\w-]+)(?:\s+[\w-]+){0,3})",
    re.IGNORECASE,
)
# What somebody did that they should not have done: `you pushed`, but not `you did not push`.
COMPLAINS = re.compile(
    r"\bwhy (?:did|do|are|have) you\b|\byou\s+(?:just\s+|again\s+|have\s+|\w+ly\s+)?"
    r"(?!(?:need|should|must|can|may|have|are|do)\b)"
    r"(?:\w{2,}ed|left|put|wrote|made|went|broke|ran|took|set|gave|told|began|sent|built|hid|cut)\b"
    r"(?![^,.;]{0,80}\b(?:no|not|without|never|instead)\b)",
    re.IGNORECASE,
)
FORBIDS = re.compile(r"\b(?:no|don'?t|do not|never|stop|avoid|without)\b", re.IGNORECASE)
PLACEHOLDER = re.compile(r"[<>{}\[\]$*…]|\.\.\.")
SETS = re.compile(r"[A-Za-z_]\w*=")
# The name of a task or of a file, as it stands behind a program.
NAME = re.compile(r"[A-Za-z][\w.:-]*")
