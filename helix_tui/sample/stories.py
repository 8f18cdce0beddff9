"""The plan of the month: which sessions there are, and what happens in which of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import NamedTuple

from helix_tui.sample.loop import (
    LOOP,
    LOOP_TROUBLES,
    REPO,
    TAUGHT,
    came_in,
    tell_loop,
    told_at,
)
from helix_tui.sample.session import SampleSession
from helix_tui.sample.steps import Ask, Interrupt, Say, Steps
from helix_tui.sample.trouble import TROUBLES, Place, Trouble
from helix_tui.sample.work import (
    Deck,
    Product,
    Scene,
    Task,
    begin,
    change,
    go_on,
    look,
    products,
    question,
    taught_product,
    verify,
)

WEEKS = 5
FLAVORS = {"c": "claude", "x": "codex", "g": "grok", "o": "opencode", "m": "gemini"}
_MODELS = {
    "claude": ("claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-5-5"),
    "codex": ("gpt-6-sol", "gpt-5.6-sol"),
    "grok": ("grok-4.7",),
    "opencode": ("claude-sonnet-5-5",),
    "gemini": ("gemini-3-pro-preview",),
}
# Each story by week, the oldest first; a letter is one session of that agent.
STORIES = {
    # Problems: some steady, one that came to an end, one that came back, one that began last
    # week, one that grows.
    "rg": ("cx", "cxg", "xg", "cxg", "cx"),
    "jq": ("cxg", "cx", "", "", ""),
    "port": ("cxg", "", "", "", "ccxg"),
    "docker": ("", "", "", "", "ccxxg"),
    "locked": ("", "c", "x", "cxg", "ccxxg"),
    "mismatch": ("cx", "cg", "cx", "xg", "cx"),
    "unread": ("c", "c", "cc", "c", "cc"),
    "module": ("cx", "c", "x", "cg", "x"),
    "push": ("cx", "xg", "cx", "cg", "cx"),
    "loop": ("c", "x", "", "cg", "x"),
    "slow": ("c", "", "x", "g", "c"),
    # What people say to it.
    "no-commit": ("cx", "x", "cg", "x", "c"),
    "npm": ("c", "x", "g", "c", "x"),
    "generated": ("g", "c", "x", "", "cx"),
    "scope": ("", "x", "c", "", "c"),
    "claim": ("c", "x", "g", "c", "x"),
    # What happens in any month, and what only looks like a problem.
    "stop": ("x", "c", "g", "c", "x"),
    "compact": ("c", "", "x", "c", "c"),
    "api": ("", "c", "x", "", "g"),
    "delegate": ("c", "c", "", "c", "cc"),
    "nothing-found": ("c", "x", "g", "c", "x"),
    "difference": ("x", "", "g", "c", ""),
    "refused": ("", "c", "x", "g", "c"),
    "cascade": ("c", "", "c", "", "c"),
    "oneoff": ("x", "cg", "c", "x", "cg"),
    "lure": ("g", "x", "", "c", "x"),
}
# Two more agents, which are used less: their sessions a week by product, and their stories.
MORE_WEEKS = {"ledgerline": "o", "orchard-shop": "m", "sluice": "om", "tidemark": "o"}
MORE_STORIES = {
    "rg": ("o", "m", "om", "m", "o"),
    "push": ("m", "o", "", "o", "m"),
    "no-commit": ("", "o", "m", "", "o"),
    "mismatch": ("m", "", "o", "m", ""),
    "port": ("o", "", "", "", "o"),
    "claim": ("", "", "o", "", "m"),
}
# Sessions in which nothing is worked on: (week, agent, repository, what happens).
TRIVIAL = (
    (0, "c", "ledgerline", "hello"),
    (0, "x", "tidemark", "stopped"),
    (1, "g", "sluice", "ping"),
    (1, "c", "orchard-shop", "stopped"),
    (2, "x", "ledgerline", "stub"),
    (2, "c", "groundwork", "ping"),
    (3, "g", "ledgerline", "stopped"),
    (4, "x", "sluice", "hello"),
    (4, "c", "ledgerline", "stub"),
)
_PLACES: tuple[Place, ...] = ("look", "edit", "pause", "check", "keep", "talk")
# One of each of these is enough for a session.
_ONCE: tuple[Place, ...] = ("edit", "pause", "check", "keep", "talk")
_MOST_STORIES = 4
_COMMITTED = 0.35
_ASKING = 0.35
_WEEKEND = 0.12


LOOP_PART = "loop"
# The repository in which rules came in is worked on more, since they did.
_LOOP_WEEKS = ("cccxxxooomm",) * 3 + ("ccccxxxxooomm",) * 2
_RENEWED = {"codex": "0.143.0"}


class Planned(NamedTuple):
    """A session before anything happens in it; `kind` is empty for one with work in it."""

    week: int
    flavor: str
    product: Product
    start: float
    stories: list[str]
    kind: str = ""


class Month(NamedTuple):
    """Sessions that are drawn together: of each product by week, with the stories they tell."""

    weeks: Sequence[tuple[Product, Sequence[str]]]
    stories: Mapping[str, Sequence[str]]
    troubles: Mapping[str, Trouble]
    trivial: Sequence[tuple[int, str, str, str]] = ()


def months() -> dict[str, Month]:
    """The sample's parts, each drawn by itself: another story in one changes no other."""
    known = products()
    first = [(product, (product.week,) * WEEKS) for product in known]
    more = [(product, (MORE_WEEKS.get(product.name, ""),) * WEEKS) for product in known]
    return {
        "": Month(first, STORIES, TROUBLES, TRIVIAL),
        "more": Month(more, MORE_STORIES, TROUBLES),
        LOOP_PART: Month([(taught_product(), _LOOP_WEEKS)], LOOP, LOOP_TROUBLES),
    }


def plan(random: Random, until: date, part: Month) -> list[Planned]:
    """The sessions of five weeks up to a day, with the stories that each of them tells."""
    by_name = {product.name: product for product, _ in part.weeks}
    month: list[Planned] = []
    for week in range(WEEKS):
        for product, weeks in part.weeks:
            for letter in weeks[week]:
                start = _start(random, until, week)
                month.append(Planned(week, FLAVORS[letter], product, start, []))
    _cast(random, month, part)
    for week, letter, name, kind in part.trivial:
        start = _start(random, until, week)
        month.append(Planned(week, FLAVORS[letter], by_name[name], start, [], kind))
    return sorted(month, key=lambda planned: planned.start)


def _start(random: Random, until: date, week: int) -> float:
    """A moment in a week, mostly in working hours of a working day."""
    while True:
        day = until - timedelta(days=7 * (WEEKS - 1 - week) + random.randrange(7))
        if day.weekday() < 5 or random.random() < _WEEKEND:
            at = time(random.randint(7, 17), random.randint(0, 59), random.randint(0, 59))
            return datetime.combine(day, at, UTC).timestamp()


def _cast(random: Random, sessions: list[Planned], part: Month) -> None:
    """Give every story its sessions, those with the fewest so far; the rarest choose first."""
    troubles = part.troubles
    rarity = {
        name: sum(bool(troubles[name].fits(planned.product)) for planned in sessions)
        for name in part.stories
    }
    for name in sorted(part.stories, key=lambda story: (rarity[story], story)):
        trouble = troubles[name]
        for week, letters in enumerate(part.stories[name]):
            for letter in letters:
                fitting = [
                    planned
                    for planned in sessions
                    if planned.week == week
                    and planned.flavor == FLAVORS[letter]
                    and trouble.fits(planned.product)
                    and _has_room(planned, name, troubles)
                ]
                random.shuffle(fitting)
                min(fitting, key=lambda planned: len(planned.stories)).stories.append(name)


def _has_room(planned: Planned, name: str, troubles: Mapping[str, Trouble]) -> bool:
    places = [troubles[story].place for story in planned.stories]
    place = troubles[name].place
    is_taken = place in _ONCE and place in places
    return not is_taken and name not in planned.stories and len(places) < _MOST_STORIES


def sessions(random: Random, until: date, part: Month) -> list[SampleSession]:
    """Everything that happens in the month, in the order of its beginning."""
    deck = Deck(random)
    asked: set[Task] = set()
    written: list[SampleSession] = []
    for planned in plan(random, until, part):
        product = planned.product
        task: Task = deck.deal(tuple(product.tasks))
        scene = Scene(product, planned.flavor, task, deck)
        told = told_at(planned.start, until) if product.name == REPO else ""
        if told:
            steps = tell_loop(scene, planned.stories, told)
        else:
            steps = _trivial(scene, planned.kind) or _tell(scene, planned.stories, task in asked)
        if not planned.kind:
            asked.add(task)
        branch, model = random.choice(product.branches), random.choice(_MODELS[planned.flavor])
        is_since = planned.start >= came_in(TAUGHT[0], until).timestamp()
        version = _RENEWED.get(planned.flavor, "") if told and is_since else ""
        written.append(
            SampleSession(
                planned.flavor, product.cwd, branch, model, planned.start, steps, told, version
            )
        )
    return written


def _trivial(scene: Scene, kind: str) -> Steps:
    greeting = scene.fill("Hello! What shall we work on in {repo}?")
    stories: dict[str, Steps] = {
        "hello": [Ask("hi"), Say(greeting)],
        "ping": [Ask("are you there?"), Say("Yes.")],
        "stopped": [Ask(scene.task.ask), Interrupt()],
        "stub": [Ask("test")],
    }
    return stories.get(kind, [])


def _tell(scene: Scene, stories: list[str], is_second: bool) -> Steps:
    """A session from the first request to the last reply, each trouble in its place."""
    if not stories and scene.chance(_ASKING):
        return question(scene)
    is_kept = scene.chance(_COMMITTED)
    steps, count = begin(scene, is_second), 0
    for place in _PLACES:
        own = [TROUBLES[name] for name in stories if TROUBLES[name].place == place]
        if place == "edit":
            # Who has not read a file cannot edit it: that is the trouble.
            steps += [] if "unread" in stories else look(scene)
            steps += [] if own else change(scene)
        elif place == "keep":
            steps += [*verify(scene), scene.save()] if is_kept else verify(scene)
        elif place == "talk":
            steps.append(Say(scene.task.done))
        for trouble in own:
            count += 1
            scene.may_end = count == len(stories)
            steps += trouble.tell(scene)
            if scene.is_over:
                return steps
    return [*steps, *go_on(scene)]
