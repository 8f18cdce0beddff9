"""Takes down, event by event, what is open if a session ends here."""

from __future__ import annotations

from helix_tui.digest.closing import blocked_in
from helix_tui.digest.correction_words import is_persistence
from helix_tui.digest.harness_failures import HarnessFailure
from helix_tui.digest.programs import changes_files, is_looking, programs_in, verb_of
from helix_tui.digest.state import Pending
from helix_tui.digest.tasks import is_task
from helix_tui.schema import Ending, Facts
from helix_tui.text.holding import may_hold
from helix_tui.text.lazy import lazy
from helix_tui.text.signature.signature import class_in

_LENGTH = 200
_MOST = 5
_SHORT = 140
_EXAMINED = 8192
# What a person says themselves stands before and behind what they paste.
_OWN = 500
# Something is made a todo or an issue of, to be done another time.
_PUT_OFF = lazy(
    r"(?i)\b(?:add|create|make|write|open|log|file|capture|put|save|raise)\b[^.\n]{0,40}"
    r"\b(?<!umbrella )(?<!parent )(?<!epic )(?<!tracking )"
    r"(?:todo|to-do|issue|ticket|follow[- ]?up|backlog|improvement|enhancement)\b"
    r"|\bfollow[- ]?up (?:pr|issue|task)\b"
    r"|\b(?:let'?s|we(?:'ll| will| can| should)|i(?:'ll| will)) (?:\w{1,12} ){0,2}"
    r"(?:do|handle|fix|tackle|address|leave) (?:this|that|it|the rest)[^.\n]{0,20}\blater\b"
    r"|\b(?:park|defer|postpone) (?:this|that|it)\b"
)
_COMMIT = lazy(
    r"(?i)(?:^|[.;,!?\n]|\b(?:and|then|please|now|ok|okay|yes|let'?s|can you|could you|also"
    r"|go ahead|just|to))\s{0,4}(?:git )?"
    r"(?:commit|push|(?:open|create|make|submit) (?:a |the )?(?:pr|pull request))"
    r"\b(?! (?:hash|message|history|id|is|was|that|hook|notification|button))"
)
# Commits are wanted again and again.
_ALWAYS = lazy(
    r"(?i)\bcommit\b[^.\n]{0,30}\b(?:as (?:you|we) (?:go|work|progress)"
    r"|(?:after|for) (?:each|every)|regularly|often|frequently|along the way|step by step)\b"
)
_NOT = lazy(r"(?i)\b(?:don'?t|do not|never|without|not) (?:\w{1,20} ){0,3}(?:commit|push)")
# The same of a push, wherever in a brief it stands.
_NO_PUSH = lazy(
    r"(?i)\b(?:don'?t|do not|never|without|no|ignore|skip|stop|hold off(?: on)?|instead of)\b"
    r"[*_]{0,2} (?:\w{1,20},? ){0,3}push"
)
_PUSHED = lazy(
    r"(?i)\b(?:i(?:'ve| have|'ll| will)? (?:\w{1,12} )?push(?:ed)?|pushed (?:it|them) myself)\b"
)
_MERGE = lazy(
    r"(?i)\b(?:(?:get|have) (?:it|this|that|the pr|them) merged|merge (?:it|this|that|the pr"
    r"|the pull request)\b(?! (?:conflict|into my|commit)))"
)
_MERGES = ("gh pr merge", "git merge", "glab mr merge")
# Somebody wants a push, or a release, which takes one.
_PUSH = lazy(
    r"(?i)(?:^|[.;,!?\n]|\b(?:and|then|please|now|ok|okay|yes|let'?s|can you|could you|also"
    r"|go ahead|just|to))\s{0,4}(?:git )?"
    r"(?:push(?! (?:back|notification|button|event|to (?:a|an) ))"
    r"|release (?:version |v)?\d|publish (?:it|this|the (?:package|release)|version)"
    r"|(?:make|create|cut|do) (?:a|the) (?:new )?release)\b"
)
_PUSH_WORDS = ("push", "release", "publish")
# Nothing but a no.
_TURNED_DOWN = lazy(
    r"(?i)(?:no+|na+h+|nope|never ?mind|forget (?:it|that)|stop(?: it| that)?|don'?t)"
    r"(?:[\s,.!]{1,3}(?:no+|na+h+|nope|never ?mind|forget it|thanks?|stop|don'?t)){0,3}[\s.!]{0,3}"
)
# Style sheets, manifests and settings: what is written in them word by word, no check tells.
# What runs something, as workflows and services in YAML do, is code.
_PLAIN = lazy(
    r"(?i)(?:\.(?:css|scss|sass|less|json|jsonc|ini|properties|editorconfig)"
    r"|(?:^|/)\.(?:[a-z]{1,20}ignore|gitattributes|env\.(?:example|sample)|nvmrc|npmrc))$"
)
# What was done works, said within a message that goes on with something else.
_ACCEPTED = lazy(
    r"(?i)\b(?:(?:it|that|this|everything|all)(?:'?s| is| all)? (?:now )?(?:works?|working|fine"
    r"|fixed|solved|good) now|everything works)\b"
    r"(?!\W{0,4}but\b(?!.{0,40}\b(?:another|anotehr|new|other|different|next)\b))"
    r"|\b(?:does|did) the (?:job|trick)\b"
)
_HALF_ACCEPTED = lazy(r"(?i)\b(?:does|did) the (?:job|trick)\b\W{0,4}but\b")
_ACCEPTED_WORDS = ("works", "working", "fine", "fixed", "solved", "good", "job", "trick")
# What a prompt with a pasted failure holds; most do not, and reading it closely is dear.
_TROUBLE = lazy(r"(?i)error|fail|exception|traceback|panic|denied|not found|cannot|can'?t")
_PASTED = lazy(
    r"(?m)^\s{0,12}(?:[A-Za-z][\w.]{1,80}(?:Error|Exception): \S|Traceback \(most recent"
    r"|error(?:\[\w{1,20}\])?: \S|thread '[^'\n]{1,80}' panicked|panic: |npm ERR!|FAILED \S"
    r"|--- FAIL: )"
)
_DISPLEASED = lazy(
    r"(?i)\b(?:still (?:not|fail\w{0,4}|broken|doesn'?t|the same|see(?:ing)?|get(?:ting)?|there)"
    r"|same (?:error|problem|issue)|doesn'?t (?:seem to )?work|didn'?t work|not working"
    r"|(?:is|are) (?:now )?(?:failing|broken|unhappy)|not being \w{3,20}"
    r"|it (?:now )?(?:crashes|fails|breaks|hangs)|(?:crashes|fails|breaks|hangs) now)\b"
)
# Nothing but praise: what goes on with a request tells nothing of the work before it.
_PRAISE = lazy(
    r"(?i)\W{0,8}(?=.{0,40}\b(?:thank|perfect|great|awesome|excellent|nice|lgtm|good|works|love"
    r"|well done|amazing|cool))"
    r"(?:(?:ok(?:ay)?|yes|yep|thanks?|you|so|very|much|a|lot|perfect(?:ly)?|great"
    r"|awesome|excellent|nice|cool|lgtm|looks?|good|it|that|this|all|is|now|works?|working|well|done"
    r"|job|work|love|amazing|sounds|fine|super|again)\b\W{0,4}){1,12}$"
)
_DOCUMENT = lazy(
    r"(?i)(?:\.(?:md|mdx|markdown|txt|rst|adoc|org|tex|docx?|pdf|csv|tsv|license)"
    r"|(?:^|/)(?:readme|changelog|license|licence|notice|authors|codeowners|contributing|todo)[^/]{0,20})$"
)
_NOTHING_TRIED = frozenset(
    {"mkdir", "mv", "cp", "rm", "touch", "chmod", "ln", "gh", "git", "kill", "pkill", "open"}
)
# How a turn ends that nobody closed; what took more calls than a look was begun, at least.
_OPEN = ("prompt", "tool_call", "tool_result", "tool_error")
_FEW_CALLS = 3
_FEW_WORDS = 2
_REFUSING = ("permission", "sandbox", "hook")
# Words of which a text has one wherever the expression fits: looking for these costs far less.
_PUT_OFF_WORDS = (
    *("todo", "to-do", "issue", "ticket", "follow", "backlog", "later", "park", "defer"),
    *("postpone", "improvement", "enhancement"),
)
_COMMIT_WORDS = ("commit", "push", "pr", "pull request")
_DISPLEASED_WORDS = (
    *("still", "same", "work", "failing", "broken", "unhappy", "being", "crashes", "fails"),
    *("breaks", "hangs"),
)
_TROUBLE_WORDS = (
    *("error", "fail", "exception", "traceback", "panic", "denied"),
    *("not found", "cannot", "can't", "cant"),
)


def note_prompt(facts: Facts, text: str, kept: str, *, follows_work: bool) -> None:
    """Takes a prompt; `kept` is what of it may be kept."""
    ending = facts.ending
    line = " ".join(kept[:_LENGTH].split())
    ending.not_permitted = []
    own = text if len(text) < 2 * _OWN else f"{text[:_OWN]}\n{text[-_OWN:]}"
    has_room = facts.prompts > 1 and len(ending.put_off) < _MOST
    if has_room and may_hold(own, _PUT_OFF_WORDS) and _PUT_OFF.search(own):
        # `add a todo for that` says what only together with what was asked before.
        about = f" ({ending.last_task})" if len(line) < _SHORT and ending.last_task else ""
        ending.put_off.append(f"{line}{about}"[:_LENGTH])
        ending.wants_filing = True
    if is_task(text) and len(text.split()) > 1:
        ending.last_task = line
        ending.tasks_since_list += 1
    whole = text[:_EXAMINED]
    if may_hold(whole, ("push",)) and (_NO_PUSH.search(whole) or _PUSHED.search(whole)):
        ending.is_push_forbidden = True
    if may_hold(own, ("merge",)) and _MERGE.search(own):
        ending.merge_request = "asked"
    if may_hold(own, _COMMIT_WORDS) and _COMMIT.search(own) and not _NOT.search(own):
        is_always = ending.commit_request == "always" or _ALWAYS.search(own) is not None
        ending.commit_request = "always" if is_always else "asked"
    if may_hold(own, _PUSH_WORDS) and _PUSH.search(own) and not _NO_PUSH.search(own):
        ending.push_request = "asked"
    if not follows_work:
        return
    if is_praise(kept) or accepts(own):
        ending.reports, ending.last_report = 0, ""
        ending.is_half_accepted = _HALF_ACCEPTED.search(own) is not None
    if is_report(text):
        ending.reports += 1
        ending.last_report, ending.requests_since_report = line, 0
    elif ending.reports:
        _note_no_complaint(ending, text, own)


def _note_no_complaint(ending: Ending, text: str, own: str) -> None:
    """Takes a prompt behind a report that does not repeat it, when the agent had done something.

    Who goes on to other things, or has the work committed, has seen that it works now.
    """
    wants_commit = may_hold(own, _COMMIT_WORDS) and _COMMIT.search(own) and not _NOT.search(own)
    # What is pasted may be a failure in words that nobody knows.
    is_going_on = (
        is_task(text)
        and len(text.split()) > _FEW_WORDS
        and not may_hold(text[:_EXAMINED], _TROUBLE_WORDS)
    )
    ending.requests_since_report += is_going_on
    if (wants_commit and not may_hold(own, _TROUBLE_WORDS)) or ending.requests_since_report > 1:
        ending.reports, ending.last_report = 0, ""


def note_turned_down(ending: Ending, text: str, *, follows: bool) -> None:
    """Takes a prompt that is nothing but a no to what the agent said, and had not asked."""
    if follows and _TURNED_DOWN.fullmatch(text.strip()):
        ending.is_turned_down = True
    elif is_praise(text):
        ending.is_turned_down = False


def note_unanswered(facts: Facts) -> None:
    """Keep the request before a prompt that has just come, where hardly anything came of it."""
    ending = facts.ending
    if facts.ended not in _OPEN or facts.calls_since_prompt > _FEW_CALLS:
        ending.unanswered = []
    elif ending.last_task and ending.last_task not in ending.unanswered:
        ending.unanswered = [*ending.unanswered, ending.last_task][-_MOST:]


def note_blocked(facts: Facts, reply: str) -> None:
    """Takes the reply that ends a turn, where it reports the task as blocked."""
    report = blocked_in(reply)
    if report and len(facts.ending.blocked) < _MOST:
        facts.ending.blocked.append(f"{facts.asked_title}: {report}"[:_LENGTH])


def accepts(text: str) -> bool:
    """Whether a prompt says, among other things, that what was done works."""
    return may_hold(text, _ACCEPTED_WORDS) and _ACCEPTED.search(text) is not None


def is_report(text: str) -> bool:
    """Whether a prompt says, or shows by what it pastes, that something does not work."""
    if is_displeased(text):
        return True
    shown = text[:_EXAMINED]
    if not may_hold(shown, _TROUBLE_WORDS) or _TROUBLE.search(shown) is None:
        return False
    return _PASTED.search(shown) is not None or bool(class_in(shown, "shell"))


def is_displeased(text: str) -> bool:
    """Whether a prompt says in words that something does not work, or still does not."""
    shown = text[:_EXAMINED]
    is_displeased = may_hold(shown, _DISPLEASED_WORDS) and _DISPLEASED.search(shown) is not None
    return is_displeased or is_persistence(text)


def is_praise(text: str) -> bool:
    """Whether a prompt is nothing but content with the work."""
    return _PRAISE.match(text) is not None


def is_document(file: str) -> bool:
    """Whether a file is text for people, of which no check tells whether it is right."""
    return _DOCUMENT.search(file) is not None


def note_refusal(ending: Ending, call: Pending | None, *, is_policy: bool) -> None:
    """Takes a call that the person refused, or rules that were set before."""
    if call is None:
        return
    if is_policy:
        _note_not_permitted(ending, call)
    elif call.tool_class == "edit" or changes_files(call.command):
        ending.refused_change = call.summary[:_LENGTH]


def note_harness_failure(ending: Ending, call: Pending, failure: HarnessFailure) -> None:
    """Takes what a harness did not carry out, in its own words."""
    if failure.kind in _REFUSING:
        _note_not_permitted(ending, call)


def _note_not_permitted(ending: Ending, call: Pending) -> None:
    summary = call.summary[:_LENGTH]
    if summary not in ending.not_permitted and len(ending.not_permitted) < _MOST:
        ending.not_permitted.append(summary)


def note_success(ending: Ending, call: Pending) -> None:
    """Takes a call that did what it was for."""
    if ending.not_permitted:
        name = _acts_by(call.summary)
        ending.not_permitted = [one for one in ending.not_permitted if _acts_by(one) != name]
    if ending.merge_request == "asked" and any(name in call.command for name in _MERGES):
        ending.merge_request = "done"
    if call.tool_class == "edit":
        ending.refused_change = ""
        ending.changes += 1
        ending.edits_since_commit += 1
        ending.is_turned_down, ending.blocked = False, []
        if is_document(call.file):
            ending.document_edits += 1
        else:
            ending.code_edits += 1
            ending.plain_edits += _PLAIN.search(call.file) is not None
            ending.tries = 0
    elif call.command and ending.code_edits and _tries_out(call.command):
        ending.tries += 1


def _acts_by(summary: str) -> str:
    """The program or the tool of a call, by its summary."""
    if summary.startswith("$ "):
        return next(iter(programs_in(summary[2:])), "")
    return summary.partition(" ")[0]


def _tries_out(command: str) -> bool:
    """Whether a command runs what was built, and does not only look or move files about."""
    return any(
        not is_looking(program)
        and program.partition(" ")[0] not in _NOTHING_TRIED
        and verb_of(program) not in ("install", "format")
        for program in programs_in(command)
    )


def note_check(ending: Ending, *, has_passed: bool) -> None:
    """Takes what a check came to."""
    ending.code_edits = ending.document_edits = ending.plain_edits = ending.tries = 0
    if has_passed:
        ending.reports, ending.last_report = 0, ""
        ending.is_half_accepted = False


def note_commit(ending: Ending) -> None:
    """Takes a commit, or a push, that git says was made."""
    if ending.commit_request != "always":
        ending.commit_request = "done"
    ending.refused_change = ""
    ending.is_turned_down, ending.blocked = False, []
    ending.changes += 1
    ending.edits_since_commit = 0


def merged_ending(early: Facts, late: Facts) -> Ending:
    """What is open of two parts: the late one decides wherever it has something to say."""
    one, two = early.ending, late.ending
    is_checked = late.last_check_passed is not None
    return Ending(
        two.closing if late.last_reply else one.closing,
        two.last_task or one.last_task,
        one.open_tasks if two.open_tasks is None else two.open_tasks,
        [*one.put_off, *two.put_off][:_MOST],
        "always"
        if "always" in (one.commit_request, two.commit_request)
        else two.commit_request or one.commit_request,
        two.refused_change or ("" if two.changes else one.refused_change),
        two.not_permitted if late.prompts else [*one.not_permitted, *two.not_permitted][:_MOST],
        two.code_edits + (0 if is_checked else one.code_edits),
        two.document_edits + (0 if is_checked else one.document_edits),
        one.changes + two.changes,
        two.edits_since_commit + (0 if late.commits else one.edits_since_commit),
        two.tries + (0 if two.code_edits or is_checked else one.tries),
        two.reports + (0 if late.checks_passed else one.reports),
        two.last_report or ("" if late.checks_passed else one.last_report),
        two.tasks_since_list + (one.tasks_since_list if two.open_tasks is None else 0),
        two.unanswered if late.prompts else [*one.unanswered, *two.unanswered][:_MOST],
        one.is_push_forbidden or two.is_push_forbidden,
        two.merge_request or one.merge_request,
        two.requests_since_report + (0 if two.reports else one.requests_since_report),
        two.plain_edits + (0 if is_checked else one.plain_edits),
        two.is_turned_down or (one.is_turned_down and not two.changes),
        two.wants_filing or one.wants_filing,
        two.push_request or one.push_request,
        two.blocked if two.changes else [*one.blocked, *two.blocked][:_MOST],
        two.is_half_accepted or (one.is_half_accepted and not late.checks_passed),
    )
