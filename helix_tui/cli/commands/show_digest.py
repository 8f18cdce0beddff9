"""A session's digest in a few lines that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from helix_tui.agent_homes import agent_name
from helix_tui.cli.output import screen_width
from helix_tui.text.human import duration, human_bytes, human_usd, plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine.context.session_exposure import SessionExposure
    from helix_tui.schema import CommandTally, Cost, Digest, ErrorFact, Facts, Session

_LABEL = 11
_TOOLS = 8
_COMMANDS = 6
_FILES = 6
_ERRORS = 5
_MOMENTS = 3
_MARKS = 8
_SKIPPED = "call skipped after another failed"
_EXPOSED = {
    "observed_yes": "saw",
    "observed_no": "did not see",
    "assumed_yes": "probably saw",
    "assumed_no": "probably did not see",
    "unknown": "may have seen",
}
_ENDED = {
    "reply": "with the agent's reply",
    "question": "with the agent's question",
    "prompt": "with a prompt that was not answered",
    "tool_call": "within a tool call",
    "tool_result": "after a tool call, without a reply",
    "tool_error": "with a failed tool call",
    "refused": "with a tool call that was refused",
    "interrupted": "interrupted by the person",
    "api_error": "with an error of the API",
    "compaction": "with a compaction",
}


def print_digest(
    session: Session, digest: Digest | None, domain: str | None, exposure: SessionExposure
) -> None:
    """What a session was about, what happened in it, and how it ended."""
    for label, text in _lines(session, digest, domain, exposure):
        _print(label, text)


def _lines(
    session: Session, digest: Digest | None, domain: str | None, exposure: SessionExposure
) -> Iterator[tuple[str, str]]:
    cost = session.cost
    where = f"{session.repo or '-'}{f' ({domain})' if domain else ''}"
    branch = f" on {session.branch}" if session.branch else ""
    model = f", {session.model}" if session.model else ""
    yield "title", session.title or ""
    yield "session", session.id
    if session.conversation not in (None, session.id, session.parent):
        yield "goes on", f"with {session.conversation}"
    if session.parent:
        yield "parent", session.parent
    yield "repo", f"{where}{branch}{model}"
    if session.agent_version:
        yield "agent", f"{agent_name(session.flavor)} {session.agent_version}"
    yield "folder", session.cwd or ""
    given = session.instructions
    if given.state != "unknown":
        size = f", {plural(given.bytes or 0, 'byte')}" if given.texts else ""
        cut = f", cut at {given.cut:,}" if given.cut is not None else ""
        yield "told", f"instructions {given.state}{size}{cut}: {', '.join(exposure.proofs[:3])}"
    elif exposure.proofs:
        yield "told", f"instructions {', '.join(exposure.proofs[:3])}"
    for seen in exposure.lines:
        where = f"{seen.line.file}:{seen.line.line}"
        yield "", f"{_EXPOSED[seen.exposure.state]} {where}: {_short(seen.line.text, 120)}"
        yield "", f"   by {seen.exposure.proof}"
    yield "time", _time(session, digest.facts if digest else None)
    if digest is not None:
        yield from _facts(session, digest)
    elif session.events:
        yield "digest", "none yet: the next sweep makes it, or says why it cannot"
    if not any((cost.input, cost.output, cost.cache_read, cost.cache_write)):
        yield "tokens", "none on record"
    else:
        yield (
            "tokens",
            f"{cost.input:,} in, {cost.output:,} out, {cost.cache_read:,} from cache, "
            f"{cost.cache_write:,} to cache",
        )
    if cost.usd_priced is not None or cost.unpriced_tokens:
        yield "cost", _cost(cost)
    yield "stored", _stored(session)


def _facts(session: Session, digest: Digest) -> Iterator[tuple[str, str]]:
    from helix_tui.text.redact import redact

    facts, verdict = digest.facts, digest.verdict
    asked = "asked" if session.parent is None else "told"
    if facts.first_prompt:
        yield asked, _quoted(facts.first_prompt)
    if facts.prompts > 1 and facts.last_prompt != facts.first_prompt:
        yield "last", f"({plural(facts.prompts, 'prompt')}) {_quoted(facts.last_prompt)}"
    if facts.ended:
        last_text = facts.last_reply if facts.ended == "reply" else facts.ended_text
        yield "ended", f"{_ENDED[facts.ended]}{f': {_quoted(last_text)}' if last_text else ''}"
    sure = "" if verdict.confidence is None else f" ({verdict.confidence:.0%} sure)"
    yield "outcome", f"{verdict.outcome}{sure}: {verdict.reason}"
    if digest.left_open is None:
        yield "left open", "not on record: an older version made this digest, and the log is gone"
    else:
        yield from _labelled("left open", (_short(entry, 220) for entry in digest.left_open))
    yield "", ""
    yield "tools", _tools(facts)
    yield from _labelled("commands", _commands(facts))
    yield "files", _files(facts, f"{redact(session.cwd)}/" if session.cwd else "/")
    yield from _labelled("errors", _errors(facts))
    yield from _labelled("loops", (f"{item.count}x {item.text}" for item in facts.loops[:_MOMENTS]))
    yield from _labelled("said", _marks(facts))
    yield "also", _also(facts)
    if not digest.is_exact:
        yield "note", "inexact: some of its events were gone before they could be counted again"
    yield "", ""


def _time(session: Session, facts: Facts | None) -> str:
    start, end = (
        (iso(ts) or "-")[:16].replace("T", " ") for ts in (session.first_ts, session.last_ts)
    )
    if session.first_ts is None or session.last_ts is None:
        return "unknown"
    wall = session.last_ts - session.first_ts
    if not wall and session.events > 1:
        return f"{start} UTC; only its beginning has a time"
    span = f"{start} to {end[11:] if end[:10] == start[:10] else end} UTC, {duration(wall / 1000)}"
    return span if facts is None else f"{span}, {duration(facts.active_ms / 1000)} of it active"


def _tools(facts: Facts) -> str:
    by_calls = sorted(facts.tools.items(), key=lambda item: (-item[1].calls, item[0]))
    tools = [
        f"{name or 'others'} {tally.calls:,}{f' ({tally.errors:,} failed)' if tally.errors else ''}"
        for name, tally in by_calls[:_TOOLS]
    ]
    return _with_rest(", ".join(tools), len(by_calls) - _TOOLS)


def _commands(facts: Facts) -> Iterator[str]:
    """The commands that failed first, then the longest, then the most frequent."""

    from helix_tui.schema import REST

    def weight(item: tuple[str, CommandTally]) -> tuple[int, int, int, str]:
        name, tally = item
        return -tally.failures, -tally.total_ms, -tally.runs, name

    named = {name: tally for name, tally in facts.commands.items() if name != REST}
    by_weight = sorted(named.items(), key=weight)
    for name, tally in by_weight[:_COMMANDS]:
        parts = [plural(tally.runs, "run")]
        if tally.failures:
            codes = ", ".join(f"{code}" for code in sorted(tally.exit_codes) if code)
            parts.append(f"{tally.failures:,} failed{f' with {codes}' if codes else ''}")
        if tally.timed:
            longest = f", longest {duration(tally.longest_ms / 1000)}" if tally.timed > 1 else ""
            parts.append(f"{duration(tally.total_ms / 1000)}{longest}")
        yield f"$ {_short(name, 72)}  ({'; '.join(parts)})"
    runs = sum(tally.runs for tally in facts.commands.values())
    unlisted = runs - sum(tally.runs for _, tally in by_weight[:_COMMANDS])
    if unlisted:
        yield f"and {plural(unlisted, 'run')} of others"


def _files(facts: Facts, folder: str) -> str:
    edited = sorted(
        ((name, tally) for name, tally in facts.files.items() if tally.edits),
        key=lambda item: (-item[1].edits, item[0]),
    )
    read = sum(1 for tally in facts.files.values() if tally.reads)
    files = ", ".join(
        f"{name.removeprefix(folder) or 'others'}{f' ({tally.edits}x)' if tally.edits > 1 else ''}"
        for name, tally in edited[:_FILES]
    )
    parts = [f"edited {_with_rest(files, len(edited) - _FILES)}"] if edited else []
    parts += [f"read {plural(read, 'file')}"] if read else []
    return "; ".join(parts)


def _errors(facts: Facts) -> Iterator[str]:
    groups: dict[str, list[ErrorFact]] = {}
    for error in facts.errors:
        groups.setdefault(error.group, []).append(error)
    ranked = sorted(groups.items(), key=lambda item: (-facts.error_groups.get(item[0], 0), item[0]))
    for group, errors in ranked[:_ERRORS]:
        count = facts.error_groups.get(group, len(errors))
        times = f"{count}x " if count > 1 else ""
        first = errors[0]
        yield f"{times}{_short(first.line, 180) or '(no output)'}"
        then = f"; then {_short(first.after[0], 80)}" if first.after else ""
        yield f"   on {_short(first.call or first.tool, 100) or 'a call'}{then}"
    if len(facts.error_groups) > _ERRORS:
        yield f"and {len(facts.error_groups) - _ERRORS:,} other kinds"


def _marks(facts: Facts) -> Iterator[str]:
    """What the person corrected, reported or laid down, each with the reasons for saying so."""
    from helix_tui.digest.turns.judge import kind_of

    marks = [(turn, kind_of(turn)) for turn in facts.turns]
    marks = [(turn, mark) for turn, mark in marks if mark.kind != "none"]
    for turn, mark in marks[:_MARKS]:
        yield f"{mark.kind} ({turn.via}): {_quoted(turn.own or turn.text)}"
        yield f"   {'; '.join(mark.reasons)}"
    if len(marks) > _MARKS:
        yield f"and {len(marks) - _MARKS:,} more"
    if not facts.turns:  # of a digest that was made before turns were kept
        yield from (_quoted(moment.text) for moment in facts.corrections[:_MOMENTS])


def _also(facts: Facts) -> str:
    counted = (
        (facts.checks_passed + facts.checks_failed, "check"),
        (facts.commits, "commit"),
        (facts.retries, "retry"),
        (facts.correction_count, "correction"),
        (facts.interruptions, "interruption"),
        (facts.refusals, "refusal"),
        (facts.cascades, _SKIPPED),
        (facts.timeouts, "timeout"),
        (facts.benign_exits, "harmless exit"),
        (facts.compactions, "compaction"),
        (facts.api_errors, "API error"),
    )
    many = {"retry": "retries", _SKIPPED: _SKIPPED.replace("call", "calls", 1)}
    parts = [plural(count, noun, many.get(noun, "")) for count, noun in counted if count]
    if facts.checks_failed:
        parts[0] += f" ({facts.checks_failed:,} failed)"
    return ", ".join(parts)


def _cost(cost: Cost) -> str:
    unpriced = f"{plural(cost.unpriced_tokens, 'token')} without a price"
    if cost.usd_priced is None:
        return f"unknown: {unpriced}"
    return f"{human_usd(cost)}{f'; {unpriced}' if cost.unpriced_tokens else ''}"


def _stored(session: Session) -> str:
    state = {
        "full": f"{session.events:,} events in {human_bytes(session.raw_bytes)}",
        "partial": f"{session.events:,} events, the later of them in "
        f"{human_bytes(session.raw_bytes)}; the raw bytes of the others were evicted",
        "evicted": f"{session.events:,} events, all raw bytes evicted",
    }[session.raw]
    return f"{state}{'; pinned' if session.is_pinned else ''}"


def _labelled(label: str, lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        yield ("" if number else label), line


def _quoted(text: str) -> str:
    return f'"{_short(text, 220)}"'


def _short(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _with_rest(text: str, rest: int) -> str:
    return f"{text} and {rest:,} more" if rest > 0 else text


def _print(label: str, text: str) -> None:
    if not label and not text:
        print()
    elif text:
        hang = len(text) - len(text.lstrip())
        width = max(40, screen_width() - _LABEL - hang)
        for number, line in enumerate(wrap(safe_line(text.strip()), width - 2)):
            start = f"{'':<{_LABEL}}  " if number else f"{label:<{_LABEL}}"
            print(f"{start}{' ' * hang}{line}".rstrip())
