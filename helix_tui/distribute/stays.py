"""When rules came into agents' files and went out again, as the ledger has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from helix_tui.schema.distribute import USER, LedgerLine
from helix_tui.schema.effect import EffectMoment, MomentKind
from helix_tui.text.times import parse_iso

_SKILL = "/SKILL.md"


class Stay(NamedTuple):
    """A rule that stood in a file with the same words for the same agents; no end: it still does.

    Times are in milliseconds.
    """

    pattern: str
    site: str
    root: str
    file: str
    text: str
    version: str
    agents: tuple[str, ...]
    since: int
    until: int | None = None
    is_block: bool = True

    def is_at(self, repo: str) -> bool:
        """Whether sessions in a repository load the file."""
        return self.site in (USER, repo)

    @property
    def words(self) -> str:
        """What an agent reads of it: without what stands above the text of a file of our own."""
        if self.text.startswith("---\n"):
            return self.text.split("---\n", 2)[-1].strip()
        return self.text


def stays_of(lines: Sequence[LedgerLine]) -> dict[str, list[Stay]]:
    """The stays of each pattern in order of time.

    A skill is opened by its line, so that its own file says nothing where there is a line.
    """
    open_stays: dict[str, dict[str, Stay]] = {}
    by_pattern: dict[str, list[Stay]] = {}
    for line in lines:
        at = parse_iso(line.at)
        if not line.file or at is None:
            continue
        before = open_stays.get(line.file, {})
        now: dict[str, Stay] = {}
        for rule in line.rules:
            made = Stay(
                rule.pattern, line.site, line.root, line.file, rule.text, rule.version,
                tuple(rule.agents), at, is_block=line.kind == "block",
            )  # fmt: skip
            old = before.get(rule.pattern)
            is_same = old is not None and (old.text, old.agents) == (made.text, made.agents)
            now[rule.pattern] = old._replace(version=made.version) if old and is_same else made
        for name, old in before.items():
            if name not in now or now[name].since != old.since:
                by_pattern.setdefault(name, []).append(old._replace(until=at))
        open_stays[line.file] = now
    for stays in open_stays.values():
        for name, stay in stays.items():
            by_pattern.setdefault(name, []).append(stay)
    return {name: _without_skills(sorted(some, key=_time)) for name, some in by_pattern.items()}


def _time(stay: Stay) -> tuple[int, str]:
    return stay.since, stay.file


def _without_skills(stays: list[Stay]) -> list[Stay]:
    return [one for one in stays if not one.file.endswith(_SKILL)] or stays


def moments_of(stays: Iterable[Stay]) -> list[EffectMoment]:
    """What became of a rule over time, each moment once for all files."""
    by_file: dict[str, list[Stay]] = {}
    for stay in stays:
        by_file.setdefault(stay.file, []).append(stay)
    by_moment: dict[tuple[int, MomentKind], list[Stay]] = {}
    for some in by_file.values():
        for at, stay in enumerate(some):
            by_moment.setdefault((stay.since, _kind(some[:at], stay)), []).append(stay)
            is_followed = at + 1 < len(some) and some[at + 1].since == stay.until
            if stay.until is not None and not is_followed:
                by_moment.setdefault((stay.until, "out"), []).append(stay)
    return [
        EffectMoment(
            at=at,
            kind=kind,
            version=some[-1].version,
            agents=sorted({agent for stay in some for agent in stay.agents}),
            files=sorted({stay.file for stay in some}),
        )
        for (at, kind), some in sorted(by_moment.items())
    ]


def _kind(before: Sequence[Stay], stay: Stay) -> MomentKind:
    if not before:
        return "in"
    if before[-1].text != stay.text:
        return "words"
    return "again"
