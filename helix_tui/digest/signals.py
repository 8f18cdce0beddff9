"""What a session's facts signal: one small function for each thing that may recur."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from helix_tui.digest.behind import in_sequence
from helix_tui.digest.extractor import FIRST_WITH_RUNS
from helix_tui.digest.programs import is_looking, programs_in
from helix_tui.digest.reader.signals import read_turns
from helix_tui.digest.runs.recognise import kind_of
from helix_tui.digest.sandbox import passed_outside
from helix_tui.digest.shape.call import shape_of_text
from helix_tui.digest.steps.result import SLOW_MS
from helix_tui.digest.title.session import session_title
from helix_tui.digest.turns.signals import count_marks, requests
from helix_tui.schema import REST, Digest, ErrorGroup, Facts, Habit, Moment, Recovery, ShapeTally
from helix_tui.schema.signal import LINK, Profile, Signal, SignalName
from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.masks import has_words
from helix_tui.text.signature.naming import is_wrapper
from helix_tui.text.signature.phrases import is_benign_text
from helix_tui.text.signature.signature import classify, template_of


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What stands for a missing part of the machine, and for an edit that did not fit.
_MISSING = frozenset({"command_not_found", "module_not_found"})
# A file that somebody else changed is no fault of the edit.
_MISFITS = frozenset({"edit_no_match", "edit_not_unique"})
_DENIED = frozenset({"permission_denied", "operation_not_permitted"})
_CHECK_OF_CLASS = {
    "lint_error": "lint",
    "type_error": "types",
    "compile_error": "build",
    "test_failure": "test",
}
_REPEATED = 3
_MOST_CITED = 5
_MOST_RUNS = 20
# Asking again until something is ready, or page by page, is how these are used.
_POLLED = _set(
    "sleep gh curl kubectl docker systemctl tail ps git watch wait ping nc pg_isready aws gcloud az"
)
_POLLING_TOOLS = _set(
    "BashOutput TaskOutput Monitor write_stdin wait wait_agent get_task_output TodoWrite"
    " get_terminal_command_output wait_tasks wait_for_process update_plan todo_write TaskList"
    " AskUserQuestion"
)
_COMPACTIONS = 2
# Programs that do in a shell what other agents have a tool for, as they name themselves in errors.
_PROGRAM = re.compile(r"(?:[\w/]{0,40}/)?([a-z]{1,12}): ")
_ACTING_AS = {
    **dict.fromkeys(("cat", "head", "tail", "nl", "less", "more", "wc", "sed", "awk"), "read"),
    **dict.fromkeys(("ls", "find", "rg", "grep", "fd", "tree"), "search"),
}


def signals_of(facts: Facts) -> list[Signal]:
    """Everything that a session signals, in a fixed order."""
    return [signal for rule in RULES for signal in rule(facts)]


def profile_of(digest: Digest) -> Profile:
    """What lists and the quality gate ask of a session; None for what an older one never saw."""
    facts = digest.facts
    has_runs = digest.extractor >= FIRST_WITH_RUNS
    return Profile(
        facts.prompts,
        facts.tasks,
        facts.useful_calls,
        facts.interruptions,
        facts.ended in ("tool_error", "question", "interrupted"),
        facts.failures if has_runs else None,
        facts.checks if has_runs else None,
        session_title(facts),
        digest.left_open,
        [f"{LINK}{name}" for name in facts.links],
        count_marks(facts),
    )


def errors(facts: Facts) -> Iterator[Signal]:
    """Failed calls by what failed; refusals, cascades and answers never were among them."""
    told = [
        _error(facts, name, group, _name_of)
        for name, group in _groups(facts).items()
        if name != REST and not _says_nothing(group)
    ]
    yield from in_sequence(told, facts.recoveries)


def repeated_errors(facts: Facts) -> Iterator[Signal]:
    """The same error three times in one session."""
    for name, group in _groups(facts).items():
        if name != REST and group.count >= _REPEATED and not _says_nothing(group):
            yield _error(facts, name, group, lambda _: "repeated_error")


def ended_in_errors(facts: Facts) -> Iterator[Signal]:
    """Sessions that end in an error; whether work went on elsewhere is not theirs to know.

    Where nobody spoke twice, nobody may have been there to go on.
    """
    group = facts.groups.get(facts.last_group)
    is_left = facts.ended == "tool_error" and facts.prompts > 1
    if is_left and group is not None and facts.last_group != REST:
        cited = _cited(facts, facts.last_group, group)
        yield Signal(
            "abandoned",
            subject="error",
            first_ts=group.last_ts,
            last_ts=group.last_ts,
            fingerprints=cited[-1:],
            text=group.line,
        )


def open_questions(facts: Facts) -> Iterator[Signal]:
    """Sessions that end with a question to a person who had answered before."""
    if facts.ended == "question" and facts.prompts > 1:
        yield Signal(
            "abandoned",
            subject="question",
            first_ts=facts.last_ts,
            last_ts=facts.last_ts,
            fingerprints=[facts.last_reply_fingerprint],
            text=facts.ended_text,
        )


def retry_loops(facts: Facts) -> Iterator[Signal]:
    """The same action with the same output again and again; polling and paging are meant so."""
    for moment in facts.loops:
        tool_class, _, about = moment.about.partition("\n")
        if not about or about.split()[0] in _POLLED or about in _POLLING_TOOLS:
            continue
        # Looking twice at what is on disk is a habit; three times in a row is a loop.
        yield _moment("retry_loop", moment, tool_class=tool_class, subject=about)


def edit_test_fixes(facts: Facts) -> Iterator[Signal]:
    """Edited, and the same check red, three times and more without a green one between."""
    for moment in facts.fixes:
        yield _moment("edit_test_fix", moment, subject=moment.about)


def policy_refusals(facts: Facts) -> Iterator[Signal]:
    """Calls that rules of a sandbox or a hook refused; often by design."""
    if facts.policy_refusals:
        yield Signal("permission_policy", count=facts.policy_refusals, first_ts=facts.first_ts)


def user_corrections(facts: Facts) -> Iterator[Signal]:
    """What a model read in turns; of digests without turns, what was heard by its words alone."""
    yield from read_turns(facts)
    if facts.turns:
        return
    for moment in facts.corrections:
        yield _moment("user_correction", moment, template=moment.about)
    for moment in facts.reactions:
        yield _moment("user_reaction", moment)


def error_persistences(facts: Facts) -> Iterator[Signal]:
    """A person says after a claim of done that it is still wrong; turns tell it otherwise."""
    for moment in facts.persistences if not facts.turns else ():
        yield _moment("error_persistence", moment)


def false_claims(facts: Facts) -> Iterator[Signal]:
    """A claim of done, and a check that fails before anything else was edited."""
    for moment in facts.false_claims:
        yield _moment("false_claim", moment, subject=moment.about)


def interruptions(facts: Facts) -> Iterator[Signal]:
    """A person stopped the agent; what it was doing stands for why."""
    for moment in facts.interrupted:
        programs = programs_in(moment.text[2:]) if moment.text.startswith("$ ") else ()
        about = programs[-1] if programs else moment.text.partition(" ")[0]
        if about:
            yield _moment("interruption", moment, subject=about)


def compactions(facts: Facts) -> Iterator[Signal]:
    """A context that was full more than once; a long healthy session may fill it once."""
    if facts.compactions >= _COMPACTIONS and facts.compacted:
        first = facts.compacted[0]
        yield Signal(
            "compaction",
            count=facts.compactions,
            first_ts=first.ts,
            last_ts=facts.compacted[-1].ts,
            fingerprints=[first.fingerprint],
        )


def api_errors(facts: Facts) -> Iterator[Signal]:
    """The model could not be reached or would not answer."""
    for moment in facts.api_failures:
        error_class, subject = classify(moment.text)
        yield _moment(
            "api_error",
            moment,
            error_class=error_class,
            subject=subject,
            template=template_of(moment.text) if is_open(error_class) else "",
        )


def slow_commands(facts: Facts) -> Iterator[Signal]:
    """How long commands took that took long; what is long for them, other sessions know."""
    runs: dict[str, list[int]] = {}
    said: dict[str, str] = {}
    for command, tally in facts.commands.items():
        programs = programs_in(command) if tally.timed else ()
        if programs:
            name = programs[-1]
            rest = tally.timed - 1
            mean = (tally.total_ms - tally.longest_ms) // rest if rest else 0
            times = runs.setdefault(name, [])
            if tally.longest_ms >= max(times, default=0):
                said[name] = command
            times += [tally.longest_ms, *[mean] * rest]
    for name, times in runs.items():
        longest = max(times)
        if longest >= SLOW_MS:
            cited = [one for one in facts.slow if name in programs_in(one.text[2:])[-1:]]
            cited.sort(key=lambda one: (-one.ms, one.fingerprint))
            began, ended = (cited[0].ts,) * 2 if cited else (facts.first_ts, facts.last_ts)
            yield Signal(
                "slow_command",
                subject=name,
                count=1,
                first_ts=began,
                last_ts=ended,
                ms=longest,
                fingerprints=[one.fingerprint for one in cited[:1]],
                text=f"$ {said[name]}",
                values=sorted(times, reverse=True)[:_MOST_RUNS],
            )


def recoveries(facts: Facts) -> Iterator[Signal]:
    """An error, a changed action, and then the same thing passes."""
    groups = _groups(facts)
    for found in facts.recoveries:
        group = groups.get(found.group)
        if group is not None and found.group != REST and not _says_nothing(group):
            yield _recovery(facts, group, found)
    overcome = {found.group for found in facts.recoveries}
    for name, group in groups.items():
        cited = _cited(facts, name, group) if name not in overcome and name != REST else []
        if cited and (outside := passed_outside(facts, name, group, cited[-1])):
            yield _recovery(facts, group, outside)


def first_passes(facts: Facts) -> Iterator[Signal]:
    """Edited, and the check green at once, with no correction after it."""
    for program, moment in facts.first_passes.items():
        yield _moment("first_pass", moment, subject=program)


def kept_work(facts: Facts) -> Iterator[Signal]:
    """Work that was committed and not taken back in the same session."""
    if facts.commits > facts.reverts and facts.kept:
        last = facts.kept[-1]
        yield _moment("kept_work", last, count=facts.commits - facts.reverts)


RULES: tuple[Callable[[Facts], Iterable[Signal]], ...] = (
    errors,
    repeated_errors,
    ended_in_errors,
    open_questions,
    retry_loops,
    edit_test_fixes,
    policy_refusals,
    user_corrections,
    error_persistences,
    requests,
    false_claims,
    interruptions,
    compactions,
    api_errors,
    slow_commands,
    recoveries,
    first_passes,
    kept_work,
)


def _groups(facts: Facts) -> dict[str, ErrorGroup]:
    """The errors by group; what an older extractor made has only examples of them."""
    if facts.groups or facts.planned_reds or not facts.errors:
        return facts.groups
    groups: dict[str, ErrorGroup] = {}
    for error in facts.errors:
        command = error.call[2:] if error.call.startswith("$ ") else ""
        kind = "shell" if command else "other"
        count = facts.error_groups.get(error.group, 1)
        groups.setdefault(
            error.group,
            ErrorGroup(error.line, kind, error.exit_code, command, count, error.ts, error.ts),
        )
    return groups


def _name_of(error_class: str) -> SignalName:
    if error_class in _MISSING:
        return "env_missing"
    if error_class in _MISFITS:
        return "edit_mismatch"
    return "permission" if error_class in _DENIED else "tool_error"


def _error(
    facts: Facts, name: str, group: ErrorGroup, name_of: Callable[[str], SignalName]
) -> Signal:
    error_class, subject = classify(group.line, group.tool_class, group.exit_code, group.command)
    return Signal(
        name_of(error_class),
        _acting(group),
        error_class,
        subject,
        _template(group) if is_open(error_class) else "",
        group.count,
        group.first_ts,
        group.last_ts,
        group.chars,
        group.ms,
        _cited(facts, name, group)[:_MOST_CITED],
        group.line,
        f"$ {group.command}" if group.command else "",
        shape=_shape_of(group),
        shapes=group.shapes,
        check=(kind := _check_of(facts, name, group, error_class)),
        step=shape_of_text(_shape_of(group)).base if kind else "",
        hint=group.hint,
        hinted=group.hinted,
        late=_count_late(facts, name, group) if kind else 0,
    )


def _count_late(facts: Facts, name: str, group: ErrorGroup) -> int:
    """How many failures of a check were seen behind a claim of done or a commit."""
    late = {one.fingerprint for one in facts.false_claims} | set(facts.reds_behind_commits)
    return len(late.intersection(_cited(facts, name, group))) if late else 0


def _check_of(facts: Facts, name: str, group: ErrorGroup, error_class: str) -> str:
    """The kind of check that a group of errors failed, by its runs or by what it said.

    A script that is named a check runs several; it is one step, whichever of them was red.
    """
    cited = set(_cited(facts, name, group))
    red = (one for one in facts.runs if one.fingerprint in cited and one.state == "failed")
    kind = next((run.kind for run in red if run.kind != "git"), None)
    found = kind or _CHECK_OF_CLASS.get(error_class, "")
    is_of_several = kind_of(shape_of_text(_shape_of(group)).script) == "check"
    return "check" if found and is_of_several else found


def _cited(facts: Facts, name: str, group: ErrorGroup) -> list[int]:
    """The events of a group's errors, as far as they are kept; a planned one is none.

    Without any, a copy of the session could not be told from it.
    """
    kept = [one.fingerprint for one in facts.errors if one.group == name and not one.is_planned]
    return kept or ([group.fingerprint] if group.fingerprint else [])


def _acting(group: ErrorGroup) -> str:
    """The kind of tool that failed: a shell that was only used to read is a reader."""
    if group.tool_class == "shell" and (found := _PROGRAM.match(group.line)):
        return _ACTING_AS.get(found[1], "shell")
    return group.tool_class


def _says_nothing(group: ErrorGroup) -> bool:
    """Whether a command only said no: most that exit with 1 and print nothing did their work."""
    said = group.line
    return group.exit_code in (None, 1) and (not said or is_wrapper(said) or is_benign_text(said))


def _template(group: ErrorGroup) -> str:
    """The template of an error; where nothing was said, the program and its exit code."""
    template = template_of(group.line)
    if has_words(template) and not is_wrapper(group.line):
        return template
    programs = [name for name in programs_in(group.command) if not is_looking(name)]
    return f"`{programs[-1] if programs else group.command[:40]}` exit {group.exit_code}"


def _recovery(facts: Facts, group: ErrorGroup, found: Recovery) -> Signal:
    ran = facts.shapes.get(found.shape, ShapeTally())
    habit = facts.habits.get(shape_of_text(found.shape).base, Habit())
    error_class, subject = classify(group.line, group.tool_class, group.exit_code, group.command)
    return Signal(
        "recovery",
        _acting(group),
        error_class,
        subject,
        _template(group) if is_open(error_class) else "",
        found.count,
        found.ts,
        found.ts,
        fingerprints=[found.fingerprint],
        text=found.remedy,
        before=group.line,
        verb=found.verb,
        shape=found.shape or _shape_of(group),
        shapes=group.shapes,
        failed=found.failed,
        passed=found.passed,
        change=found.change,
        tries=ran.runs,
        fails=ran.failed,
        usual=habit.changes.get(found.change, 0),
        pairs=habit.pairs,
        check=(kind := _check_of(facts, found.group, group, error_class)),
        step=shape_of_text(_shape_of(group)).base if kind else "",
        is_further=found.is_further,
        fixer=found.fixer,
        again=found.again,
        warned=found.warned,
    )


def _shape_of(group: ErrorGroup) -> str:
    """The action that mostly ended in an error."""
    known = [(-count, shape) for shape, count in group.shapes.items() if shape != REST]
    return min(known)[1] if known else ""


def _moment(
    name: SignalName,
    moment: Moment,
    *,
    tool_class: str = "",
    error_class: str = "",
    subject: str = "",
    template: str = "",
    count: int | None = None,
) -> Signal:
    return Signal(
        name,
        tool_class,
        error_class,
        subject,
        template,
        moment.count if count is None else count,
        moment.ts,
        moment.ts,
        moment.chars,
        moment.ms,
        [moment.fingerprint],
        moment.text,
        moment.before,
    )
