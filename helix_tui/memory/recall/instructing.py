"""Words of tools and pages that speak to an agent: these are never handed to one.

Everything that is handed out is quoted, with who said it. A quotation that addresses its reader is
left out as a whole, unless a person said it.
"""

from __future__ import annotations

import re

# A piece of code in Markdown, as `text/markdown.py` writes it.
SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)(?P<said>.+?)(?<!`)(?P=ticks)(?!`)")
_PERSON = re.compile(
    r"(?i)\b(?:the user|by the user|by the person|asked|laid down|corrected|not answered"
    r"|could not be reached|reported)\b[^`]{0,60}$"
)
_ADDRESSES = re.compile(
    r"""(?ix)
    \b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}
        \b(?:instruction|prompt|rule|guideline|context|above|previous|prior|earlier|safeguard)
    | \b(?:you\ are\ now|act\ as|pretend\ to\ be|new\ instructions?|system\ prompt|developer\ mode
        |jailbreak|from\ now\ on|do\ not\ (?:tell|inform|mention|reveal)|don'?t\ (?:tell|inform)
        |without\ (?:telling|asking|informing)\ (?:the\ )?(?:user|human|person|anyone)
        |(?:hey|dear|attention|note\ to|message\ for)[,:\ ]+(?:the\ )?
            (?:claude|codex|grok|assistant|agents?|ai|llm|model)\b
        |(?:claude|codex|grok|assistant|agents?|ai|llms?|models?)[,:]?\s
            (?:must|should|shall|needs?\ to|has\ to|have\ to|please)\b
        |you\ (?:must|should|shall|need\ to|have\ to|are\ (?:required|instructed|asked)\ to)\b
        |(?:run|execute|call|use|invoke)\ (?:the\ |this\ )?(?:following|command\ below))
    | <\/?\s*(?:system|assistant|user|human|instructions?|important|developer|tool)\b[^>]{0,40}>
    | \[\/?(?:INST|SYS|SYSTEM)\] | <\|[a-z_]{2,20}\|>
    | ^\W{0,8}(?:important|urgent|system|assistant|human|instructions?|admin|operator)\s*[:!]
    | \b(?:exfiltrate|leak\ (?:the|all|your))\b
    | \b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b
    """
)
_SPACED = re.compile(r"[\s_\-.*]+")


def addresses_reader(text: str) -> bool:
    """Whether words tell whoever reads them what to do or to be."""
    return bool(_ADDRESSES.search(text) or _ADDRESSES.search(_SPACED.sub(" ", text)))


def is_fit_for_agents(line: str) -> bool:
    """Whether no quotation in a line addresses its reader, but for what a person said."""
    done = 0
    for match in SPAN.finditer(line):
        before = line[done : match.start()]
        if not _PERSON.search(before) and addresses_reader(match["said"]):
            return False
        done = match.end()
    return not addresses_reader(SPAN.sub(" ", line))
