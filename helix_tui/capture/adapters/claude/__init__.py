"""Claude Code: `projects/<slug>/<session>.jsonl` and its sub-agents' files."""

from helix_tui.capture.adapters.claude.adapter import ClaudeAdapter

__all__ = ["ClaudeAdapter"]
