"""What people say, clause by clause: the telling words, whether it orders, whether it negates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from helix_tui.text.clauses import stem_of, telling
from helix_tui.text.function_words import FUNCTION_WORDS
from helix_tui.text.request_words import ACTS, WHEN

_CLAUSE = re.compile(
    r"([.!?;:,]{1,8}(?:\s|$)|[。！？；，]|\n|\s[–—-]\s|\s(?:then|but|so that)\s|[()])"
)
_WORD = re.compile(r"[^\W_][\w./:@#+'-]{0,60}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}")
# Hiragana holds Japanese sentences together; what is spoken of stands between, a word of another
# language in katakana.
_HIRAGANA = re.compile("[\u3040-\u309f]{1,200}")
_KATAKANA = re.compile("[\u30a0-\u30ff]{2,60}")
# What holds Chinese together: particles, pronouns, and the small words of any sentence.
_HAN_SMALL = re.compile(
    "没有|沒有|可以|已经|已經|还是|還是|一下|一个|一個|自己|时候|時候|现在|現在|然后|然後|因为|因為"
    "|所以|如果|应该|應該|需要|直接|以后|以後|下次|每次|记住|怎么|怎麼|什么|什麼|不要|为什|不能|不用"
    "|[的了吗嗎呢吧啊呀嘛么麼就都也很太我你您他她它们們这這那哪又才且但跟把被让讓给給请請啥不没沒]"
)
# What stands in quotation marks is somebody else's.
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»")
_MOST_CLAUSES = 12
_MOST_WORDS = 14
# Where the thing that is asked for ends and its surroundings begin.
_CUTS = frozenset(
    (
        *("for", "to", "in", "into", "on", "onto", "of", "with", "from", "at", "by", "against"),
        *("about", "as", "that", "which", "when", "if", "so", "because", "assuming", "regarding"),
        *("after", "before", "until", "without", "and", "or", "is", "are", "was", "were", "has"),
        *("have", "should", "than", "like", "where", "while"),
    )
)
_BEFORE_THINGS = frozenset(
    (
        *("the", "a", "an", "my", "our", "your", "their", "its", "this", "that", "these", "those"),
        *("some", "any", "more", "few", "all", "each", "every", "another", "other", "no", "which"),
        *("what", "is", "are", "was", "were"),
    )
)
_NEGATIONS = frozenset(
    (
        *("no", "not", "never", "don't", "dont", "doesn't", "doesnt", "didn't", "didnt", "won't"),
        *("shouldn't", "without", "stop", "cannot", "can't", "cant", "isn't", "aren't", "nicht"),
        *("kein", "keine", "keinen", "nie", "non", "pas", "jamais", "nunca", "sin", "sans"),
        *(
            "não",
            "nao",
            "sem",
            "nem",
            "senza",
            "mai",
            "не",
            "нет",
            "без",
            "никогда",
            "niet",
            "geen",
        ),
    )
)
# What tells nothing of what is spoken of; an act that negates (`stop`) does.
_SMALL = (
    _CUTS
    | FUNCTION_WORDS
    | frozenset(word for word in _NEGATIONS if not telling(word) or stem_of(word) not in ACTS)
)
# How scripts without blanks negate, of which some endings stand behind the word.
_NEGATING_SIGNS = re.compile("不|别|別|勿|没|沒|禁|ない|なし|ません|ずに|아니|말고|마세요|않|지 마")
_QUESTIONS = frozenset(
    (
        *(
            "what",
            "why",
            "how",
            "when",
            "where",
            "who",
            "which",
            "whose",
            "is",
            "are",
            "was",
            "were",
        ),
        *(
            "does",
            "do",
            "did",
            "has",
            "have",
            "should",
            "would",
            "could",
            "isn't",
            "aren't",
            "don't",
        ),
        *("doesn't", "didn't", "any", "am"),
    )
)
# With these a wish may be put as a question.
_WISHES = frozenset({"you", "we"})
# How a request begins, whatever is asked for: the next word that tells something is the act.
_REQUESTS = re.compile(
    r"(?i)\A\W{0,4}(?:(?:yes|yep|ok|okay|sure|then|now|also|and|so|first)\W{1,3}){0,3}"
    r"(?:please|(?:can|could|would|will) (?:you|we)|let'?s|lets|make sure(?: to)?|be sure to"
    r"|(?:do not|don'?t) forget to|remember to|i(?:'d| would) like you to|we (?:should|need to)"
    r"|bitte|k(?:ann|\u00f6nn)(?:st|test) du|por favor|puedes|podr[ií]as|peux-tu|s'il te plaît)"
    r"(?: (?:also|please|just|now|maybe|again|always|mal|auch))*\W{1,3}"
)
# To say something is asked for as well, but only where nobody is named before who says it.
_SPEAKING = frozenset({"say", "tell", "explain", "mention", "describe"})
_BEFORE_ORDERS = frozenset({"", "please", "and", "also", "just", "always", "so", "now"})
_BY_LINE, _BY_PHRASE, _BY_WORD = "\n", "\t", " "


class Clause(NamedTuple):
    """A clause by its telling words, in phrases that prepositions cut.

    An order begins with a verb that asks for work.
    """

    phrases: tuple[tuple[str, ...], ...]
    # All of them, each once.
    words: tuple[str, ...]
    is_order: bool = False
    is_negated: bool = False
    # It asks to know something, not for work.
    is_question: bool = False
    # It says when something is due, or that it always is.
    is_standing: bool = False


def clauses_in(own: str) -> list[Clause]:
    """The clauses of a person's words that tell something."""
    found: list[Clause] = []
    pieces = _CLAUSE.split(_QUOTED.sub(" ", own.replace("’", "'")))
    for text, mark in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        clause = _clause(text, has_mark="?" in mark or "？" in mark)
        if clause.phrases and len(clause.words) <= _MOST_WORDS:
            found.append(clause)
    return found[:_MOST_CLAUSES]


def _clause(text: str, *, has_mark: bool) -> Clause:
    phrases: list[list[str]] = [[]]
    is_order = is_negated = is_standing = False
    asked = _REQUESTS.match(text)
    begins = asked.end() if asked else -1
    before = ""
    for match in _WORD.finditer(_CJK.sub(lambda run: " " * len(run[0]), text)):
        raw = match[0]
        small = raw.lower()
        speaks = small in _SPEAKING and before in _BEFORE_ORDERS and not any(phrases)
        word = small if speaks else "" if small in _SMALL else telling(raw)
        if word:
            is_first = not any(phrases)
            is_asked = match.start() == begins or speaks or _asks(word, small, before)
            is_order |= is_first and is_asked
            phrases[-1].append(word)
            if is_first and is_order:
                phrases.append([])
        elif small in _CUTS:
            phrases.append([])
        is_negated |= small in _NEGATIONS
        is_standing |= small in WHEN
        before = small
    for run in _CJK.findall(text):
        is_negated |= _NEGATING_SIGNS.search(run) is not None
        phrases.append([word for part in _HIRAGANA.split(run) for word in _signs_of(part)])
    first, second = ([word.lower() for word in text.split()[:2]] + ["", ""])[:2]
    is_wish = second in _WISHES and first in ("could", "would")
    is_question = has_mark and first in _QUESTIONS and not is_wish
    found = tuple(tuple(some) for some in phrases if some)
    is_order = is_order and not is_question
    return Clause(found, _words(found), is_order, is_negated, is_question, is_standing)


def _signs_of(run: str) -> Iterator[str]:
    """What a run without blanks names: words in katakana whole, else pairs of signs."""
    yield from _KATAKANA.findall(run)
    for katakana in _KATAKANA.split(run):
        for part in _HAN_SMALL.split(katakana):
            yield from (part[at : at + 2] for at in range(len(part) - 1))


def _words(phrases: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for phrase in phrases for word in phrase))


def _asks(word: str, raw: str, before: str) -> bool:
    """Whether the first telling word of a clause is a verb that asks for work."""
    is_noun = before in _BEFORE_THINGS or raw.endswith(("ing", "ings", "ed", "es"))
    return word in ACTS and not is_noun


def are_two_words(first: str, second: str) -> bool:
    """Whether two words are apart; pairs of signs that overlap are of one word, or none."""
    is_pair = _CJK.fullmatch(first) is not None and _CJK.fullmatch(second) is not None
    return first != second and not (is_pair and not set(first).isdisjoint(second))


def encoded(clauses: list[Clause]) -> str:
    """Clauses as a text, to be kept."""
    return _BY_LINE.join(
        ("+" if one.is_order else "=")
        + ("?" if one.is_question else "-" if one.is_negated else "=")
        + ("!" if one.is_standing else "=")
        + _BY_PHRASE.join(map(_BY_WORD.join, one.phrases))
        for one in clauses
    )


def decoded(text: str) -> list[Clause]:
    """Clauses as they were kept."""
    found = []
    for line in text.split(_BY_LINE) if text else ():
        phrases = tuple(tuple(some.split(_BY_WORD)) for some in line[3:].split(_BY_PHRASE))
        mark = line[1]
        found.append(
            Clause(
                phrases,
                _words(phrases),
                line[0] == "+",
                mark == "-",
                mark == "?",
                line[2] == "!",
            )
        )
    return found
