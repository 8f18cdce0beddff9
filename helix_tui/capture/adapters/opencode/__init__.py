"""OpenCode, and Kilo by the same reader: a database, the files before it, exported sessions."""

from helix_tui.capture.adapters.opencode.adapter import KiloAdapter, OpenCodeAdapter

__all__ = ["KiloAdapter", "OpenCodeAdapter"]
