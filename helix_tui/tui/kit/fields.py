"""Fields to type in: what steers a terminal shows as a sign, and keys of the registry pass."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea

from helix_tui.text.safe import safe_line

# Keys that a screen with fields has for itself; Textual's fields would take them for moving.
_PASSED_ON = frozenset({"ctrl+e", "f6", "f7"})


def _without(bindings: list[BindingType]) -> list[BindingType]:
    kept_bindings: list[BindingType] = []
    for binding in bindings:
        assert isinstance(binding, Binding)
        keys = [key for key in binding.key.split(",") if key not in _PASSED_ON]
        if keys:
            kept_bindings.append(
                Binding(",".join(keys), binding.action, binding.description, show=False)
            )
    return kept_bindings


class Field(Input, inherit_bindings=False):
    """One line."""

    BINDINGS: ClassVar[list[BindingType]] = _without(Input.BINDINGS)

    @property
    def _value(self) -> Text:
        return Text(_shown(self.value), no_wrap=True, overflow="ignore", end="")


class Prose(TextArea, inherit_bindings=False):
    """Several lines; tab leads out of it."""

    BINDINGS: ClassVar[list[BindingType]] = _without(TextArea.BINDINGS)

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn."""
        return Text(_shown(self.document.get_line(line_index)), end="", no_wrap=True)


def _shown(line: str) -> str:
    """The line sign by sign, so that the cursor stands where it seems to."""
    return "".join(sign if sign == "\t" else safe_line(sign) or "␍" for sign in line)
