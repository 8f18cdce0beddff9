"""What shells and operating systems say, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes import programs
from helix_tui.text.signature.classes.row import GONE, QUOTE, ClassRow, row, weak

MEANINGS = {
    "command_not_found": "an executable is not installed or not on the path (subject: its name)",
    "unknown_subcommand": "a program does not know the command given to it (subject: the command)",
    "file_not_found": "a file or folder does not exist",
    "file_exists": "something already stands where a file or folder was to be made",
    "is_a_directory": "a file was expected where a folder is",
    "not_a_directory": "a folder was expected where something else is",
    "directory_not_empty": "a folder was to be removed that holds something",
    "permission_denied": "the system does not let this user do it",
    "operation_not_permitted": "the system or a sandbox does not let anybody do it",
    "read_only_filesystem": "the file system takes no writes",
    "disk_full": "no room left on the disk, or in its quota",
    "file_watchers_exhausted": "no more files can be watched",
    "too_many_open_files": "no more files can be opened",
    "out_of_memory": "memory ran out",
    "killed": "the system ended the process",
    "crashed": "the process ended by a fault of memory",
    "resource_busy": "a device or file is in use",
    "broken_pipe": "the reader of a pipe went away",
    "argument_list_too_long": "a command line is longer than the system takes",
    "xcode_tools_missing": "the command line tools of macOS are not installed",
    "crlf_line_endings": "a script has the line ends of Windows",
    "bsd_sed_in_place": "`sed -i` of macOS takes the file for its script",
    "exec_format_error": "a program is built for another machine",
    "shared_library_missing": "a program lacks a library at run time (subject: the library)",
    "no_glob_match": "a pattern of the shell matches no file",
    "and_list_unsupported": "a shell does not know `&&` between commands",
    "syntax_error": "source text cannot be parsed (subject: the language)",
    "unknown_option": "a program does not know an option (subject: the option)",
    "sudo_password_required": "`sudo` wants a password that nobody can type",
    "no_terminal": "a program wants a terminal where there is none",
    "no_display": "a program wants a screen where there is none",
    "env_var_missing": "an environment variable is not set (subject: the variable)",
}

_PATHLIKE = r"[^\s:]{0,200}[./~'\"`’)\]*\\][^\s:]{0,200}"

# In small letters it would be any word.
_ENV = r"[\"'`]?(?P<s>(?-i:[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,6}))[\"'`]?"

ROWS: tuple[ClassRow, ...] = (
    *programs.ROWS,
    # files
    row("file_watchers_exhausted", "watchers", r"\blimit for number of file watchers reached"),
    row(
        "shared_library_missing",
        "libraries",
        r"\berror while loading shared libraries: (?P<s>lib[\w+-]{1,60})",
    ),
    row(
        "shared_library_missing",
        "library",
        r"\blibrary not loaded: \S{0,200}(?P<s>lib[\w+-]{1,60})",
    ),
    weak("file_not_found", "file", r"^(?:the )?file does not exist\b"),
    weak("file_not_found", "file", r"^(?:the )?file not found\b"),
    weak(
        "file_not_found",
        "file",
        r"^(?:the )?file \S{0,200}[/.'\"`]\S{0,200} (?:does not exist|not found)\b",
    ),
    weak("file_not_found", "path", r"^(?:the )?path does not exist\b"),
    weak("file_not_found", "path", r"^(?:the )?path not found\b"),
    weak("file_not_found", "directory", r"^(?:the )?directory does not exist\b"),
    weak("file_not_found", "directory", r"^(?:the )?directory not found\b"),
    weak("file_not_found", "directory", r"^file or directory not found: "),
    weak("file_not_found", "enoent", r"^enoent\b"),
    weak(
        "file_not_found",
        "errno",
        rf"^(?:\S{{1,80}}: ){{0,2}}(?:can't open file .{{1,200}}: )?\[errno 2\] {GONE}",
    ),
    weak(
        "file_not_found", "such", rf"^(?:sh: |[\w.+-]{{1,40}}: ){{0,3}}(?:\d{{1,5}}: )?{GONE}: \S"
    ),
    weak(
        "file_not_found",
        "such",
        rf"^(?:sh: |[\w.+-]{{1,40}}: )(?:[\w-]{{1,20}}: )?(?:{QUOTE}[^:\"'`]{{1,200}}{QUOTE}): {GONE}\.?(?: \(os error 2\))?$",
    ),
    weak(
        "file_not_found",
        "such",
        rf"^(?:[\w.+-]{{1,40}}: )?(?:cannot|can't|could not|couldn't|unable to|failed to) [^:]{{1,300}}: {GONE}\.?(?: \(os error 2\))?$",
    ),
    weak(
        "file_not_found",
        "such",
        rf"^(?:[\w.+-]{{1,40}}: )?(?:open|stat|lstat|chdir|read|unlink|mkdir|remove|rename|fork/exec) {_PATHLIKE}: {GONE}",
    ),
    weak(
        "file_not_found",
        "such",
        rf"\b(?:read|open|load|access|stat|find|reading|opening|loading) [^:,]{{0,40}} ?{_PATHLIKE}: {GONE}\.?(?: \(os error 2\))?$",
    ),
    weak("file_not_found", "such", rf": {GONE} \(os error 2\)$"),
    weak("file_not_found", "filenotfoundexception", r"filenotfoundexception: \S"),
    weak(
        "file_not_found",
        "system",
        r"^(?:\S{1,200} : )?the system cannot find the (?:file|path) specified",
    ),
    weak(
        "file_not_found",
        "path",
        r"^(?:\S{1,80} : )?cannot find path .{1,300} because it does not exist",
    ),
    weak("file_exists", "file", r"^(?:the )?file already exists\b"),
    weak("file_exists", "eexist", r"^eexist\b"),
    weak(
        "file_exists",
        "exists",
        r"^(?:\S{1,80}: )?(?:\[errno 17\] |cannot (?:create|move|make) [^:]{1,200}: )file exists\b",
    ),
    weak(
        "file_exists", "exists", r"^destination path \S{1,300} already exists and is not an empty"
    ),
    weak("is_a_directory", "eisdir", r"\beisdir\b(?!['\"`])"),
    weak("is_a_directory", "regular", r"^sed: couldn't edit \S{1,300}: not a regular file$"),
    weak("is_a_directory", "illegal", r"\billegal operation on a directory\b"),
    weak(
        "is_a_directory",
        "directory",
        r"(?:: |^|: it |\[errno 21\] )is a directory(?:\.|$|: | \(os error 21\)|, not a file)",
    ),
    weak(
        "is_a_directory",
        "directory",
        r"^(?:the )?(?:path|file)? ?\S{1,300} is a directory(?:, not a file|\.?$)",
    ),
    weak("is_a_directory", "directory", r"^(?:path|target) is a directory\b"),
    weak("not_a_directory", "directory", r"(?:: |\[errno 20\] )not a directory(?:\.|$|: )"),
    weak("not_a_directory", "directory", r"^mv: target \S{1,300} is not a directory$"),
    weak(
        "directory_not_empty",
        "directory",
        r"(?:: |\[errno 39\] |\[errno 66\] )directory not empty(?:\.|$|: )",
    ),
    row("read_only_filesystem", "read", r"\bread-only file system\b"),
    row("read_only_filesystem", "erofs", r"^erofs\b"),
    row("disk_full", "space", r"\bno space left on device\b"),
    row("disk_full", "enospc", r"^enospc\b"),
    row("disk_full", "quota", r"\bdisk quota exceeded\b"),
    row("disk_full", "space", r"^there is not enough space on the disk"),
    row("too_many_open_files", "files", r"\btoo many open files\b"),
    row("too_many_open_files", "emfile", r"^emfile\b"),
    row("out_of_memory", "heap", r"\bheap out of memory\b"),
    row("out_of_memory", "memory", r"\bcannot allocate memory\b"),
    row("out_of_memory", "memory", r"\bcuda out of memory\b"),
    row("out_of_memory", "memory", r"^out of memory\b"),
    row("out_of_memory", "memoryerror", r"^memoryerror\b"),
    row("out_of_memory", "outofmemoryerror", r"\boutofmemoryerror\b"),
    row("out_of_memory", "alloc", r"\bstd::bad_alloc\b"),
    row("out_of_memory", "oomkilled", r"\boomkilled\b"),
    weak("killed", "killed", r"^(?:sh: )?(?:\d{1,9} )?killed(?:: 9)?(?:$| {2,80}\S)"),
    row("crashed", "segmentation", r"\bsegmentation fault\b"),
    row("crashed", "sigsegv", r"\bsigsegv\b"),
    row("crashed", "bus", r"^(?:sh: )?(?:\d{1,9} )?bus error\b"),
    row(
        "resource_busy",
        "busy",
        r"(?:: |\[errno 16\] )(?:device or resource|text file|resource) busy\b",
    ),
    row("resource_busy", "ebusy", r"^ebusy\b"),
    weak("broken_pipe", "pipe", r"(?:: |\[errno 32\] )broken pipe\b"),
    weak("broken_pipe", "epipe", r"\bwrite epipe\b"),
    row("argument_list_too_long", "argument", r"\bargument list too long\b"),
    row("argument_list_too_long", "spawn", r"\bspawn \S{0,80}\s?e2big\b"),
    row("exec_format_error", "exec", r": (?:cannot execute binary file(?:: )?)?exec format error$"),
    row(
        "sudo_password_required",
        "sudo",
        r"^sudo: (?:a (?:password|terminal) is required|no tty present"
        r"|interactive authentication is required)",
    ),
    row("no_terminal", "tty", r"\bthe input device is not a tty\b"),
    row("no_terminal", "tty", r"^(?:stdin|stdout|standard input) is not a (?:tty|terminal)\b"),
    row("no_terminal", "eof", r"^eoferror: eof when reading a line"),
    row(
        "no_terminal", "tty", r"\b(?:in|a) non-(?:tty|interactive) (?:environment|terminal|mode)\b"
    ),
    row(
        "no_display",
        "display",
        r"\b(?:cannot|can't|couldn't|unable to) (?:open|connect to) (?:x )?(?:display|server)\b",
    ),
    row("no_display", "display", r"\bmissing x server or \$display\b"),
    weak(
        "permission_denied",
        "permission",
        r"^(?:sh: |[\w.+/-]{1,60}: ){0,3}(?:cannot|can't|could not|couldn't|unable to|failed to)? ?[^:]{1,300}: permission denied\.?(?: \(os error 13\))?$",
    ),
    weak("permission_denied", "permission", r"\[errno 13\] permission denied\b"),
    weak("permission_denied", "permission", r"^permission denied(?: \(os error 13\)|: \S|\.?$)"),
    weak("permission_denied", "eacces", r"^eacces\b"),
    weak(
        "permission_denied",
        "access",
        r"^(?:\S{1,80}: )?access (?:is denied|to the path \S{1,300} is denied)",
    ),
    weak("operation_not_permitted", "permitted", r"(?:^|: |\[errno 1\] )operation not permitted\b"),
    weak("operation_not_permitted", "eperm", r"^eperm\b"),
    row("xcode_tools_missing", "developer", r"\binvalid active developer path\b"),
    row("xcode_tools_missing", "developer", r"\bno developer tools were found\b"),
    # shells
    row(
        "no_glob_match",
        "matches",
        r"^(?:sh: )?no matches found: [^*?\n]{0,300}(?P<s>\[)[^*?\n]{0,300}\][^*?\n]{0,300}$",
    ),
    row("no_glob_match", "matches", r"^(?:sh: )?no matches found: \S"),
    row("no_glob_match", "wildcard", r"^(?:fish: )?no matches for wildcard\b"),
    row("and_list_unsupported", "token", r"\bthe token '&&' is not a valid statement separator\b"),
    row("and_list_unsupported", "token", r"\bdas token \"?'?&&'?\"? ist in dieser version kein\b"),
    row("syntax_error", "syntax", r"^sh: (?:-c: )?(?:\d{1,5}: )?syntax error\b", "shell"),
    row(
        "syntax_error",
        "eof",
        r"^(?:sh: )?(?:-c: )?(?:line \d{1,6}: )?unexpected eof while looking for matching",
        "shell",
    ),
    row("syntax_error", "parse", r"^(?:sh: )?parse error near\b", "shell"),
    row("syntax_error", "unmatched", r"^sh: unmatched \S", "shell"),
    row("syntax_error", "substitution", r"^sh: .{0,200}\bbad substitution\b", "shell"),
    row(
        "syntax_error",
        "unterminated",
        r"^sh: (?:\d{1,5}: )?(?:syntax error: )?unterminated quoted string",
        "shell",
    ),
    row(
        "bsd_sed_in_place",
        "sed",
        r"^sed: \d{1,3}: [\"']?(?:\.{0,2}/|[\w@.-]{1,80}+[/.])[^\"']{1,300}[\"']?: invalid command code \S",
    ),
    row("syntax_error", "expression", r"^sed: -e expression #\d{1,3}, char \d{1,7}:", "sed"),
    row(
        "syntax_error",
        "sed",
        r"^sed: \d{1,3}: \S.{0,200}: (?:bad|extra|unterminated|invalid) ",
        "sed",
    ),
    row("syntax_error", "syntax", r"^awk: .{0,80}syntax error\b", "awk"),
    row("syntax_error", "compile", r"^jq: (?:error: syntax error|\d{1,3} compile error)", "jq"),
    row("syntax_error", "syntax", r"^jq: (?:error: )?syntax error\b", "jq"),
    row("syntax_error", "regex", r"^(?:rg: )?regex parse error\b", "regex"),
    row("syntax_error", "unmatched", r"^(?:e?grep: )unmatched \S", "regex"),
    row("env_var_missing", "unbound", r"^sh: (?P<s>\w{1,80}): unbound variable$"),
    row("env_var_missing", "parameter", r"^sh: (?P<s>\w{1,80}): parameter (?:null or )?not set$"),
    *(
        row(
            "unknown_option",
            "option",
            rf"^(?:[\w./+-]{{1,80}}: ){{0,2}}{kind} option:? (?:-- )?['\"`‘]?(?P<s>-{{0,2}}[\w][\w-]{{0,40}}+)",
        )
        for kind in ("illegal", "invalid", "unknown", "unrecognized", "no such")
    ),
    *(
        row(
            "unknown_option",
            "flag",
            rf"^(?:[\w./+-]{{1,80}}: ){{0,2}}{kind} flag:? ['\"`‘]?(?P<s>-{{0,2}}[\w][\w-]{{0,40}}+)",
        )
        for kind in ("unknown", "unrecognized", "invalid", "unknown shorthand")
    ),
    row(
        "unknown_option",
        "argument",
        r"^(?:unexpected|unknown|unrecognized) argument:? ['\"`‘]?(?P<s>--?[\w][\w-]{0,40}+)",
    ),
    row("unknown_option", "arguments", r"\bunrecognized arguments: (?P<s>--?[\w][\w-]{0,40}+)"),
    row("unknown_option", "flag", r"^flag provided but not defined: (?P<s>--?[\w][\w-]{0,40}+)"),
    *(
        row("env_var_missing", word, pattern)
        for word, pattern in (
            ("missing", rf"\bmissing (?:required )?(?:env\w{{0,12}} )?(?:var\w{{0,6}})?:? ?{_ENV}"),
            ("variable", rf"^(?:the )?{_ENV} (?:env\w{{0,12}} )?variable (?:is|must|was) "),
            (
                "variable",
                rf"\benv\w{{0,12}} variable {_ENV} (?:is|was|must) (?:not|missing|required|be)",
            ),
            ("variable", rf"\brequired variable {_ENV} is missing a value"),
            ("variable", rf"\benv\w{{0,12}} variable (?:not found|is not set|missing): {_ENV}"),
            ("set", rf"(?:^|: ){_ENV} (?:is |was )?not set\b"),
            ("set", rf"(?:^|: ){_ENV} must be (?:set|defined|provided)\b"),
            ("defined", rf"(?:^|: ){_ENV} (?:is |was )?not defined\b"),
            ("keyerror", r"^keyerror: '(?P<s>(?-i:[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,6}))'$"),
        )
    ),
)
