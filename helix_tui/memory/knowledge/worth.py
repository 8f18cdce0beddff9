"""Which lines of an entry go to its repository's article, and into which section.

What somebody needs who opens the repository: rules that people gave, decisions, causes that an
edit and a green check bear out. What is of its session or of its moment alone stays in the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise

from helix_tui.memory.distill.prose import at_a_pause, sentences_of
from helix_tui.memory.distill.rules import rules_in
from helix_tui.memory.distill.standing import OF_PEOPLE, RULE, standing_of
from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.accounts import FELL, Account, accounts_of
from helix_tui.memory.knowledge.article import DECIDED, RULES, SEEN, Lesson, cite
from helix_tui.memory.knowledge.came_to import OUT_OF_REACH
from helix_tui.memory.knowledge.session_facts import SPANS, facts_of, matter_of
from helix_tui.text.causes import names_cause
from helix_tui.text.common_words import COMMON
from helix_tui.text.markdown import code_span, said_in

_CORRECTED = "Corrected by the user: "
_LAID_DOWN = "Laid down by the user: "
# What a person says that holds from now on.
_STANDING = re.compile(
    r"(?i)\b(?:always|never|whenever|from now on|in (?:the )?future|as a rule|every time"
    r"|we (?:never|always|use|prefer)|use \S+(?: \S+){0,3},? (?:not|instead)|instead of|prefer"
    r"|i(?:'d| would)? (?:rather|don'?t want|do not want|never want)|must(?:n'?t)?"
    r"|(?:do not|don'?t) forget|make sure|before (?:making|you|any|each|every))\b"
)
_EVER = re.compile(r"(?i)\b(?:always|never|whenever|from now on|as a rule|every time)\b")
# What somebody tells of what they saw is no rule.
_NARRATED = re.compile(
    r"(?i)\b(?:i|it|they|that|this) (?:\w+ )?(?:never|always|tried|got|still|did)\b"
)
_LONGEST_RULE = 240
_ENGLISH = re.compile(r"(?i)\b(?:the|is|are|to|and|of|it|for|that|this|we|you)\b")
# A question of how to go on.
_NEXT = re.compile(
    r"(?i)^Asked `+ ?(?:[^`]{0,60}\b)?(?:want me to|shall i|should i|would you like|do you want"
    r"|what would you like|how would you like|which (?:approach|one|option|unblocked|ticket|task)"
    r"|ready to|proceed|next\b|commit|push|look (?:right|good|ok)|sound)"
)
# A choice for one commit holds for no other.
_OF_ONCE = re.compile(
    r"(?i)^Asked .{0,400}the user(?: chose)?: `+ ?(?:commit|push|merge|bypass|amend|squash|continue"
    r"|proceed|work on it now|(?:create )?(?:a )?(?:new |feature )?branch)\b"
)
# An answer that has no words of its own.
_ASSENT = re.compile(
    r"(?i): `+ ?(?:(?:yes|yeah|yep|ya|sure|ok(?:ay)?|agreed?|fine|fair|right|correct|no|nah?|nope"
    r"|all|both|please|to|of|them|do|it|sounds|looks|good|go|ahead)\b\W*)+`+\W*$"
)
# Words that do something with "it".
_OF_IT = re.compile(
    r"(?i)^(?:(?:no|nah|ok(?:ay)?|yes|yeah|sure|just|please|then|so|let['’]?s|we|you|should)\b\W*)*"
    r"(?:(?:don['’]?t|do not) )?\w+ (?:it|that|this|them)(?= ?[,.;!]|$)"
)
# What was said between an error and an edit, or in a summary.
_ON_THE_WAY = re.compile(
    r"(?:(?:After the error `.*` the|The) agent: `.*`; it then edited|The agent's own summary: )"
)
_MENDED = re.compile(r"(?i)\b(?:fixed|solved|because|since|had to|has to|needs? to|must|caused)\b")
# Lines that git records anyway.
_RECORDS = ("Committed: ", "Opened: ")
# What an agent did is no decision, whatever it did it instead of.
_NO_DECISION = (*_RECORDS, "The agent: ", "On that the agent")
# A line that begins so speaks of something that stands before it.
_DANGLING = re.compile(
    r"^\W*(?:But|And|So|Also|This|These|Those|It|They|Because (?:of (?:this|that)|I|it|they)"
    r"|That(?= is\b|['’]s (?!why))|Actually|However|The answer is"
    r"|I(?:['’]m| am| hit| can| will| need))\b"
)
# What a formatter or a linter says of style: it mends it by itself.
_STYLE = re.compile(
    r"(?i)━|\bMD0\d\d|\bformat issues\b|\bwould reformat\b|\breformat\w*\b|\bFIXABLE\b"
    r"|incorrectly (?:sorted|formatted)|code style issues|\bprettier\b"
)
_FORMATS = re.compile(r"\(`+ ?(?:format|(?:pnpm|npm|yarn|bun) run fix) ?`+\)$")
# Ways of typing a command, in whatever repository.
_TYPING = re.compile(r"\(`+ ?(?:quote it|part the commands .*) ?`+\)$")
# What was so at a moment, or for one person: how far it was, what they had not done yet.
_OF_A_MOMENT = re.compile(
    r"(?i)\bnot (?:yet|\w+ yet)\b|\b(?:has|have|was|were)n['’]t been\b|\bisn['’]t \w+ yet\b"
    r"|\bright now\b|\bat the moment\b|\bin your (?:last|latest|current) \w+"
    r"|\byou (?:created|ran|started|installed)\b"
    r"|\byour (?:own )?(?:account|profile|machine|terminal|local|screenshot)\b"
    r"|\bin this (?:environment|session|sandbox|worktree|checkout)\b"
    r"|\bi (?:created|ran|was|missed|forgot)\b|\bremains? un\w+|\buncommitted\b"
    r"|\bthe (?:command|run|shell|terminal) (?:used|picked|ran|had)\b"
)
# What a review found: it is open, or was mended since; no cause of anything that came up.
_FINDING = re.compile(
    r"(?i)^\W*(?:critical|blockers?|high|medium|low|minor|major|nits?|important|p[0-4]|s[1-4]"
    r"|finding(?: \d+)?)\W{0,3}[:\]\u2014-]"
)
# Where an edit of the agent's own went amiss.
_SLIP = re.compile(
    r"(?i)\b(?:patch|edit|note|hunk|change|insertion|line)s? (?:\w+ )?(?:landed|went|ended up|was"
    r"|were)(?: put)? (?:in|at|into|on|under) the wrong\b|\bconcurrent edits\b|\bwrong staged\b"
)
# A list under a heading that says "cause" and names none.
_HEADED = re.compile(r"(?i)^\W*(?:the )?(?:root cause|cause|fix)(?: fix(?:ed)?)?\W{0,3};")
_SUMMARY = "The agent's own summary: "
_OF_LINTER = re.compile(
    r"(?i)^\W*(?:lint(?:er|ing)?|format(?:ter|ting)?) (?:error|issue|warning|failure)"
)
_HEDGED = re.compile(r"(?i)\b(?:likely|probably|perhaps|presumably|maybe)\b")
# What a shell says of how a command was typed, and what passed next.
_MISTYPED = re.compile(
    r"^After the error `+ ?(?:zsh:\d+:|\(eval\):\S*) (?!command not found).*"
    r"(?:this passed|the agent ran)"
)
_BY_AGENT = re.compile(r"^(?:On that the agent|The agent|and): `|`+ → the agent: `")
_ASKED = re.compile(r"^The user: (?P<asked>`+.+?`+) → the agent: (?P<did>`+.+`+)$")
# An objection that tells more than how it should look.
_REASONED = re.compile(
    r"(?i)\b(?:why|because|since|should(?:n'?t)?|would|already|always|never|instead|rather|wrong"
    r"|not correct|the idea is|counter|is not|isn'?t|doesn'?t)\b"
)
_DOING = re.compile(
    r"(?i)\b(?:now|no longer|back to|changed?|updated?|removed?|reverted?|added|moved|fixed|dropped"
    r"|replaced|switched|renamed|deleted|implemented|rewr\w+)\b"
)
_DEFENDING = re.compile(
    r"(?i)^\W*(?:good question|because|since|yes|no|right|true|the reason|actually|you could)\b"
)
_MOST_HEEDED = 2
_SAME_NAMES = 2
_LONGEST_CURE = 200
_SAME_THINGS = 3
_LEAST_WORDS = 6
_ENOUGH = 30
_SHORT = 3
_BARE_CAUSE = "The agent: "
_THEN_EDITED = re.compile(r"`; it then edited `")
_AFTER = "After the error "
# A person's question asks; what is pasted at length and speaks for nobody is another's.
_QUESTION = re.compile(
    r"(?i)^The user: `+ ?(?:can|could|would|why|what|how|is|are|do you|do we|does)\b"
)
_FIRST_PERSON = re.compile(
    r"(?i)\b(?:i|i'?m|i'?d|we|let'?s|lets|me|my|our|us|please|don'?t|no|yes)\b"
)


def lessons_of(entry: DailyEntry, day: str) -> Iterator[Lesson]:
    """The lines of an entry that its article has."""
    cited = cite(day, entry.time, entry.short_id)
    facts = facts_of(entry)
    for line, who in _founded(entry.lines.get("decisions", [])):
        if not (_is_of_session(line) or _is_pasted(line) or _is_without_object(line)):
            is_rule = line.startswith(_LAID_DOWN) or (
                line.startswith("The user: ") and _EVER.search(line) is not None
            )
            # A model says what is a rule; it is one where it stands on a person's words.
            is_rule = is_rule or (who in OF_PEOPLE and said_in(line).startswith(RULE))
            yield Lesson(RULES if is_rule else DECIDED, line, cited)
    for rule in _rules_asked(entry):
        yield Lesson(RULES, f"{_LAID_DOWN}{code_span(rule)}", cited)
    seen = [
        line
        for line, _ in _founded(entry.lines.get("lessons", []))
        if not _is_of_session(line) and not _is_trivial(line)
    ]
    seen += _told_causes(entry, facts.is_proved)
    seen += _heeded(entry)
    is_kept = facts.is_proved or (facts.is_committed and not facts.is_red)
    accounts = accounts_of(entry)
    # What was changed and nothing bears out may have been no cure; an answer alone has none.
    borne_out = seen if is_kept else _last_of_causes(seen, has_edits=facts.has_edits)
    for line in borne_out:
        is_rule = line.startswith(_CORRECTED) and _is_rule(line)
        yield Lesson(RULES if is_rule else SEEN, f"{line}{_cure(line, accounts)}", cited)


def _founded(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Lines and whose they are, where they say so; those of a model that have no source are not."""
    for text, standing in map(standing_of, lines):
        if standing is None or standing.who:
            yield text, standing.who if standing else ""


def _is_rule(line: str) -> bool:
    if line.startswith(_LAID_DOWN):
        return True
    words = line.partition(" (the agent had said")[0]
    is_short = len(words) <= _LONGEST_RULE and "…`" not in words
    return is_short and _STANDING.search(words) is not None and not _NARRATED.search(words)


def _is_of_session(text: str) -> bool:
    """Whether a line concerns its session alone: what to do next, and corrections of it.

    So does what an agent said on the way to an edit, where it names no cause.
    """
    if text.startswith(_CORRECTED):
        words = text.partition(" (the agent had said")[0]
        return not _is_rule(text) and _ENGLISH.search(words) is not None
    is_telling = names_cause(text) or _MENDED.search(text) is not None
    if _ON_THE_WAY.match(text) and not is_telling and _ENGLISH.search(text) is not None:
        return True
    is_next = text.startswith("Asked ") and (_NEXT.search(text) or _OF_ONCE.match(text))
    return bool(is_next) or text.startswith("The user chose ")


def _rules_asked(entry: DailyEntry) -> Iterator[str]:
    """Sentences of requests that lay down how to work here, but for those told as such."""
    told = "\n".join(
        line
        for field in ("decisions", "lessons")
        for line in entry.lines.get(field, [])
        if line.startswith((_LAID_DOWN, _CORRECTED))
    )
    asked = [
        said_in(line.removeprefix("Asked: "))
        for line in entry.lines.get("context", [])
        if line.startswith("Asked: ")
    ]
    for request in dict.fromkeys([*asked, *(one.asked for one in accounts_of(entry))]):
        yield from (rule for rule in rules_in(request) if rule not in told)


def _is_without_object(line: str) -> bool:
    """Whether a decision does not say what was decided.

    So a bare "yes" to a question that was cut, or words that speak of nothing but what stood before
    them.
    """
    if line.startswith(_NO_DECISION):
        return True
    if line.startswith("Asked "):
        asked, _, answer = line.partition(", the user")
        is_cut = asked.rstrip("`").endswith("…")
        # Where it asks before the cut, what was asked is known.
        return is_cut and "?" not in asked and _ASSENT.search(answer) is not None
    if line.startswith("The user: "):
        said = _first_said(line)
        words = re.findall(r"[^\W\d_]{3,}|\d+", said.casefold())
        return _OF_IT.match(said) is not None or all(word in COMMON for word in words)
    return False


def _is_pasted(line: str) -> bool:
    """Whether a person's line only asks, or was pasted: long, cut, and of nobody's own."""
    if _QUESTION.match(line):
        return _EVER.search(line) is None
    words = line.partition(" (the agent had said")[0]
    is_cut = words.startswith("The user: ") and "…`" in words
    return is_cut and _FIRST_PERSON.search(words.partition("`")[2]) is None


def _is_trivial(line: str) -> bool:
    """Whether a line is of style, of typing, of a remote out of reach, or hangs in the air."""
    if is_of_style(line) or _TYPING.search(line):
        return True
    if _MISTYPED.match(line) or OUT_OF_REACH.search(_said(line)):
        return True
    if line.startswith(_SUMMARY):
        return _OF_LINTER.match(_first_said(line)) is not None
    if not line.startswith(_BARE_CAUSE):
        return False  # what it speaks of is the error that stands before it
    said = _said(line)
    if _OF_A_MOMENT.search(said) or _FINDING.match(said) or _HEADED.match(said):
        return True
    if _SLIP.search(said):
        return True
    return _HEDGED.search(said) is not None or _DANGLING.match(said) is not None


def is_of_style(line: str) -> bool:
    """Whether a line tells what a formatter or a linter of style said, and mends by itself."""
    error = _first_said(line) if line.startswith(_AFTER) else ""
    return _STYLE.search(error) is not None or _FORMATS.search(line) is not None


def _told_causes(entry: DailyEntry, is_proved: bool) -> Iterator[str]:
    """Causes that the agent named in its reports, where the session bears them out."""
    known = "\n".join(entry.lines.get("lessons", []))
    for line in entry.lines.get("key_exchanges", []) if is_proved else ():
        if FELL.search(line) or not _BY_AGENT.search(line):
            continue
        span = [match[0] for match in SPANS.finditer(line)][-1]
        told = f"{_BARE_CAUSE}{span}"
        first = sentences_of(said_in(span))[0].rstrip(":;. ")
        if names_cause(span) and first not in known and not _is_trivial(told):
            yield told


def _cure(line: str, accounts: Sequence[Account]) -> str:
    """What the agent says to have done about a cause that stands by itself, of the same things."""
    said = _said(line)
    if not line.startswith(_BARE_CAUSE) or not names_cause(line) or "; it then" in line:
        return ""
    if _DOING.search(said):
        return ""  # it says so itself
    names = _named(said)
    for one in reversed(accounts):
        for report in () if one.has_fallen else one.reports:
            is_of_it = len(names & _named(report.said)) >= _SAME_NAMES
            if is_of_it and report.said not in line and _is_done(report.said):
                return f"; then: {code_span(at_a_pause(report.said, _LONGEST_CURE))}"
    return ""


def _named(text: str) -> set[str]:
    """What is named as code is: in ticks, or with signs that no word has."""
    spans = [match[2].strip() for match in SPANS.finditer(text)]
    words = re.findall(r"[\w$./-]*\w[._/]\w[\w./-]*|\b[a-z]+[A-Z]\w+|\w+(?:-\w+){2,}", text)
    parts = (part for one in [*spans, *words] for part in re.findall(r"\w{4,}", one))
    return {part.casefold() for part in parts}


def _heeded(entry: DailyEntry) -> Iterator[str]:
    """What a person objected with a reason, and what the agent did then."""
    lines = entry.lines.get("key_exchanges", [])
    corrections = [line for line in entry.lines.get("lessons", []) if line.startswith(_CORRECTED)]
    count = 0
    for at, (before, line) in enumerate(pairwise(lines), 2):
        match = _ASKED.match(line)
        is_next = before.endswith("(the user objected next)")
        if not is_next or match is None or FELL.search(line) or count >= _MOST_HEEDED:
            continue
        start = said_in(match["asked"]).rstrip("…")[:_ENOUGH]
        known = next((one for one in corrections if _first_said(one).startswith(start)), "")
        told = known.partition(" (the agent had said")[0] or f"{_CORRECTED}{match['asked']}"
        words = _first_said(told)
        is_reasoned = _REASONED.search(words) and len(words.split()) >= _LEAST_WORDS
        # A rule is told as such.
        is_heeded = _speaks_of(match["did"], words) and _is_done(said_in(match["did"]))
        if _is_overtaken(match["did"], lines[at:]):
            continue
        if is_reasoned and is_heeded and not (known and _is_rule(known)):
            count += 1
            yield f"{told}; then the agent: {match['did']}"


def _is_overtaken(reply: str, later: Sequence[str]) -> bool:
    """Whether a later report of the session speaks of the same things: then that stands."""
    others = dropwhile(lambda line: line.startswith("and: "), later)
    words = {word for word in matter_of(reply) if len(word) > _SHORT}
    return any(len(words & matter_of(line)) >= _SAME_THINGS for line in others)


def _is_done(reply: str) -> bool:
    """Whether a reply tells of a change, and does not defend what was there."""
    return _DOING.search(reply) is not None and _DEFENDING.match(reply) is None


def _speaks_of(reply: str, words: str) -> bool:
    """Whether a reply has any telling word of what was objected."""
    plain = reply.casefold()
    return any(word in plain for word in matter_of(words) if len(word) > _SHORT)


def _first_said(line: str) -> str:
    """The words of the first quotation in a line."""
    match = SPANS.search(line)
    return said_in(match[0]) if match else ""


def _last_of_causes(lines: Sequence[str], *, has_edits: bool) -> list[str]:
    """The lines, but of causes that nothing bears out only the last: it was found out since.

    Where something was edited for them, none of them is known to be one.
    """
    causes = [line for line in lines if line.startswith(_BARE_CAUSE) and names_cause(line)]
    if has_edits:
        causes = [line for line in lines if _THEN_EDITED.search(line) or line in causes]
        return [line for line in lines if line not in causes]
    return [line for line in lines if line not in causes[:-1]]


def _said(line: str) -> str:
    """What the agent says in a line."""
    match = SPANS.search(line.partition("agent: ")[2])
    return said_in(match[0]) if match else ""
