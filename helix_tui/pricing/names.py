"""Find the names under which a model of a log may stand in the price table."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PROVIDER = re.compile(
    r"(?:(?:openrouter|anthropic|openai|xai|x-ai|azure|azure_ai|bedrock|vertex_ai)/)+"
)
_BEDROCK = re.compile(
    r"(?:(?:us|eu|apac|au|jp|global)\.)?anthropic\.(claude-.+?)(?:-v\d+(?::\d+)?)?"
)
_ENDINGS = (
    re.compile(r"(.+)\[1m\]"),
    re.compile(r"(.+)@(?:\d{8}|default|latest)"),
    re.compile(r"(.+)-latest"),
    re.compile(r"(.+)-20\d\d(?:\d{4}|-\d\d-\d\d)"),
)


def names_of(model: str) -> Iterator[str]:
    """Yield the names under which a model may stand in the table, the most exact first.

    Only what providers put around a model's name is removed, step by step, so that no model is
    ever taken for another.
    """
    name = model.strip().lower()
    yield name
    if provider := _PROVIDER.match(name):
        name = name[provider.end() :]
        yield name
    if bedrock := _BEDROCK.fullmatch(name):
        name = bedrock[1]
        yield name
    for ending in _ENDINGS:
        if match := ending.fullmatch(name):
            name = match[1]
            yield name
    if name.startswith("claude-") and "." in name:
        yield name.replace(".", "-")  # as OpenRouter spells versions
