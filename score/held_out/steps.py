"""Turns an entry of a catalog into steps of a session."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol

Step = dict[str, Any]
"""What the planting script takes: `do` says what, the other keys are its arguments."""


class Text(Protocol):
    """Random text in the voice of one session."""

    r: random.Random
    cwd: str
    names: dict[str, str]

    def path(self) -> str:
        """A file of the repository."""
        ...

    def code(self, size: int) -> str:
        """Lines of source."""
        ...

    def prose(self, size: int) -> str:
        """What an agent says."""
        ...

    def fill(self, *texts: str) -> Any:
        """The texts with words, numbers and names in their braces."""
        ...


def shell(cmd: str, out: str = "", code: int = 0, **more: object) -> Step:
    """A command and what came of it."""
    return {"do": "shell", "cmd": cmd, "out": out, "code": code, **more}


def ask(text: str, **more: object) -> Step:
    """What a user wrote."""
    return {"do": "ask", "text": text, **more}


def edit(x: Text, err: str | None = None, **more: object) -> Step:
    """A change to a file."""
    given = {"path": x.path(), "old": x.code(160), "new": x.code(180)}
    return {"do": "edit", **given, "err": err, **more}


def maker(entry: Mapping[str, Any]) -> Callable[..., list[Step]]:
    """The function that makes the steps of a pattern in one session."""
    if entry["signal"] == "user_correction":
        return _correction(entry)
    return _failure(entry)


def _failure(entry: Mapping[str, Any]) -> Callable[..., list[Step]]:
    """A failing call; in a success also the cure, and the same call passing."""

    def make(flavor: str, x: Text, *, cured: bool = True) -> list[Step]:
        fitting = [v for v in entry["variant"] if flavor in v.get("for", (flavor,))]
        weights = [v.get("weight", 2) for v in fitting]
        variant = x.r.choices(fitting, weights)[0]
        steps = _call(variant, x)
        bad = steps[0]
        if entry["kind"] != "success" or not cured:
            return steps
        if variant.get("cure") == "read":
            steps.append({"do": "read", "path": bad["path"], "out": x.code(900)})
            return [*steps, {**bad, "err": None, "old": x.code(160)}]
        cure, good = variant["cure"], variant["good"]
        command = variant.get("then", bad["cmd"])
        if "arguments" in variant:  # another program with what the first one was given
            command = command + bad["cmd"][len(variant["arguments"]) :]
        steps += [shell(*x.fill(*cure))] if cure else []
        return [*steps, shell(x.fill(command), x.fill(good))]

    return make


def _call(variant: Mapping[str, Any], x: Text) -> list[Step]:
    tool = variant.get("tool", "shell")
    if tool == "shell":
        command, out = x.fill(x.r.choice(variant["cmd"]), variant.get("out", ""))
        more = {"argv": True} if variant.get("argv") else {}
        step = shell(command, out, variant.get("code", 1), **more)
        if "err" in variant:
            step["err"] = x.fill(variant["err"])
        return [step]
    step = edit(x) if tool == "edit" else {"do": tool, "path": x.path(), "out": ""}
    if "path" in variant:
        step["path"] = x.fill(x.r.choice(variant["path"]))
    if tool == "write":
        step["new"] = x.code(180)
    if tool == "fetch":
        step["url"] = x.fill(x.r.choice(variant["url"]))
    words = x.fill(variant["err"]).replace("{path}", step["path"])
    step["err"] = words.replace("{old}", step.get("old", ""))
    return [step]


def _correction(entry: Mapping[str, Any]) -> Callable[..., list[Step]]:
    """The agent does a thing, the user objects, the agent does another."""

    def make(flavor: str, x: Text) -> list[Step]:
        objection = ask(x.fill(x.r.choice(entry["says"])))
        return [*_acts(entry["before"], x), objection, *_acts(entry["after"], x)]

    return make


def _acts(act: Mapping[str, Any], x: Text) -> list[Step]:
    steps: list[Step] = []
    if "cmd" in act:
        steps.append(shell(*x.fill(x.r.choice(act["cmd"]), act.get("out", ""))))
    if "write" in act:
        path = x.fill(x.r.choice(act["write"]))
        steps.append({"do": "write", "path": path, "new": x.prose(500)})
    if act.get("edit"):
        path = x.fill(act["edit"]) if isinstance(act["edit"], str) else x.path()
        steps.append({**edit(x), "path": path})
    if "say" in act:
        steps.append({"do": "say", "text": x.fill(x.r.choice(act["say"]))})
    return steps
