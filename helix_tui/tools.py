"""What kind of tool each agent's tool is, in one vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.schema import ToolClass

_CLASSES: dict[ToolClass, str] = {
    "shell": "Bash BashOutput KillShell KillBash Monitor PowerShell",
    "read": "Read NotebookRead LS ListMcpResourcesTool ReadMcpResourceTool",
    "edit": "Edit MultiEdit Write NotebookEdit",
    "search": "Grep Glob ToolSearch LSP",
    "web": "WebFetch WebSearch web_search web_fetch",
    "agent": "Task Agent TaskOutput AgentOutputTool TaskStop SendMessage Skill TeamCreate "
    "TeamDelete",
    "plan": "TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet ExitPlanMode EnterPlanMode "
    "AskUserQuestion",
}
CLAUDE: dict[str, ToolClass] = {
    name: tool_class for tool_class, names in _CLASSES.items() for name in names.split()
}
_BY_FLAVOR: dict[str, dict[str, ToolClass]] = {"claude": CLAUDE}


def tool_class(flavor: str, tool: str) -> ToolClass:
    """The class of a tool; a name nobody has met is `other`."""
    if tool.startswith("mcp__"):
        return "mcp"
    return _BY_FLAVOR.get(flavor, {}).get(tool, "other")
