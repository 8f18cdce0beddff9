"""What jobs answer to the editor screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.engine.review.page_check import CheckedPage
    from helix_tui.schema.board import ApprovalPreview


class PreviewLoaded(Fact):
    """A candidate with what approving it would write; `is_worded` by the drafting program."""

    def __init__(self, preview: ApprovalPreview, *, is_worded: bool = False) -> None:
        super().__init__()
        self.preview = preview
        self.is_worded = is_worded


class PreviewRefused(Fact):
    """There is no page to be shown of a candidate."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class WordsChecked(Fact):
    """What somebody wrote was looked through."""

    def __init__(self, checked: CheckedPage) -> None:
        super().__init__()
        self.checked = checked
