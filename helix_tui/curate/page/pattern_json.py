"""Write a pattern as JSON, and its published schema, docs/pattern.schema.json."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.curate.page.fields import with_extra
from helix_tui.curate.page.pattern import Pattern


def pattern_json(pattern: Pattern) -> dict[str, Any]:
    """Return every field of a pattern, unknown ones where they stood in its file."""
    values: dict[str, Any] = msgspec.to_builtins(pattern)
    return with_extra(values, values.pop("extra"))


def pattern_schema() -> dict[str, Any]:
    """Return the JSON Schema of `pattern_json`; fields that it does not name are allowed."""
    schema = msgspec.json.schema(Pattern)
    described = schema["$defs"]["Pattern"]
    del described["properties"]["extra"]
    described["description"] = (
        "One pattern of the catalog, as `helix catalog show --json` gives it."
    )
    # A page leaves empty fields out; the JSON always has every field.
    for shape in schema["$defs"].values():
        shape["required"] = list(shape["properties"])
        shape["description"] = " ".join(shape["description"].split())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Solution Pattern",
        **schema,
    }


def schema_text() -> str:
    """Return the published schema as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(pattern_schema()), indent=2).decode() + "\n"
