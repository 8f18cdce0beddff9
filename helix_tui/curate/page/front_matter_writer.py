"""Writes the YAML at the head of a page, in quotes wherever any YAML would misread a text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from helix_tui.curate.page.front_matter import core_value

# A text of several lines stands as it is where nothing at the ends of its lines could be lost.
_PLAIN_LINES = re.compile(r"\S(?:[^\n]*\S)?(?:\n+[^\n]*\S)+")
_ODD = re.compile("[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]")


def write_front_matter(values: dict[str, Any]) -> str:
    """The values as YAML, in their order, the same for the same values."""
    import yaml

    # No line is ever wrapped: a changed word is to change one line of a diff.
    text = yaml.dump(
        values,
        Dumper=_dumper(),
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=2**30,
    )
    assert isinstance(text, str)
    return text


@cache
def _dumper() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]
        """Writes no anchors, and texts so that every YAML reads them as texts."""

        def ignore_aliases(self, data: object) -> bool:
            """Values that are the same object are written out each."""
            return True

    def represent_text(dumper: Any, text: str) -> Any:
        style = None
        if _ODD.search(text) or _is_other(text):
            style = '"'
        elif "\n" in text:
            style = "|" if _PLAIN_LINES.fullmatch(text) else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent_text)
    return Dumper


def _is_other(text: str) -> bool:
    try:
        return core_value(text) != text
    except ValueError:
        return True
