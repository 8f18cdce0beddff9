"""Which names of the price table the name of a model in a log may mean."""

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
    """The names under which a model may stand in the table, the most exact first.

    What providers put around a model's own name is taken off step by step; nothing else is, so
    that no model is ever taken for another.
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
        if found := ending.fullmatch(name):
            name = found[1]
            yield name
    if name.startswith("claude-") and "." in name:
        yield name.replace(".", "-")  # as OpenRouter spells versions
