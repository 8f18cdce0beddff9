"""What is said where a runtime is too old or too new, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes.row import ClassRow, row

_CLASS = "runtime_version_unsupported"
_NAME = (
    r"(?P<s>node(?:\.?js)?|python|ruby|go|php|rustc?|java|jdk|jvm|terraform|npm|pnpm|yarn|deno|bun"
    r"|swift|dart|elixir|perl)"
)
_VERSION = r"(?:(?:runtime )?versions? )?(?:of )?[\"'`(]?(?:at least )?(?:v|[<>=~^ ]{1,3}v?)?\d[^\s,;]{0,40}"
_ENDS = r"(?:supported|allowed|compatible|sufficient)"

ROWS: tuple[ClassRow, ...] = (
    row(_CLASS, "engine", r"\bthe engine ['\"](?P<s>\w{1,20})['\"] is incompatible\b"),
    row(_CLASS, "npm", r"^npm: code ebadengine\b", "node"),
    row(_CLASS, "npm", r"^npm: (?:engine )?unsupported engine\b", "node"),
    row(_CLASS, "unsupported", r"\bunsupported environment \(bad pnpm and/or node\b", "node"),
    row(_CLASS, "compatible", rf"\bnot compatible with your version of {_NAME}\b"),
    row(_CLASS, "requires", rf"\brequires (?:at least |minimum )?{_NAME} ?{_VERSION}"),
    row(_CLASS, "requires", rf"\brequires a (?:different|newer|later|higher) {_NAME}\b"),
    row(
        _CLASS,
        "requires",
        rf"\brequires a (?:different|newer|later|higher) (?:version|release) of {_NAME}\b",
    ),
    row(_CLASS, "required", rf"\b{_NAME} {_VERSION} (?:or \w{{1,20}} )?(?:is|are) required\b"),
    row(_CLASS, "required", rf"\b{_NAME} ?{_VERSION} required\b"),
    row(_CLASS, "requires", rf"\brequires a minimum {_NAME} version\b"),
    row(_CLASS, "needs", rf"\bneeds (?:at least )?{_NAME} ?{_VERSION}"),
    row(_CLASS, "run", rf"\bknown not to run on {_NAME}\b"),
    row(_CLASS, "incompatible", rf"\b{_NAME} {_VERSION},? which is incompatible\b"),
    row(_CLASS, "required", rf"\brequired {_NAME} version\b"),
    row(_CLASS, "supported", rf"\b{_NAME} {_VERSION} (?:is|are) (?:not|no longer) supported\b"),
    row(_CLASS, "unsupported", rf"\bunsupported (?:version of )?{_NAME}(?: version)?\b"),
    row(_CLASS, "incompatible", rf"\bincompatible (?:version of )?{_NAME}(?: version)?\b"),
    row(
        _CLASS,
        "version",
        rf"\b{_NAME} version (?:\S{{1,60}} )?is (?:not {_ENDS}|too (?:old|new|low))",
    ),
    row(_CLASS, "version", rf"\b{_NAME} version (?:is )?(?:incompatible|mismatch|unsupported)\b"),
    row(_CLASS, "your", rf"\byour {_NAME} version is \S{{1,40}}, but\b"),
    row(
        _CLASS,
        "your",
        rf"\byour (?:version of )?{_NAME}(?: version)? is (?:incompatible|not|too)\b",
    ),
    row(
        _CLASS,
        "you",
        rf"\byou(?: are|'re) (?:using|running|currently using|on) {_NAME} {_VERSION}"
        r".{0,160}\b(?:requires?|required|supported|upgrade)\b",
    ),
    row(_CLASS, "class", r"\bunsupported class file major version\b", "java"),
    row(_CLASS, "unsupportedclassversionerror", r"\bunsupportedclassversionerror\b", "java"),
    row(_CLASS, "release", r"\binvalid (?:source|target) release: \d", "java"),
)
