"""`helix detect --why`: where a candidate's score comes from, and every session behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.cli.commands.detect_json import candidates_json
from helix_tui.cli.output import console, print_json, print_table
from helix_tui.text.came_of_it import came_of_it
from helix_tui.text.human import plural
from helix_tui.text.leads import is_plain_way, seen_words
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.schema.board import Could, Detection
    from helix_tui.schema.candidate import Ranked

_EXCERPTS = 3
_EXCERPT_LINES = 6
_CHARS_PER_TOKEN = 4


def print_why(detection: Detection, as_json: bool) -> None:
    """Everything that stands behind one candidate."""
    (ranked,) = detection.ranked
    if as_json:
        members = [
            {
                "session": name,
                "flavor": member.flavor,
                "repo": member.repo,
                "count": member.count,
                "first_ts": iso(member.first_ts),
                "last_ts": iso(member.last_ts),
                "tokens": member.chars // _CHARS_PER_TOKEN,
                "minutes": round(member.ms / 60_000, 2),
            }
            for name, member in ranked.candidate.members.items()
        ]
        fields = {"candidates": candidates_json(detection), "behind": members}
        print_json("detect", {"stale": detection.stale or None, **fields})
        return
    _head(ranked)
    _score(ranked, detection.could.get(ranked.candidate.id))
    _told(detection)
    for name in detection.similar.get(ranked.candidate.id, []):
        print(f"looks like {name}; whether it is the same is for you to say")
    _members(ranked)
    _evidence(detection)


def _say(line: str) -> None:
    """A line of running text, parted between words where the terminal is narrow."""
    from rich.text import Text

    console().print(Text(line))


def _head(ranked: Ranked) -> None:
    candidate = ranked.candidate
    _say(safe_line(candidate.title))
    signals = ", ".join(
        f"{name} in {plural(n, 'session')}" for name, n in candidate.signals.items()
    )
    _say(f"{candidate.id}  {candidate.kind}, {ranked.state}; {signals}")
    reason = safe_line(candidate.tier_reason).removesuffix(".")
    _say(f"{candidate.tier}: {reason}; scope {candidate.scope}")
    remedy = ranked.remedy
    if remedy is not None and remedy.is_weakening:
        _say(remedy.text)
    elif remedy is not None:
        read = " and were read" if candidate.drawn else ""
        _say(
            f"what worked in {remedy.sessions:,} of the {remedy.of:,} conversations that got past "
            f"it{read}: {safe_line(remedy.text)}"
        )
    if remedy is None and not candidate.hint:
        for lead in filter(is_plain_way, candidate.leads):
            _say(f"{seen_words(lead)}: {safe_line(lead.text)}")
    for hint, number in candidate.hints.items():
        _say(f"its own output says, in {plural(number, 'conversation')}: “{safe_line(hint, 200)}”")
    for words in came_of_it(candidate):
        _say(safe_line(words))
    if most := candidate.mostly_once:
        _say(f"{most:,} of {ranked.frequency:,} times in one conversation")
    for template in candidate.templates[:_EXCERPT_LINES]:
        _say(f"  as: {safe_line(template, 160)}")


def _score(ranked: Ranked, could: Could | None) -> None:
    parts = ranked.parts
    capped = parts.sessions - parts.counted_sessions
    _say(f"\nscore {ranked.score:g} = 100 x {parts.rate_low:g} x {parts.waste:g}")
    _say(
        f"  {parts.rate_low:g}: at least this share of sessions has it (95 % sure), from "
        f"{parts.counted_sessions:g} of {parts.eligible:,} eligible sessions"
        + (f"; {capped:g} of one repository's are not counted" if capped else "")
    )
    _say(
        f"  {parts.waste:g}: median waste each time: {parts.median_tokens:,.0f} tokens / 1000 "
        f"+ {parts.median_minutes:.2f} minutes"
    )
    if could is not None:
        _say(
            f"  happened in {ranked.brief.sessions:,}, could have in {could.sessions:,} "
            f"({could.text}), of {plural(parts.eligible, 'eligible session')}"
        )
    for name, rate in ranked.flavors.items():
        chances = f" of {could.flavors.get(name, 0):,} that could" if could is not None else ""
        eligible = plural(rate.eligible, "eligible session")
        _say(f"  {name}: {rate.having:,}{chances}, of {eligible}")
    for name, rate in ranked.repos.items():
        where = safe_line(name) or "no repository"
        _say(f"  repo {where}: {rate.having:,} of {rate.eligible:,}")
    _say(f"  by week, the newest last: {' '.join(map(str, ranked.trend))}\n")


def _told(detection: Detection) -> None:
    """The lines that say it already, those that say little of it too."""
    (ranked,) = detection.ranked
    told = detection.told.get(ranked.candidate.id)
    if told is None or not told.lines:
        return
    from helix_tui.text.told import told_words

    _say(told_words(told))
    for line in told.lines:
        why = f" ({line.why})" if line.why else ""
        place = safe_line(f"{line.file}:{line.line}")
        _say(f"  {line.coverage:.2f} {place}: {safe_line(line.text, 160)}{safe_line(why)}")
    print()


def _members(ranked: Ranked) -> None:
    print_table(
        (
            ("last seen", "left"),
            ("session", "flex"),
            ("repo", "flex"),
            ("times", "right"),
            ("tokens", "right"),
            ("minutes", "right"),
        ),
        [
            (
                (iso(member.last_ts) or "-")[:16],
                name,
                member.repo,
                f"{member.count:,}",
                f"{member.chars // _CHARS_PER_TOKEN:,}",
                f"{member.ms / 60_000:.1f}",
            )
            for name, member in ranked.candidate.members.items()
        ],
    )


def _evidence(detection: Detection) -> None:
    (ranked,) = detection.ranked
    for cited in ranked.candidate.evidence[:_EXCERPTS]:
        text = detection.excerpts.get((ranked.candidate.id, cited.session, cited.fingerprint), "")
        print(f"\n{safe_line(cited.session)}  {(iso(cited.ts) or '')[:16]}")
        for line in text.splitlines()[:_EXCERPT_LINES]:
            _say(f"  {safe_line(line, 160)}")
