"""Which prompts ask for work, and which only say hello or try whether anybody is there."""

from __future__ import annotations

import re

_LEAST = 3
_TRIVIAL = re.compile(
    r"(?i)\W*(?:(?:please|just|can you|could you|now|and|stop|then|back|to me|me)\W+){0,6}"
    r"(?:hi|hello|hey|yo|ping|pong|test(?:ing)?|ok(?:ay)?|yes|no|thanks?|bye|quit|exit|echo|continue"
    r"|(?:say|reply|respond|answer|write|print|return|output)(?: with| only| just| exactly| back)*"
    r"\W+(?:hi|hello|ok|okay|yes|pong|ping|ready|done|\w{1,12})"
    r"|are you (?:there|ready|ok|alive|up|working)|is (?:this|it) (?:on|working)|who are you"
    r"|what(?:'s| is) your (?:name|model)|health ?check|smoke ?test|hello[, ]+world|how are you"
    r"|what (?:model|version) (?:are you|is this)|(?:what is )?\d{1,3} ?[+*x-] ?\d{1,3})"
    r"(?:\W+(?:and|then|please|there|again|stop|nothing else|only|claude|codex|grok|world|exit"
    r"|hello|hi)){0,4}\W*"
)


def is_task(prompt: str) -> bool:
    """Whether a prompt asks for something that takes work."""
    text = prompt.strip()
    return len(text) > _LEAST and _TRIVIAL.fullmatch(text[:200]) is None
