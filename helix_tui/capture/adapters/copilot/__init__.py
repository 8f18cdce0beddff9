"""GitHub Copilot CLI: `session-state/<id>/events.jsonl`, and `workspace.yaml` beside it."""

from helix_tui.capture.adapters.copilot.adapter import CopilotAdapter

__all__ = ["CopilotAdapter"]
