"""What jobs answer to the memory screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema.memory import Compiled
    from helix_tui.tui.kit.text_pane import Line as PageLine
    from helix_tui.tui.memory.rows import MemoryRow


class MemoryLoaded(Fact):
    """What is remembered, of all sessions or of the one with the title `of`."""

    def __init__(self, rows: Sequence[MemoryRow], spent: str = "", of: str = "") -> None:
        super().__init__()
        self.rows = rows
        self.spent = spent
        self.of = of


class MemoryPageRead(Fact):
    """What a page of memory says, laid out for a width, or why it cannot be read."""

    def __init__(
        self, key: str, text: str, trouble: str, width: int, lines: Sequence[PageLine]
    ) -> None:
        super().__init__()
        self.key = key
        self.text = text
        self.trouble = trouble
        self.width = width
        self.lines = lines


class MemoryPageSaved(Fact):
    """What a person made of a page is in a file: its own, or one beside it."""

    def __init__(self, path: str, saved: str) -> None:
        super().__init__()
        self.path = path
        self.saved = saved


class MemoryCompiled(Fact):
    """Daily logs were brought into the knowledge base."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__()
        self.compiled = compiled
