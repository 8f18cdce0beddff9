"""Answers that are none: a refusal, a report of an error, the request itself."""

from __future__ import annotations

import re

_REFUSAL = re.compile(
    r"(?i)\A\W{0,20}(?:(?:i'?m |i am )?(?:very |so |really )?sorry\b.{0,60}?\b(?:i )?"
    r"(?:can'?t|can ?not|won'?t|unable|not able)\b"
    r"|(?:unfortunately,? )?i (?:can'?t|can ?not|won'?t|will not|must decline|have to decline|"
    r"am (?:unable|not able|not comfortable)|do not feel comfortable|don'?t feel comfortable)\b"
    r"|(?:unfortunately,? )?i'?m (?:unable|not able|not comfortable)\b"
    r"|as an ai\b.{0,80}?\b(?:can'?t|can ?not|unable|not able)\b"
    r"|(?:this|the|your) (?:request|content|prompt) (?:violates|was blocked|is not allowed)\b)"
)
# How providers and agents report that they could not answer at all.
_ERROR = re.compile(
    r"(?i)\s*(?:api |fatal |internal )?error\b|.{0,80}\b(?:rate.?limit|overloaded|quota|"
    r"usage limit|credit balance|invalid api key|unauthori[sz]ed|not logged in|"
    r"try again later|timed out)\b"
)
_LIMITED = re.compile(
    r"(?i)\b(?:rate.?limit|usage limit|quota|credit balance|overloaded|too many requests|429|529)\b"
)
_LOGGED_OUT = re.compile(
    r"(?i)\b(?:invalid api key|not logged in|log ?in|unauthori[sz]ed|authentication|401|403|"
    r"api key)\b"
)
_LEAST_SENTENCE = 40


def is_refusal(text: str) -> bool:
    """Whether an answer begins by declining."""
    return _REFUSAL.match(text[:400].replace("’", "'")) is not None


def is_error_report(line: str) -> bool:
    """Whether a line reports an error in the place of an answer."""
    return _ERROR.match(line) is not None


def is_limit(message: str) -> bool:
    """Whether an error says that there was too much of it for now."""
    return _LIMITED.search(message[:2_000]) is not None


def is_logged_out(message: str) -> bool:
    """Whether an error says that nobody is logged in, or that a key is wrong."""
    return _LOGGED_OUT.search(message[:2_000]) is not None


def is_echo(answer: str, instructions: str) -> bool:
    """Whether an answer repeats the request: two of its longer sentences, or the only one."""
    words = " ".join(answer.split())
    sentences = _sentences(instructions)
    repeated = sum(1 for sentence in sentences if sentence in words)
    return repeated >= min(2, len(sentences)) > 0


def has_sentence_of(line: str, instructions: str) -> bool:
    """Whether a line of an answer has one of the request's longer sentences in it."""
    words = " ".join(line.split())
    return any(sentence in words for sentence in _sentences(instructions))


def _sentences(instructions: str) -> list[str]:
    joined = " ".join(instructions.split())
    return [part for part in re.split(r"(?<=[.:?!]) ", joined) if len(part) >= _LEAST_SENTENCE]
