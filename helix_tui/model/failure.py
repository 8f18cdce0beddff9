"""Why a model gave no answer that can be used, and what that means for the next question."""

from __future__ import annotations

from typing import Literal

from helix_tui.errors import ExitCode, HelixError

# setup: nothing will work before a person changes something. limited: not now, by the provider or
# by the day's cap. unreachable, late, failed: it may work later. refused, unusable: the model
# answered, and would likely answer alike.
FailureKind = Literal["setup", "limited", "unreachable", "late", "failed", "refused", "unusable"]
# What concerns the one question alone.
OF_THE_QUESTION: tuple[FailureKind, ...] = ("refused", "unusable")


class ModelError(HelixError):
    """A model gave no answer that can be used."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, kind: FailureKind, what: str, todo: str = "") -> None:
        super().__init__(what, todo)
        self.kind = kind
        # What asking took all the same.
        self.tokens = 0
