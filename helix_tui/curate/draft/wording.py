"""The words of a draft: advice filled in, and where need be words of a log with their origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from helix_tui.curate.draft.advice import Advice, advice_of, filled, topic_of
from helix_tui.curate.draft.allowed import is_known
from helix_tui.curate.draft.names import code, quoted
from helix_tui.curate.draft.ways import Standing, Way, is_as_told, way_of
from helix_tui.schema.candidate import Candidate, Evidence, Ranked, Remedy
from helix_tui.text.signature.classes import is_open

_TITLE_LENGTH = 140
_SAID_LENGTH = 200
_SUBJECT_LENGTH = 61
_MOST_QUOTES = 3
_MOST_LINES = 5
_SAID_BY_USERS = frozenset({"user_correction", "user_reaction"})
# Whether a session was left with an error or with a question is said in words of ours.
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


# The fields of a page that may hold words of a log; the subject also names the file.
LOG_FIELDS = ("title", "problem", "applies", "does_not_apply", "guidance", "subject")


class LogWords(NamedTuple):
    """Words of a log in a field of a draft, and the session that they are of."""

    field: str
    session: str
    text: str


class Wording(NamedTuple):
    """The prose of a draft, and the words of a log in it with where they are from.

    `helped` is the line of the guidance that says what overcame the problem, if one does;
    `remedy` how what overcame it was judged.
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
        """The fields that hold words of a log, in the order of the page."""
        held = {one.field for one in self.origin}
        return [field for field in LOG_FIELDS if field in held]


class _Words:
    """A wording in the making; what is of a log is noted as it comes in."""

    def __init__(self, candidate: Candidate) -> None:
        self._subject = quoted(candidate.subject, _SUBJECT_LENGTH)
        self._is_of_log = is_named_by_log(candidate)
        self._class = candidate.error_class
        self._session = next((one.session for one in candidate.evidence), "")
        self.texts: dict[str, str] = {}
        self.lines: list[str] = []
        self.origin: list[LogWords] = []
        self.helped = ""
        self.remedy: Standing | None = None
        if self._is_of_log:
            self.cite("subject", self._subject)

    def put(self, field: str, text: str) -> None:
        """Sets a field to advice, filled in."""
        self.texts[field] = self._filled(field, text)

    def advise(self, lines: Sequence[str]) -> None:
        """Adds advice, filled in, to the guidance."""
        self.lines += [self._filled("guidance", line) for line in lines]

    def tell(self, way: Way) -> None:
        """Adds a way out to the guidance, as advice or as a quotation."""
        self.lines.append(way.line if way.cited else self._filled("guidance", way.line))
        self.helped = self.lines[-1]
        if way.standing == "quoted":
            self.cite("guidance", way.cited)

    def cite(self, field: str, text: str, session: str = "") -> None:
        """Notes that a field holds this text of a log; an empty one is one that cannot be shown."""
        self.origin.append(LogWords(field, session or self._session, text))

    def _filled(self, field: str, text: str) -> str:
        made = filled(text, self._subject, self._class)
        # A subject that is no known name may say anything.
        if self._is_of_log and made != filled(text, "", self._class):
            self.cite(field, self._subject)
        return made

    def done(self) -> Wording:
        """The whole wording."""
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


def worded(ranked: Ranked, said: Mapping[Evidence, str]) -> Wording:
    """The words for a candidate, given what its evidence says."""
    candidate = ranked.candidate
    advice = advice_of(candidate)
    words = _Words(candidate)
    for field in ("title", "problem", "applies", "does_not_apply"):
        words.put(field, getattr(advice, field))
    if candidate.signal in _SAID_BY_USERS and not topic_of(candidate):
        _quote_users(words, advice, _said_by_users(candidate, said))
    elif candidate.signal == "recovery":
        _recovered(words, candidate, advice)
    else:
        _advise(words, candidate, advice, ranked.remedy)
    if _is_told_by_template(candidate):
        _quote_template(words, _template(candidate))
    return words.done()


def is_named_by_log(candidate: Candidate) -> bool:
    """Whether the name that a candidate goes by is a log's own, and so may say anything."""
    if not candidate.subject or candidate.signal in _NAMED_BY_US or is_known(candidate.subject):
        return False
    return candidate.signal not in _SAID_BY_USERS or not topic_of(candidate)


def _advise(words: _Words, candidate: Candidate, advice: Advice, remedy: Remedy | None) -> None:
    """Guidance on a problem; what overcame it stands first where it says something new.

    What is not advised, or only words of a log, is left to the page of its own.
    """
    way = _judged(words, remedy.verb, remedy.text, candidate) if remedy else None
    is_advised = way is not None and way.standing == "advised"
    covered = advice.covers.get(remedy.verb, 0) if remedy else 0
    if way and is_advised and not covered:
        words.tell(way)
    before = len(words.lines)
    words.advise(advice.guidance)
    if covered and remedy and is_as_told(remedy.verb, remedy.text):
        words.remedy = "advised"
        words.helped = words.lines[before + covered - 1]


def _recovered(words: _Words, candidate: Candidate, advice: Advice) -> None:
    """What overcame a problem, as a page of its own."""
    verb = next(iter(candidate.ways), "")
    words.texts["problem"] += " Sessions that got past it mostly did so in one way."
    own = advice.guidance[: _MOST_LINES - 1]
    if not verb:
        words.advise(own)
        return
    way, covered = _judged(words, verb, candidate.remedy_text, candidate), advice.covers.get(verb)
    if way.standing == "unadvised":
        words.put("title", f"{way.title} when {advice.case()}")
        words.advise([*own, way.line])
    elif covered and is_as_told(verb, candidate.remedy_text):
        words.remedy = "advised"
        if way.standing == "advised":
            words.put("title", f"{way.title} when {advice.case()}")
        words.advise(own)
        words.helped = words.lines[covered - 1]
    else:
        words.put("title", f"{way.title} when {advice.case()}")
        words.tell(way)
        words.advise(own)


def _judged(words: _Words, verb: str, ran: str, candidate: Candidate) -> Way:
    way = way_of(verb, ran, candidate.subject)
    words.remedy = way.standing
    return way


def _is_told_by_template(candidate: Candidate) -> bool:
    """Whether only the words of an error say which it is."""
    return candidate.signal in _ON_ERRORS and is_open(candidate.error_class)


def _quote_template(words: _Words, template: str) -> None:
    if template:
        words.texts["title"] += f": {code(template)}"
        words.texts["problem"] += f" It says: {code(template)}"
    words.cite("title", template)
    words.cite("problem", template)


def _template(candidate: Candidate) -> str:
    """What an error says, where its class does not say which it is."""
    said = candidate.title.partition(": ")[2].partition(" → ")[0]
    if candidate.error_class:
        known = candidate.error_class.replace("_", " ")
        known += f" {code(candidate.subject)}" if candidate.subject else ""
        said = said.removeprefix(known).removeprefix(": ")
    return quoted(said, _SAID_LENGTH)


def _quote_users(words: _Words, advice: Advice, found: Mapping[str, str]) -> None:
    """Guidance in users' own words; the last line of the advice leads to them."""
    words.advise(advice.guidance if found else advice.guidance[:-1])
    if not found:
        words.cite("guidance", "")
    for text, session in found.items():
        words.lines.append(f"“{text}”")
        words.cite("guidance", text, session)


def _said_by_users(candidate: Candidate, said: Mapping[Evidence, str]) -> dict[str, str]:
    """The shortest that users said of it, with their sessions; else what the title quotes."""
    found: dict[str, str] = {}
    for one, text in said.items():
        if words := _user_words(text.split("\n")):
            found.setdefault(words, one.session)
    if not found:
        words = quoted(candidate.title.partition("“")[2].removesuffix("”"), _SAID_LENGTH)
        found = {words: ""} if words else {}
    shortest = sorted(found, key=lambda words: (len(words), words))[:_MOST_QUOTES]
    return {words: found[words] for words in shortest}


def _user_words(lines: Sequence[str]) -> str:
    """What the user said in an excerpt: from `user:` to what was done then."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("user: ")), None)
    if begin is None:
        return ""
    rest = range(begin + 1, len(lines))
    end = next((at for at in rest if lines[at].startswith("then ")), len(lines))
    return quoted(" ".join(lines[begin:end]).removeprefix("user: "), _SAID_LENGTH)
