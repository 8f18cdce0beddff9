"""What is said where a runtime is too old or too new, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.classes.row import Row, row

_CLASS = "runtime_version_unsupported"
# By the word that lines have: what it is, and how it is spelled before a version.
_RUNTIMES = (
    ("node", "node", r"node(?:\.?js)?"),
    ("python", "python", "python"),
    ("ruby", "ruby", "ruby"),
    ("go", "go", "go"),
    ("php", "php", "php"),
    ("rustc", "rust", "rustc"),
    ("java", "java", r"(?:java|jdk)"),
    ("jvm", "java", "jvm"),
    ("terraform", "terraform", "terraform"),
    ("npm", "npm", "npm"),
    ("pnpm", "pnpm", "pnpm"),
    ("yarn", "yarn", "yarn"),
)
_VERSION = r"(?:(?:runtime )?versions? )?(?:of )?[\"'`(]?(?:v|>|<|=|~|\^)?[<>=~^ ]{0,3}\d"


def _rows(word: str, subject: str, name: str) -> tuple[Row, ...]:
    return tuple(
        row(_CLASS, word, pattern, subject)
        for pattern in (
            rf"\brequires (?:at least |a different )?{name} {_VERSION}",
            rf"\brequires a different {name}\b",
            rf"\brequires {name}[<>=~^]{{1,3}}\d",
            rf"\b{name} {_VERSION}\S{{0,40}} (?:or \w{{1,20}} )?(?:is|are) (?:required|not supported|no longer)",
            rf"\b(?:unsupported|incompatible|wrong) (?:version of )?{name}(?: version)?\b",
            rf"\byour (?:current )?(?:version of )?{name}(?: version)? is (?:\S{{1,40}} but|incompatible|not|too)\b",
            rf"\byour {name} version is \S{{1,40}}, but\b",
            rf"\bcurrent(?:ly activated)? {name} version \S{{0,60}} ?is not (?:supported|allowed)\b",
            rf"\byou are (?:using|running) {name} {_VERSION}.{{0,120}}\b(?:requires?|required|supported)\b",
        )
    )


ROWS: tuple[Row, ...] = (
    row(_CLASS, "engine", r"\bthe engine ['\"](?P<s>\w{1,20})['\"] is incompatible\b"),
    row(_CLASS, "npm", r"^npm: code ebadengine\b", "node"),
    row(_CLASS, "npm", r"^npm: (?:engine )?unsupported engine\b", "node"),
    row(_CLASS, "unsupported", r"\bunsupported environment \(bad pnpm and/or node\b", "node"),
    row(_CLASS, "version", r"\bnot compatible with your version of node\b", "node"),
    *(found for runtime in _RUNTIMES for found in _rows(*runtime)),
    row(_CLASS, "rustc", r"\brustc \S{1,40} is not supported\b", "rust"),
    row(_CLASS, "class", r"\bunsupported class file major version\b", "java"),
    row(_CLASS, "unsupportedclassversionerror", r"\bunsupportedclassversionerror\b", "java"),
    row(_CLASS, "release", r"\binvalid (?:source|target) release: \d", "java"),
)
