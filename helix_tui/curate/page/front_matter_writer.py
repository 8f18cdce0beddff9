"""Write the YAML at the head of a page, quoting texts that any YAML reader would misread."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from helix_tui.curate.page.front_matter import core_value

# A text of several lines is a plain block where no blanks at its ends could be lost.
_PLAIN_LINES = re.compile(r"\S(?:[^\n]*\S)?(?:\n+[^\n]*\S)+")
_ODD = re.compile("[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]")


def write_front_matter(values: dict[str, Any]) -> str:
    """Write the values as YAML, in their order."""
    import yaml

    # No line is wrapped: a changed word should change one line of a diff.
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
        """A dumper without anchors, whose texts every YAML reader takes for texts."""

        def ignore_aliases(self, data: object) -> bool:
            """Write an object that occurs twice out twice."""
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
