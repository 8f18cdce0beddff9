"""What goes wrong in the sample's sessions, how it is got over, and what people say to it.

Each trouble has a place in a session: `look`, `edit` (instead of the plain edit), `pause` (behind
it), `check` (before the checks pass), `keep` (with the commit) or `talk` (when all seems done).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from helix_tui.sample.steps import (
    ApiError,
    Ask,
    Compact,
    Delegate,
    Edit,
    Interrupt,
    Read,
    Run,
    Say,
    Steps,
    Together,
)
from helix_tui.sample.work import Product, Scene

Place = Literal["look", "edit", "pause", "check", "keep", "talk"]

_MISSING = {
    "claude": ("/bin/bash: line 1: {exe}: command not found", "(eval):1: command not found: {exe}"),
    "codex": (
        "bash: line 1: {exe}: command not found",
        "/bin/bash: line 1: {exe}: command not found",
    ),
    "grok": ("bash: {exe}: command not found", "sh: 1: {exe}: not found"),
    "opencode": ("/bin/bash: line 1: {exe}: command not found",),
    "gemini": ("bash: line 1: {exe}: command not found",),
}
_RG = ("rg -n", "rg -n --hidden", "rg -l", "rg -n -S", "rg --no-heading -n")
_NO_DOCKER = (
    "permission denied while trying to connect to the Docker daemon socket at "
    "unix:///var/run/docker.sock: dial unix /var/run/docker.sock: connect: permission denied"
)
_REJECTED = (
    "To git.example.net:team/{repo}.git\n ! [rejected]        main -> main (fetch first)\n"
    "error: failed to push some refs to 'git.example.net:team/{repo}.git'\n"
    "hint: Updates were rejected because the remote contains work that you do not\n"
    "hint: have locally. This is usually caused by another repository pushing to\n"
    "hint: the same ref. If you want to integrate the remote changes, use 'git pull'."
)
_NO_COMMIT = (
    "don't commit on your own, I want to look at it first",
    "I didn't ask you to commit. Undo it and leave the changes in the working tree.",
    "stop committing without asking me",
    "wait, why did you commit that? I review before anything is committed",
    "no commits please, that's my job",
    "you committed again... please undo that, never commit unless I say so",
    "do not commit by yourself, staging is fine",
    "Please take that commit back, I told you I commit myself",
)
_PNPM = (
    "no, we use pnpm here, not npm. There is a pnpm-lock.yaml",
    "don't use npm, use pnpm please, now there is a package-lock.json in the tree",
    "wrong package manager, this repo is pnpm only",
    "I said pnpm. Remove the package-lock.json and use pnpm",
    "stop using npm install, it's pnpm",
)
_GENERATED = (
    "don't touch {file}, it is generated. Change the source and regenerate.",
    "you edited a generated file by hand, revert that and run the generator",
    "no, {file} is generated code, never edit it directly",
    "that file is generated, undo your change and use the generator please",
    "why did you change {file} by hand? It will be overwritten by the next run",
)
_SCOPE = (
    "that's not what I asked for, please keep the diff to {path} and undo the reformatting",
    "no, don't reformat the whole file, only the lines you need",
    "you changed far more than I wanted, revert everything outside {path}",
    "I asked for a small fix, not a rewrite. Undo the renames.",
)
_STILL = (
    "still fails on my side, same test as before",
    "that didn't work, same error again",
    "It still doesn't work: {test} is red here",
    "nope, still broken. Did you actually run it?",
    "you said it is fixed but CI still fails with the same error",
    "still not working, {test} fails exactly as before",
)
# What people say to agents that they use less; nobody says the same twice in a month.
_LESS_USED = ("opencode", "gemini")
_LESS_NO_COMMIT = (
    "please take that commit back and leave it to me, I told you that I commit by myself here",
    "once more: no commit of yours before I have seen the whole of it, undo this one as well",
    "hm, who asked for a commit? Undo it, and do not commit on your own in this repo",
)
_LESS_STILL = (
    "still the same failure here, {test} has not changed at all",
    "no, it still fails for me in the same place",
)
_CLAIMS = (
    "Fixed. All tests pass and the change is complete.",
    "Done, everything works as expected now.",
    "This is solved, the suite is green.",
)
_AFTER_STOP = (
    "Not the whole module, only {path} please.",
    "Hold on, look at the ticket text again: it is about {path}, nothing else.",
    "Let's do this in smaller steps. First only tell me what you would change.",
    "Stop. Leave the migration out, just the code.",
    "Please stay with the bug, the tidying can wait.",
    "One thing at a time: the fix first, the rest in a branch of its own.",
)
_API_ERRORS = (
    "529 overloaded_error: Overloaded",
    "stream disconnected before completion: error sending request",
    "503 Service Unavailable: upstream connect error",
)
_LEAVE = (
    "The cache may stay as it is. Please go on.",
    "I want to keep those files, continue without that step",
    "Skip that step and go on with the change itself.",
)
_UNRELATED = (
    "That was there before and has nothing to do with this change.",
    "Unrelated to the task; I leave it as it is and mention it at the end.",
    "This fails on main as well, so it is not ours.",
)
_WITHOUT = (
    "I have no access to the Docker socket here; going on without containers.",
    "Docker cannot be used from this account. The unit tests do not need it.",
    "The Docker daemon refuses this user, so I check what I can without it.",
)
_ENDS = ("over", "on")
_STUCK = (
    "The failure is the same, so the cause is somewhere else. Trying the rounding.",
    "Still red. Perhaps the fixture is stale; I'll change how the value is built.",
    "The same assertion again. Next idea: the order of the two calls.",
    "That did not change the result. Let me go at it from the other side.",
)


def _is_less_used(scene: Scene) -> bool:
    return scene.flavor in _LESS_USED


def _is_last(scene: Scene) -> bool:
    """Whether this is where the person gives up, as is so in half of the cases that may be."""
    scene.is_over = scene.may_end and scene.deck.deal(_ENDS) == "over"
    return scene.is_over


def _missing(scene: Scene, command: str, exe: str) -> Run:
    error = str(scene.random.choice(_MISSING[scene.flavor])).replace("{exe}", exe)
    return Run(command, error, 127)


def _rg(scene: Scene) -> Steps:
    search = scene.search(scene.random.choice(_RG))
    steps: Steps = [_missing(scene, search.command, "rg")]
    if scene.chance(0.4):
        steps.append(Say("ripgrep is not installed here, using grep."))
    return [*steps, scene.search()]


def _jq(scene: Scene) -> Steps:
    cure, output = scene.product.jq_cure
    return [_missing(scene, scene.product.jq, "jq"), Run(cure, output)]


def _docker(scene: Scene) -> Steps:
    steps: Steps = [Run(scene.product.docker, _NO_DOCKER, 1)]
    if scene.chance(0.5):
        steps.append(Run("docker info --format '{{.ServerVersion}}'", _NO_DOCKER, 1))
    return [*steps, Say(scene.deal(_WITHOUT))]


def _lure(scene: Scene) -> Steps:
    path, text = scene.product.lure
    return [Read(path, text), Say("The docs describe that as a known message; not our case.")]


def _nothing_found(scene: Scene) -> Steps:
    return [Run(scene.fill("grep -rn 'TODO({stem})' {path}"), "", 1)]


def _difference(scene: Scene) -> Steps:
    diff = "--- config/example.env\n+++ config/local.env\n@@ -3 +3 @@\n-LOG=info\n+LOG=debug"
    return [Run("diff -u config/example.env config/local.env", diff, 1)]


def _refused(scene: Scene) -> Steps:
    command = scene.random.choice(("rm -rf .cache build/tmp", "git stash drop", "git clean -fdx"))
    return [Run(command, fault="refused"), Ask(scene.deal(_LEAVE)), Say("Fine, leaving it.")]


def _cascade(scene: Scene) -> Steps:
    code, command, output = scene.deck.deal(tuple(map(tuple, scene.product.oneoffs)))
    sibling = scene.search("git grep -n")._replace(code=1, fault="cascade")
    return [Together((Run(command, output, code), sibling)), scene.search()]


def _oneoff(scene: Scene) -> Steps:
    code, command, output = scene.deck.deal(tuple(map(tuple, scene.product.oneoffs)))
    return [Run(command, output, code), Say(scene.deal(_UNRELATED))]


def _delegate(scene: Scene) -> Steps:
    task = scene.fill("Find every caller of the code in {path} and say what each relies on.")
    steps: Steps = [scene.search(), scene.read(), scene.search("git grep -n")]
    answer = scene.fill("Two callers, both in {path}; neither relies on the old behaviour.")
    return [Delegate(f"Find callers of {scene.task.stem}", task, steps, answer)]


def _mismatch(scene: Scene) -> Steps:
    old = scene.task.old
    stale = re.sub(r" = |: ", "=", old, count=1) if " = " in old else f"{old.rstrip()}  // old"
    failed = Edit(scene.task.path, stale, scene.task.new, fault="mismatch")
    return [failed, scene.read(), scene.edit()]


def _unread(scene: Scene) -> Steps:
    return [scene.edit()._replace(fault="unread"), scene.read(), scene.edit()]


def _loop(scene: Scene) -> Steps:
    test = scene.product.tests[0]
    red = scene.fail(test)
    steps: Steps = [scene.edit(), red]
    now = scene.task.new
    for number in range(scene.random.choice((2, 3))):
        then = scene.noted(("round late", "copy first", "order matters")[number])
        steps += [Say(scene.deal(_STUCK)), Edit(scene.task.path, now, then), red]
        now = then
    if _is_last(scene):
        return [*steps, Say(f"I cannot get {test.partition('::')[2]} to pass. Shall I revert it?")]
    return [*steps, scene.read(), Edit(scene.task.path, now, scene.task.new)]


def _stop(scene: Scene) -> Steps:
    before = Say("While I am at it I'll move the helpers into a module of their own.")
    if _is_last(scene):
        return [before, scene.search("git grep -n"), Interrupt()]
    return [
        before,
        scene.search("git grep -n"),
        Interrupt(),
        Ask(scene.deal(_AFTER_STOP)),
        Say("Understood."),
    ]


def _compact(scene: Scene) -> Steps:
    summary = "This session is being continued from a previous conversation. Task: {commit}."
    return [Compact(scene.fill(summary)), scene.read()]


def _api(scene: Scene) -> Steps:
    failed = ApiError(scene.deal(_API_ERRORS))
    return [failed] if _is_last(scene) else [failed, Ask("go on"), Say("Going on where I was.")]


def _cured(trouble: list[str], code: int, scene: Scene) -> Steps:
    command, output, cure, better = trouble
    return [scene.run(command, output, code, 4), scene.run(cure, better, 0, 6)]


def _module(scene: Scene) -> Steps:
    return _cured(scene.product.module, 1 if "Traceback" in scene.product.module[1] else 2, scene)


def _port(scene: Scene) -> Steps:
    return _cured(scene.product.port, 1, scene)


def _locked(scene: Scene) -> Steps:
    steps = _cured(scene.product.locked, 1, scene)
    return [steps[0], steps[0], *steps] if scene.chance(0.4) else steps


def _slow(scene: Scene) -> Steps:
    return [scene.check()._replace(seconds=scene.random.uniform(210, 560))]


def _push(scene: Scene) -> Steps:
    steps: Steps = [] if scene.is_committed else [scene.save()]
    pulled = "From git.example.net:team/{repo}\n   {hash}..{hash}  main -> origin/main\n"
    return [
        *steps,
        scene.run("git push", _REJECTED, 1),
        scene.run(
            "git pull --rebase", f"{pulled}Successfully rebased and updated refs/heads/main."
        ),
        scene.run(
            "git push", "To git.example.net:team/{repo}.git\n   {hash}..{hash}  main -> main"
        ),
    ]


def _no_commit(scene: Scene) -> Steps:
    steps: Steps = [] if scene.is_committed else [scene.save(), Say("Committed.")]
    undone = scene.run("git reset --soft HEAD~1", "")
    return [
        *steps,
        Ask(scene.deal(_LESS_NO_COMMIT if _is_less_used(scene) else _NO_COMMIT)),
        undone,
        Say("The changes are staged, not committed."),
    ]


def _npm(scene: Scene) -> Steps:
    package = scene.random.choice(("date-fns", "zod", "clsx", "@testing-library/user-event"))
    return [
        Run(f"npm install -D {package}", "added 1 package, and audited 912 packages in 7s", 0, 7),
        Say(f"Installed {package} for the test."),
        Ask(scene.deal(_PNPM)),
        Run(
            f"rm package-lock.json && pnpm add -D {package}", f"devDependencies:\n+ {package}", 0, 5
        ),
        Say("Switched to pnpm and removed the other lock file."),
    ]


def _generated(scene: Scene) -> Steps:
    path, command = scene.product.generated
    asked = scene.fill(str(scene.deck.deal(_GENERATED)), file=path)
    return [
        Edit(path, "// generated" if path.endswith((".ts", ".go", ".rs")) else "# generated", ""),
        Say(f"I also brought {path} in line."),
        Ask(asked),
        Run(f"git checkout -- {path} && {command}", f"wrote {path}", 0, 9),
        Say("Reverted, and generated from its source."),
    ]


def _scope(scene: Scene) -> Steps:
    undo = scene.run("git checkout -p -- . < /dev/null; git diff --stat", " {path} | 3 ++-")
    return [Ask(scene.deal(_SCOPE)), undo, Say("Only the change itself is left.")]


def _claim(scene: Scene) -> Steps:
    test = scene.product.tests[-1]
    pool = _LESS_STILL if _is_less_used(scene) else _STILL
    asked = scene.fill(str(scene.deck.deal(pool)), test=test.partition("::")[2])
    again = Edit(scene.task.path, scene.task.new, scene.noted("both branches"))
    steps: Steps = [Say(scene.deal(_CLAIMS)), Ask(asked), scene.fail(test)]
    if _is_last(scene):
        return [*steps, Say("You are right, it fails here as well. I do not know yet why.")]
    return [
        *steps,
        Say("You are right, I had only run a part of the tests."),
        again,
        scene.check(),
        Say("Now the whole suite passes, that test included."),
    ]


class Trouble(NamedTuple):
    """A story line: where in a session it belongs, what happens, and which products know it."""

    place: Place
    tell: Callable[[Scene], Steps]
    fits: Callable[[Product], object] = bool


TROUBLES = {
    "rg": Trouble("look", _rg),
    "jq": Trouble("look", _jq, lambda product: product.jq),
    "docker": Trouble("look", _docker, lambda product: product.docker),
    "lure": Trouble("look", _lure),
    "nothing-found": Trouble("look", _nothing_found),
    "difference": Trouble("look", _difference),
    "refused": Trouble("look", _refused),
    "cascade": Trouble("look", _cascade),
    "oneoff": Trouble("look", _oneoff),
    "delegate": Trouble("look", _delegate),
    "mismatch": Trouble("edit", _mismatch),
    "unread": Trouble("edit", _unread),
    "loop": Trouble("edit", _loop, lambda product: len(product.tests) > 1),
    "stop": Trouble("pause", _stop),
    "compact": Trouble("pause", _compact),
    "api": Trouble("pause", _api),
    "module": Trouble("check", _module, lambda product: product.module),
    "port": Trouble("check", _port, lambda product: product.port),
    "locked": Trouble("check", _locked, lambda product: product.locked),
    "slow": Trouble("check", _slow, lambda product: product.name == "ledgerline"),
    "push": Trouble("keep", _push),
    "no-commit": Trouble("talk", _no_commit),
    "npm": Trouble("talk", _npm, lambda product: product.name == "orchard-shop"),
    "generated": Trouble("talk", _generated),
    "scope": Trouble("talk", _scope),
    "claim": Trouble("talk", _claim),
}
