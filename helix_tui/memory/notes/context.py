"""The size of the model's context: the agent's last count, and an estimate of the rest."""

from __future__ import annotations

import msgspec

from helix_tui.schema import COMPACTION, OTHER, StoredEvent

CHARACTERS_PER_TOKEN = 4


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is, at least one for any text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


class ContextMeter(msgspec.Struct, forbid_unknown_fields=True):
    """The context after the events so far, and its smallest size since the last update.

    `message` is the last one whose usage is known; `is_rebuilt` means that the context was
    compacted and not counted since, so that there is nothing yet to measure growth from.
    """

    tokens: int = 0
    base: int = 0
    message: str = ""
    has_usage: bool = False
    is_rebuilt: bool = False

    def step(self, event: StoredEvent, request_tokens: int | None) -> None:
        """Count an event; `known` is the size of its request, where the agent reported it."""
        message = event.message_id or ""
        if request_tokens is not None:
            # The usage of a message covers all of it, however many events that is.
            if message != self.message:
                self.know(request_tokens)
                self.message = message
            return
        if event.kind == COMPACTION:
            self.tokens = self.base = estimated_tokens(event.text)
            self.is_rebuilt = self.has_usage
        elif event.kind != OTHER:  # records of the client itself are not sent to the model
            self.tokens += estimated_tokens(event.text)
        self._settle()

    def know(self, tokens: int) -> None:
        """Set the size of a request: it contained everything up to here."""
        self.tokens = tokens
        self.has_usage = True
        if self.is_rebuilt:
            self.base, self.is_rebuilt = tokens, False
        self._settle()

    def _settle(self) -> None:
        self.base = self.tokens if self.is_rebuilt else min(self.base, self.tokens)

    def updated(self) -> ContextMeter:
        """The meter after an update: growth is measured from here."""
        return msgspec.structs.replace(self, base=self.tokens)
