"""The words of a draft: advice filled in, and where need be words of a log with their origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from helix_tui.curate.advice import Advice, Way, advice_of, filled, topic_of, way_of
from helix_tui.curate.names import code, is_plain, quoted
from helix_tui.schema.candidate import Candidate, Evidence, Ranked
from helix_tui.text.classes import is_open

_TITLE_LENGTH = 140
_SAID_LENGTH = 200
_SUBJECT_LENGTH = 61
_MOST_QUOTES = 3
_MOST_LINES = 5
_SAID_BY_USERS = frozenset({"user_correction", "user_reaction"})
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


class Origin(NamedTuple):
    """Words of a log in a field of a draft, and the session that they are of."""

    field: str
    session: str
    text: str


class Wording(NamedTuple):
    """The prose of a draft, and the words of a log in it with where they are from."""

    title: str
    problem: str
    applies: str
    does_not_apply: str
    guidance: str
    origin: list[Origin]

    @property
    def log_fields(self) -> list[str]:
        """The fields that hold words of a log, in the order of the page."""
        held = {one.field for one in self.origin}
        return [field for field in self._fields if field in held]


class _Words:
    """A wording in the making; what is of a log is noted as it comes in."""

    def __init__(self, candidate: Candidate) -> None:
        self._subject = quoted(candidate.subject, _SUBJECT_LENGTH)
        self._class = candidate.error_class
        self._session = next((one.session for one in candidate.evidence), "")
        self.texts: dict[str, str] = {}
        self.lines: list[str] = []
        self.origin: list[Origin] = []

    def put(self, field: str, text: str) -> None:
        """Sets a field to advice, filled in."""
        self.texts[field] = self._filled(field, text)

    def advise(self, lines: Sequence[str]) -> None:
        """Adds advice, filled in, to the guidance."""
        self.lines += [self._filled("guidance", line) for line in lines]

    def cite(self, field: str, text: str, session: str = "") -> None:
        """Notes that a field holds this text of a log."""
        self.origin.append(Origin(field, session or self._session, text))

    def _filled(self, field: str, text: str) -> str:
        made = filled(text, self._subject, self._class)
        # A subject that is no mere name may say anything.
        if not is_plain(self._subject) and made != filled(text, "", self._class):
            self.cite(field, self._subject)
        return made

    def done(self) -> Wording:
        """The whole wording."""
        title = self.texts.pop("title")
        if len(title) > _TITLE_LENGTH:
            title = title[: _TITLE_LENGTH - 2].rstrip() + "…"
            title += "`" if title.count("`") % 2 else ""
        guidance = "\n".join(f"- {line}" for line in self.lines)
        return Wording(title=title, guidance=guidance, origin=self.origin, **self.texts)


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
        _advise(words, advice, ranked.remedy.verb if ranked.remedy else "")
    if template := _template(candidate):
        words.texts["title"] += f": {code(template)}"
        words.texts["problem"] += f" It says: {code(template)}"
        words.cite("title", template)
        words.cite("problem", template)
    return words.done()


def tells_remedy(ranked: Ranked) -> bool:
    """Whether the guidance on a problem says what overcame it; what may do harm is not told."""
    if not ranked.remedy:
        return False
    advice = advice_of(ranked.candidate)
    return ranked.remedy.verb in advice.covers or _taught(ranked.remedy.verb) is not None


def _taught(verb: str) -> Way | None:
    way = way_of(verb) if verb else None
    return way if way and not way.is_risky and not way.option else None


def _advise(words: _Words, advice: Advice, remedy: str) -> None:
    """Guidance on a problem; what overcame it stands first where it says something new."""
    if remedy not in advice.covers and (way := _taught(remedy)):
        words.advise([way.line])
    words.advise(advice.guidance)


def _recovered(words: _Words, candidate: Candidate, advice: Advice) -> None:
    """What overcame a problem, as a page of its own."""
    verb = next(iter(candidate.ways), "")
    way = way_of(verb) if verb else None
    words.texts["problem"] += " Sessions that got past it mostly did so in one way."
    own = advice.guidance[: _MOST_LINES - 1]
    if way is None:
        if ran := quoted(verb, _SUBJECT_LENGTH):
            words.lines.append(f"Do as others who got past it: {code(ran)}.")
            words.cite("guidance", ran)
        words.advise(own)
        return
    words.put("title", f"{way.title} when {advice.case()}")
    if verb in advice.covers:
        words.advise(own)
    elif way.is_risky:  # named behind what is better
        words.advise([*own, way.line])
    else:
        _name_way(words, way, candidate.remedy_text)
        words.advise(own)


def _name_way(words: _Words, way: Way, remedy: str) -> None:
    """The way as a line; an option such as `-p` says nothing without what followed it."""
    option = _with_value(way.option, remedy.split())
    if not option:
        words.advise([way.line])
        return
    words.lines.append(way.line.replace(code(way.option), code(option)))
    words.cite("guidance", option)


def _with_value(option: str, remedy: Sequence[str]) -> str:
    if not option or option not in remedy[:-1]:
        return ""
    value = remedy[remedy.index(option) + 1]
    return quoted(f"{option} {value}", _SUBJECT_LENGTH) if value[0] not in "-|&;<>" else ""


def _template(candidate: Candidate) -> str:
    """What an error says, where its class does not say which it is."""
    if candidate.signal not in _ON_ERRORS or not is_open(candidate.error_class):
        return ""
    said = candidate.title.partition(": ")[2].partition(" → ")[0]
    if candidate.error_class:
        known = candidate.error_class.replace("_", " ")
        known += f" {code(candidate.subject)}" if candidate.subject else ""
        said = said.removeprefix(known).removeprefix(": ")
    return quoted(said, _SAID_LENGTH)


def _quote_users(words: _Words, advice: Advice, found: Mapping[str, str]) -> None:
    """Guidance in users' own words; the last line of the advice leads to them."""
    words.advise(advice.guidance if found else advice.guidance[:-1])
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
