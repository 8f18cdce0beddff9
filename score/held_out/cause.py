"""Turns a planted cause into steps: what fails, what is done meanwhile, what overcomes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from score.held_out.steps import Step, Text, edit, shell

PIPES = (
    ("", 8),
    (" 2>&1 | tail -5", 3),
    (" 2>&1 | tail -20", 4),
    (" 2>&1 | tail -40", 3),
    (" 2>&1 | head -40", 2),
    (' 2>&1; echo "exit: $?"', 1),
)
BETWEEN = (
    ("git status --short", " M {f}"),
    ("git diff --stat", " {f} | {n} +++--\n 1 file changed, {n} insertions(+), {d} deletions(-)"),
    ("ls {d2}", "{w}\nREADME.md"),
    ("git log --oneline -3", "{h} {w}: tidy\n{h} {w}: first cut\n{h} init"),
    ("cat {f}", "{code}"),
    ("pwd", "{cwd}"),
    ("grep -rn '{w}' {d2} | head -5", "{f}:{n}: {w}"),
)


def cause_maker(entry: Mapping[str, Any]) -> Callable[..., list[Step]]:
    """The function that makes one meeting with a cause in one session."""

    def make(flavor: str, x: Text) -> list[Step]:
        fitting = [v for v in entry["variant"] if flavor in v.get("for", (flavor,))]
        variant = x.r.choices(fitting, [v.get("weight", 2) for v in fitting])[0]
        is_overcome = "remedy" in entry and x.r.random() < entry["works"]
        if variant.get("tool") == "edit":
            return _stale_edit(variant, x, is_overcome=is_overcome)
        return _Meeting(entry, variant, x).steps(is_overcome=is_overcome)

    return make


def trouble_maker(entry: Mapping[str, Any]) -> Callable[..., list[Step]]:
    """Work that is red until it is done: each time another failure, each time another edit."""

    def make(flavor: str, x: Text) -> list[Step]:
        fitting = [v for v in entry["variant"] if flavor in v.get("for", (flavor,))]
        variant = x.r.choice(fitting)
        command, good, *outs = x.fill(x.r.choice(variant["cmd"]), variant["good"], *variant["out"])
        pipe = _pipe(x)
        path = x.path()
        steps: list[Step] = []
        for out in x.r.sample(outs, x.r.choice((1, 1, 2)) if len(outs) > 1 else 1):
            bad = piped(command, out, variant.get("code", 1), pipe, entry["regexes"])
            steps.append({**bad, "label": entry["id"]})
            steps += (
                [{"do": "read", "path": path, "out": x.code(700)}] if x.r.random() < 0.6 else []
            )
            steps.append({**edit(x), "path": path})
        return [*steps, piped(command, good, 0, pipe, ())] if x.r.random() < 0.85 else steps

    return make


class _Meeting:
    """One meeting with a cause through the shell; names stay the same from failure to success."""

    def __init__(self, entry: Mapping[str, Any], variant: Mapping[str, Any], x: Text) -> None:
        self.x, self.label, self.regexes = x, entry["id"], entry["regexes"]
        self.code = variant.get("code", 1)
        self.pipe = _pipe(x) if variant.get("pipe", True) else ""
        lead = x.r.choices(("", "cd {cwd} && "), (3, 1))[0] if variant.get("lead", True) else ""
        then, before = variant.get("then", ["{cmd}"]), variant.get("before", ["", ""])
        texts = (x.r.choice(variant["cmd"]), x.r.choice(variant["out"]), x.r.choice(then))
        more = (x.r.choice(variant.get("good", [""])), *before, lead, *variant.get("tries", ()))
        filled: list[str] = x.fill(*texts, *more)
        (
            self.cmd,
            self.out,
            then_cmd,
            self.good,
            self.step,
            self.step_out,
            self.lead,
            *self.tries,
        ) = filled
        self.then = then_cmd.replace("{cmd}", self.cmd)
        for part, other in variant.get("swap", ()):
            self.then = self.then.replace(*x.fill(part, other))

    def steps(self, *, is_overcome: bool) -> list[Step]:
        """Fails, perhaps more than once; then what overcomes it, or the same again, or nothing."""
        r = self.x.r
        made = [self._failing(self.cmd)]
        if r.random() < 0.2:
            made.append(self._failing(r.choice(self.tries or [self.cmd])))
        made += _between(self.x)
        if not is_overcome:
            return [*made, self._failing(self.cmd)] if r.random() < 0.4 else made
        if self.step:
            made.append(shell(self.step, self.step_out))
            made += _between(self.x)[:1]
        return [*made, piped(self.lead + self.then, self.good, 0, self.pipe, ())]

    def _failing(self, command: str) -> Step:
        bad = piped(self.lead + command, self.out, self.code, self.pipe, self.regexes)
        return {**bad, "label": self.label}


def _stale_edit(variant: Mapping[str, Any], x: Text, *, is_overcome: bool) -> list[Step]:
    """An edit that no longer fits its file; a read before the next one overcomes it."""
    bad = edit(x)
    words = x.fill(x.r.choice(variant["err"])).replace("{path}", bad["path"])
    bad["err"] = words.replace("{old}", bad["old"])
    made = [*_run_before(variant, x), bad, *_between(x)[:1]]
    if not is_overcome:
        return made
    made.append({"do": "read", "path": bad["path"], "out": x.code(900)})
    return [*made, {**bad, "err": None, "old": x.code(160)}]


def _run_before(variant: Mapping[str, Any], x: Text) -> list[Step]:
    return [shell(*x.fill(*variant["first"]))] if "first" in variant else []


def _pipe(x: Text) -> str:
    return x.r.choices([pipe for pipe, _ in PIPES], [weight for _, weight in PIPES])[0]


def piped(command: str, out: str, code: int, pipe: str, regexes: Sequence[str]) -> Step:
    """The command through a pipe, unless that would cut what tells the cause."""
    cut, shown = out, code
    if number := re.search(r"\| (tail|head) -(\d+)$", pipe):
        lines, size = out.rstrip("\n").split("\n"), int(number[2])
        cut = "\n".join(lines[-size:] if number[1] == "tail" else lines[:size])
        shown = 0
    elif pipe:
        cut, shown = f"{out.rstrip()}\nexit: {code}", 0
    if code and not any(re.search(regex, cut) for regex in regexes):
        return shell(command, out, code)
    return shell(command + pipe, cut, shown)


def _between(x: Text) -> list[Step]:
    """What is merely done meanwhile, and so is no remedy."""
    made: list[Step] = []
    for _ in range(x.r.choices((0, 1, 2, 3), (3, 4, 2, 1))[0]):
        if x.r.random() < 0.35:
            made.append({"do": "read", "path": x.path(), "out": x.code(600)})
        else:
            made.append(shell(*x.fill(*x.r.choice(BETWEEN))))
    return made
