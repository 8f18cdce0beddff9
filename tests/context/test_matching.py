"""Which line of instructions says what recurs, on pairs that were written without a look at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helix_tui.context.matching.asks import asks_for, forbids_command, words_of_command
from helix_tui.context.matching.index import BADGE, Hit, Index
from helix_tui.context.matching.judge import is_order
from helix_tui.context.matching.sought import sought
from helix_tui.context.matching.tokens import tokens_of
from helix_tui.context.matching.units import Unit, units_of

DATA = Path(__file__).parent.parent / "data"
SETS = [
    json.loads((DATA / name).read_text()) for name in ("told_pairs.json", "told_pairs_blind.json")
]
LINE = 13
both_sets = pytest.mark.parametrize("pairs", SETS, ids=["first", "blind"])


def found(pairs: dict[str, Any], pair: dict[str, Any]) -> list[tuple[Unit, Hit]]:
    """What is found for a candidate in a file of other rules with its rule among them."""
    lines = list(pairs["context"])
    lines.insert(LINE - 1, f"- {pair['rule'].removeprefix('- ')}")
    index = Index(units_of("\n".join(lines)))
    fields = {name: value for name, value in pair["candidate"].items() if name != "class"}
    wanted = sought(
        error_class=pair["candidate"]["class"],
        **{name: value for name, value in fields.items() if name not in ("signal", "sort")},
    )
    return [(index.units[hit.unit], hit) for hit in index.find(wanted)]


@both_sets
def test_true_rules_are_among_the_three_and_false_ones_get_no_badge(pairs: dict[str, Any]) -> None:
    true = [pair for pair in pairs["pairs"] if pair["told"]]
    false = [pair for pair in pairs["pairs"] if not pair["told"]]
    assert (len(true), len(false)) == (25, 15)
    among = [pair for pair in true if LINE in [unit.line for unit, _ in found(pairs, pair)]]
    badges = [
        [unit.line for unit, hit in found(pairs, pair) if hit.coverage >= BADGE] for pair in true
    ]
    wrong = [
        pair["rule"]
        for pair in false
        if any(hit.coverage >= BADGE for _, hit in found(pairs, pair))
    ]
    assert len(among) >= 0.85 * len(true)
    assert sum(LINE in lines for lines in badges) >= 0.8 * len(true)
    assert [lines for lines in badges if set(lines) - {LINE}] == []
    assert wrong == []


@pytest.mark.parametrize(("half", "among"), [("tune", 14), ("held", 16)])
def test_rules_that_nearly_say_it_get_no_badge(half: str, among: int) -> None:
    pairs = json.loads((DATA / "told_pairs_near.json").read_text())
    true = [pair for pair in pairs[half] if pair["told"]]
    false = [pair for pair in pairs[half] if not pair["told"]]
    assert (len(true), len(false)) == (16, 15)
    assert sum(LINE in [unit.line for unit, _ in found(pairs, pair)] for pair in true) >= among
    for pair in false:
        assert not any(hit.coverage >= BADGE for _, hit in found(pairs, pair)), pair["rule"]


@pytest.mark.parametrize("half", ["seen", "measured", "later"])
def test_rules_in_other_words_are_found_and_what_nearly_says_it_gets_no_badge(half: str) -> None:
    pairs = json.loads((DATA / "told_pairs_far.json").read_text())
    known = {**pairs, "context": pairs["context"][half]}
    true = [pair for pair in pairs[half] if pair["told"]]
    false = [pair for pair in pairs[half] if not pair["told"]]
    assert len(true) + len(false) >= 50
    among = sum(LINE in [unit.line for unit, _ in found(known, pair)] for pair in true)
    wrong = [
        pair["rule"]
        for pair in false
        if any(hit.coverage >= BADGE for _, hit in found(known, pair))
    ]
    assert among >= 0.85 * len(true)
    assert len(wrong) <= 0.05 * len(false), wrong


@pytest.mark.parametrize("number", [0, 1])
def test_rules_nobody_tuned_to_are_found_and_hardly_a_false_one_gets_a_badge(number: int) -> None:
    pairs = json.loads((DATA / "told_pairs_unseen.json").read_text())["sets"][number]
    true = [pair for pair in pairs["pairs"] if pair["told"]]
    false = [pair for pair in pairs["pairs"] if not pair["told"]]
    among = [pair for pair in true if LINE in [unit.line for unit, _ in found(pairs, pair)]]
    wrong = [pair for pair in false if any(hit.coverage >= BADGE for _, hit in found(pairs, pair))]
    assert len(among) >= 0.85 * len(true) == 17
    assert len(wrong) <= 0.05 * len(false) == 1


@both_sets
def test_a_line_that_asks_for_what_fails_is_the_cause_and_no_other_is(
    pairs: dict[str, Any],
) -> None:
    for pair in pairs["pairs"]:
        causes = [unit.line for unit, hit in found(pairs, pair) if hit.is_cause]
        assert causes == ([LINE] if pair["state"] == "cause" else []), pair["rule"]


def test_units_are_sentences_items_and_lines_of_code() -> None:
    text = (
        "# Title\n\nFirst thing. Second\nthing, on two lines. Third.\n"
        "- item one\n  goes on\n- [ ] item two\n\n```sh\n# comment\n$ make test\n```\n"
        "| a | b |\n|---|---|\n| cell | other |\n"
    )
    assert units_of(text) == [
        Unit(3, "First thing.", within="Title"),
        Unit(3, "Second thing, on two lines.", within="Title"),
        Unit(4, "Third.", within="Title"),
        Unit(5, "item one goes on", within="Title"),
        Unit(7, "item two", within="Title"),
        Unit(11, "make test", True, "Title / item two"),
        Unit(13, "| a | b |", within="Title"),
        Unit(15, "| cell | other |", within="Title"),
    ]


def test_units_know_the_heading_and_the_items_that_they_stand_below() -> None:
    text = (
        "## Git\n- Pushing\n  - only by hand\n  - never with force\n- Tags\n\n## Build\nBy make.\n"
    )
    assert [(unit.text, unit.within) for unit in units_of(text)] == [
        ("Pushing", "Git"),
        ("only by hand", "Git / Pushing"),
        ("never with force", "Git / Pushing"),
        ("Tags", "Git"),
        ("By make.", "Build"),
    ]


def test_words_keep_names_flags_and_paths() -> None:
    text = "Run `pnpm generate:client --no-cache` in ./apps/web, see a.b and FOO=1."
    assert [*tokens_of(text)] == [
        *("run", "pnpm", "generate:client", "--no-cache", "in", "apps/web", "see", "a.b"),
        *("and", "foo", "1"),
    ]


def test_commands_are_parted_with_quotes_respected() -> None:
    assert words_of_command("cd a && grep 'x && y' b | wc -l; make") == (
        *(("cd", "a"), ("grep", "x && y", "b"), ("wc", "-l"), ("make",)),
    )
    assert words_of_command("echo 'open") == (("echo", "'open"),)


@pytest.mark.parametrize(
    ("line", "command", "asked", "forbidden"),
    [
        ("Run `npm test` first.", "npm test -- x", True, False),
        ("Never run `npm test`.", "npm test", False, True),
        ("Do not use `npm test`, run `pnpm test`.", "pnpm test", True, False),
        ("Use `rg` instead of `grep -r`.", "grep -r x .", False, True),
        ("`pytest` is our tool.", "pytest -q", False, False),
        ("Run `pytest` always.", "pytest -q", True, False),
        ("`make <target>` builds.", "make all", False, False),
        ("Do not commit without tests; run `make test`.", "make test", True, False),
    ],
)
def test_a_line_asks_or_forbids(line: str, command: str, asked: bool, forbidden: bool) -> None:
    assert asks_for(line, command, is_code=False) is asked
    assert forbids_command(line, command, is_code=False) is forbidden


def test_one_word_of_a_remedy_in_prose_does_not_say_it() -> None:
    index = Index(
        units_of("- Review changes by reading what was generated, or preview a specific file.\n")
    )
    remedy = "read the file again"
    hits = index.find(sought(title="an edit quotes text that is not in the file", remedy=remedy))
    assert all(hit.coverage < BADGE for hit in hits)


def test_an_alternative_is_told_by_the_other() -> None:
    index = Index(units_of("- Use pnpm for everything.\n- Be brief.\n"))
    (hit, *_) = index.find(sought(title="`npm ci` fails", subject="npm", shape="npm ci"))
    assert index.units[hit.unit].line == 1


def best(line: str, **candidate: str) -> float:
    hits = Index(units_of(f"- {line}\n")).find(sought(**candidate))
    return max((hit.coverage for hit in hits), default=0.0)


def test_one_word_that_both_have_is_chance_unless_the_line_forbids_it() -> None:
    said = "user corrects: “why did you push, and the tag too? I did not ask for that”"
    assert best("Pushing is slow from here.", title=said) < BADGE
    push = "user corrects: “why did you push? I did not ask for that”"
    assert best("Never push unless you are asked to.", title=push) >= BADGE


def test_the_name_of_a_place_says_nothing() -> None:
    title, shape = "`python` in tools: command not found", "python {file}"
    works = {"failed": "python tools/a.py", "works": "python3 tools/a.py"}
    assert best("Python scripts in `tools/` are executable.", title=title, shape=shape, **works) < (
        BADGE
    )
    assert best("There is no `python`, use `python3`.", title=title, shape=shape, **works) >= BADGE


def test_an_option_of_one_letter_is_told_with_its_program_only() -> None:
    candidate = {
        "title": "`jest` in app: snapshot obsolete",
        "shape": "jest",
        "failed": "jest",
        "works": "jest -u",
    }
    assert best("Stage what changed with `git add -u`.", **candidate) < BADGE
    assert best("Refresh with `jest -u`.", **candidate) >= BADGE


def test_opposite_of_what_people_say_does_not_say_it() -> None:
    spaces = "user corrects: “indent with spaces, not tabs”"
    assert best("Indent the Makefiles with tabs.", title=spaces) < BADGE
    rebase = "user corrects: “don't rebase shared branches”"
    assert best("Rebase shared branches every morning.", title=rebase) < BADGE
    assert best("Never rebase shared branches.", title=rebase) >= BADGE
    assert best("Rebasing a shared branch is forbidden.", title=rebase) >= BADGE


def test_variable_of_another_value_is_another_rule() -> None:
    tried = {
        "title": "`node build.js` runs out of memory",
        "shape": "node build.js",
        "failed": "node build.js",
        "works": "NODE_MODE=large node build.js",
    }
    assert best("Ship with `NODE_MODE=small node ship.js`.", **tried) < BADGE
    assert best("Run `NODE_MODE=large node build.js`.", **tried) >= BADGE


def test_name_of_a_file_is_no_name_of_a_program() -> None:
    tried = {
        "title": "`pre-commit` is not installed",
        "shape": "pre-commit run",
        "failed": "pre-commit run",
        "works": "uvx pre-commit run",
    }
    assert best("All hooks are listed in `pre-commit.yaml`.", **tried) < BADGE


def test_line_that_tells_what_a_command_does_is_not_the_cause() -> None:
    wanted = sought(
        title="`make serve` finds its port in use",
        shape="make serve",
        failed="make serve",
        works="PORT=4100 make serve",
    )
    told, asked = (
        Index(units_of(f"- {line}\n")).find(wanted)
        for line in ("`make serve` opens the site on port 4000.", "Run `make serve` first.")
    )
    assert not any(hit.is_cause for hit in told)
    assert any(hit.is_cause for hit in asked)


MAP = {
    "title": "`mapgen build` in atlas: no projection given",
    "shape": "mapgen build",
    "failed": "mapgen build",
    "works": "mapgen build --projection mercator",
}


@pytest.mark.parametrize(
    "line",
    [
        "Do not pass `--projection` to `mapgen build`, the default is right.",
        "Leave `--projection` away when you run `mapgen build`.",
        "`--projection` breaks `mapgen build` since 4.2.",
        "Run `mapgen build --projection albers`.",
        "Run `mapgen publish --projection mercator`.",
        "In `maps/polar` run `mapgen build --projection mercator`.",
        "On CI `mapgen build --projection mercator` is run at night.",
        "Use `mapgen build --projection mercator`, except for the atlas.",
        "The output of `mapgen build --projection mercator` is in `out/`.",
        "Before a release run `mapgen build --projection mercator`.",
        "Add `--projection` to the glossary of map words.",
    ],
)
def test_line_of_another_value_place_step_or_subject_gets_no_badge(line: str) -> None:
    assert best(line, **MAP) < BADGE
    assert best("Run `mapgen build --projection mercator`, it has no default.", **MAP) >= BADGE


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("write the labels in capitals", "Labels can be written in capitals."),
        ("keep lines under 80 characters", "Keep lines under 100 characters."),
        ("draw the legend before you export the map", "Draw the legend after you export the map."),
        ("no labels on the ocean", "No labels on the ocean, except for currents."),
        ("don't round the coordinates of a label", "Coordinates of a label are rounded."),
        ("split the legend off the map", "The map has a legend."),
    ],
)
def test_line_that_says_something_else_to_people_gets_no_badge(said: str, line: str) -> None:
    title = f"user corrects: “{said}”"
    assert best(line, title=title) < BADGE
    assert best(f"Always: {said}.", title=title) >= BADGE


def test_line_that_forbids_what_works_is_not_what_is_told() -> None:
    tried = {
        "title": "`mapgen build` is out of date",
        "shape": "mapgen build",
        "failed": "mapgen build",
        "works": "mapgen fetch && mapgen build",
    }
    assert best("Builds are made by the pipeline: never run `mapgen build`.", **tried) < BADGE
    assert best("Run `mapgen fetch` before `mapgen build`.", **tried) >= BADGE


def test_line_in_other_words_is_shown() -> None:
    title = "user corrects: “ask me before you erase anything”"
    (hit, *_) = Index(
        units_of("- Water is blue.\n- Deleting needs confirmation.\n- Roads are thin.\n")
    ).find(sought(title=title))
    assert (hit.unit, hit.coverage < BADGE) == (1, True)


def test_heading_of_a_line_says_what_it_is_about() -> None:
    text = "# Atlas\n\n## Projections\n\n- Never by default.\n\n## Colours\n\n- Never by default.\n"
    (hit, *_) = Index(units_of(text)).find(sought(title="a projection is missing"))
    assert hit.unit == 0


@pytest.mark.parametrize(
    ("text", "command", "is_asked"),
    [
        ("Work is NOT complete until `git push` succeeds.", "git push", True),
        ("Never commit without running `make lint`.", "make lint", True),
        ("Do not commit before `make lint` is green.", "make lint", True),
        ("Never run `make lint` before you commit.", "make lint", False),
        ("Commit without running `make lint`.", "make lint", False),
    ],
)
def test_what_has_to_be_done_first_is_asked_for(text: str, command: str, is_asked: bool) -> None:
    assert asks_for(text, command, is_code=False) is is_asked


@pytest.mark.parametrize(
    ("text", "is_code", "is_kept_to"),
    [
        ("make lint   # must pass, MANDATORY", True, True),
        ("Run `make lint` before each commit.", False, True),
        ("Run `make fmt` and then `make lint`.", False, False),
        ("Never run `make lint`.", False, False),
        ("Keep the code free of lint.", False, False),
    ],
)
def test_who_runs_what_a_line_only_asks_for_keeps_to_it(
    text: str, is_code: bool, is_kept_to: bool
) -> None:
    red = sought(title="`make lint` is red", shape="make lint", first=["make fmt"])
    assert is_order(Unit(1, text, is_code), red) is is_kept_to


def test_a_line_with_the_option_that_helps_was_not_kept_to() -> None:
    pull = sought(
        title="`git pull --rebase`: local changes",
        failed="git pull --rebase",
        works="git pull --rebase --autostash",
    )
    assert is_order(Unit(1, "git pull --rebase", True), pull)
    assert not is_order(Unit(1, "Run `git pull --rebase --autostash` to update.", False), pull)
