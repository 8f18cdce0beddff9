"""Grok Build: one folder per session, `sessions/<encoded cwd>/<session>/`."""

from helix_tui.capture.adapters.grok.adapter import GrokAdapter

__all__ = ["GrokAdapter"]
