"""What is looked for in instructions, from what a candidate says of itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.context.matching.index import sought_words
from helix_tui.context.matching.meaning import phrases_in
from helix_tui.context.matching.tokens import is_common, tokens_of
from helix_tui.context.matching.units import units_of
from helix_tui.context.matching.wanted import Sought

_SPAN = re.compile(r"`([^`\n]{1,200})`")
_MASK = re.compile(r"<[a-z]+(?::[^<>]{0,20})?>|\{[a-z]*\}")
# Titles quote people so, and messages of errors, which have templates.
_QUOTED = re.compile(r"“([^”\n]{1,400})”")
# Where it happens says nothing of what it is.
_PLACE = re.compile(r"(?<=`) in [^`:\n]{1,60}(?=:)")
_TEMPLATES = 2
_MOST = 6
_MOST_RULES = 4
# A rule of fewer telling words would be found in any other.
_LEAST_WORDS = 3


def sought(
    *,
    title: str,
    subject: str = "",
    shape: str = "",
    templates: Sequence[str] = (),
    failed: str = "",
    works: str = "",
    remedy: str = "",
    error_class: str = "",
    actions: Sequence[str] = (),
    first: Sequence[str] = (),
) -> Sought:
    """The words of its commands, and of what is said about them.

    The commands weigh most: the one that fails, the one that works, and those that the title names.
    What a person said stands for itself.
    """
    title = _PLACE.sub("", title)
    quotations = _QUOTED.findall(title)
    if quotations and not templates:
        return Sought(
            sought_words([], [*quotations, subject]),
            said=" ".join(quotations),
            phrases=phrases_in(quotations),
            about=title,
        )
    # A shape has no values: those of one command would count as much as its name.
    tried = _MASK.sub(" ", shape) or failed
    change = changed_words(failed, works) if works else ()
    named = _SPAN.findall(title)
    commands = [subject, tried, " ".join(change), *named]
    masked = [_MASK.sub(" ", text) for text in templates[:_TEMPLATES]]
    prose = [_SPAN.sub(" ", title), *masked, "" if works else remedy]
    own = frozenset(word for text in (tried, failed, *named) for word in tokens_of(text))
    weights = sought_words(commands, prose)
    return Sought(
        weights,
        failed or tried,
        works,
        error_class,
        change,
        own,
        phrases=phrases_in([*prose, remedy]),
        about=" ".join((title, subject, shape, *templates, failed, works, remedy)),
        why=" ".join((title.partition(": ")[2], *masked)),
        # A line may say it without them: other words for what helps.
        besides=tuple(
            token for token in tokens_of(remedy) if not (token in weights or is_common(token))
        ),
        tried=tuple(dict.fromkeys(filter(None, (failed, tried, *actions)))),
        first=tuple(filter(None, first)),
    )


def sought_rules(text: str) -> list[Sought]:
    """What a rule itself says, one thing after the other, where it says enough to be known by."""
    rules = []
    for unit in units_of(text)[:_MOST_RULES]:
        named = [unit.text] if unit.is_code else _SPAN.findall(unit.text)
        weights = sought_words(named, [] if unit.is_code else [_SPAN.sub(" ", unit.text)])
        if sum(not is_common(word) for word in weights) >= _LEAST_WORDS:
            rules.append(Sought(weights, phrases=phrases_in([unit.text])))
    return rules


def changed_words(failed: str, works: str) -> tuple[str, ...]:
    """The words that what works has and what fails has not."""
    before = {*tokens_of(failed), "cd"}
    return tuple(dict.fromkeys(word for word in tokens_of(works) if word not in before))[:_MOST]
