"""How large the model's context is: what the agent counted last, and an estimate of the rest."""

from __future__ import annotations

import msgspec

from helix_tui.schema import COMPACTION, OTHER, StoredEvent

CHARACTERS_PER_TOKEN = 4


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is, at least one for anything."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


class ContextMeter(msgspec.Struct, forbid_unknown_fields=True):
    """The context behind the events so far, and the smallest that it was since the last update.

    `message` is the last one whose usage is known; `is_rebuilt` says that the context was
    compacted and nobody has counted it since, so that there is nothing yet to measure growth from.
    """

    tokens: int = 0
    base: int = 0
    message: str = ""
    has_usage: bool = False
    is_rebuilt: bool = False

    def step(self, event: StoredEvent, known: int | None) -> None:
        """Takes an event in; `known` is what the request that it is of came to, if one knows."""
        message = event.message_id or ""
        if known is not None:
            # The usage of a message covers all of it, however many events that is.
            if message != self.message:
                self.know(known)
                self.message = message
            return
        if event.kind == COMPACTION:
            self.tokens = self.base = estimated_tokens(event.text)
            self.is_rebuilt = self.has_usage
        elif event.kind != OTHER:  # what the client keeps for itself no model sees
            self.tokens += estimated_tokens(event.text)
        self._settle()

    def know(self, tokens: int) -> None:
        """Takes what one request came to: everything up to here was in it."""
        self.tokens = tokens
        self.has_usage = True
        if self.is_rebuilt:
            self.base, self.is_rebuilt = tokens, False
        self._settle()

    def _settle(self) -> None:
        self.base = self.tokens if self.is_rebuilt else min(self.base, self.tokens)

    def updated(self) -> ContextMeter:
        """The meter behind an update: growth is measured from here."""
        return msgspec.structs.replace(self, base=self.tokens)
