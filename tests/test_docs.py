"""The documents say what the code does."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.core import TyperGroup

from bench.screenshots import SHOTS
from helix_tui import errors
from helix_tui.cli.main import app
from helix_tui.cli.registry import GROUPS
from helix_tui.errors import ExitCode
from helix_tui.pricing import TokenRate
from helix_tui.schema import PROMPT_STEPS, Facts
from helix_tui.settings import KEYS
from helix_tui.store.models import TABLES
from helix_tui.text.signature.classes import MEANINGS
from helix_tui.tui.actions import ACTIONS, EVERYWHERE
from helix_tui.tui.screens import has_screen

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text()
REFERENCE = PROJECT / "docs" / "reference"
GENERATED = ("commands", "configuration", "exit-codes", "json", "keys")
PAGES = sorted(
    {*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), PROJECT / "catalog" / "README.md"}
)


def section(page: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its rank or above."""
    rank = heading.index(" ")
    rest = f"\n{page}\n".split(f"\n{heading}\n")
    assert len(rest) == 2, f"{heading} is there {len(rest) - 1} times"
    return re.split(rf"\n#{{1,{rank}}} ", rest[1])[0]


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by what is typed, those of a group too."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = getattr(command, "commands", None)
        yield from ((f"{name} {one}", made) for one, made in (inner or {}).items())
        if inner is None:
            yield name, command


def test_reference_is_what_make_docs_writes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "reference", "--to", str(tmp_path)], cwd=PROJECT, check=True
    )
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    pages = [Path("docs", "reference", f"{name}.md") for name in GENERATED]
    assert written == sorted([Path("config.toml"), *pages])
    for path in written:
        assert (PROJECT / path).read_text() == (tmp_path / path).read_text(), f"make docs: {path}"


def test_make_docs_leaves_settings_of_a_person_alone(tmp_path: Path) -> None:
    from reference.__main__ import main

    own = tmp_path / "config.toml"
    own.write_text('[sweep]\ncadence = "1 h"\n[curate]\ncatalog_dir = "catalog"\n')
    before = own.read_text()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reference.__main__.json_page", str)
        main(["--to", str(tmp_path)])
    assert own.read_text() == before


@pytest.mark.parametrize(("name", "command"), [*commands()])
def test_reference_shows_every_command_with_its_options(name: str, command: Any) -> None:
    page = (REFERENCE / "commands.md").read_text()
    if " " in name:
        outer = section(page, f"### helix {name.split()[0]}")
        found = re.split(rf"\*\*`helix {name}[ `]", outer)[1].split("**`helix")[0]
    else:
        found = section(page, f"### helix {name}")
    shared = section(page, "## Options of every command")
    for parameter in command.params:
        shown = parameter.opts if parameter.param_type_name == "option" else []
        for option in shown:
            pattern = rf"`{re.escape(option)}[ `]"
            assert re.search(pattern, found) or re.search(pattern, shared), f"{name} {option}"


def test_help_lists_every_command_under_one_purpose() -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted({name.split()[0] for name, _ in commands()})
    assert len(listed) == len({*listed})
    done = subprocess.run(
        [sys.executable, "-m", "helix_tui", "--help"], capture_output=True, text=True, check=True
    )
    for purpose, names in GROUPS.items():
        shown = done.stdout.split(f"\n{purpose}:\n")[1].split("\n\n")[0]
        assert re.findall(r"^  (\S+)", shown, re.MULTILINE) == [*names]


def test_reference_shows_every_setting_with_its_default() -> None:
    page = (REFERENCE / "configuration.md").read_text()
    for name, keys in KEYS.items():
        found = section(page, f"## [{name}]")
        for key, setting in keys.items():
            row = f"| `{name}.{key}` | `{json.dumps(setting.default)}` | {setting.means} |"
            assert row.replace("  ", " ") in found, f"{name}.{key}"


def test_reference_shows_every_key_on_its_screens() -> None:
    page = (REFERENCE / "keys.md").read_text()
    for action in ACTIONS:
        for scope in action.scope:
            heading = "Everywhere" if scope == EVERYWHERE else f"On {scope}"
            found = section(page, f"## {heading}")
            row = f"| `{action.id}` | {action.help_on(scope)} |"
            assert row in found, f"{action.id} on {scope}"


def test_reference_shows_every_exit_code_with_its_meaning() -> None:
    page = (REFERENCE / "exit-codes.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(str(int(code)), code.meaning) for code in ExitCode]
    known = vars(errors).values()
    kinds = [one for one in known if isinstance(one, type) and issubclass(one, errors.HelixError)]
    assert kinds
    assert all(kind.exit_code in [*ExitCode] for kind in kinds)


def test_exit_codes_are_written_down_once() -> None:
    for path in (PROJECT / "helix_tui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                is_number = isinstance(node.args[0], ast.Constant)
                assert not (name in ("exit", "Exit") and is_number), f"{path}:{node.lineno}"
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                names = [getattr(target, "id", "") for target in node.targets]
                assert "exit_code" not in names, f"{path}:{node.lineno}"


def test_readme_is_one_screen_for_a_stranger() -> None:
    assert len(README.split()) <= 600
    lines = README.splitlines()
    picture = next(number for number, line in enumerate(lines) if line.startswith("!["))
    start = lines.index("```console")
    assert picture < 10, "a picture comes before the words"
    assert picture < start < 25, "how to start stands on the first screen"
    assert len(lines[start + 1 : lines.index("```", start)]) == 3, "three lines to start"
    assert "make run" in lines[start + 1]
    assert len([line for line in lines if line.startswith("- **")]) == 5


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:", target):
            continue
        place, _, anchor = target.partition("#")
        found = (page.parent / place).resolve() if place else page
        assert found.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(found.read_text()), f"{page.name}: {target}"


def anchors(text: str) -> set[str]:
    """The names by which a forge links to headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        pytest.skip("it tells of what was")
    for named in re.findall(r"helix_tui(?:/[\w.]+)+/?", page.read_text()):
        assert (PROJECT / named.rstrip(".")).exists(), f"{page.name}: {named}"


def test_every_picture_is_shown_and_there() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"\]\(([\w/-]*screens/[\w-]+\.svg)\)", page.read_text())
    }
    drawn = {*(PROJECT / "docs" / "screens").glob("*.svg")}
    assert shown == drawn
    wanted = {f"{shot.name}.svg" for shot in SHOTS if has_screen(shot.screen)}
    assert {path.name for path in drawn} == wanted, "`make screenshots` draws them"


def test_pictures_name_no_machine_and_nobody() -> None:
    for path in (PROJECT / "docs" / "screens").glob("*.svg"):
        text = path.read_text()
        assert not re.search(r"/tmp|/home/(?!dev/)|/root|/Users/", text), path.name
        assert 'url("http' not in text, f"{path.name} would ask another machine for something"


def test_store_page_lists_every_table_and_column() -> None:
    page = (PROJECT / "docs" / "store.md").read_text()
    for table in TABLES:
        meta = table._meta
        columns = ", ".join(field.column_name for field in meta.sorted_fields)
        assert f"| `{meta.table_name}` | `{columns}` |" in page


def test_digest_page_explains_every_field() -> None:
    page = (PROJECT / "docs" / "digest.md").read_text()
    for name in Facts.__struct_fields__:
        assert f"`{name}`" in page, name


def test_architecture_names_every_package() -> None:
    page = (PROJECT / "ARCHITECTURE.md").read_text()
    packages = [path.parent for path in (PROJECT / "helix_tui").glob("*/__init__.py")]
    assert len(packages) > 10
    for package in packages:
        assert re.search(rf"^\| `helix_tui/{package.name}/` \| \S", page, re.MULTILINE), package
    assert len(page.split()) <= 1500, "two pages"


def test_cost_page_shows_what_the_configuration_takes() -> None:
    page = (PROJECT / "docs" / "cost.md").read_text()
    for name in ("from", "above", *TokenRate._fields, *map(str, PROMPT_STEPS)):
        assert f"`{name}`" in page, name


TARGETS = ("run", "test", "check", "bench", "score", "faults", "properties", "screenshots", "docs")


@pytest.mark.parametrize("target", [*TARGETS, "dist", "newest"])
def test_make_targets_of_the_documents_exist(target: str) -> None:
    contributing = (PROJECT / "CONTRIBUTING.md").read_text()
    assert f"`make {target}`" in contributing
    subprocess.run(["make", "-n", target], cwd=PROJECT, check=True, capture_output=True)


def test_readme_shows_the_two_commands() -> None:
    assert re.search(r"(?m)^\$ make run\b", README)
    assert re.search(r"(?m)^\$ make test\b", README)


def test_versions_are_pinned_by_name_alone() -> None:
    lines = (PROJECT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {re.split(r"[>=<]", name)[0].lower() for name in wanted} <= pinned


def test_every_python_that_is_promised_is_tried() -> None:
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text())
    tried = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    named = [one.rsplit(" ", 1)[1] for one in project["classifiers"] if ":: 3." in one]
    assert tried == named
    assert project["requires-python"] == f">={tried[0]}"


def test_types_are_handed_on() -> None:
    assert (PROJECT / "helix_tui" / "py.typed").is_file()


def test_signature_page_explains_every_class() -> None:
    page = (PROJECT / "docs" / "signature.md").read_text()
    for name, meaning in MEANINGS.items():
        assert f"| `{name}` | {meaning} |" in page, name
