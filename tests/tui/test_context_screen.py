"""The context screen: what agents load in each repository, with a gauge, warnings and lines."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from helix_tui.schema.context import (
    Context,
    ContextFile,
    ContextWarning,
    LineAbout,
    RepoContext,
    Told,
    ToldLine,
)
from helix_tui.schema.distribute import (
    DistributeRefusal,
    LedgerRule,
    Plan,
    Planned,
    Proposal,
    TargetStatus,
    WriteAction,
)
from helix_tui.tui.base.own_editor import at_line
from helix_tui.tui.context.plan_text import plan_lines
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.real import STEERING, narrow, opened
from tests.tui.sitting import both_sizes

LINE = ToldLine("/work/app/AGENTS.md", 3, "Format with `just fmt`.", 0.6, seen=4, violated=3)


def made_context(repo: str = "app", text: str = "Format with `just fmt`.\n") -> RepoContext:
    folder = f"/work/{repo}"
    files = [
        ContextFile(
            path=f"{folder}/AGENTS.md",
            scope="project",
            state="cut",
            reason="cut at byte 32,768, in line 842",
            bytes=46_808,
            lines=1201,
            tokens=8192,
            cut_at=32_768,
            text=text,
        ),
        ContextFile(
            path=f"{folder}/CLAUDE.md",
            scope="project",
            state="foreign",
            reason="Codex reads no file of this name",
        ),
    ]
    warnings = [ContextWarning("cut", files[0].path, "is cut at byte 32,768")]
    context = Context(
        agent="codex",
        version="",
        cwd=folder,
        files=files,
        warnings=warnings,
        text=text,
        cap=32_768,
        used=46_808,
    )
    about = LineAbout("just", "`just` is not installed", "cause", LINE)
    return RepoContext(repo, "codex", folder, 4, context, [about])


def source_with(*contexts: RepoContext) -> MadeSource:
    source = MadeSource([made_reviewed(0)])
    source.made_contexts = list(contexts)
    return source


@both_sizes
async def test_files_warnings_and_lines_are_shown(size: tuple[int, int]) -> None:
    gone = RepoContext("old", "claude", "/gone", 2, None, [])
    async with opened(source_with(made_context(), gone), "f7", size) as found:
        await found.until(lambda: "2 of 2" in found.text)
        assert "1 violated" in found.text
        assert "█" in found.text
        assert "its folder is gone" in found.text
        await found.press("enter")
        assert "is cut at byte 32,768" in found.text
        assert "Codex reads no file of this name" in found.text
        assert "/work/app/AGENTS.md:3" in found.text
        assert "violated in 3" in found.text
        await found.press("escape", "escape")
        assert found.place == "review"


async def test_the_list_filters_and_sorts() -> None:
    contexts = [made_context(name) for name in ("app", "web", "api")]
    async with opened(source_with(*contexts), "f7", (120, 40)) as found:
        await found.until(lambda: "3 of 3" in found.text)
        await narrow(found, "web", "enter")
        assert "1 of 3" in found.text
        await found.press("escape", "o")
        assert "repo ▼" in found.text
        await found.press("y")
        assert found.app.clipboard == "helix context /work/web --agent codex"


async def test_files_further_down_follow(tmp_path: Path) -> None:
    below = tmp_path / "app" / "packages" / "web"
    below.mkdir(parents=True)
    (below / "AGENTS.md").write_text("Only here.\n")
    context = made_context()._replace(cwd=str(tmp_path / "app"))
    async with opened(source_with(context), "f7", (120, 40)) as found:
        await found.until(lambda: "- packages/web/AGENTS.md: below this folder" in found.text)


def planned(action: WriteAction = "insert") -> Plan:
    before, after = b"# App\n", b"# App\n\n- Use pnpm.\n"
    file = "/work/app/AGENTS.md"
    rule = LedgerRule("use-pnpm", "1.0.0", "Use pnpm.", "2026-01-02T00:00:00Z", ["codex"])
    write = Planned(
        *(file, "app", "/work/app", "block", action, before, after, (rule,), "", False, ()),
        *(6, "", "\n- Use pnpm.\n", True),
    )
    target = TargetStatus(
        *("old-rule", "1.2.0", file, "app", ("codex", "grok"), "2026-01-02T00:00:00Z", "edited")
    )
    refusal = DistributeRefusal("", "for-all", "floors", "too little; say `set ID`")
    return Plan([write], [refusal], [Proposal("old-rule", file, "By hand.")], [target])


@both_sizes
async def test_what_is_distributed_is_shown_and_a_plan_is_read_before_it_is_carried_out(
    size: tuple[int, int],
) -> None:
    source = source_with(made_context())
    source.distribution.made_plan = planned()
    async with opened(source, "f7", size) as found:
        await found.until(lambda: "1 drifted, 1 file to write: d" in found.text)
        await found.press("enter")
        for told in ("Distributed here", "edited", "old-rule 1.2.0 since 2026-01-02"):
            assert told in found.text
        await found.press("escape", "d")
        await found.until(lambda: "1 file to be written, 1 pattern held back" in found.text)
        for told in ("+- Use pnpm.", "not written (floors): for-all", "set for-all", "By hand."):
            assert told in found.text
        await found.press("escape")
        assert source.distribution.done == []
        for key, done in (("d", "apply"), ("r", "retract"), ("u", "undo")):
            await found.press(key)
            await found.until(lambda: "enter " in found.text and "leaves it" in found.text)
            await found.press("enter")
            await found.until(lambda done=done: done in source.distribution.done)  # type: ignore[misc]
            await found.until(lambda: found.place == "context")
        assert source.distribution.done == ["apply", "retract", "undo"]
        source.distribution.made_plan = Plan([], [], [], [])
        await found.press("f3", "f7")
        await found.until(lambda: "drifted" not in found.text and "1 of 1" in found.text)


def test_what_several_patterns_are_held_back_for_stands_once() -> None:
    refusals = [DistributeRefusal("", name, "folder", "it is gone") for name in ("one", "two")]
    refusals += [DistributeRefusal("", name, "floors", "say `set ID`") for name in ("one", "two")]
    plan = Plan([], refusals, [], [])
    assert plan_lines(plan) == [
        "not written (folder): one, two: it is gone",
        "not written (floors): one: say `set one`",
        "not written (floors): two: say `set two`",
    ]


@both_sizes
async def test_a_plan_stands_in_the_middle(size: tuple[int, int]) -> None:
    source = source_with(made_context())
    async with opened(source, "f7", size) as found:
        await found.press("d")
        await found.until(lambda: "Nothing to write" in found.text)
        box = found.app.screen.query_one("#question").region
        assert abs(box.x - (size[0] - box.right)) <= 1
        assert abs(box.y - (size[1] - box.bottom)) <= 1


async def test_a_plan_without_work_only_closes() -> None:
    source = source_with(made_context())
    async with opened(source, "f7", (120, 40)) as found:
        await found.press("d")
        await found.until(lambda: "Nothing to write" in found.text)
        await found.press("enter")
        await found.until(lambda: found.place == "context")
        assert source.distribution.done == []


async def test_without_repositories_it_says_what_to_press() -> None:
    async with opened(source_with(), "f7", (80, 24)) as found:
        await found.until(lambda: "No repository yet" in found.text)
        await found.press("j", "enter", "ctrl+e", "y")
        assert found.place == "context"


async def test_hostile_names_show_as_they_stand() -> None:
    hostile = made_context("a\x1b[2J\u202eb", "x\x1b]0;t\x07")
    async with opened(source_with(hostile), "f7", (120, 40)) as found:
        await found.until(lambda: "1 of 1" in found.text)
        assert not STEERING & set(found.text.replace("\n", ""))


async def test_lines_that_say_it_stand_beside_the_evidence_and_open_in_an_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("a\nb\nc\n")
    line = ToldLine(str(file), 3, "Format with `just fmt`.", 0.6, why="it asks for what fails")
    reviewed = made_reviewed(0)._replace(told="cause")
    source = MadeSource([reviewed, made_reviewed(1)])
    source.made_told = Told("cause", [line], 4, 3)
    opened_files: list[tuple[str, int]] = []

    def noted(_: object, path: str, at: int) -> None:
        opened_files.append((path, at))

    monkeypatch.setattr("helix_tui.tui.base.verdict_keys.open_in_editor", noted)
    async with opened(source, "j", (120, 40)) as found:
        await found.press("k")
        await found.until(lambda: "told, and the cause" in found.text)
        assert "(cause) " in found.text
        assert "AGENTS.md:3" in found.text
        assert "Change the line" in found.text
        await found.press("L")
        assert opened_files == [(str(file), 3)]
        await narrow(found, "told:cause", "enter")
        assert "1 of 2" in found.text
        await found.press("j", "escape", "j", "L")
        await asyncio.sleep(0)
        assert len(opened_files) == 1


def test_editors_open_at_a_line_as_far_as_they_are_known() -> None:
    assert at_line(["vim", "-n"], "/a b.md", 7) == ["vim", "-n", "+7", "/a b.md"]
    assert at_line(["/usr/bin/code", "-w"], "/a.md", 7)[-2:] == ["--goto", "/a.md:7"]
    assert at_line(["hx"], "/a.md", 7) == ["hx", "/a.md:7"]
    assert at_line(["ed"], "/a.md", 7) == ["ed", "/a.md"]
