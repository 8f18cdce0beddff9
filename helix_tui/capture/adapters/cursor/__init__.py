"""Cursor: transcripts without times or results, and the databases that know some of them."""

from helix_tui.capture.adapters.cursor.adapter import CursorAdapter

__all__ = ["CursorAdapter"]
