"""The part of JSON Schema that our own schemas use; a word that it does not know is an error."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_KNOWN = {
    "$ref",
    "const",
    "description",
    "enum",
    "items",
    "maxLength",
    "minimum",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "type",
}


class Checker:
    """Says what of a value does not fit a schema of one document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def named(self, reference: str) -> dict[str, Any]:
        """What a reference within the document points to."""
        found: Any = self._document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        assert isinstance(found, dict)
        return found

    def mistakes(self, value: Any, schema: dict[str, Any], where: str = "$") -> list[str]:
        """Everything that does not fit; a field that the schema does not name does not, either."""
        assert set(schema) <= _KNOWN, f"{where}: {set(schema) - _KNOWN}"
        found = []
        if "$ref" in schema:
            found += self.mistakes(value, self.named(schema["$ref"]), where)
        if "oneOf" in schema:
            tried = [self.mistakes(value, choice, where) for choice in schema["oneOf"]]
            if sum(not one for one in tried) != 1:
                found.append(f"{where}: not exactly one of {tried}")
        if "const" in schema and value != schema["const"]:
            found.append(f"{where}: is not {schema['const']!r}")
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{where}: is none of {schema['enum']}")
        if "type" in schema:
            is_number = schema["type"] in ("integer", "number")
            if not isinstance(value, _TYPES[schema["type"]]) or (
                is_number and isinstance(value, bool)
            ):
                return [*found, f"{where}: is no {schema['type']}"]
        return found + self._details(value, schema, where)

    def _details(self, value: Any, schema: dict[str, Any], where: str) -> list[str]:
        found = []
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append(f"{where}: does not match")
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            found.append(f"{where}: is too long")
        if "minimum" in schema and value < schema["minimum"]:
            found.append(f"{where}: is too small")
        for name in schema.get("required", []):
            if name not in value:
                found.append(f"{where}: has no {name}")
        if "properties" in schema:
            for name, inner in value.items():
                if name not in schema["properties"]:
                    found.append(f"{where}: {name} is not described")
                else:
                    found += self.mistakes(inner, schema["properties"][name], f"{where}.{name}")
        for number, inner in enumerate(value if "items" in schema else []):
            found += self.mistakes(inner, schema["items"], f"{where}[{number}]")
        return found
