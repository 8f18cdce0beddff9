"""The words of a page as fields: title, prose, and the hints of one agent at a time."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Label

from helix_tui.curate.page.pattern import Hint
from helix_tui.engine.review.page_check import Fault, Written
from helix_tui.text.safe import safe_line
from helix_tui.tui.editor.beside import globs_of
from helix_tui.tui.kit.fields import Field, Prose
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle

# Where a rule of two lines breaks, as a field of one line shows it.
_BREAK = " ⏎ "
_FIELDS = {"title": "#title", "hints": "#scope", "rule": "#rule"}


class PageForm(Vertical):
    """Keeps the hints of all agents; those of `agent` are in the fields."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.agent = ""
        self._hints: dict[str, Hint] = {}

    def compose(self) -> ComposeResult:
        """Title and prose over the hints."""
        yield PaneTitle("Pattern", id="page-title")
        yield from self._line("title", "")
        yield from self._line("rule", "what agents get; empty: drafted from What to do")
        yield from self._line("place", "user, or repo:NAME, path:GLOB", "where")
        yield from self._line(
            "rung", "line, rule, skill, environment; guard deny or guard ask", "how"
        )
        yield Prose("", id="prose", tab_behavior="focus", compact=True)
        yield PaneTitle("Hints", "├┤", id="hints-title")
        yield from self._line("scope", "only for these: src/**, *.py", "files")
        yield from self._line("target", "where it is put: AGENTS.md", "place")
        with Horizontal(classes="field", id="wording-line"):
            yield Label("words ", markup=False)
            yield Prose("", id="wording", tab_behavior="focus", compact=True)
        yield PaneBottom()

    def _line(self, name: str, hint: str, label: str = "") -> ComposeResult:
        with Horizontal(classes="field"):
            yield Label(f"{label or name} ", markup=False)
            yield Field(id=name, placeholder=hint, compact=True, select_on_focus=False)

    @property
    def prose(self) -> Prose:
        """Where the prose is typed."""
        return self.query_one("#prose", Prose)

    def allow(self, is_allowed: bool) -> None:
        """Let somebody type, or not."""
        for field in (*self.query(Field), *self.query(Prose)):
            field.disabled = not is_allowed

    def fill(self, written: Written) -> None:
        """Put words into the fields."""
        self._hints = dict(written.hints)
        self.query_one("#title", Field).value = written.title
        self.query_one("#rule", Field).value = (written.rule or "").replace("\n", _BREAK)
        self.query_one("#place", Field).value = written.scope or ""
        self.query_one("#rung", Field).value = written.rung or ""
        self.prose.load_text(written.prose)
        self._show_hint()

    def written(self) -> Written:
        """The words that stand in the fields."""
        self._take_hint()
        title, rule, place, rung = (
            self.query_one(f"#{name}", Field).value for name in ("title", "rule", "place", "rung")
        )
        lines = "\n".join(line.strip() for line in rule.split(_BREAK.strip()))
        hints = dict(sorted(self._hints.items()))
        return Written(title, self.prose.text, hints, place.strip(), rung.strip(), lines.strip())

    def turn_to(self, agent: str) -> None:
        """Show the hints of another agent; what was typed of this one's is kept."""
        self._take_hint()
        self.agent = agent
        self._show_hint()

    def go_to(self, fault: Fault) -> None:
        """Put the cursor where something is wrong."""
        if fault.part in _FIELDS:
            self.query_one(_FIELDS[fault.part]).focus()
            return
        self.prose.focus()
        if fault.part == "prose":
            self.prose.move_cursor((min(fault.line, self.prose.document.line_count) - 1, 0))

    def _show_hint(self) -> None:
        hint = self._hints.get(self.agent, Hint())
        self.query_one("#hints-title", PaneTitle).label = f"Only for {safe_line(self.agent, 40)}"
        self.query_one("#scope", Field).value = ", ".join(hint.scope)
        self.query_one("#target", Field).value = hint.target
        self.query_one("#wording", Prose).load_text(hint.wording)

    def _take_hint(self) -> None:
        hint = Hint(
            wording=self.query_one("#wording", Prose).text.strip(),
            scope=globs_of(self.query_one("#scope", Field).value),
            target=self.query_one("#target", Field).value.strip(),
        )
        self._hints.pop(self.agent, None)
        if hint != Hint():
            self._hints[self.agent] = hint
