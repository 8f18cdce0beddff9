"""Shapes for keeping: a name that may be a secret costs the shape all of its names, a folder is
kept as redaction leaves it."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from helix_tui.text.redact import redact
from helix_tui.text.shape import HERE, Shape


@lru_cache(maxsize=4096)
def safe_shape(shape: Shape) -> Shape:
    """A shape as it may be kept: what redaction would change is left out whole."""
    text = shape.text_anywhere
    if redact(text) != text:
        return Shape(tool=shape.tool)
    if shape.folder == HERE:
        return shape
    folder = redact(shape.folder)
    return shape if folder == shape.folder else msgspec.structs.replace(shape, folder=folder)
