"""The least Textual app that shows something and answers a key: what others are held against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    """A line that counts a key, and one at the bottom."""

    CSS = "#end { dock: bottom; }"
    BINDINGS = [("j", "count", "count"), ("q", "quit", "quit")]  # noqa: RUF012 - as Textual has it
    count = 0

    def compose(self) -> ComposeResult:
        """Both lines."""
        yield Static("counted 0.", id="count")
        yield Static("end of the bare app", id="end")

    def action_count(self) -> None:
        """Shows one more."""
        self.count += 1
        self.query_one("#count", Static).update(f"counted {self.count}.")


if __name__ == "__main__":
    BareApp().run()
