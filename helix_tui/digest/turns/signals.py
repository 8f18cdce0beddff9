"""What people say in a session, as signals: commands, templates, and what they say in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helix_tui.digest.programs import is_looking, programs_in
from helix_tui.digest.runs.recognise import may_run, plan_of
from helix_tui.digest.shape.command import shape_of_command
from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.digest.turns.judge import Judgement, kind_of
from helix_tui.digest.turns.own_runs import check_as_run
from helix_tui.digest.turns.red import check_in, red_check, step_of
from helix_tui.digest.turns.taken_back import in_folder
from helix_tui.digest.turns.traits import names_of
from helix_tui.schema import Facts, TurnFact
from helix_tui.schema.signal import CHECKED, EDITED, HANDING_IN, Signal, SignalName
from helix_tui.text.clauses import stem_of
from helix_tui.text.hashing import hash64
from helix_tui.text.said import Clause, clauses_in, encoded
from helix_tui.text.shape import action_in
from helix_tui.tools import tool_class

# What a command that the person ran without the agent, and how a long text begins, stand behind.
# And the collection that a command is of.
RAN, BEGINS, OF_COLLECTION = "$ ", "¶ ", "/: "
_OF_CODE = ("test", "lint", "types", "format", "build")
_NAMES: dict[str, SignalName] = {
    "correction": "user_correction",
    "report": "error_persistence",
    "nearly": "user_reaction",
}
# What a conversation begins with is a rule where it says what is always to be done.
_FIRST_RULE = frozenset({"first", "standing"})
# A turn that is nearly a mark may join those that are.
_NEARLY = 1.0
_BEGINNING = 8
_OPENING = 200
_LEAST_BEGINNING = 4
_MOST_NOUNS = 250
# So many parts of a path are a repository's own; above them are people's folders.
_DEEP = 4
# Behind these nothing was handed over as done, or it was known how it stands.
_EXCUSES = frozenset({"tried", "excused", "interrupted", "menu", "plan", "open"})
# Behind these the agent had handed something over.
_HANDED_OVER = frozenset({"edited", "claim"})
_DIGITS = re.compile(r"\d{1,20}")
_LINE = re.compile(r"[.:!?](?=\s)|\n")
_WORD = re.compile(r"[^\W_][\w'-]{0,60}")
_SKILL = re.compile(r'Skill \{"skill": ?"([^"]{1,80})"')
# Commands, skills and agents that were installed together are named by their collection.
_COLLECTION = re.compile(r"/?([a-z][\w-]{1,40}):[a-z][\w:-]{0,60}\Z")
# The kind of a sub-agent stands before what it is called for.
_AGENT = re.compile(r"([a-z][\w-]{1,40}:[a-z][\w-]{0,60}):? ")
# A tool of a server, by the server: which of its tools comes first is chance.
# What an edit is objected to for; of sources there are all sorts.
_TELLING_KINDS = frozenset({"generated", "docs", "test", "config"})
_SERVER = re.compile(r"(mcp__[\w-]{1,60}?)(?:__|[\s{]|$)")
_PART = re.compile(r"[A-Za-z][a-z]{2,30}|[A-Z]{3,30}")


def requests(facts: Facts) -> Iterator[Signal]:
    """Each turn of a person by what it says, and the names of what the agent worked on.

    A turn that a model has given a topic is the reader's.
    """
    spoken = 0
    for turn in facts.turns:
        if turn.label is not None and turn.label.topic:
            continue
        for signal in _of_turn(turn):
            spoken += 1
            is_report = signal.name == "error_persistence" and signal.check
            yield replace(signal, step=step_of(facts, signal.check)) if is_report else signal
    if spoken and (nouns := _nouns(facts)):
        yield Signal("user_request", template=" ".join(nouns), verb="files")


def count_marks(facts: Facts) -> int:
    """How many turns correct the agent, report something broken or lay something down, or may."""
    return sum(_is_mark_or_nearly(turn) for turn in facts.turns)


def _is_mark_or_nearly(turn: TurnFact) -> bool:
    judged = kind_of(turn)
    is_rule = set(names_of(turn.traits)) >= _FIRST_RULE
    return judged.kind != "none" or judged.score >= _NEARLY or is_rule


def _of_turn(turn: TurnFact) -> Iterator[Signal]:
    traits = set(names_of(turn.traits))
    judged = kind_of(turn)
    if turn.own_run and (programs := programs_in(turn.own_run)) and not traits & {"task"}:
        ran = _request(turn, judged, subject=f"{RAN}{programs[-1]}")
        check = check_in(turn.own_run)
        step = check_as_run(turn.own_run) if check else ""
        shape = action_in(shape_of_command(turn.own_run).text) if step else ""
        is_beginning = traits.isdisjoint(_HANDED_OVER)
        yield replace(ran, check=check, step=step, shape=shape, is_excused=is_beginning)
    text = turn.own or turn.text
    if turn.command:
        yield _request(turn, judged, subject=turn.command)
        if collection := _collection_of(turn):
            subject = f"{OF_COLLECTION}{collection}"
            yield _request(turn, judged, subject=subject, template=turn.command)
        text = text.removeprefix(turn.command).strip()
    if traits & {"task", "long"}:
        if beginning := _beginning(turn.text):
            yield _request(turn, judged, subject=f"{BEGINS}{beginning}")
        # How a task with many parts is introduced is an order like others.
        opening = [] if text.startswith("#") else clauses_in(text.partition("\n")[0][:_OPENING])
        if orders := [clause for clause in opening if clause.is_order]:
            yield _request(turn, judged, template=encoded(orders), text=text)
    # `it still fails` has no word to meet others by, and is a report all the same.
    elif (clauses := _clauses(text, traits)) or judged.kind in _NAMES:
        yield _request(turn, judged, template=encoded(clauses), text=text)


def _collection_of(turn: TurnFact) -> str:
    """The collection of a command: by its name, or by what the agent calls at once behind it."""
    for name in (turn.command, *_led_to(turn.after)):
        if found := _COLLECTION.match(name):
            return found[1]
    return ""


def _clauses(text: str, traits: set[str]) -> list[Clause]:
    """The clauses of a turn; one that only accepts says nothing that could recur."""
    clauses = clauses_in(text)
    is_empty = {"accepts", "brief"} <= traits and not any(one.is_order for one in clauses)
    return [] if is_empty or "pick" in traits else clauses


def _request(
    turn: TurnFact, judged: Judgement, *, subject: str = "", template: str = "", text: str = ""
) -> Signal:
    is_mark = judged.kind in ("correction", "report")
    traits = set(names_of(turn.traits))
    is_nearly = judged.score >= _NEARLY or bool(traits & {"plain", "reaction"})
    kind: str = "nearly" if judged.kind == "none" and is_nearly else judged.kind
    if traits >= _FIRST_RULE:
        kind = "instruction"
    return Signal(
        "user_request" if subject else _NAMES.get(kind, "user_request"),
        subject=subject,
        template=template,
        first_ts=turn.ts,
        last_ts=turn.ts,
        # A mark costs what it rejects, a request what it leads to.
        chars=turn.chars if is_mark else turn.took,
        ms=turn.ms if is_mark else 0,
        fingerprints=[turn.fingerprint],
        text=text or turn.own or turn.text,
        before=turn.before,
        verb="first" if "first" in traits and "standing" not in traits else kind,
        shape=_anchor_of(turn.before) if is_mark or kind == "nearly" else "",
        lies=_lies_in(turn.before) if is_mark or kind == "nearly" else [],
        check=red_check(turn) if judged.kind == "report" else "",
        is_excused=judged.kind == "report" and _is_excused(turn, traits),
        led_to=_led_to(turn.after),
        edited=_edited_in(turn.after),
        taken_back=turn.taken_back,
    )


def _is_excused(turn: TurnFact, traits: set[str]) -> bool:
    """Whether a report on a check blames nobody for not having run it.

    That it passed here says nothing of the pipeline behind a push.
    """
    is_elsewhere = _anchor_of(turn.before).startswith(HANDING_IN)
    return not traits.isdisjoint(_EXCUSES - {"tried"} if is_elsewhere else _EXCUSES)


def _beginning(text: str) -> str:
    """How a long text begins, figures masked: templates begin alike."""
    words: list[str] = []
    for line in _LINE.split(_DIGITS.sub("0", text[:400].lower())):
        words += _WORD.findall(line)
        if len(words) >= _LEAST_BEGINNING:
            return " ".join(words[:_BEGINNING])
    return ""


def _nouns(facts: Facts) -> list[str]:
    """The words in the names of the files that the agent worked on, the commonest first."""
    words = Counter(
        stem_of(part.lower())
        for path in facts.files
        for part in set(_PART.findall("/".join(path.split("/")[-_DEEP:])))
    )
    return sorted(words, key=lambda word: (-words[word], word))[:_MOST_NOUNS]


def _anchor_of(before: str) -> str:
    """What a turn follows: the command that changed something, or the name of the file."""
    if before.startswith("agent: "):
        return ""
    if before.startswith("$ "):
        changing = [name for name in programs_in(before[2:]) if not is_looking(name)]
        return changing[-1] if changing else ""
    return before.rpartition(" ")[2].rpartition("/")[2]


def _lies_in(before: str) -> list[str]:
    """The kind of the file that was edited, where that tells something, and its last folders."""
    tool, _, target = before.partition(" ")
    if tool_class("", tool) != "edit" or "/" not in target:
        return []
    folders = target.split("/")[-_DEEP:-1]
    words = {stem_of(part.lower()) for name in folders for part in _PART.findall(name)}
    kind = kind_of_path(target)
    return [*([f"{{{kind}}}"] if kind in _TELLING_KINDS else []), *sorted(words)]


def _led_to(after: Sequence[str]) -> list[str]:
    """What the agent did first, by program, tool, skill or edited file; reading tells nothing."""
    found: list[str] = []
    for action in after:
        if action.startswith("$ "):
            found += _of_command(action[2:])
        elif skill := _SKILL.match(action):
            found.append(skill[1])
        elif called := _SERVER.match(action):
            found.append(called[1])
        else:
            found += _of_tool(*action.partition(" ")[::2])
    return list(dict.fromkeys(found))


def _edited_in(after: Sequence[str]) -> list[int]:
    """The files that were edited, in the order of `_led_to`."""
    found: dict[str, int] = {}
    for action in after:
        tool, _, target = action.partition(" ")
        name = target.rpartition("/")[2]
        is_other = action.startswith("$ ") or _SERVER.match(action)
        if name and not is_other and tool_class("", tool) == "edit":
            found.setdefault(name, hash64(in_folder(target).encode("utf-8", "surrogatepass")))
    return list(found.values())


def _of_command(command: str) -> Iterator[str]:
    """The kinds of checks that a command line runs, and its programs, but for those that look.

    What people want checked is the same with whatever runner a repository has.
    """
    if may_run(command):
        kinds = [part.kind for part in plan_of(command).parts if part.is_check]
        yield from (CHECKED + kind for kind in kinds if kind in _OF_CODE)
    yield from (name for name in programs_in(command) if not is_looking(name))


def _of_tool(tool: str, target: str) -> Iterator[str]:
    """A file that is edited by its name, a look into the web by itself."""
    kind = tool_class("", tool)
    if kind == "edit" and (name := target.rpartition("/")[2]):
        yield EDITED + "_".join(name.split())
    elif kind == "agent" and (called := _AGENT.match(target)):
        yield called[1]
    elif kind == "web":
        yield "web"
