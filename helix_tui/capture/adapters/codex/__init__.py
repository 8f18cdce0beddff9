"""Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl[.zst]` and `archived_sessions/`."""

from helix_tui.capture.adapters.codex.adapter import CodexAdapter

__all__ = ["CodexAdapter"]
