"""Which of a session's requests and names it is called by, told as logs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from helix_tui.digest.title.named import BY_COMMIT, BY_PLAN, BY_REQUEST, note_kept_work
from helix_tui.digest.title.named import note_planned_work as note_planned
from helix_tui.schema import Facts, WorkName
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

Scene = Callable[[ClaudeLog], object]


def ask(words: str) -> Scene:
    return lambda log: log.prompt(words)


def reply(words: str = "Done.") -> Scene:
    return lambda log: log.reply(words)


def commit(subject: str) -> Scene:
    return lambda log: log.step(
        f"git commit -m '{subject}'", f"[main 3f2a1bc] {subject}\n 1 file changed"
    )


def use(tool: str, given: dict[str, object], answer: str = "done") -> Scene:
    def scene(log: ClaudeLog) -> None:
        call = log.call(tool, given=given)["message"]["content"][0]["id"]
        log.result(call, answer)

    return scene


def work(lines: int = 2000) -> Scene:
    return lambda log: log.step("cat parser.py", "a line of code\n" * lines)


def run_by_person(command: str) -> Scene:
    def scene(log: ClaudeLog) -> None:
        log.prompt(f"<bash-input>{command}</bash-input>")
        log.prompt("<bash-stdout>2 problems</bash-stdout><bash-stderr></bash-stderr>")

    return scene


SESSIONS: dict[str, tuple[tuple[Scene, ...], str]] = {
    "the first request": (
        (ask("rename the flag of the parser"), work(), reply(), ask("and test the flag"), work()),
        "rename the flag of the parser",
    ),
    "a later one, where the first says nothing": (
        (
            ask("hello"),
            reply(),
            ask("please fix it"),
            reply(),
            ask("move the parser to its own file"),
        ),
        "move the parser to its own file",
    ),
    "a commit, where nothing says what it is about": (
        (ask("fix the review comments"), work(), commit("Read the spool once"), reply()),
        "fix the review comments: Read the spool once",
    ),
    "a commit on the same matter, where little is said": (
        (ask("make the spooler work"), work(), commit("Spooler: read each line once"), reply()),
        "Spooler: read each line once",
    ),
    "no commit on another matter": (
        (ask("rename the flag of the parser"), work(), commit("Bump a dependency"), reply()),
        "rename the flag of the parser",
    ),
    "a plan, where the request is long": (
        (
            ask(
                "can you check how the retries of webhooks are loaded, is it that headers which we"
                " do not know are dropped from them when they are written?"
            ),
            use("ExitPlanMode", {"plan": "# Plan: Keep unknown headers of webhooks\n\n…"}),
            reply(),
        ),
        "Keep unknown headers of webhooks",
    ),
    "a command with the task that it gave another agent": (
        (ask("/plan-phase 12"), use("Task", {"description": "Research two-factor login"}), reply()),
        "/plan-phase 12: Research two-factor login",
    ),
    "what the person had just run": (
        (run_by_person("uv run ty check"), ask("please fix these"), work(), reply()),
        "Fix these: uv run ty check (parser.py)",
    ),
    "the file it came to": (
        (ask("please fix these"), use("Edit", {"file_path": "/work/app/spool.py"}), reply()),
        "please fix these: spool.py",
    ),
    "what most was spent on, where the first was a question on the way": (
        (
            ask("how do I list the stored snapshots?"),
            reply(),
            ask("migrate the recorder to the worklet interface"),
            work(),
            reply(),
        ),
        "migrate the recorder to the worklet interface",
    ),
    "the first, where what follows comes back to it": (
        (
            ask("could we move the tokenizer page into a repository of its own?"),
            reply(),
            ask("yes, move the tokenizer there and fill in the readme of the repository"),
            work(),
            reply(),
        ),
        "Move the tokenizer page into a repository of its own",
    ),
    "what it points at, by the file that was edited": (
        (
            ask(
                "Can you please update these tests? We only pick the latest path of the list"
                " that the messages have, and never the one with the fewest folders."
            ),
            use("Edit", {"file_path": "/work/app/test_paths.py"}),
            reply(),
        ),
        "Update these tests. We only pick the latest path of the list (test_paths.py)",
    ),
    "the work, where the first was a question on the way": (
        (
            ask("does the importer go through the same path as the spooler?"),
            work(),
            reply(),
            ask("add a checksum to the header of each archive"),
            use("Edit", {"file_path": "/work/app/spool.py"}),
            work(),
            reply(),
        ),
        "add a checksum to the header of each archive",
    ),
    "the question, where nothing was changed for what followed": (
        (
            ask("does the importer go through the same path as the spooler?"),
            work(),
            reply(),
            ask("show me the last line of an archive"),
            work(),
            reply(),
        ),
        "does the importer go through the same path as the spooler?",
    ),
    "two requests of the same weight": (
        (
            ask("rename the flag of the parser"),
            use("Edit", {"file_path": "/work/app/parser.py"}),
            work(),
            reply(),
            ask("Migrate to the worklet interface"),
            use("Edit", {"file_path": "/work/app/audio.py"}),
            work(),
            reply(),
        ),
        "rename the flag of the parser; migrate to the worklet interface",
    ),
    "a request with how many other matters were worked on": (
        (
            ask("rename the flag of the parser and of every command that reads it."),
            use("Edit", {"file_path": "/work/app/parser.py"}),
            work(),
            ask("Write a page on archives"),
            use("Edit", {"file_path": "/work/app/archives.md"}),
            ask("Write one more chapter on archives"),
            use("Edit", {"file_path": "/work/app/archives.md"}),
            ask("Which licence does the spooler have?"),
            reply(),
            ask("Speed up the nightly importer"),
            use("Edit", {"file_path": "/work/app/nightly.py"}),
            reply(),
        ),
        "rename the flag of the parser and of every command that reads it (+2 more)",
    ),
    "a commit, where a template asks for a pull request": (
        (
            ask("Package the current working-tree changes into a GitHub pull request."),
            commit("Read the spool once"),
            reply(),
        ),
        "Read the spool once",
    ),
    "a commit, where the work only goes on": (
        (ask("pick up where we left off"), work(), commit("Read the spool once"), reply()),
        "Read the spool once",
    ),
    "the commits of the matter that took most, and not the first one": (
        (
            ask("pick up where we left off"),
            commit("fix(skills): correct a folder's name"),
            ask("next one"),
            work(),
            commit("feat(ui): show a table of archives"),
            ask("it is cut on the right"),
            work(),
            commit("fix(ui): cut long archives at the edge"),
        ),
        "feat(ui): show a table of archives",
    ),
    "the request, where each of many commits is of another matter": (
        (
            ask("Carry out the five findings of the auditor on the spooler…"),
            commit("Read the header once"),
            commit("Bound the cache of snapshots"),
            commit("Close sockets on interrupt"),
            commit("Escape quotes in labels"),
            reply(),
        ),
        "Carry out the five findings of the auditor on the spooler…",
    ),
    "the pull request, where the first was only talk": (
        (
            ask("do an in depth review of the local code base. Focus on keys that leak above all."),
            work(),
            reply(),
            ask("fix what you found in the order of its weight"),
            *[use("Edit", {"file_path": f"/work/app/token{n}.py"}) for n in range(6)],
            work(),
            ask("open a pr for me"),
            use(
                "Bash",
                {"command": "git commit -m 'x' && gh pr create --title 'Harden how tokens rest'"},
                "[main 3f2a1bc] Harden\n 1 file changed",
            ),
            reply(),
        ),
        "Harden how tokens rest (+2 more)",
    ),
    "the larger of two, where the first is cut before its point": (
        (
            ask(
                "in our landing page we have the shelves of the teams and that is a thing that we"
                " do not have so it is to be something else like the name that people may share"
            ),
            use("Edit", {"file_path": "/work/app/landing.tsx"}),
            reply(),
            ask("Add a page to the sidebar that searches for profiles"),
            use("Edit", {"file_path": "/work/app/sidebar.tsx"}),
            work(6000),
            reply(),
        ),
        "Add a page to the sidebar that searches for profiles",
    ),
    "what the talk came to, where it was carried out": (
        (
            ask("Looks like there is no way to resume a recording, what do you think of that?"),
            work(500),
            reply(),
            ask("How can we store the compaction of a snapshot?"),
            work(500),
            reply(),
            ask("Ok, create a task list and implement."),
            *[use("Edit", {"file_path": f"/work/app/part{n}.py"}) for n in range(6)],
            work(4000),
            reply(),
        ),
        "How can we store the compaction of a snapshot?",
    ),
    "a first question that names nothing, on which most was spent": (
        (
            ask("what does this repo do?"),
            work(),
            reply(),
            ask("Ok and explain what multi.py does"),
            reply(),
        ),
        "What does this repo do; explain what multi.py does",
    ),
    "all cases of a template": (
        tuple(
            scene
            for case in ("AB-16", "AB-17", "AB-18")
            for scene in (
                ask(
                    "Write a specification for ONE scenario of the archive.\n\n"
                    "Sources of truth which nobody may change:"
                    f"\n- ./cases/{case}.md"
                ),
                use("Write", {"file_path": f"/work/app/{case}-spec.md"}),
                reply(),
            )
        ),
        "Write a specification for ONE scenario of the archive (AB-16 to AB-18)",
    ),
    "the error that a long story shows": (
        (
            ask(
                "we used the skill that makes archives and since then I get the following error"
                " when starting, and I think that it comes of the false archives, can you look?\n\n"
                "It was thrown in a promise. The reason: RangeError: Invalid Date (unknown)"
            ),
            reply(),
        ),
        "RangeError: Invalid Date: we used the skill that makes archives…",
    ),
    "the summary, where the label only has a number": (
        (
            lambda log: log.add("ai-title", aiTitle="Phase 01 Auto Run Docs development"),
            ask("Start the development of phase 01, complete all tasks"),
            use("Edit", {"file_path": "/work/app/panel.ts"}),
            reply("**Summary:** Added a panel that lists archives. It is fast.\n\n**Details:** …"),
        ),
        "Added a panel that lists archives.",
    ),
    "what the reply says first was done, where the label only has a number": (
        (
            lambda log: log.add("ai-title", aiTitle="Phase 02 Auto Run Docs development"),
            ask("Start the development of phase 02, complete all tasks"),
            use("Edit", {"file_path": "/work/app/panel.ts"}),
            reply("Verified the order of lanes in the panel; nothing was red.\n\n- one\n- two"),
        ),
        "Verified the order of lanes in the panel",
    ),
    "the request, where the label is mere form": (
        (
            lambda log: log.add("ai-title", aiTitle="Identifying conversation subject"),
            ask("what is it all"),
            use("Read", {"file_path": "/work/app/lanes.md"}),
            reply("A panel of lanes."),
        ),
        "what is it all: lanes.md",
    ),
    "what a commit was amended to": (
        (
            ask("can we do it?"),
            commit("chore: nothing is left to mend in lanes"),
            reply(),
            ask("it is still there"),
            lambda log: log.step(
                f"git add {' '.join(f'src/lanes/of/many/folders/part{n}.ts' for n in range(9))}"
                " && git commit --amend -m 'fix: mend twelve warnings in lanes'",
                "[main 4f2a1bc] fix: mend twelve warnings in lanes\n 1 file changed",
            ),
            reply(),
        ),
        "fix: mend twelve warnings in lanes",
    ),
    "what is to be done with the files that are read for it": (
        (
            ask(
                "Please read @web/lanes.css, @web/lanes.js, @web/lanes.html and review how the"
                " colours of lanes are chosen, while keeping it free of dependencies"
            ),
            work(),
            reply(),
        ),
        "Review how the colours of lanes are chosen, while keeping it free… (lanes.css)",
    ),
    "a question about what was done, as a question": (
        (
            ask("was there any work done to keep the colours of lanes when the panel is closed?"),
            work(),
            reply("None."),
        ),
        "was there any work done to keep the colours of lanes when the panel is closed?",
    ),
    "what is handed on, by the first task of a sub-agent": (
        (
            ask("hand over this research to three others and have each of them write it down"),
            use("Task", {"description": "Research colours of lanes", "prompt": "go"}),
            reply(),
        ),
        "hand over this research to three others… (Research colours of lanes)",
    ),
    "in another language, by its place": (
        (ask("remova o nome da sessão e salve os dados no banco"), work(), reply()),
        "remova o nome da sessão e salve os dados no banco",
    ),
    "what was done, where nobody asked": (
        (work(), reply("I have it now.\n\n## Summary: How archives are unpacked\n\nIt does.")),
        "How archives are unpacked",
    ),
    "nothing": ((reply("I am ready. What shall I look for?"),), "Nothing was asked"),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_session_is_called_by(bench: Workbench, name: str) -> None:
    scenes, title = SESSIONS[name]
    log = ClaudeLog()
    for scene in scenes:
        scene(log)
    log.write(bench.home)
    bench.sweep()
    assert bench.session().title == title


def test_session_is_found_by_the_heading_of_its_plan(bench: Workbench) -> None:
    log = ClaudeLog()
    for scene in SESSIONS["a plan, where the request is long"][0]:
        scene(log)
    log.write(bench.home)
    bench.sweep()
    found = bench.helix("search", "unknown headers of webhooks", "--json").json["hits"]
    assert [hit["title"] for hit in found] == ["Keep unknown headers of webhooks"]


def test_names_of_the_work() -> None:
    facts = Facts()
    note_planned(facts, "plan", '{"plan":"## Overview\\n\\n## Plan: Read lines once\\n"}')
    note_planned(facts, "plan", '{"plan":[{"step":"Read"}]}')
    note_planned(facts, "plan", '{"plan":')
    note_kept_work(facts, '$ gh pr create --title "Read lines once" --body "…"', "https://…/1")
    note_kept_work(facts, "$ git commit -q -m \"$(cat <<'EOF' Keep the order", "")
    note_kept_work(
        facts, "$ git rebase --continue", "[detached HEAD 1a2b3c4] Sort by name\n 1 file"
    )
    note_kept_work(facts, "$ git merge main", "Already up to date.")
    assert facts.named == [
        WorkName(BY_PLAN, "Read lines once"),
        WorkName(BY_REQUEST, "Read lines once"),
        WorkName(BY_COMMIT, "Keep the order"),
        WorkName(BY_COMMIT, "Rebase: Sort by name"),
    ]


def test_names_hold_no_secrets() -> None:
    facts = Facts()
    key = "sk-ant-api03-" + "Ab1" * 30
    note_kept_work(facts, f"$ git commit -m 'Use {key}'", f"[main 3f2a1bc] Use {key}")
    assert key not in facts.named[0].text


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("$ git rebase --continue", "Rebase: Read tables once"),
        ("$ git -C shop cherry-pick 1a2b3c4", "Cherry-pick: Read tables once"),
        ("$ git rebase --continue && git commit -m 'Keep the order'", "Keep the order"),
    ],
)
def test_a_commit_that_is_only_replayed_says_so(call: str, name: str) -> None:
    facts = Facts()
    note_kept_work(facts, call, "[detached HEAD 3f2a1bc] Read tables once\n 2 files")
    assert [one.text for one in facts.named] == [name]
