"""The products of the sample and the ordinary work on them: look, change, check, commit."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any, NamedTuple

from helix_tui.sample.steps import Ask, Edit, Read, Run, Say, Steps, Think

_HOME = "/home/dev/code"
_PLACE = "@@\n"
_OPENINGS = (
    "I'll start with {path} and see who uses it.",
    "Let me look at how {stem} works today before changing anything.",
    "First the code around {stem}, then the tests that cover it.",
    "Looking for the place where this is decided.",
    "I'll read {path} and the tests next to it.",
    "Let me find the callers first, so that I know what else depends on this.",
)
_THOUGHTS = (
    "The request is about {stem}. I should check whether other callers rely on today's behaviour.",
    "This looks like a small change, but the tests will tell whether something else counts on it.",
    "There may be a second place that does the same. Search first, then edit {path}.",
    "The name in the request is not the one in the code; {path} is the likely place.",
    "Keep the change small: one function in {path}, and a test that would have caught it.",
)
_CHANGING = (
    "The cause is plain: see the line in {path}. Changing it.",
    "Found it. I'm changing {path} only.",
    "That is the place. One small edit should do.",
    "No other caller depends on it, so I can change {path} directly.",
)
_CHECKING = ("Now the tests.", "Running the checks.", "Let me see whether everything still passes.")
_AGAIN = (
    "This was rolled back in review last week, second attempt, smaller please. ",
    "Picking this up again on a fresh branch: ",
    "Reopened, it came back in the release candidate. ",
    "Same ticket as before, the first fix only covered half of it. ",
    "The branch from last time conflicts with main, so again from scratch: ",
    "Someone undid this by accident in a merge. Please do it once more. ",
    "Also needed on the maintenance branch. ",
)
_MORE = (
    (
        "Can you add a regression test for it?",
        "test",
        "There is one now, and it fails without the change.",
    ),
    ("A test for that would be good, please.", "test", "Added; the suite is green with it."),
    ("Say in a comment why this is so.", "comment", "The comment names the reason."),
    (
        "What happens with empty input? Add a case.",
        "test",
        "Covered: empty input gives an empty result.",
    ),
    ("Please add a line to the changelog as well.", "changelog", "Added it under Unreleased."),
    ("Show me the diff once more before I push.", "diff", "That is all of it: one file."),
    ("Is the same mistake made anywhere else?", "search", "No, this was the only place."),
    (
        "And does the linter have anything to say?",
        "status",
        "Nothing to report; the tree is clean.",
    ),
    ("Put that into the release notes, one sentence.", "changelog", "Done, in one sentence."),
)
_PRAISE = (
    "thanks, looks good",
    "perfect",
    "Great, that works. Thanks!",
    "ok nice",
    "lgtm, thank you",
)


class Task(NamedTuple):
    """Something that was asked for, and the change that does it."""

    ask: str
    path: str
    commit: str
    old: str
    new: str
    done: str

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePosixPath(self.path).name.split(".")[0]


class Product(NamedTuple):
    """A repository: how it is checked, what goes wrong in it, and what there is to do.

    What holds a failing command, its output, the command that works and its output is empty where
    the product has no such trouble.
    """

    name: str
    week: str
    branches: list[str]
    source: str
    check: str
    green: str
    red: str
    tests: list[str]
    build: list[str]
    test: list[str]
    module: list[str]
    port: list[str]
    locked: list[str]
    docker: str
    generated: list[str]
    code: str
    oneoffs: list[tuple[int, str, str]]
    lure: list[str]
    questions: list[list[str]]
    tasks: list[Task]
    jq: str = ""
    jq_cure: list[str] = []  # noqa: RUF012 - read only, like all of it

    @property
    def cwd(self) -> str:
        """The folder that its sessions work in."""
        return f"{_HOME}/{self.name}"


def products() -> list[Product]:
    """The products, the largest first."""
    folder = Path(__file__).parent / "products"
    loaded = [_product(tomllib.loads(path.read_text("utf-8"))) for path in folder.glob("*.toml")]
    return sorted(loaded, key=lambda product: (-len(product.week), product.name))


def taught_product() -> Product:
    """The repository in which rules came in: its own trouble, and nobody else's."""
    path = Path(__file__).with_name("driftwood.toml")
    return _product(tomllib.loads(path.read_text("utf-8")))


def _product(raw: dict[str, Any]) -> Product:
    raw["tasks"] = [_task(block) for block in raw["tasks"].strip().split("\n\n")]
    return Product(**raw)


def _task(block: str) -> Task:
    """`> ask`, `path: commit`, lines to take out and to put in, `< what the agent says`."""
    ask, place, *lines, reply = block.split("\n")
    path, _, commit = place.partition(": ")
    old = "\n".join(line[1:] for line in lines if line[0] == "-")
    new = "\n".join(line[1:] for line in lines if line[0] == "+")
    return Task(ask[2:], path, commit, _indented(path, old), _indented(path, new), reply[2:])


def _indented(path: str, code: str) -> str:
    return code.replace("    ", "\t") if path.endswith(".go") else code


class Deck:
    """Texts of a pool in random order, each once before any comes again."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._left: dict[tuple[Any, ...], list[Any]] = {}

    def deal(self, pool: tuple[Any, ...]) -> Any:
        """The next of a pool."""
        remaining = self._left.setdefault(pool, [])
        if not remaining:
            remaining += pool
            self.random.shuffle(remaining)
        return remaining.pop()


class Scene:
    """One session while it is being thought up."""

    def __init__(self, product: Product, flavor: str, task: Task, deck: Deck) -> None:
        self.product = product
        self.flavor = flavor
        self.task = task
        self.deck = deck
        self.random = deck.random
        self.is_committed = False
        self.may_end = False
        self.is_over = False
        self._size = self.random.randint(38, 97)

    def deal(self, pool: tuple[str, ...]) -> str:
        """The next text of a pool, about this session's task."""
        return self.fill(str(self.deck.deal(pool)))

    def fill(self, text: str, **more: str) -> str:
        """A text with its gaps filled; other braces are left as they are."""
        roll = self.random.randint
        filled = {
            "path": self.task.path,
            "stem": self.task.stem,
            "commit": self.task.commit,
            "repo": self.product.name,
            "cwd": self.product.cwd,
            "n": str(self._size),
            "s": f"{roll(2, 9)}.{roll(10, 99)}",
            "line": str(roll(20, 240)),
            "pid": str(roll(10, 59)),
            "a": str(roll(10, 40)),
            "b": str(roll(41, 90)),
            **more,
        }
        text = re.sub(r"\{(\w+)\}", lambda gap: filled.get(gap[1], gap[0]), text)
        return re.sub(r"\{hash\}", lambda _: f"{self.random.getrandbits(28):07x}", text)

    def run(self, command: str, output: str = "", code: int = 0, seconds: float = 0) -> Run:
        """A command whose gaps are filled."""
        return Run(self.fill(command), self.fill(output), code, seconds)

    def chance(self, share: float) -> bool:
        """Whether something that happens in this share of cases happens."""
        return self.random.random() < share

    def file(self, task: Task | None = None) -> str:
        """The file that a task changes, as it is before."""
        task = task or self.task
        code = _indented(task.path, self.product.code.strip("\n"))
        return code.replace(_PLACE, f"{task.old}\n").replace("{stem}", task.stem)

    def noted(self, note: str) -> str:
        """The changed code with a comment behind it."""
        is_slashes = self.task.path.endswith((".ts", ".tsx", ".rs", ".go"))
        return f"{self.task.new}  {'//' if is_slashes else '#'} {note}"

    def search(self, tool: str = "grep -rn") -> Run:
        """Look for the code by its name."""
        line = self.task.old.strip().split("\n")[0]
        word, test = _word(line), self.product.test[0]
        hits = f"{self.task.path}:{{line}}:    {line}\n{test}:{{pid}}:# {word}: {{commit}}"
        return self.run(f"{tool} '{word}' {self.product.source}", hits)

    def read(self) -> Read:
        """Read the file."""
        return Read(self.task.path, self.file())

    def edit(self) -> Edit:
        """Make the change."""
        return Edit(self.task.path, self.task.old, self.task.new)

    def check(self) -> Run:
        """The checks pass."""
        return self.run(self.product.check, self.product.green, 0, self.random.uniform(3, 24))

    def build(self) -> Run:
        """A command that takes longer than the checks do."""
        command, output = self.product.build
        return self.run(command, output, 0, self.random.uniform(6, 40))

    def fail(self, test: str) -> Run:
        """A test fails."""
        file, _, name = test.partition("::")
        output = self.fill(self.product.red, file=file, test=name)
        return Run(self.product.check, output, 1, self.random.uniform(3, 20))

    def save(self) -> Run:
        """Commit the work."""
        self.is_committed = True
        quoted = self.task.commit.replace("'", "")
        steps = (
            f"[main {{hash}}] {quoted}\n 2 files changed, {{a}} insertions(+), {{pid}} deletions(-)"
        )
        return self.run(f"git add -A && git commit -q -m '{quoted}' && git log -1", steps)


def _word(line: str) -> str:
    """A word of a line that is worth looking for."""
    words: list[str] = re.findall(r"[A-Za-z_]{3,30}", line)
    return max(words, key=len, default="main")


def begin(scene: Scene, is_second: bool) -> Steps:
    """What was asked, and the first look."""
    lead = scene.deal(_AGAIN) if is_second else ""
    steps: Steps = [Ask(lead + scene.task.ask)]
    if scene.chance(0.6):
        steps.append(Think(scene.deal(_THOUGHTS)))
    steps.append(Say(scene.deal(_OPENINGS)))
    if scene.chance(0.3):
        steps.append(scene.run("git status --short && git log --oneline -3", "{hash} {commit}"))
    return steps


def look(scene: Scene) -> Steps:
    """Search, look around, and read."""
    tasks = scene.product.tasks
    beside = sorted({other.path for other in tasks})[:14]
    near = scene.random.sample(tasks, 3)
    history = "\n".join(f"{{hash}} {other.commit}" for other in near)
    test = scene.fill(scene.product.test[0])
    around: Steps = [
        scene.search(),
        scene.run(f"git ls-files {scene.product.source} | head -14", "\n".join(beside)),
        scene.run("git log --oneline -3 -- {path}", history),
        Read(near[0].path, scene.file(near[0])),
        Read(test, scene.product.test[1]),
        scene.search("git grep -n"),
        scene.check(),
        scene.check(),
    ]
    return [*scene.random.sample(around, scene.random.randint(1, 4)), scene.read()]


def change(scene: Scene) -> Steps:
    """Say what is wrong and correct it."""
    return [Say(scene.deal(_CHANGING)), scene.edit()]


def verify(scene: Scene) -> Steps:
    """Run the checks, which pass; now and then that is forgotten."""
    if scene.chance(0.3):
        return []
    steps: Steps = [Say(scene.deal(_CHECKING)), scene.check()]
    return [*steps, scene.build()] if scene.chance(0.4) else steps


def go_on(scene: Scene) -> Steps:
    """Ask for one or two more things, and perhaps say thanks."""
    steps: Steps = []
    for _ in range(scene.random.choice((0, 1, 1, 2, 3))):
        ask, kind, answer = scene.deck.deal(_MORE)
        steps += [Ask(ask), *_more(scene, kind), Say(answer)]
    if scene.chance(0.3):
        steps += [Ask(scene.deal(_PRAISE)), Say("Glad it works.")]
    return steps


def _more(scene: Scene, kind: str) -> Steps:
    if kind == "changelog":
        entry = f"## Unreleased\n- {scene.task.commit}"
        changelog = "# Changelog\n\n## Unreleased\n\n## 3.4.0"
        return [Read("CHANGELOG.md", changelog), Edit("CHANGELOG.md", "## Unreleased", entry)]
    if kind == "test":
        path, old, new = map(scene.fill, scene.product.test)
        return [Read(path, old), Edit(path, old, new), scene.check()]
    if kind == "comment":
        why = scene.noted("callers count on this")
        return [Edit(scene.task.path, scene.task.new, why), scene.check()]
    if kind == "search":
        return [scene.search("git grep -n")]
    command = "git diff --stat" if kind == "diff" else "git status --short"
    return [scene.run(command, " {path} | {pid} ++++----\n 1 file changed")]


def question(scene: Scene) -> Steps:
    """A session in which nothing is changed."""
    ask, answer = scene.random.choice(scene.product.questions)
    return [Ask(ask), Say(scene.deal(_OPENINGS)), scene.search(), scene.read(), Say(answer)]
