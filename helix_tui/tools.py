"""The class of each agent's tools, in one vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix_tui.schema import ToolClass

Table = dict["ToolClass", str]

_CLAUDE: Table = {
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
_CODEX: Table = {
    "shell": "shell shell_command exec_command write_stdin local_shell unified_exec container.exec "
    "exec wait_for_process",
    "read": "view_image read_file list_dir read_mcp_resource list_mcp_resources "
    "list_mcp_resource_templates",
    "edit": "apply_patch",
    "search": "grep_files tool_search search_tool_bm25 file_search",
    "web": "web_search web_search_call web_fetch",
    "agent": "spawn_agent send_input send_message wait wait_agent close_agent resume_agent "
    "list_agents followup_task spawn_agents_on_csv report_agent_job_result",
    "plan": "update_plan request_user_input create_goal update_goal get_goal",
}
_GROK: Table = {
    "shell": "run_terminal_command run_terminal_cmd shell bash get_terminal_command_output "
    "get_task_output kill_task kill_terminal_command wait_tasks code_interpreter code_execution",
    "read": "read_file list_dir list_directory view_image read_many_files",
    "edit": "search_replace write write_file create_file edit_file delete_file str_replace "
    "multi_edit apply_patch",
    "search": "grep grep_search glob file_search codebase_search search_tool lsp",
    "web": "web_search web_fetch open_page x_search x_keyword_search x_semantic_search "
    "x_user_search x_thread_fetch browse_page",
    "agent": "spawn_subagent task subagent get_subagent_output send_to_subagent skill",
    "plan": "todo_write update_plan enter_plan_mode exit_plan_mode ask_user_question update_goal",
}

# Kilo is made from OpenCode.
_OPENCODE: Table = {
    "shell": "bash",
    "read": "read list",
    "edit": "edit write multiedit patch apply_patch",
    "search": "grep glob codesearch lsp",
    "web": "webfetch websearch",
    "agent": "task skill",
    "plan": "todowrite todoread question plan_enter plan_exit invalid",
}
_CURSOR: Table = {
    "shell": "Shell run_terminal_cmd run_terminal_command Await",
    "read": "Read read_file list_dir LS ReadLints read_lints",
    "edit": "Write StrReplace ApplyPatch edit_file search_replace write Delete delete_file "
    "EditNotebook edit_notebook apply_patch",
    "search": "Grep Glob SemanticSearch grep grep_search glob_file_search codebase_search "
    "file_search",
    "web": "WebSearch WebFetch web_search web_fetch",
    "agent": "Task task Subagent",
    "plan": "TodoWrite todo_write AskQuestion CreatePlan create_plan SwitchMode",
}


def _by_name(*tables: Table) -> dict[str, ToolClass]:
    return {
        name: tool_class
        for table in tables
        for tool_class, names in table.items()
        for name in names.split()
    }


# Grok also runs tools of Claude Code, under their names there.
_BY_FLAVOR: dict[str, dict[str, ToolClass]] = {
    "claude": _by_name(_CLAUDE),
    "codex": _by_name(_CODEX),
    "grok": _by_name(_CLAUDE, _GROK),
    "opencode": _by_name(_OPENCODE),
    "kilo": _by_name(_OPENCODE),
    "cursor": _by_name(_CURSOR),
}
# An agent of a plug-in mostly names its tools like one of the others.
_BY_ANY_NAME = _by_name(_GROK, _CODEX, _CLAUDE)


def tool_class(flavor: str, tool: str) -> ToolClass:
    """The class of a tool; an unknown name is `other`."""
    if tool.startswith("mcp__"):
        return "mcp"
    return _BY_FLAVOR.get(flavor, _BY_ANY_NAME).get(tool, "other")
