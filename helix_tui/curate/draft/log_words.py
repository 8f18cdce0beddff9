"""The prose of a draft while it is written, and which of its words come from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from helix_tui.curate.draft.advice import filled
from helix_tui.curate.draft.allowed import is_known
from helix_tui.curate.draft.names import quoted
from helix_tui.curate.draft.ways import Standing, Way
from helix_tui.schema.candidate import Candidate

TITLE_LENGTH = 140
SUBJECT_LENGTH = 61
# Their subjects, an error or a question, are words of ours.
_NAMED_BY_US = frozenset({"abandoned"})

# The fields of a page that may hold words from a log; the subject also names the file.
LOG_FIELDS = ("title", "problem", "applies", "does_not_apply", "guidance", "subject")


class LogWords(NamedTuple):
    """Words from a log in a field of a draft, and the session that they come from."""

    field: str
    session: str
    text: str


class Wording(NamedTuple):
    """The prose of a draft, and the words from logs in it with their origin.

    `helped` is the line of the guidance that says what overcame the problem, if there is one.
    `remedy` is how that way out was judged.
    """

    title: str
    problem: str
    applies: str
    does_not_apply: str
    guidance: str
    origin: list[LogWords]
    helped: str = ""
    remedy: Standing | None = None

    @property
    def log_fields(self) -> list[str]:
        """The fields that hold words from a log, in the order of the page."""
        fields = {words.field for words in self.origin}
        return [field for field in LOG_FIELDS if field in fields]


class DraftWords:
    """A wording under construction, which notes the words from logs as they are added."""

    def __init__(self, candidate: Candidate) -> None:
        self._subject = quoted(candidate.subject, SUBJECT_LENGTH)
        self._is_of_log = is_named_by_log(candidate)
        self._class = candidate.error_class
        self._session = next((occurrence.session for occurrence in candidate.evidence), "")
        self.texts: dict[str, str] = {}
        self.lines: list[str] = []
        self.origin: list[LogWords] = []
        self.helped = ""
        self.remedy: Standing | None = None
        if self._is_of_log:
            self.cite("subject", self._subject)

    def put(self, field: str, text: str) -> None:
        """Set a field to advice, filled in."""
        self.texts[field] = self._filled(field, text)

    def advise(self, lines: Sequence[str]) -> None:
        """Add advice, filled in, to the guidance."""
        self.lines += [self._filled("guidance", line) for line in lines]

    def add_way(self, way: Way) -> None:
        """Add a way out to the guidance, as advice."""
        self.lines.append(self._filled("guidance", way.line))
        self.helped = self.lines[-1]

    def tell(self, lines: Sequence[str]) -> None:
        """Add what a log shows to the guidance, in words of ours around it."""
        self.lines += lines
        for line in lines:
            self.cite("guidance", line)

    def cite(self, field: str, text: str, session: str = "") -> None:
        """Note that a field holds this text from a log; it is empty where it cannot be shown."""
        self.origin.append(LogWords(field, session or self._session, text))

    def replace(self, field: str, text: str, from_log: Mapping[str, str]) -> None:
        """Set a field to a text that holds these words from logs, each with its session."""
        self.origin = [words for words in self.origin if words.field != field]
        self.texts[field] = text
        for words, session in from_log.items():
            self.cite(field, words, session)

    @property
    def is_quoting(self) -> bool:
        """Whether a page holds words of a log anyway, so that somebody reads it first."""
        return any(words.field != "subject" for words in self.origin)

    def _filled(self, field: str, text: str) -> str:
        sentence = filled(text, self._subject, self._class)
        # A subject that is no known name may say anything, so its use is noted.
        if self._is_of_log and sentence != filled(text, "", self._class):
            self.cite(field, self._subject)
        return sentence

    def finish(self) -> Wording:
        """Return the finished wording."""
        title = self.texts.pop("title")
        if len(title) > TITLE_LENGTH:
            title = title[: TITLE_LENGTH - 2].rstrip() + "…"
            title += "`" if title.count("`") % 2 else ""
        guidance = "\n".join(f"- {line}" for line in self.lines)
        return Wording(
            title=title,
            guidance=guidance,
            origin=self.origin,
            helped=self.helped,
            remedy=self.remedy,
            **self.texts,
        )


def is_named_by_log(candidate: Candidate) -> bool:
    """Whether the subject of a candidate comes from a log, and so may say anything."""
    is_ours = candidate.signal in _NAMED_BY_US or is_known(candidate.subject)
    return bool(candidate.subject) and not is_ours
