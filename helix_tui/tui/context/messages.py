"""What jobs answer to the context screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema.context import ContextFile, RepoContext
    from helix_tui.schema.distribute import DistributeRequest, Plan


class ContextsLoaded(Fact):
    """What agents load in each repository."""

    def __init__(self, contexts: Sequence[RepoContext]) -> None:
        super().__init__()
        self.contexts = contexts


class BelowFound(Fact):
    """The instruction files further down, of the context that is shown."""

    def __init__(self, row_id: tuple[str, str], files: Sequence[ContextFile]) -> None:
        super().__init__()
        self.row_id = row_id
        self.files = files


class PlanLoaded(Fact):
    """What would be written into agents' files, and how they stand."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


class PlanAsked(Fact):
    """A plan to be read: of what is asked for, or where nothing is, of taking a step back."""

    def __init__(self, plan: Plan, request: DistributeRequest | None) -> None:
        super().__init__()
        self.plan = plan
        self.request = request


class PlanCarriedOut(Fact):
    """What was done, in a sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.sentence = sentence
