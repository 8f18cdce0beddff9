"""The published schema is what the code gives, and every pattern's JSON fits it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings

from helix_tui.curate.page.page import read_page, tidy, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.pattern_json import pattern_json, pattern_schema, schema_text
from tests.curate.made_patterns import any_pattern, made_pattern

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = DOCS / "pattern.schema.json"
REMAKE = (
    'python -c "from helix_tui.curate.page.pattern_json import schema_text;'
    " open('docs/pattern.schema.json', 'w').write(schema_text())\""
)


def test_the_published_schema_is_what_the_code_gives() -> None:
    assert SCHEMA.read_text() == schema_text(), f"make it again: {REMAKE}"


def unfit(value: Any, schema: dict[str, Any], defs: dict[str, Any], path: str = "$") -> list[str]:
    """Where a value breaks a schema, of which only what ours uses is understood."""
    if "$ref" in schema:
        return unfit(value, defs[schema["$ref"].rpartition("/")[2]], defs, path)
    if "anyOf" in schema:
        tried = [unfit(value, one, defs, path) for one in schema["anyOf"]]
        return [] if [] in tried else [*tried[0], f"{path}: no alternative"]
    types: dict[str, Any] = {
        **{"object": dict, "array": list, "string": str, "boolean": bool, "integer": int},
        **{"number": (int, float), "null": type(None)},
    }
    if "type" in schema and not isinstance(value, types[schema["type"]]):
        return [f"{path}: no {schema['type']}"]
    broken = [
        "enum" in schema and value not in schema["enum"],
        isinstance(value, str) and not re.search(schema.get("pattern", ""), value),
        isinstance(value, str) and len(value) > schema.get("maxLength", len(value)),
        isinstance(value, str) and len(value) < schema.get("minLength", 0),
        isinstance(value, list) and len(value) < schema.get("minItems", 0),
        isinstance(value, int) and value < schema.get("minimum", value),
        isinstance(value, dict) and bool(set(schema.get("required", ())) - value.keys()),
    ]
    found = [f"{path}: {schema}"] if any(broken) else []
    if isinstance(value, dict):
        for name, inner in value.items():
            known = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            found += unfit(inner, known, defs, f"{path}.{name}")
            found += unfit(name, schema.get("propertyNames", {}), defs, f"{path}.{name}")
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += unfit(inner, schema.get("items", {}), defs, f"{path}[{number}]")
    return found


@settings(max_examples=40, deadline=None)
@given(pattern=any_pattern())
def test_every_pattern_fits_the_published_schema(pattern: Pattern) -> None:
    schema = pattern_schema()
    given = pattern_json(tidy(pattern))
    assert unfit(given, schema, schema["$defs"]) == []
    assert msgspec.json.decode(msgspec.json.encode(given)) == given


def test_a_wrong_pattern_does_not_fit() -> None:
    schema = pattern_schema()
    wrong = {**pattern_json(made_pattern()), "version": "1", "kind": "idea"}
    wrong["evidence"]["sessions"] = -1
    assert len(unfit(wrong, schema, schema["$defs"])) == 3


def test_unknown_fields_stand_where_they_stood() -> None:
    extra = {"owner": "web", "evidence": {"weather": "fine"}, "id": "other"}
    given = pattern_json(made_pattern(extra=extra))
    assert given["owner"] == "web"
    assert given["evidence"]["weather"] == "fine"
    assert given["id"] == made_pattern().id
    assert "extra" not in given


def test_the_page_on_patterns_shows_one_that_can_be_read() -> None:
    shown = re.findall(r"(?m)^    (---\n(?:(?:    .*)?\n)+)", (DOCS / "pattern.md").read_text())
    page = re.sub("(?m)^    ", "", shown[0])
    read = read_page(page, "missing-module-yaml-0a1b2c3d")
    assert write_page(read).strip() == page.strip()


def test_the_page_on_patterns_names_every_field_and_section() -> None:
    page = (DOCS / "pattern.md").read_text()
    shapes = pattern_schema()["$defs"].values()
    for name in {name for shape in shapes for name in shape["properties"]}:
        assert f"`{name}`" in page, name
