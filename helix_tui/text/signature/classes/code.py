"""What compilers, linters, interpreters and test runners say, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes.row import NAME, QUOTE, ClassRow, placed, row, told, weak

MEANINGS = {
    "type_error": "a type checker found a fault (subject: its code)",
    "compile_error": "a compiler found a fault (subject: its code)",
    "lint_error": "a linter found a fault (subject: its rule)",
    "undefined_name": "a name is used that nothing defines (subject: the name)",
    "undefined_reference": "a linker misses a symbol (subject: the symbol)",
    "import_name_missing": "a module has no such name to import (subject: the name)",
    "module_format_mismatch": "a module is loaded as CommonJS or ESM and is the other",
    "invalid_json": "a text is no JSON",
    "not_formatted": "a formatter would change files",
    "text_encoding": "bytes are not text in the expected encoding",
    "stack_overflow": "calls nest too deeply",
    "test_failure": "a test failed, and no more is said",
    "no_tests_found": "a runner found no test to run",
}

ROWS: tuple[ClassRow, ...] = (
    placed(
        "undefined_name",
        "name",
        r"\berror ts(?:2304|2552): cannot find name ['\"](?P<s>[\w$]{1,80})['\"]",
    ),
    told("type_error", "ts", r"\berror (?P<s>TS\d{4,5}): "),
    told("compile_error", "error", r"^error\[(?P<s>E\d{4})\]: "),
    told("compile_error", "cs", r"\berror (?P<s>CS\d{4}): "),
    placed("type_error", "", r"^error: \S.{0,350}  ?\[(?P<s>[a-z]{2,20}(?:-[a-z]{2,20}){0,4})\]$"),
    placed("type_error", "", r"\((?P<s>report[A-Z]\w{3,60})\)$"),
    placed(
        "lint_error",
        "",
        r"^(?:error|[✖×✘]) {2,80}\S.{1,300} {2,80}(?P<s>@?[a-z][\w-]{1,40}(?:/[\w@-]{1,60}){0,2})$",
    ),
    placed(
        "lint_error",
        "",
        r"^(?:error )?(?P<s>(?:MD\d{3}|SC\d{4}|[A-Z]{1,6}\d{3,4}))(?:/\S{1,80})? \S",
    ),
    placed(
        "lint_error",
        "",
        r"^[^(].{3,350} \((?P<s>[a-z][a-z0-9]{1,20}(?:[-_:][a-z0-9]{1,20}){0,6})\)$",
    ),
    # Rubocop: `C: [Correctable] Style/StringLiterals: …`.
    placed(
        "lint_error",
        "",
        r"^[CWEFIR]: (?:\[[\w ]{3,20}\] )?(?P<s>[A-Z]\w{1,30}(?:/\w{2,60}){1,2}): ",
    ),
    # Oxlint: `error typescript(method-signature-style): …`, `× eslint(no-unused-vars): …`.
    placed("lint_error", "", r"^(?:error )?[a-z][\w-]{1,30}\((?P<s>[a-z@][\w/-]{2,60})\): "),
    # Biome's headings: `a.tsx:19:5 lint/nursery/useSortedAttributes  FIXABLE  ━━━`.
    told("lint_error", "lint", r"^\S{1,300} lint/(?:[a-z]{2,20}/)?(?P<s>[a-z]\w{2,60})(?: |$)"),
    row(
        "undefined_name",
        "nameerror",
        r"^nameerror: name ['\"](?P<s>\w{1,80})['\"] is not defined\b",
    ),
    row(
        "undefined_name", "referenceerror", r"^referenceerror: (?P<s>[\w$]{1,80}) is not defined\b"
    ),
    placed("undefined_name", "undefined", r"^undefined: (?P<s>[\w.]{1,80})$"),
    placed("undefined_name", "undeclared", rf"^(?:error: )?use of undeclared identifier {NAME}"),
    placed("undefined_name", "undeclared", rf"^(?:error: )?{NAME} undeclared\b"),
    placed(
        "undefined_reference",
        "reference",
        rf"\bundefined reference to {QUOTE}(?P<s>[\w:~]{{1,120}})",
    ),
    placed("undefined_reference", "symbol", rf"\bundefined symbol:? {QUOTE}(?P<s>[\w:~]{{1,120}})"),
    row("import_name_missing", "import", r"\bcannot import name ['\"](?P<s>\w{1,80})['\"]"),
    row(
        "import_name_missing",
        "export",
        r"\bdoes not provide an export named ['\"](?P<s>[\w$]{1,80})['\"]",
    ),
    row(
        "import_name_missing",
        "exported",
        rf"^(?:attempted import error: )?{NAME} is not exported (?:by|from)\b",
    ),
    row("module_format_mismatch", "module", r"\bcannot use import statement outside a module\b"),
    row("module_format_mismatch", "require", r"\brequire is not defined in es module scope\b"),
    row("module_format_mismatch", "esm", r"\berr_require_esm\b"),
    row("invalid_json", "jsondecodeerror", r"\bjsondecodeerror\b"),
    row(
        "invalid_json",
        "char",
        r"^(?:expecting|extra data|unterminated string|invalid (?:control|\\escape)).{0,80}"
        r": line \d{1,9} column \d{1,9} \(char \d{1,9}\)",
    ),
    row("invalid_json", "json", r"\bis not valid json\b"),
    row("invalid_json", "parse", r"^parse error: (?:invalid|unfinished|expected|objects)\b"),
    row("invalid_json", "beginning", r"^invalid character .{1,8} looking for beginning of\b"),
    row("invalid_json", "value", r"^expected value at line \d{1,9} column \d"),
    row("invalid_json", "parsing", r"^eof while parsing a\w? \w{1,20} at line \d"),
    row("invalid_json", "json", r"\bunexpected end of json input\b"),
    row("invalid_json", "json", r"\bin json at position \d"),
    row(
        "invalid_json",
        "jq",
        r"^jq: (?:error \([^)]{1,40}\): |parse error: )(?:invalid|unfinished|expected|objects)",
    ),
    row(
        "syntax_error",
        "syntaxerror",
        r"^syntaxerror: (?:unexpected (?:token|identifier|end of input|string|number|eof)\b(?! in json)|invalid or unexpected token|missing \) after|identifier \S{1,80} has already)",
        "javascript",
    ),
    row(
        "syntax_error",
        "syntaxerror",
        r"^syntaxerror: (?!cannot use import|the requested module)",
        "python",
    ),
    row("syntax_error", "indentationerror", r"^indentationerror: ", "python"),
    row("syntax_error", "taberror", r"^taberror: ", "python"),
    row("syntax_error", "separator", r"\bmissing separator(?:\.|$| \()", "make"),
    told("not_formatted", "format", r"^\S{1,300} format {1,4}━"),
    weak("not_formatted", "issues", r"^format issues found in\b"),
    weak("not_formatted", "style", r"^code style issues (?:were )?found in\b"),
    weak("not_formatted", "reformatted", r"^\d{1,7} files? would be reformatted\b"),
    weak("not_formatted", "reformat", r"^would reformat:? \S"),
    weak(
        "not_formatted",
        "formatted",
        r"^(?:some |these |the following )?files? (?:are|is) not formatted\b",
    ),
    row("text_encoding", "unicodedecodeerror", r"^unicodedecodeerror: "),
    row("text_encoding", "unicodeencodeerror", r"^unicodeencodeerror: "),
    row("text_encoding", "utf", r"\bstream did not contain valid utf-8\b"),
    row("stack_overflow", "recursionerror", r"^recursionerror: "),
    row("stack_overflow", "stack", r"\bmaximum call stack size exceeded\b"),
    row("stack_overflow", "stackoverflowerror", r"\bstackoverflowerror\b"),
    weak("no_tests_found", "tests", r"^={2,80} ?no tests (?:ran|collected)\b"),
    weak("no_tests_found", "deselected", r"^={2,80} ?\d{1,7} deselected\b"),
    weak("no_tests_found", "deselected", r"^\d{1,7} deselected in \d"),
    weak("no_tests_found", "tests", r"^no tests ran(?: in \d|$)"),
    weak("no_tests_found", "tests", r"^no tests (?:(?:were )?(?:found|executed|matched)|to run)\b"),
    weak("no_tests_found", "test", r"^no test (?:files|modules|suites?) (?:were )?found\b"),
    weak("no_tests_found", "test", r"^no test (?:is available|matches)\b"),
    weak("no_tests_found", "examples", r"^no examples found\b"),
    weak("no_tests_found", "ran", r"^ran 0 tests in \d"),
    weak("no_tests_found", "test", r"^0 test files matching\b"),
    weak("no_tests_found", "tests", r"^testing: warning: no tests to run\b"),
    told(
        "test_failure", "failed", r"^={2,80} ?(?:\d{1,7} \w{1,12}, )?\d{1,7} (?:failed|errors?)\b"
    ),
    told("test_failure", "failed", r"^failed \((?:failures|errors)=\d"),
    told("test_failure", "fail", r"^--- fail: \S"),
    told("test_failure", "fail", r"^fail\s\S{1,200}\s\d{1,6}\.\d{1,4}s$"),
    told("test_failure", "test", r"^test result: failed\b"),
    told("test_failure", "tests", r"^tests: {1,10}\d{1,7} failed\b"),
    told("test_failure", "test", r"^test files {1,10}\d{1,7} failed\b"),
    told("test_failure", "failing", r"^\d{1,7} failing$"),
    told("test_failure", "tests", r"^tests run: \d{1,7}, failures: (?!0, errors: 0)\d"),
    told("test_failure", "tests", r"\bthere were failing tests\b"),
)
