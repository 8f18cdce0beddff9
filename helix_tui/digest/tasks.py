"""Which prompts ask for work, which answer a question, and which only say hello."""

from __future__ import annotations

import re
from collections.abc import Collection

from helix_tui.text.hashing import hash64

_LEAST = 3
_TRIVIAL = re.compile(
    r"(?i)\W*(?:(?:please|just|can you|could you|now|and|stop|then|back|to me|me)\W+){0,6}"
    r"(?:hi|hello|hey|yo|ping|pong|test(?:ing)?|ok(?:ay)?|yes|no|thanks?|bye|quit|exit|echo|continue"
    r"|warm-?up"
    r"|(?:say|reply|respond|answer|write|print|return|output)(?: with| only| just| exactly| back)*"
    r"\W+(?:hi|hello|ok|okay|yes|pong|ping|ready|done|\w{1,12})"
    r"|are you (?:there|ready|ok|alive|up|working)|is (?:this|it) (?:on|working)|who are you"
    r"|what(?:'s| is) your (?:name|model)|health ?check|smoke ?test|hello[, ]+world|how are you"
    r"|what (?:model|version) (?:are you|is this)|(?:what is )?\d{1,3} ?[+*x-] ?\d{1,3})"
    r"(?:\W+(?:and|then|please|there|again|stop|nothing else|only|claude|codex|grok|world|exit"
    r"|hello|hi)){0,4}\W*"
)
_LONGEST_ANSWER = 80
_LAST_OF_REPLY = 4000
_MOST_ITEMS = 20
_AROUND = " \t\"'`*.!"
# What chooses among what was offered, or says yes or no to it.
_ANSWER = re.compile(
    r"(?i)\W*(?:"
    r"(?:option |choice |number |no\.? |answer |#)?(?:\d{1,2}|[a-h])"
    r"(?:\W{1,4}(?:and |or |& ?)?(?:\d{1,2}|[a-h])){0,6}"
    r"|(?:(?:let'?s |i'?d |we )?(?:go|do|take|pick|choose|use|start|try) (?:with )?)"
    r"(?:option |number |the )?(?:\d{1,2}|[a-h]|first|second|third|last|both|all|either)(?: one)?"
    r"|(?:the )?(?:first|second|third|last) (?:one|option)"
    r"|y|n|q|yes|no|yep|yeah|yup|nope|sure|ok(?:ay)?|fine|both|all(?: of (?:them|it))?|none|neither"
    r"|either|skip|approved?|accepted?|lgtm|looks good|sounds good|agreed?|correct|right|exactly"
    r"|perfect|great|nice|cool|thanks?|thank you|go|go ahead|go for it|do it|done|proceed|continue"
    r"|gtg|good to go|yes,? and auto-accept edits"
    r")(?:\W+(?:please|thanks?|then|now|go ahead|do it|do that|go|it|that|all|sounds good"
    r"|looks good|proceed|continue|for it|with (?:it|that)|is (?:fine|good|ok))){0,4}\W*"
)
_ITEM = re.compile(r"(?m)^\s{0,8}(?:[*+-]|\(?[0-9A-Za-z]{1,2}[.)])\s{1,4}([^\n]{1,200})$")

_NICELY = (
    r"(?i)\W*(?:(?:please|just|now|so|ok(?:ay)?|can you|could you|would you|and|then|also)\W+){0,4}"
)
# To look something up where only a tool can.
_SEARCH = re.compile(
    _NICELY
    + r"(?:search|browse|google|look up)\b[^.\n]{0,30}\b(?:web|internet|online|google|site)\b"
)
# To change what is there: words alone do not.
_CHANGE = re.compile(
    _NICELY + r"(?:remove|delete|rename|move|replace|install|uninstall|upgrade|revert|commit|push"
    r"|refactor|migrate)\s+\S"
)


# To write something that is said word by word, and to mend nothing.
_EDIT = re.compile(
    r"(?i)(?:\[[^\]\n]{1,40}\]\s{0,2}){0,4}"
    + _NICELY.removeprefix("(?i)")
    + r"(?:please )?(?:add|set|put|change|rename|remove|delete|bump|increase|decrease|enable"
    r"|disable)\s+\S"
)
_MENDS = re.compile(
    r"(?i)\b(?:fix\w{0,3}|bugs?|errors?|fail\w{0,4}|broken|crash\w{0,3}|doesn'?t|not working|why"
    r"|issues?|problems?|sure)\b"
)

# To look at what there is and say what is wrong with it.
_REVIEW = re.compile(
    _NICELY + r"(?:(?:read-only|do|perform|conduct|run|give|an?|the|thorough|deep|in-?depth|code"
    r"|security|design|adversarial|independent)\W+){0,5}(?:re-?)?(?:review|audit)\b"
    r"|(?:[^\n]{0,80}\n)?\W*(?:you are|act as) (?:an? |the )(?:[\w-]{1,20} ){0,4}"
    r"(?:reviewer|auditor)\b"
)
# To tell once more what was done.
_RECAP = re.compile(
    r"(?i)\W*(?:(?:please|now|provide|give|write|can you|could you|me|us|a|an|the|brief|short|quick"
    r"|concise|final)\W+){0,6}(?:synopsis|summary|recap|summari[sz]e|sum up)\b"
)
_SEARCHES = re.compile(r"(?i)search|browse|fetch|web|lookup")
# What stands in a log from which the words were taken out.
_PLACEHOLDER = re.compile(
    r"(?i)\W*(?:scrubbed|redacted|removed|omitted|masked|anonymi[sz]ed|stripped|withheld|elided"
    r"|placeholder)\W*"
)


def is_task(prompt: str) -> bool:
    """Whether a prompt asks for something that takes work."""
    text = prompt.strip()
    return len(text) > _LEAST and _TRIVIAL.fullmatch(text[:200]) is None


def is_answer(prompt: str, offered: Collection[int] = ()) -> bool:
    """Whether a prompt chooses among what was offered, or says yes or no, and asks for no more.

    What repeats an item of the list that the agent ended with is a choice of it.
    """
    text = prompt.strip()
    if not text or len(text) > _LONGEST_ANSWER or "\n" in text:
        return False
    return _ANSWER.fullmatch(text) is not None or _item(text) in offered


def asks_to_search(prompt: str) -> bool:
    """Whether a prompt orders a search that takes a tool."""
    return _SEARCH.match(prompt) is not None


def asks_for_change(prompt: str) -> bool:
    """Whether a prompt orders to change what is there, which words alone do not."""
    return _CHANGE.match(prompt) is not None and not prompt.rstrip().endswith("?")


def asks_for_edit(prompt: str) -> bool:
    """Whether a prompt orders something to be written that it names, and has nothing mended."""
    return _EDIT.match(prompt) is not None and _MENDS.search(prompt) is None


def asks_for_review(prompt: str) -> bool:
    """Whether a prompt orders a review, or has the agent be a reviewer."""
    return _REVIEW.match(prompt) is not None


def asks_for_recap(prompt: str) -> bool:
    """Whether a prompt only has the agent tell again what it did."""
    return _RECAP.match(prompt) is not None


def searches(tool: str) -> bool:
    """Whether a tool looks things up, by its name."""
    return _SEARCHES.search(tool) is not None


def is_placeholder(text: str) -> bool:
    """Whether a text is only a mark of words that were taken out."""
    return _PLACEHOLDER.fullmatch(text[:200]) is not None


def offered_in(reply: str) -> list[int]:
    """The items of the lists that a reply ends with, each as a hash."""
    return [_item(item) for item in _ITEM.findall(reply[-_LAST_OF_REPLY:])][-_MOST_ITEMS:]


def _item(text: str) -> int:
    plain = " ".join(text.strip(_AROUND).lower().split())
    return hash64(plain.encode("utf-8", "replace"))
