"""Word a draft: fill advice in, and where needed quote a log and note the origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from helix_tui.curate.draft.advice import Advice, advice_of, filled, topic_of
from helix_tui.curate.draft.allowed import is_known
from helix_tui.curate.draft.names import code, quoted
from helix_tui.curate.draft.ways import Standing, Way, counts_as_advised, way_of
from helix_tui.schema.candidate import Candidate, Evidence, Ranked, Remedy
from helix_tui.text.signature.classes import is_open

_TITLE_LENGTH = 140
_QUOTE_LENGTH = 200
_SUBJECT_LENGTH = 61
_MOST_QUOTES = 3
_MOST_LINES = 5
_USER_SIGNALS = frozenset({"user_correction", "user_reaction"})
# Their subjects, an error or a question, are words of ours.
_NAMED_BY_US = frozenset({"abandoned"})
_ON_ERRORS = frozenset(
    {
        "tool_error",
        "env_missing",
        "edit_mismatch",
        "permission",
        "repeated_error",
        "api_error",
        "recovery",
    }
)


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


class _Words:
    """A wording under construction, which notes the words from logs as they are added."""

    def __init__(self, candidate: Candidate) -> None:
        self._subject = quoted(candidate.subject, _SUBJECT_LENGTH)
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
        """Add a way out to the guidance, as advice or as a quotation."""
        self.lines.append(way.line if way.cited else self._filled("guidance", way.line))
        self.helped = self.lines[-1]
        if way.standing == "quoted":
            self.cite("guidance", way.cited)

    def cite(self, field: str, text: str, session: str = "") -> None:
        """Note that a field holds this text from a log; it is empty where it cannot be shown."""
        self.origin.append(LogWords(field, session or self._session, text))

    def _filled(self, field: str, text: str) -> str:
        sentence = filled(text, self._subject, self._class)
        # A subject that is no known name may say anything, so its use is noted.
        if self._is_of_log and sentence != filled(text, "", self._class):
            self.cite(field, self._subject)
        return sentence

    def finish(self) -> Wording:
        """Return the finished wording."""
        title = self.texts.pop("title")
        if len(title) > _TITLE_LENGTH:
            title = title[: _TITLE_LENGTH - 2].rstrip() + "…"
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


def worded(ranked: Ranked, texts: Mapping[Evidence, str]) -> Wording:
    """Word a candidate, given the texts of its evidence."""
    candidate = ranked.candidate
    advice = advice_of(candidate)
    words = _Words(candidate)
    for field in ("title", "problem", "applies", "does_not_apply"):
        words.put(field, getattr(advice, field))
    if candidate.signal in _USER_SIGNALS and not topic_of(candidate):
        _quote_users(words, advice, _user_quotes(candidate, texts))
    elif candidate.signal == "recovery":
        _recovered(words, candidate, advice)
    else:
        _advise(words, candidate, advice, ranked.remedy)
    if _needs_template(candidate):
        _quote_template(words, _template(candidate))
    return words.finish()


def is_named_by_log(candidate: Candidate) -> bool:
    """Whether the subject of a candidate comes from a log, and so may say anything."""
    if not candidate.subject or candidate.signal in _NAMED_BY_US or is_known(candidate.subject):
        return False
    return candidate.signal not in _USER_SIGNALS or not topic_of(candidate)


def _advise(words: _Words, candidate: Candidate, advice: Advice, remedy: Remedy | None) -> None:
    """Write guidance on a problem; an advised way out comes first if the advice lacks it.

    A way out that is not advised, or only quoted, is left to the page of the recovery.
    """
    way = _judge(words, remedy.verb, remedy.text, candidate) if remedy else None
    is_advised = way is not None and way.standing == "advised"
    covered = advice.covers.get(remedy.verb, 0) if remedy else 0
    if way and is_advised and not covered:
        words.add_way(way)
    before = len(words.lines)
    words.advise(advice.guidance)
    if covered and remedy and counts_as_advised(remedy.verb, remedy.text):
        words.remedy = "advised"
        words.helped = words.lines[before + covered - 1]


def _recovered(words: _Words, candidate: Candidate, advice: Advice) -> None:
    """Write the guidance of a recovery: what overcame a problem, as a page of its own."""
    verb = next(iter(candidate.ways), "")
    words.texts["problem"] += " Sessions that got past it mostly did so in one way."
    own = advice.guidance[: _MOST_LINES - 1]
    if not verb:
        words.advise(own)
        return
    way, covered = _judge(words, verb, candidate.remedy_text, candidate), advice.covers.get(verb)
    if way.standing == "unadvised":
        words.put("title", f"{way.title} when {advice.case()}")
        words.advise([*own, way.line])
    elif covered and counts_as_advised(verb, candidate.remedy_text):
        words.remedy = "advised"
        if way.standing == "advised":
            words.put("title", f"{way.title} when {advice.case()}")
        words.advise(own)
        words.helped = words.lines[covered - 1]
    else:
        words.put("title", f"{way.title} when {advice.case()}")
        words.add_way(way)
        words.advise(own)


def _judge(words: _Words, verb: str, ran: str, candidate: Candidate) -> Way:
    way = way_of(verb, ran, candidate.subject)
    words.remedy = way.standing
    return way


def _needs_template(candidate: Candidate) -> bool:
    """Whether only the message of an error says which error it is."""
    return candidate.signal in _ON_ERRORS and is_open(candidate.error_class)


def _quote_template(words: _Words, template: str) -> None:
    if template:
        words.texts["title"] += f": {code(template)}"
        words.texts["problem"] += f" It says: {code(template)}"
    words.cite("title", template)
    words.cite("problem", template)


def _template(candidate: Candidate) -> str:
    """Return the message of an error, for a class that does not say which error it is."""
    template = candidate.title.partition(": ")[2].partition(" → ")[0]
    if candidate.error_class:
        prefix = candidate.error_class.replace("_", " ")
        prefix += f" {code(candidate.subject)}" if candidate.subject else ""
        template = template.removeprefix(prefix).removeprefix(": ")
    return quoted(template, _QUOTE_LENGTH)


def _quote_users(words: _Words, advice: Advice, quotes: Mapping[str, str]) -> None:
    """Write guidance in users' own words; the last line of the advice introduces them."""
    words.advise(advice.guidance if quotes else advice.guidance[:-1])
    if not quotes:
        words.cite("guidance", "")
    for text, session in quotes.items():
        words.lines.append(f"“{text}”")
        words.cite("guidance", text, session)


def _user_quotes(candidate: Candidate, texts: Mapping[Evidence, str]) -> dict[str, str]:
    """Return the shortest user messages with their sessions, or the quote in the title."""
    quotes: dict[str, str] = {}
    for occurrence, text in texts.items():
        if words := _user_words(text.split("\n")):
            quotes.setdefault(words, occurrence.session)
    if not quotes:
        words = quoted(candidate.title.partition("“")[2].removesuffix("”"), _QUOTE_LENGTH)
        quotes = {words: ""} if words else {}
    shortest = sorted(quotes, key=lambda words: (len(words), words))[:_MOST_QUOTES]
    return {words: quotes[words] for words in shortest}


def _user_words(lines: Sequence[str]) -> str:
    """Return the user's words in an excerpt: from `user:` up to `then `."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("user: ")), None)
    if begin is None:
        return ""
    rest = range(begin + 1, len(lines))
    end = next((at for at in rest if lines[at].startswith("then ")), len(lines))
    return quoted(" ".join(lines[begin:end]).removeprefix("user: "), _QUOTE_LENGTH)
