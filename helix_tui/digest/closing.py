"""What an agent's last reply leaves to the person: a question, a request, work that remains.

What an agent says of its success carries little; what it says it did not do can be believed.
"""

from __future__ import annotations

import re
from itertools import takewhile

from helix_tui.digest.closing_words import (
    ADDRESSED,
    BEFORE,
    BLOCKED,
    DISCLOSED,
    FINDING,
    FINDING_ID,
    FINDINGS,
    FINDINGS_FIELD,
    HEADING,
    NONE,
    NOTHING_CHANGED,
    OFFER,
    POLITE,
    REMAINS,
    REQUEST,
    RISK,
    SETTLED,
    SETTLED_FOR_SURE,
    UNABLE,
    WAS_DONE,
)
from helix_tui.digest.excerpt import both_ends
from helix_tui.digest.tables import cut
from helix_tui.schema import Closing
from helix_tui.text.lazy import lazy

_EXAMINED = 3000
_BLOCKED = lazy(
    rf"(?i)[^.\n\"{{}}]{{0,80}}\b(?:{BLOCKED}|not satisfied|blocked)\b[^.\n\"{{}}]{{0,80}}"
)
# What was found stands in the middle of a report.
_EXAMINED_FOR_FINDINGS = 6000
_LENGTH = 200
_ROOM_OF_ITEMS = 130
_MOST_REMAINING = 4
_MOST_FINDINGS = 5
_MOST_DISCLOSED = 2
# Where a question or request stands that the reply ends with.
_END = 900
_BEGINNING = 400
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)[`~]{0,4}\s{0,4}(\w{0,20})")
# A field of a report in a block, whose text is prose: `residual: The lock …`.
_REPORT_LINE = re.compile(
    r"^(?!error|warning|note|fatal|info|debug|hint|help|usage|trace)[a-z][a-z-]{2,30}:"
    r"(?: \S{1,200}){12}"
)
_SENTENCE = re.compile(r"[^\n.!?？。]{0,400}(?:[.](?=\S)[^\n.!?？。]{0,400}){0,12}[.!?？。]*")
_MARKUP = re.compile(r"^[\s>#*_|-]{0,12}(?:\d{1,2}[.)]\s)?[\s*_`]{0,4}|[\s*_]{0,4}$")
_LIST_ITEM = re.compile(r"^\s{0,8}(?:[-*•+]|\d{1,2}[.)])\s{1,4}\S")
# A list of texts in a report that is JSON, its name, and what parts that into words.
_FIELD = re.compile(r'"(\w{3,40})"\s{0,4}:\s{0,4}\[([^\[\]{}]{4,1500})\]')
_TITLE_IN_FIELD = re.compile(r'"(?:title|summary|finding)"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){8,300})"')
_FINDINGS_LINE = re.compile(r"(?mi)^(?:review )?findings: {1,4}(\S[^\n]{20,4000})$")
_ITEM_OF_FIELD = re.compile(r'"((?:[^"\\]|\\.){4,400})"')
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NUMBERED = re.compile(r"(#{2,4} )\d{1,2}[.)] ")
_TABLE_OR_RULE = re.compile(r"^\s{0,4}(?:\||[-=_━─*]{3,})")


def closing_of(reply: str) -> Closing:
    """What a reply leaves open, each piece on one line."""
    # Redacted before anything is taken out of it: a piece of a key does not look like one.
    shown = both_ends(reply, _EXAMINED).replace("’", "'")
    lines = _prose(shown[-_EXAMINED:])
    question, is_offer = _question(lines)
    whole = both_ends(reply, _EXAMINED_FOR_FINDINGS)
    remaining = [*_remaining(lines, shown[-_EXAMINED:]), *_disclosed(whole)]
    return Closing(
        _line(question),
        is_offer,
        list(dict.fromkeys(_line(item) for item in remaining)),
        _line(_unable(shown)),
        [_line(item) for item in _findings(whole)],
    )


def blocked_in(reply: str) -> str:
    """The sentence by which a reply reports a task as blocked, with nothing changed for it."""
    shown = both_ends(reply, _EXAMINED)
    said = _BLOCKED.search(shown) if NOTHING_CHANGED.search(shown) else None
    return _line(said[0]) if said else ""


def carried_on(before: Closing, recap: Closing) -> Closing:
    """What a reply that only sums up leaves open, with what the one before it did."""
    remaining = dict.fromkeys([*before.remaining, *recap.remaining])
    findings = dict.fromkeys([*before.findings, *recap.findings])
    return Closing(
        recap.question,
        recap.is_offer,
        list(remaining)[:_MOST_REMAINING],
        recap.unable or before.unable,
        list(findings)[:_MOST_FINDINGS],
    )


def _line(text: str) -> str:
    return cut(" ".join(text.replace("**", "").split()), _LENGTH)


def _prose(text: str) -> list[str]:
    """The lines of a reply without blocks of code, tables and rules."""
    lines: list[str] = []
    fences = [fence for line in text.split("\n") if (fence := _FENCE.match(line))]
    # The end of a long reply may begin within a block, which its first fence then closes.
    is_code = len(fences) % 2 == 1 and not fences[0][1]
    for line in text.split("\n"):
        if fence := _FENCE.match(line):
            is_code = bool(fence[1]) or not is_code
        elif _REPORT_LINE.match(line) or not (is_code or _TABLE_OR_RULE.match(line)):
            lines.append(line)
    return lines


def _sentences(line: str) -> list[str]:
    plain = _MARKUP.sub("", line)
    return [found for one in _SENTENCE.findall(plain) if (found := one.strip(" *_`"))]


def _question(lines: list[str]) -> tuple[str, bool]:
    """The last question or request that a reply ends with, and whether it only offers more."""
    room = _END
    is_last = True
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        room -= len(line)
        if not line.strip():
            continue
        for sentence in reversed(_sentences(line)):
            is_heading = _is_heading(sentence)
            if _asks(sentence, is_last=is_last) and not (is_heading or POLITE.search(sentence)):
                return _with_lead(sentence, lines, at)
            if item := _offered_item(sentence, lines[at + 1 :]):
                return f"{sentence} {item}", True
            is_last = False
        if room < 0:
            break
    return "", False


def _with_lead(sentence: str, lines: list[str], at: int) -> tuple[str, bool]:
    """A question with the line that leads to it, where it is one of a list."""
    is_offer = OFFER.search(sentence) is not None
    if is_offer or not _LIST_ITEM.match(lines[at]):
        return sentence, is_offer
    lead = next((line for line in reversed(lines[:at]) if not _LIST_ITEM.match(line)), "")
    plain = _MARKUP.sub("", lead)
    if not OFFER.search(plain):
        return sentence, False
    behind = lines[max(i for i in range(at) if lines[i] == lead) + 1 :]
    return f"{plain} {_joined_items(behind)}", True


def _asks(sentence: str, *, is_last: bool) -> bool:
    if sentence.endswith(("?", "？")):
        return is_last or ADDRESSED.search(sentence) is not None
    return REQUEST.search(sentence) is not None


def _offered_item(sentence: str, behind: list[str]) -> str:
    """What a sentence offers first, where a list behind it names that."""
    if not sentence.endswith(":") or not OFFER.search(sentence):
        return ""
    return _joined_items(behind)


def _joined_items(lines: list[str]) -> str:
    """The items of the list that stands right behind a line, as many as fit, and how many more."""
    at = next((at for at, line in enumerate(lines[:3]) if _LIST_ITEM.match(line)), None)
    if at is None:
        return ""
    listed = takewhile(lambda line: not line.strip() or _LIST_ITEM.match(line), lines[at:])
    items = [_MARKUP.sub("", line).rstrip("?.; ") for line in listed if line.strip()]
    joined = items[0]
    for number, item in enumerate(items[1:], 1):
        if len(joined) + len(item) > _ROOM_OF_ITEMS:
            return f"{joined} (and {len(items) - number} more)"
        joined = f"{joined}; {item}"
    return joined


def _first_item(behind: list[str]) -> str:
    """The first item of a list that stands right behind a line."""
    return next((_MARKUP.sub("", line) for line in behind[:3] if _LIST_ITEM.match(line)), "")


def _is_heading(line: str) -> bool:
    """Whether a line is the heading of a list of what remains."""
    plain = line.rstrip(": *")
    return HEADING.match(plain) is not None or RISK.match(plain) is not None


def _remaining(lines: list[str], text: str) -> list[str]:
    """What a reply says is not done: sentences, and what stands under such a heading."""
    found = _reported_in_fields(text, HEADING, RISK)
    heading = ""
    listed = 0
    for at, line in enumerate(lines):
        plain = _MARKUP.sub("", line).strip("* _")
        if not plain:
            continue
        is_item = _LIST_ITEM.match(line) is not None
        if _is_heading(plain) and not (heading and is_item):
            heading, listed = plain.rstrip(": *"), 0
            continue
        if heading and is_item:
            if NONE.match(plain):
                continue  # others may stand beside it
            # What stands further in only tells more of what it belongs to.
            is_further = listed and line[:2].isspace()
            if listed < _MOST_REMAINING and not is_further:
                found.append(_with_first_below(plain, lines[at + 1 :]))
            listed += not is_further
            continue
        if heading and not is_item and line.lstrip().startswith(("#", "**")):
            heading = ""
        label, _, rest = plain.partition(":")
        if RISK.match(label.strip("* ")) and _says_something(rest):
            found.append(plain)
            continue
        if heading and not listed and not is_item and RISK.match(heading):
            heading = ""
            if not NONE.match(plain):
                found += _sentences(line)[:1]
                continue
        found += [
            f"{sentence} {_first_item(lines[at + 1 :])}".strip()
            if sentence[-1] == ":"
            else sentence
            for sentence in _sentences(line)
            if _says_it_remains(sentence)
        ]
        heading = "" if is_item else heading
    return list(dict.fromkeys(found))[-_MOST_REMAINING:]


def _says_it_remains(sentence: str) -> bool:
    """Whether a sentence says that something is not done; what was done before all that is."""
    said = REMAINS.search(sentence)
    if said is None:
        return False
    is_by_time = BEFORE.fullmatch(said[0]) is not None
    return not (is_by_time and WAS_DONE.match(sentence.replace("**", "")))


def _disclosed(text: str) -> list[str]:
    """What a reply says to have seen and left as it is, wherever it does."""
    if DISCLOSED.search(text) is None:
        return []
    said = (sentence for line in _prose(text) for sentence in _sentences(line))
    return [sentence for sentence in said if DISCLOSED.search(sentence)][:_MOST_DISCLOSED]


def _findings(text: str) -> list[str]:
    """What a review found: items that begin with their weight, and texts in such a field."""
    found = _reported_in_fields(text, FINDINGS, FINDINGS_FIELD)
    found += [
        json_text.replace('\\"', '"')
        for json_text in _TITLE_IN_FIELD.findall(text)
        if FINDING.match(json_text)
    ]
    # A report in fields says the same once more.
    found = found or _findings_in_prose(text)
    if not found:
        found += [said[1] for said in _FINDINGS_LINE.finditer(text)]
    told = (cut(one, _LENGTH) for one in dict.fromkeys(found))
    open_ones = [one for one in told if not (NONE.match(one) or _is_settled(one))]
    further = len(open_ones) - _MOST_FINDINGS
    return [*open_ones[:_MOST_FINDINGS], *([f"and {further} more"] if further > 0 else [])]


def _findings_in_prose(text: str) -> list[str]:
    """Items with a weight, and those under a heading of findings."""
    found: list[str] = []
    is_listed = False
    lines = _prose(text)
    numbered = _numbered_like(lines)
    for line in lines:
        plain = _MARKUP.sub("", line).replace("**", "").replace("`", "").strip("* _")
        is_item = _LIST_ITEM.match(line) is not None
        if FINDINGS.match(plain.rstrip(": ")):
            is_listed = True
        elif (
            (numbered and line.startswith(numbered) and _NUMBERED.match(line))
            or FINDING.match(plain)
            or (is_listed and is_item and not line[:2].isspace())
        ):
            found.append(plain)
        elif line.lstrip().startswith("#"):
            is_listed = False
    return found


def _numbered_like(lines: list[str]) -> str:
    """The marks of numbered headings of which one bears a weight: all of them are findings."""
    for line in lines:
        heading = _NUMBERED.match(line)
        if heading and FINDING.match(_MARKUP.sub("", line).replace("**", "")):
            return heading[1]
    return ""


def _is_settled(finding: str) -> bool:
    """Whether a finding says that it is settled; one with an id may speak of what was added."""
    return (SETTLED_FOR_SURE if FINDING_ID.match(finding) else SETTLED).search(finding) is not None


def _with_first_below(item: str, below: list[str]) -> str:
    """An item of a list; one that only leads to others with the first of those."""
    return f"{item} {_first_item(below)}".strip() if item[-1] == ":" else item


def _says_something(text: str) -> bool:
    words = text.strip("* _")
    return len(words.split()) > 1 and not NONE.match(words)


def _reported_in_fields(text: str, *named: re.Pattern[str]) -> list[str]:
    """What a report in JSON lists under a name that says so: `"residualRisks": ["…"]`."""
    if '": [' not in text and '":[' not in text:
        return []
    found: list[str] = []
    for name, items in _FIELD.findall(text):
        words = _CAMEL.sub(" ", name).replace("_", " ").lower()
        if any(name.match(words) for name in named):
            found += [item for item in _ITEM_OF_FIELD.findall(items) if not NONE.match(item)]
    return [json_text.replace('\\"', '"') for json_text in found]


def _unable(reply: str) -> str:
    """Where a reply says at its beginning, or at its end, that the agent could not do it."""
    for piece in (reply[:_BEGINNING], reply[-_BEGINNING:]):
        if match := UNABLE.search(piece):
            end = piece.find("\n", match.end())
            return piece[match.start() : end if end >= 0 else len(piece)]
    return ""
