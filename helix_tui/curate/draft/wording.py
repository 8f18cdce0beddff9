"""Word a draft: fill advice in, and where needed quote a log and note the origin."""

from __future__ import annotations

import re
from collections.abc import Mapping

from helix_tui.curate.draft.advice import Advice, advice_of
from helix_tui.curate.draft.asked import asked_and_done
from helix_tui.curate.draft.difference import difference_of, hint_in, leads_in
from helix_tui.curate.draft.handed_on import handed_on, is_green_all_the_same
from helix_tui.curate.draft.log_words import SUBJECT_LENGTH, TITLE_LENGTH, DraftWords, Wording
from helix_tui.curate.draft.names import code, inert, is_plain, quoted, shown_line
from helix_tui.curate.draft.places import either, place, place_first, repository_of
from helix_tui.curate.draft.sequence import errors_behind, what_follows
from helix_tui.curate.draft.user_quotes import user_quotes
from helix_tui.curate.draft.ways import (
    counts_as_advised,
    is_unadvised,
    is_withheld,
    way_of,
)
from helix_tui.curate.page.report_talk import ONLY_FURTHER
from helix_tui.schema.candidate import Candidate, Evidence, Ranked, Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.text.leads import is_plain_way
from helix_tui.text.shape_change import MEND, is_asked_by_tool
from helix_tui.text.signature.classes import MEANINGS, is_open
from helix_tui.text.signature.module import found_above

_QUOTE_LENGTH = 200
_MOST_FINDINGS = 4
_MOST_ACTIONS = 2
_RUN_FIRST = "Before you say that work is done, run what users found red behind it: {0}."
_RUN_BEFORE = "Run {0} before you say that work is done, and mend what it finds."
_RUN_AGAIN = "Run {0} again before you say that what it found is mended."
_RUN_FOR_CI = "Before a push run what was red in CI: {0}."
_LOOK_AT_CI = "After a push look at what CI says, and mend what is red before you end."
_PIPELINE = "CI"
_MISSING = "command_not_found"
_GREEN = " It ends with 0 all the same, so that this looks green."
_ANOTHER_COPY = (
    " The package above it is found: it may be another copy, as one of another checkout that comes "
    "first on the path, and then tests run against that."
)
_EVERYWHERE = "In every repository."
# What a meaning says of its subject.
_SUBJECT = re.compile(r" \(subject: [^)]{0,80}\)")
# Causes that a text of ours offers to choose from: the evidence says which it was, or nothing does.
_GUESSED = re.compile(
    r"(?:(?::|;) (?=[^{}]*(?: or |\b(?:mostly|often)\b))[^{}*]*|, (?:mostly|often|as in) .*)$"
)
_USER_SIGNALS = frozenset({"user_correction", "user_reaction", "instruction", "workflow"})
# Ways out of which the command says more than our words for it.
_GENERAL = frozenset({"install", "format", "start the service", "edit a file", "quote it"})
_ON_ERRORS = frozenset(
    {
        "tool_error",
        "env_missing",
        "edit_mismatch",
        "permission",
        "repeated_error",
        "api_error",
    }
)


def worded(ranked: Ranked, texts: Mapping[Evidence, str], *, is_reviewed: bool) -> Wording:
    """Word a candidate, given the texts of its evidence.

    What to do is said only where the evidence shows it: a way out that worked, or users' own words.
    Where nobody reviews it, guidance in words of a log is left to be given by somebody.
    """
    candidate = ranked.candidate
    advice = advice_of(candidate)
    words = DraftWords(candidate)
    words.put("title", _statement(candidate, advice))
    words.put("problem", _first_sentence(advice.problem) + _of_another_copy(candidate))
    if is_green_all_the_same(candidate, texts):
        words.texts["problem"] += _GREEN
    words.put("applies", advice.applies)
    words.put("does_not_apply", "")
    if candidate.signal in _USER_SIGNALS:
        words.put("title", advice.title)
        if candidate.signal == "workflow" and candidate.check:
            _tell_hand_runs(words, candidate)
        elif candidate.signal != "workflow":
            quotes = user_quotes(candidate, texts) if candidate.tier != "rest" else {}
            _quote_users(words, quotes)
            _name_wish(words, candidate, quotes)
            if is_reviewed and not quotes and candidate.tier != "rest":
                _name_as_listed(words, candidate)
            if is_reviewed and candidate.reworked and candidate.sort == "correction":
                _tell_reworked(words, candidate)
                if not quotes and candidate.tier != "rest":
                    _tell_asked(words, candidate, texts)
    elif candidate.signal == "error_persistence" and candidate.kinds:
        _tell_red_checks(words, candidate, is_reviewed=is_reviewed)
        words.put("applies", "When you are about to say that work is done.")
    elif ranked.remedy is not None:
        _advise(words, candidate, advice, ranked.remedy, is_reviewed=is_reviewed)
    elif is_reviewed and not any(_is_kept_back(candidate, lead) for lead in candidate.leads):
        words.tell(handed_on(candidate, texts))
        words.tell(leads_in(candidate))
        words.tell(what_follows(candidate))
        place(words, candidate)
    if is_reviewed and not words.lines and not words.remedy and candidate.tier != "rest":
        words.tell(hint_in(candidate))
        place(words, candidate)
    is_named = words.is_quoting or _needs_template(candidate) or _is_of_somebody(candidate)
    if is_reviewed and is_named:
        _name(words, candidate)
    if is_reviewed and _is_of_repository(candidate) and not words.remedy:
        place(words, candidate)
    if is_reviewed and candidate.check and candidate.kinds and candidate.shape:
        _tell_findings(words, candidate)
    elif _needs_template(candidate):
        is_named = any(said.field == "title" for said in words.origin)
        _quote_template(words, _template(candidate), is_titled=not is_named)
    if is_reviewed and (behind := errors_behind(candidate)):
        words.texts["problem"] += f"{'' if words.texts['problem'].endswith('.') else '.'}{behind}"
        words.cite("problem", behind)
    return words.finish()


def _tell_red_checks(words: DraftWords, candidate: Candidate, *, is_reviewed: bool) -> None:
    """Say which checks users found red behind finished work, those of most conversations first.

    That work was said to be done before it was checked recurs, whichever check showed it. A
    pipeline runs behind a push. How a repository runs a check is told where somebody reads it.
    """
    kinds = candidate.kinds
    named = [_PIPELINE] if _PIPELINE in kinds else list(kinds)
    if candidate.moment:
        words.put("title", f"Users find {either(named)} red")
        words.put("problem", "Users report that a check is red.")
        return
    words.put("title", f"Work is said to be done, and users find {either(named)} red")
    own = [kind for kind in kinds if kind != _PIPELINE] if _PIPELINE in kinds else named
    steps = {kind: _steps_of(candidate, kind) for kind in own} if is_reviewed else {}
    if _PIPELINE in kinds:
        if any(steps.values()):
            ran = [f"{kind} ({', '.join(steps[kind])})" if steps[kind] else kind for kind in own]
            words.tell([_RUN_FOR_CI.format(", ".join(ran)), _LOOK_AT_CI])
        else:
            words.advise([_LOOK_AT_CI])
        return
    told = [f"{kind} ({', '.join(steps[kind])})" if steps.get(kind) else kind for kind in named]
    line = _RUN_FIRST.format(", ".join(told))
    (words.tell if any(steps.values()) else words.advise)([line])


def _steps_of(candidate: Candidate, kind: str) -> list[str]:
    """The commands that run a kind of check, with their repositories where there are several."""
    every = {place for places in candidate.steps.values() for place in places}
    every |= {member.repo for member in candidate.members.values()}
    found = []
    for repo, step in candidate.steps.get(kind, {}).items():
        if is_plain(repo) and (shown := quoted(step, SUBJECT_LENGTH)):
            found.append(f"{code(shown)} in {code(repo)}" if len(every) > 1 else code(shown))
    return found[:_MOST_ACTIONS]


def _tell_hand_runs(words: DraftWords, candidate: Candidate) -> None:
    """Say what users ran by hand before they asked.

    Behind work that was handed over the agent can run it before they have to; where they begin
    with it, what they hand over is mended when it passes.
    """
    ran = quoted(candidate.subject, SUBJECT_LENGTH)
    if ran:
        is_behind = candidate.laid_down >= RECURRING
        words.lines.append((_RUN_BEFORE if is_behind else _RUN_AGAIN).format(code(ran)))
        words.cite("guidance", ran)
        place_first(words, candidate)


def _is_kept_back(candidate: Candidate, lead: Remedy) -> bool:
    is_harmful = is_unadvised(lead.verb, lead.works) and not is_plain_way(lead)
    return is_harmful or is_withheld(lead.verb, lead.ran, candidate.error_class)


def _of_another_copy(candidate: Candidate) -> str:
    """Say of a module whose package is there that this may be another copy of the package."""
    is_module = candidate.error_class == "module_not_found" and found_above(candidate.subject)
    return _ANOTHER_COPY if is_module else ""


def _first_sentence(text: str) -> str:
    """Return what a text of ours states; what follows argues, advises or guesses at a cause."""
    first = _GUESSED.sub("", text.partition(". ")[0].removesuffix("."))
    return f"{first}."


def _statement(candidate: Candidate, advice: Advice) -> str:
    """Say what happens, without saying what to do about it."""
    meaning = MEANINGS.get(candidate.error_class, "")
    if meaning and candidate.signal != "api_error":
        return _SUBJECT.sub("{subject: (*)}", meaning)
    return _first_sentence(advice.problem).removesuffix(".")


def _advise(
    words: DraftWords, candidate: Candidate, advice: Advice, remedy: Remedy, *, is_reviewed: bool
) -> None:
    """Write what overcame a problem as guidance: in the words of our advice where that names it.

    Where somebody reads it first, what was run says more than general words. A way out that is
    never proposed leaves the page without guidance, and so does one that the tool asks for itself.
    """
    # The step before may be harmless where what passed is not.
    ran = remedy.works if is_unadvised(remedy.verb, remedy.works) else remedy.ran
    way = way_of(remedy.verb, ran, candidate.subject)
    is_unadvised_way = way.standing == "unadvised" or remedy.is_weakening
    if is_unadvised_way:
        words.remedy = "unadvised"
    # What every tool asks for by itself is told to who reads the page, in our words.
    is_told_anyway = is_reviewed and remedy.verb in advice.covers
    is_asked = is_asked_by_tool(remedy.verb, candidate.scope) and not is_told_anyway
    # What agents ran and mended by themselves teaches nothing.
    is_own_loop = remedy.verb == MEND and candidate.late < RECURRING
    if is_unadvised_way or is_asked or is_own_loop:
        return
    covered = advice.covers.get(remedy.verb, 0)
    is_covered = bool(covered) and counts_as_advised(remedy.verb, ran)
    is_advised = (is_covered or way.standing == "advised") and remedy.verb not in _GENERAL
    is_kept_back = is_withheld(remedy.verb, remedy.ran, candidate.error_class)
    # Of one repository what was run there says more than our words for it.
    is_told = is_reviewed and not is_kept_back and (not is_advised or candidate.scope == "repo")
    told = difference_of(candidate, remedy) if is_told else []
    if told and remedy.further >= remedy.sessions:
        told[-1] += f" {ONLY_FURTHER}"
    if told:
        words.remedy = "quoted"
        words.tell(told)
        words.helped = told[0]
        place(words, candidate)
    elif is_covered:
        words.remedy = "advised"
        words.put("title", advice.title)
        words.advise([_where_missing(candidate, advice.guidance[covered - 1])])
        words.helped = words.lines[-1]
    elif way.standing == "advised":
        words.remedy = "advised"
        words.put("title", f"{way.title} when {advice.case()}")
        words.add_way(way._replace(line=_where_missing(candidate, way.line)))


def _is_of_repository(candidate: Candidate) -> bool:
    """Whether an error is one repository's own, so that a page names both."""
    return candidate.scope == "repo" and candidate.signal in _ON_ERRORS


def _is_of_somebody(candidate: Candidate) -> bool:
    """Whether an error is one repository's or one agent's own: its page says what fails there."""
    is_of_agent = candidate.scope == "agent" and candidate.tool_class == "shell"
    return _is_of_repository(candidate) or (is_of_agent and bool(candidate.actions))


def _where_missing(candidate: Candidate, line: str) -> str:
    """Say of a program that is missing that it is so on one machine; another may have it."""
    is_missing = candidate.error_class == _MISSING and candidate.subject
    return (
        f"Where {{subject|the program}} is not installed, {line[:1].lower()}{line[1:]}"
        if is_missing
        else line
    )


def _name(words: DraftWords, candidate: Candidate) -> None:
    """Let a page that somebody reads anyway have the title by which it is listed."""
    title = _fitting(_with_names_marked(candidate))
    if title and words.remedy != "advised" and candidate.signal in _ON_ERRORS:
        words.replace("title", inert(title[:1].upper() + title[1:]), {title[1:]: ""})


def _name_as_listed(words: DraftWords, candidate: Candidate) -> None:
    """Let a page of what people say, without a rule in it, quote them as the list does."""
    if shown := _fitting(_with_names_marked(candidate)):
        words.replace("title", inert(shown[:1].upper() + shown[1:]), {shown[1:]: ""})


def _fitting(title: str) -> str:
    """A title as long as one may be; where a quotation is cut, that is seen."""
    is_cut = len(title) > TITLE_LENGTH and title.endswith("”")
    return shown_line(f"{title[: TITLE_LENGTH - 2].rstrip()}…”" if is_cut else title, TITLE_LENGTH)


def _tell_reworked(words: DraftWords, candidate: Candidate) -> None:
    """Say which file agents edited each time behind what people said."""
    if file := quoted(candidate.reworked, SUBJECT_LENGTH):
        is_back = candidate.taken_back >= RECURRING
        did = "took their edits of {0} back" if is_back else "edited {0}"
        words.texts["problem"] += f" Behind it agents {did.format(code(file))}."
        words.cite("problem", file)


def _tell_asked(words: DraftWords, candidate: Candidate, texts: Mapping[Evidence, str]) -> None:
    """Tell a question by what agents then did to the file that it is about."""
    told = asked_and_done(candidate, texts)
    file, repo = quoted(candidate.reworked, SUBJECT_LENGTH), repository_of(candidate)
    if told and file and is_plain(repo):
        words.tell(told)
        when = f"In {code(repo)}, when you are about to edit {code(file)}."
        words.replace("applies", when, {repo: "", file: ""})


def _with_names_marked(candidate: Candidate) -> str:
    """The title of a candidate with its repository marked as a name, whatever that is called."""
    title = candidate.title
    for repo in {member.repo for member in candidate.members.values()} - {""}:
        title = title.replace(f" in {repo}:", f" in {code(repo)}:")
    return title


def _needs_template(candidate: Candidate) -> bool:
    """Whether only the message of an error says which error it is."""
    return candidate.signal in _ON_ERRORS and is_open(candidate.error_class)


def _tell_findings(words: DraftWords, candidate: Candidate) -> None:
    """Say what a check keeps finding, in the names that it has for it."""
    step = quoted(candidate.shape, SUBJECT_LENGTH)
    again = [kind for kind, number in candidate.kinds.items() if number >= RECURRING]
    # What one conversation alone was about, however often it met it, does not recur.
    told = again or list(candidate.kinds)
    kinds = [name for kind in told if (name := quoted(kind, SUBJECT_LENGTH))]
    named = ", ".join(code(name) for name in kinds[:_MOST_FINDINGS])
    more = " and others" if len(candidate.kinds) > min(len(kinds), _MOST_FINDINGS) else ""
    text = f"{code(step)} is red again and again. It finds {named}{more}."
    words.replace("problem", text, dict.fromkeys((step, *kinds[:_MOST_FINDINGS]), ""))


def _quote_template(words: DraftWords, template: str, *, is_titled: bool) -> None:
    if template:
        words.texts["title"] += f": {code(template)}" if is_titled else ""
        words.texts["problem"] += f" It says: {code(template)}"
    if is_titled:
        words.cite("title", template)
    words.cite("problem", template)


def _template(candidate: Candidate) -> str:
    """Return the message of an error, for a class that does not say which error it is."""
    return quoted(candidate.said or ", ".join(candidate.kinds), _QUOTE_LENGTH)


def _quote_users(words: DraftWords, quotes: Mapping[str, str]) -> None:
    """Write guidance in users' own words, and in no others."""
    for text, session in quotes.items():
        words.lines.append(f"“{inert(text)}”")
        words.cite("guidance", text, session)


def _name_wish(words: DraftWords, candidate: Candidate, quotes: Mapping[str, str]) -> None:
    """Call a page by what users want, in their words, and say where they want it."""
    repos = {member.repo for member in candidate.members.values()}
    repo = min(repos) if len(repos) == 1 and is_plain(min(repos)) else ""
    place = f"In {code(repo)}" if repo else ""
    words.replace("applies", f"{place}." if repo else _EVERYWHERE, {repo: ""} if repo else {})
    opening = f"{place}, users say: " if repo else "Users say: "
    for text, session in quotes.items():
        room = TITLE_LENGTH - len(opening) - 2
        shown = text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
        own = {repo: "", text: session} if repo else {text: session}
        words.replace("title", f"{opening}“{inert(shown)}”", own)
        return
