"""Writes a home in which users speak, as native logs of the three agents, with its truth."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from score.held_out.loading import load_planter
from score.held_out.steps import Step, Text
from score.held_out.talks import POOLS, WORDS, Act, Kind, Language, Line, Said, topics_of

FIRST, DAYS = datetime(2026, 9, 7, 7, tzinfo=UTC), 60
MIX = {"claude": 0.45, "codex": 0.33, "grok": 0.22}
REFUSED_WITH_WORDS = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file). To tell you how to proceed, the"
    " user said:\n"
)
REFUSED = {
    ("codex", "edit"): "patch rejected by user",
    ("codex", "shell"): "exec command rejected by user",
    ("grok", "edit"): "User cancelled the execution for tool `search_replace`",
    ("grok", "shell"): "User cancelled the execution for tool `run_terminal_command`",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it was planted: where, what it is, and how it was said."""

    session: str
    kind: Kind
    text: str
    topic: str | None
    way: str


def plant(tools: Path, language: Language, seed: int, talks: int, home: Path) -> list[Turn]:
    """Writes some of the conversations, those with a topic always; gives every turn's truth."""
    script: Any = load_planter(tools)
    r = random.Random(f"speech-{language.name}-{seed}")
    pools = {name: _Pool(entries, r) for name, entries in language.pools.items()}
    turns: list[Turn] = []
    for talk in _chosen(language, talks, r):
        flavor = r.choices(list(MIX), list(MIX.values()))[0]
        start = FIRST + timedelta(days=r.uniform(0, DAYS), seconds=r.uniform(0, 36000))
        sid = script.uid(r) if flavor == "claude" else script.uid7(r, start)
        cwd = f"{script.HOME}{r.choice(language.repos)}"
        x = script.Text(f"{language.name}/{seed}/{sid}", cwd, {})
        writer = script.WRITERS[flavor](x, sid, cwd, start)
        steps = list(_Scene(x, pools).steps(talk))
        script.write(str(home), _run(writer, flavor, steps), writer.t)
        turns += [Turn(f"{flavor}:{sid}", *step["truth"]) for step in steps if "truth" in step]
    return turns


def _chosen(language: Language, count: int, r: random.Random) -> list[tuple[Line, ...]]:
    kept = [talk for talk in language.talks if topics_of(talk)]
    others = [talk for talk in language.talks if not topics_of(talk)]
    chosen = kept + r.sample(others, min(len(others), max(0, count - len(kept))))
    r.shuffle(chosen)
    return chosen


class _Pool:
    """Draws without repeating until all were drawn."""

    def __init__(self, entries: Sequence[Any], r: random.Random) -> None:
        self.entries, self.r = entries, r
        self.left: list[Any] = []

    def draw(self) -> Any:
        if not self.left:
            self.left = self.r.sample(self.entries, len(self.entries))
        return self.left.pop()


class _Scene:
    """Turns the lines of one conversation into steps of a session."""

    def __init__(self, x: Text, pools: Mapping[str, _Pool]) -> None:
        self.x, self.pools = x, pools
        self.edits: dict[str, Step] = {}

    def steps(self, talk: Sequence[Line]) -> list[Step]:
        made: list[Step] = []
        for line in talk:
            made += self._said(line) if isinstance(line, Said) else self._act(line)
        return [*made, *self._act(Act("closing"))] if made[-1]["do"] == "ask" else made

    def _said(self, line: Said) -> list[Step]:
        step: Step = {"do": "ask", "text": line.text}
        if line.way == "queued":
            step["do"] = "queued"
        elif line.way:
            verb, what = line.way.removeprefix("refusing ").split(" ", 1)
            tried = self._edit(what) if verb == "edit" else _shell(what)
            step |= {"do": "refused", "step": tried}
        way = line.way.split(" ")[0]
        return [{**step, "truth": (line.kind, line.text, line.topic, way)}, *self._look(line)]

    def _look(self, line: Said) -> list[Step]:
        """An agent looks around before it acts on a longer request."""
        if line.way or len(line.text) < 25 or self.x.r.random() < 0.4:
            return []
        found = [{"do": "read", "path": self.x.path(), "out": self.x.code(500)} for _ in range(2)]
        return found[: self.x.r.randint(1, 2)]

    def _act(self, act: Act) -> list[Step]:
        if act.verb in POOLS:
            return self._from_pool(act.verb)
        if act.verb in WORDS:
            return [{"do": "say", "text": self.pools[act.verb].draw()}]
        if act.verb == "say":
            return [{"do": "say", "text": act.what}]
        if act.verb == "stop":
            return [{"do": "interrupt"}]
        if act.verb == "run":
            return [_shell(act.what)]
        if act.verb == "read":
            return [{"do": "read", "path": act.what, "out": self.x.code(700)}]
        if act.verb == "undo":
            last = self.edits[act.what]
            return [{**last, "do": "edit", "old": last["new"], "new": last.get("old", "")}]
        made = self._edit(act.what)
        if act.verb == "write":
            made = {"do": "write", "path": act.what, "new": made["new"]}
        self.edits[act.what] = made
        return [made]

    def _edit(self, path: str) -> Step:
        return {"do": "edit", "path": path, "old": self.x.code(160), "new": self.x.code(180)}

    def _from_pool(self, name: str) -> list[Step]:
        drawn = self.pools[name].draw()
        asked, text = drawn if name == "answer" else ("", drawn)
        before: list[Step] = [{"do": "say", "text": asked}] if asked else []
        turn: Step = {"do": "ask", "text": text, "truth": ("none", text, None, "")}
        return [*before, turn]


def _shell(line: str) -> Step:
    """`command => output`, or `command =! output` where it fails."""
    failing = " =! " in line
    command, _, out = line.partition(" =! " if failing else " => ")
    return {"do": "shell", "cmd": command, "out": out, "code": int(failing)}


def _run(writer: Any, flavor: str, steps: Sequence[Step]) -> dict[str, bytes]:
    """The writer's own loop; it hands what it does not know, a queued turn, to its tools."""
    tools: Callable[[list[Step]], None] = writer.tools

    def tools_or_queue(given: list[Step]) -> None:
        if given[0]["do"] == "queued":
            QUEUE[flavor](writer, given[0]["text"])
        else:
            tools(given)

    writer.tools = tools_or_queue
    files: dict[str, bytes] = writer.run(_by_agent(flavor, steps))
    return files


def _queue_claude(writer: Any, text: str) -> None:
    for operation, more in (("enqueue", {"content": text}), ("remove", {})):
        line = {"type": "queue-operation", "operation": operation, "sessionId": writer.sid}
        writer.lines.append({**line, "timestamp": _iso(writer.tick(1, 20)), **more})
    said = {"type": "queued_command", "prompt": text, "commandMode": "prompt"}
    writer.put("attachment", {"attachment": said})


def _queue_codex(writer: Any, text: str) -> None:
    writer.tick(1, 20)
    content = [{"type": "input_text", "text": text}]
    writer.put("response_item", {"type": "message", "role": "user", "content": content})
    said = {"type": "user_message", "message": text, "images": [], "local_images": []}
    writer.put("event_msg", {**said, "text_elements": []})


def _queue_grok(writer: Any, text: str) -> None:
    writer.tick(1, 20)
    content = [{"type": "text", "text": f"<user_query>\n{text}\n</user_query>"}]
    writer.chat.append({"type": "user", "content": content, "synthetic_reason": "interjection"})
    chunk = {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": text}}
    writer.up(chunk)
    writer.ev("interjected")


QUEUE: dict[str, Callable[[Any, str], None]] = {
    "claude": _queue_claude,
    "codex": _queue_codex,
    "grok": _queue_grok,
}


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def _by_agent(flavor: str, steps: Sequence[Step]) -> list[Step]:
    """Words beside a refused call: in the result for one agent, the next prompt for the others."""
    made: list[Step] = []
    for step in steps:
        if step["do"] != "refused":
            made.append(step)
        elif flavor == "claude":
            made.append({**step["step"], "err": REFUSED_WITH_WORDS + step["text"]})
        else:
            words = REFUSED[flavor, step["step"]["do"]]
            made += [{**step["step"], "err": words}, {"do": "interrupt"}]
            made.append({"do": "ask", "text": step["text"]})
    return made
