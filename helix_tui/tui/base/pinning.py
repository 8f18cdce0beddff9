"""Keeping the raw bytes of a session, or no longer: asked for on any screen that shows one."""

from __future__ import annotations

from helix_tui.text.safe import safe_line
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.messages import SessionPinned

_LONGEST = 60


def pin_session(
    screen: HelixScreen, name: str, is_pinned: bool | None = None, title: str = ""
) -> None:
    """Pin a session, or no longer; how it stands is asked unless known. `SessionPinned` tells."""

    def pin() -> SessionPinned:
        source = screen.jobs.source
        was_pinned, called = is_pinned, title
        if was_pinned is None:
            session = source.session(name)
            was_pinned, called = session.is_pinned, session.title or ""
        source.pin(name, is_pinned=not was_pinned)
        return SessionPinned(name, not was_pinned, called)

    screen.jobs.ask("pin", pin, screen, "verdicts")


def say_pinned(screen: HelixScreen, event: SessionPinned) -> None:
    """Say which session's raw bytes are kept, or no longer."""
    how = "Pinned" if event.is_pinned else "No longer pinned"
    name = safe_line(event.title or event.session_id, _LONGEST).removesuffix(".")
    screen.say(f"{how}: “{name}”. {{session.pin}} changes it.")
