"""Filters that are kept under a name, each with a digit that opens it."""

from __future__ import annotations

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.picker import Choice, PickerScreen
from helix_tui.tui.kit.prompt import KEEPS_OR_CLOSES, OR_LEAVE_IT, Prompt
from helix_tui.tui.preferences import View
from helix_tui.tui.review.candidate_filter import SORTS, parse_filter
from helix_tui.tui.review.under_cursor import CursorScreen

_NAME = 60
_NONE = "No view is kept yet: {list.filter} narrows the list, then {view.keep} keeps that."


class ViewsScreen(CursorScreen):
    """A list of candidates whose filters can be kept."""

    def refusal(self, action: Action) -> str:
        """Without a filter or another order there is nothing to keep."""
        if action.id == "view.keep" and not self.table.wanted.text and self.table.sort == "tier":
            return self.with_keys("{list.filter} narrows the list first: that is what is kept.")
        if action.id == "view.open" and not self.station.preferences.views:
            return self.with_keys(_NONE)
        return super().refusal(action)

    def action_keep_view(self) -> None:
        """Ask for the name of the view."""
        wanted, sort = self.table.wanted.text, self.table.sort

        def keep(name: str) -> None:
            self.prompt_closed()
            view = View(name.strip()[:_NAME], wanted, sort)
            self.station.preferences.keep_view(view)
            self.say(f"Kept: {safe_line(view.name)}. {{view.open}} opens it.")

        self.query_one(Prompt).ask(
            "name: ", keep, cancelled=self.prompt_closed, hint=KEEPS_OR_CLOSES,
            check=lambda text: "" if text.strip() else f"Name it, {OR_LEAVE_IT}.",
        )  # fmt: skip

    def action_open_view(self) -> None:
        """Ask which view is to be shown."""
        preferences = self.station.preferences
        views = {view.name: view for view in preferences.views}
        choices = [
            Choice(name, name, f"/{view.filter} {view.sort}", str(number) if number < 10 else "")
            for number, (name, view) in enumerate(views.items(), 1)
        ]

        def picked(name: str | None) -> None:
            view = views.get(name or "")
            if view is None:
                return
            self.table.narrow(parse_filter(view.filter))
            if view.sort in SORTS and view.sort != self.table.sort:
                self.table.sort_by(view.sort)
            self.refill(None, 0)

        self.app.clear_notifications()
        picker = PickerScreen("Open a view", choices, dropped=preferences.drop_view)
        self.app.push_screen(picker, picked)
