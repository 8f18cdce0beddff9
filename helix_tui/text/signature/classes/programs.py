"""What is said of programs that cannot be started, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes.row import EXE, GONE, NAME, QUOTE, ClassRow, row, whole

_RUN = r"(?:failed to run command|cannot run|can't exec|cannot execute)"

_KIND = r"(?:executable|binary|command|program)"

ROWS: tuple[ClassRow, ...] = (
    *(
        row("crlf_line_endings", word, pattern)
        for word, pattern in (
            ("r", rf"^(?:/usr/bin/)?env: {QUOTE}[\w. /-]{{1,80}}\\r{QUOTE}: {GONE}"),
            ("r", r"(?:\$'|[\w/`' ]|: )\\r['’]{0,2}: (?:command |bad |not |no |invalid )"),
            ("r", r"\bunexpected token `?\$'\S{0,40}\\r'"),
            ("m", r"\^m: (?:bad interpreter|command not found|not found|no such file)"),
            ("m", r"\bcommand not found: \S{0,40}\^m$"),
        )
    ),
    row("command_not_found", "command", rf"^(?:sh: |[\w.+-]{{1,40}}: )?command not found: {EXE}"),
    row(
        "command_not_found",
        "command",
        rf"^(?:sh: |(?:[\w.+-]{{1,40}} )?[\w.+-]{{1,40}}(?:\[\d{{1,3}}\])?: )?{EXE}: command not found\b",
    ),
    whole("command_not_found", "command", rf"^command not found: {EXE}$"),
    row("command_not_found", "found", rf"^sh: {EXE}: not found$"),
    row("command_not_found", "command", rf"^sh: unknown command:? {EXE}$"),
    row("command_not_found", "command", rf"^command {EXE} (?:is )?not found\b"),
    row("command_not_found", "command", rf"^the command {EXE} could not be found\b"),
    row(
        "command_not_found",
        "recognized",
        # PowerShell draws a line before what it says of a place in a script.
        rf"^(?:\| )?(?:\S{{1,200}} ?: )?(?:the term )?{EXE}"
        r" (?:is|was) not recognized(?: as (?:an internal|the name|a name)\b|$|\.)",
    ),
    row("command_not_found", "env", rf"^(?:/usr/bin/)?env: {EXE}(?:\\r)?{QUOTE}: {GONE}"),
    row("command_not_found", "executable", rf"\bexec: {EXE}: executable file not found\b"),
    row("command_not_found", "spawn", rf"^(?:\S{{1,60}}: )?spawn {EXE} enoent\b"),
    row("command_not_found", "spawnsync", rf"^(?:\S{{1,60}}: )?spawnsync {EXE} enoent\b"),
    row("command_not_found", "spawn", rf"^failed to spawn: {EXE}$"),
    row(
        "command_not_found",
        "executable",
        # A tool that names the package to add has it from the project: `module_not_found`.
        rf"^(?:failed|unable|could not) (?:to )?(?:find|locate) {EXE} executable\b"
        r"(?!.{0,40}\bneed to (?:add|install) )",
    ),
    row("command_not_found", "such", rf"^(?:[\w./-]{{1,60}}: )?{_RUN} {EXE}: {GONE}"),
    row("command_not_found", "program", rf"\bcannot run program {EXE}.{{0,200}}error=2\b"),
    row("command_not_found", "execute", rf"^could not execute process {QUOTE}{EXE}"),
    row(
        "command_not_found",
        "such",
        rf"^(?:xargs|make(?:\[\d{{1,2}}\])?|nice|nohup|sudo|time|watch): {EXE}: {GONE}",
    ),
    row(
        "command_not_found",
        "such",
        rf"^(?:\[errno 2\]|filenotfounderror: \[errno 2\]) {GONE}: '(?P<s>[a-z][a-z0-9_+-]{{0,40}}+)'$",
    ),
    row(
        "command_not_found",
        "such",
        rf"^sh: [^\s:]{{0,200}}/(?!activate\b)(?P<s>[\w+-]{{1,64}}+(?:\.sh)?): {GONE}$",
    ),
    row(
        "command_not_found",
        "such",
        rf"^sh: {GONE}: [^\s:]{{0,200}}/(?!activate\b)(?P<s>[\w+-]{{1,64}}+(?:\.sh)?)$",
    ),
    row(
        "command_not_found",
        "interpreter",
        rf"^sh: .{{1,200}}: bad interpreter: {EXE}(?: \S{{1,40}})?: {GONE}",
    ),
    row("command_not_found", "interpreter", rf"^sh: .{{1,200}}: {EXE}: bad interpreter: {GONE}"),
    row("command_not_found", "execute", r"^sh: .{1,200}: cannot execute: required file not found$"),
    row("command_not_found", "program", rf"^the program {EXE} is (?:currently )?not installed\b"),
    row("command_not_found", "program", rf"^the program {EXE} is not in your path\b"),
    *(
        row(
            "command_not_found",
            verb,
            r"\b(?:unable to|could not|couldn't|cannot|can't|failed to|did not)"
            rf" {verb} (?:the |an? )?{_KIND}:? {EXE}",
        )
        for verb in ("find", "locate")
    ),
    row(
        "command_not_found",
        "found",
        rf"\b{_KIND} (?=[\"'`]){EXE} (?:was |could |is )?not (?:be )?found\b",
    ),
    row(
        "command_not_found",
        "path",
        rf"(?:^|\s)(?=[\"'`]){EXE} (?:was |is )?not (?:found )?(?:on|in) (?:your |the |\$|%)?path\b",
    ),
    row(
        "command_not_found",
        "path",
        rf"^{EXE} (?:was |is )?not (?:found )?(?:on|in) (?:your |the |\$|%)?path\b",
    ),
    row(
        "command_not_found", "path", rf"\bcould not find {EXE} (?:on|in) (?:your |the |\$|%)?path\b"
    ),
    row("command_not_found", "found", rf"^{EXE} {_KIND} (?:was )?not found\b"),
    row("command_not_found", "failed", rf"\bexecvp\({EXE}\) failed: {GONE}"),
    row("command_not_found", "python", r"^python was not found; run without arguments\b", "python"),
    row("command_not_found", "linker", rf"^linker {EXE} not found\b"),
    row(
        "command_not_found",
        "installed",
        rf"^{EXE}(?: command| executable)? is not installed(?: or|\.|,|$| on your)",
    ),
    row("command_not_found", "execution", rf"^execution error: (?:{GONE}|io\(os \{{ code: 2)"),
    row("command_not_found", "spawn", rf"^failed to spawn \S{{1,80}}: {GONE}"),
    row("command_not_found", "exec", rf"^exec_command failed\b.{{0,300}}{GONE}"),
    row("command_not_found", "such", rf"^no such (?:sub)?command: {EXE}"),
    row(
        "command_not_found",
        "command",
        rf"^git: {QUOTE}(?P<s>[\w-]{{1,40}}){QUOTE} is not a git command",
    ),
    row("command_not_found", "command", r"^sh: (?P<s>\S{0,40}): command not found$"),
    row("command_not_found", "found", r"^sh: (?P<s>\S{1,40}): not found$"),
    row("command_not_found", "nicht", rf"^(?:sh: )?{EXE}: (?:befehl|kommando) nicht gefunden"),
    row("command_not_found", "commande", rf"^(?:sh: )?{EXE}\s?: commande introuvable"),
    row("command_not_found", "orden", rf"^(?:sh: )?{EXE}: (?:orden|no se encontró la orden)"),
    row(
        "unknown_subcommand",
        "command",
        rf"^docker: {QUOTE}(?P<s>[\w-]{{1,40}}){QUOTE} is not a docker command",
    ),
    *(
        row("unknown_subcommand", "command", rf"^{kind} command:? {NAME}(?: for {QUOTE}\w|$|\.)")
        for kind in ("unknown", "unrecognized", "no such")
    ),
    *(
        row("unknown_subcommand", "subcommand", rf"^{kind} subcommand:? {NAME}")
        for kind in ("unknown", "unrecognized")
    ),
    row("unknown_subcommand", "choice", rf"^argument \S{{1,40}}: invalid choice: {NAME}"),
)
