"""Say which file of a site should have which text, for every pattern that belongs there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from helix_tui.distribute.words import rule_faults, scoped_rule_text, skill_name, skill_text
from helix_tui.schema.distribute import DistributeRefusal, Held, Site, Teaching, Want
from helix_tui.text.refuse import refusals

_SKILL_FOLDERS = {"claude": ".claude/skills", "codex": ".agents/skills"}
_HOME_SKILLS = {"claude": "skills", "codex": "skills"}


def belongs(teaching: Teaching, site: Site) -> bool:
    """Whether a pattern is meant for a site."""
    return teaching.scope.is_user if site.is_user else site.name in teaching.scope.repos


def wanted_at(
    site: Site, teachings: Iterable[Teaching]
) -> tuple[list[Want], list[DistributeRefusal]]:
    """What a site should have, and what of it is refused before any file is looked at."""
    wants: list[Want] = []
    refused: list[DistributeRefusal] = []
    for one in teachings:
        if not belongs(one, site):
            continue
        if refusal := _refused(one, site):
            refused.append(refusal)
            continue
        concerned = _concerned(one, site)
        made = list(_wants(one, concerned))
        wants += made
        refused += _unseen(one, concerned, made)
    return wants, refused


def _refused(one: Teaching, site: Site) -> DistributeRefusal | None:
    """Why a pattern may not go to a site, whatever its files are."""
    if not one.rule:
        todo = "`helix catalog set ID --rule TEXT` gives it words"
        return DistributeRefusal("", one.id, "words", f"{one.allowed.reason}; {todo}")
    is_allowed = one.allowed.user if site.is_user else one.allowed.repo
    if not is_allowed:
        kept = "`--scope repo:NAME` keeps it to one repository, " if one.allowed.repo else ""
        todo = f"`helix catalog set ID`: {kept}`--allow WHY` goes before floors"
        return DistributeRefusal("", one.id, "floors", f"{one.allowed.reason}; {todo}")
    if any("`" in glob or not glob.isprintable() for glob in one.scope.globs):
        return DistributeRefusal("", one.id, "scope", "a `path:` of it is no pattern of file names")
    if one.rung == "environment":
        sentence = "what the environment lacks is mended there, not by instructions"
        return DistributeRefusal("", one.id, "rung", sentence)
    faults = [fault for words in (one.rule, *one.wordings.values()) for fault in rule_faults(words)]
    if one.rung == "skill":
        faults += [f"{refusal.what} is in what it says to do" for refusal in refusals(one.body)]
    if faults:
        todo = "`helix catalog set ID --rule TEXT` gives it other words"
        return DistributeRefusal("", one.id, "words", f"{'; '.join(faults)}. {todo}")
    return None


def _concerned(one: Teaching, site: Site) -> Site:
    """A site with those agents alone that a pattern concerns; who reads their files sees it too."""
    if not one.concerns:
        return site
    agents = tuple(name for name in site.agents if name in one.concerns)
    targets = tuple(each for each in site.targets if not set(agents).isdisjoint(each.agents))
    unseen = {name: why for name, why in site.unseen.items() if name in one.concerns}
    return site._replace(agents=agents, targets=targets, unseen=unseen)


def _wants(one: Teaching, site: Site) -> Iterator[Want]:
    globs = one.scope.globs
    is_scoped = one.rung == "rule" and bool(globs) and "claude" in site.agents
    if is_scoped:
        folder = f"{_claude_folder(site)}/rules"
        text = scoped_rule_text(globs, one.wordings.get("claude", one.rule))
        agents = tuple(name for name in ("claude", "grok") if name in site.agents)
        yield _want(one, site, f"{folder}/{skill_name(one.id)}.md", "file", text, agents)
    elif one.rung == "skill":
        yield from _skill(one, site)
    for target in site.targets:
        if not is_scoped:
            text = _line(one, target.agents, site)
            yield _want(one, site, target.path, "block", text, target.agents)
        elif target.agents == ("codex",):
            # A file that nobody else reads: in any other somebody would see it twice.
            text = _line(one, target.agents, site)
            yield _want(one, site, target.path, "block", text, target.agents)


def _want(
    one: Teaching, site: Site, path: str, kind: str, text: str, agents: tuple[str, ...]
) -> Want:
    is_file = kind == "file"
    return Want(
        site.name, site.root, path, "file" if is_file else "block", one.id, one.version, text,
        agents, one.weight,
    )  # fmt: skip


def _line(one: Teaching, agents: tuple[str, ...], site: Site) -> str:
    """The line of a block: an agent's own words only where nobody else reads the file."""
    words = one.wordings.get(agents[0], one.rule) if len(agents) == 1 else one.rule
    words = f"{_where(one)}{words}"
    has_skill = one.rung == "skill" and any(name in _SKILL_FOLDERS for name in site.agents)
    return f"{words}{_skill_named(one)}" if has_skill else words


def _where(one: Teaching) -> str:
    globs = ", ".join(f"`{glob}`" for glob in one.scope.globs)
    return f"In {globs}: " if globs else ""


def _skill_named(one: Teaching) -> str:
    return f" (skill `{skill_name(one.id)}`)"


def rule_of_line(one: Teaching, text: str) -> str:
    """The words of a rule in a line, or a file of ours, that somebody edited by hand."""
    if text.startswith("---\n"):
        text = text.split("---\n", 2)[-1].strip()
    return text.removeprefix(_where(one)).removesuffix(_skill_named(one))


def _skill(one: Teaching, site: Site) -> Iterator[Want]:
    name = skill_name(one.id)
    text = skill_text(name, one.rule, one.body)
    for agent, folder in _SKILL_FOLDERS.items():
        if agent in site.agents:
            inside = f"{site.homes[agent]}/{_HOME_SKILLS[agent]}" if site.is_user else ""
            path = f"{inside or f'{site.root}/{folder}'}/{name}/SKILL.md"
            yield _want(one, site, path, "file", text, (agent,))


def _claude_folder(site: Site) -> str:
    return site.homes["claude"] if site.is_user else f"{site.root}/.claude"


def _unseen(one: Teaching, site: Site, made: list[Want]) -> Iterator[DistributeRefusal]:
    """Agents that would not see it, and why."""
    reached = {agent for want in made if want.kind == "block" for agent in want.agents}
    reached |= {agent for want in made if want.kind == "file" and one.rung == "rule"
                for agent in want.agents}  # fmt: skip
    for agent in site.agents:
        if agent in reached:
            continue
        if agent in site.unseen:
            path, why = site.unseen[agent]
            message = f"{agent} would not see it: {why}"
            yield DistributeRefusal(path, one.id, "unloaded", message, agent)
        else:
            path = next((target.path for target in site.targets if agent in target.agents), "")
            message = f"{agent} gets no line: others that read {path or 'the file'} have the rule"
            yield DistributeRefusal(path, one.id, "twice", message, agent)


def asked_for(
    wants: Iterable[Want], known: Iterable[Held], patterns: Collection[str], agent: str | None
) -> list[Want]:
    """What a request wants, where all that it does not ask about stays as it was written."""

    def is_asked(pattern: str, agents: Collection[str]) -> bool:
        return (not patterns or pattern in patterns) and (agent is None or agent in agents)

    asked = [want for want in wants if is_asked(want.pattern, want.agents)]
    return asked + [want for want in as_written(known) if not is_asked(want.pattern, want.agents)]


def as_written(known: Iterable[Held]) -> list[Want]:
    """What the ledger says, as something to be wanted: it stays as it is."""
    return [
        Want(
            held.site, held.root, held.file, held.kind, rule.pattern, rule.version, rule.text,
            tuple(rule.agents),
        )
        for held in known
        for rule in held.rules
    ]  # fmt: skip
