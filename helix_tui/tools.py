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
_COPILOT: Table = {
    "shell": "bash powershell read_bash read_powershell write_bash write_powershell stop_bash "
    "stop_powershell list_bash list_powershell",
    "read": "view read_file",
    "edit": "edit create apply_patch str_replace_editor str_replace insert",
    "search": "grep glob rg",
    "web": "web_fetch web_search fetch",
    "agent": "task read_agent list_agents write_agent stop_agent skill",
    "plan": "report_intent update_todo ask_user sql store_memory exit_plan_mode task_complete",
}
# Qwen Code is made from Gemini CLI.
_GEMINI: Table = {
    "shell": "run_shell_command",
    "read": "read_file read_many_files list_directory",
    "edit": "replace write_file edit",
    "search": "search_file_content grep_search glob ripgrep",
    "web": "google_web_search web_fetch web_search",
    "agent": "codebase_investigator delegate_to_agent generalist activate_skill task agent skill",
    "plan": "write_todos todo_write update_topic save_memory enter_plan_mode exit_plan_mode "
    "ask_user ask_user_question complete_task",
}
_PI: Table = {
    "shell": "bash",
    "read": "read ls",
    "edit": "edit write",
    "search": "grep find",
    "web": "web_search webfetch fetch_content get_search_content searxng_search",
    "agent": "subagent spawn_pi subagent_supervisor contact_supervisor",
    "plan": "todo ask_user_question",
}
_DROID: Table = {
    "shell": "Execute",
    "read": "Read LS",
    "edit": "Create Edit MultiEdit ApplyPatch",
    "search": "Glob Grep",
    "web": "WebSearch FetchUrl",
    "agent": "Task Skill",
    "plan": "TodoWrite AskUser ExitSpecMode",
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
    "copilot": _by_name(_COPILOT),
    "gemini": _by_name(_GEMINI),
    "qwen": _by_name(_GEMINI),
    "pi": _by_name(_PI),
    "droid": _by_name(_DROID),
    "opencode": _by_name(_OPENCODE),
    "kilo": _by_name(_OPENCODE),
    "cursor": _by_name(_CURSOR),
}
# An agent of a plug-in mostly names its tools like one of the others.
_BY_ANY_NAME = _by_name(_PI, _DROID, _GEMINI, _COPILOT, _GROK, _CODEX, _CLAUDE)
# How agents that write no `mcp__` name what a server of the Model Context Protocol offers.
_OF_SERVERS = {"gemini": ("mcp_",), "copilot": ("github-mcp-server-",)}


def tool_class(flavor: str, tool: str) -> ToolClass:
    """The class of a tool; an unknown name is `other`."""
    if tool.startswith("mcp__") or tool.startswith(_OF_SERVERS.get(flavor, "mcp__")):
        return "mcp"
    return _BY_FLAVOR.get(flavor, _BY_ANY_NAME).get(tool, "other")
