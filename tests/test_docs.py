"""The documents say what the code does."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from bench.screenshots import SHOTS
from helix_tui.cli.main import app
from helix_tui.config_keys import KEYS
from helix_tui.pricing import Rate
from helix_tui.schema import PROMPT_STEPS, Facts
from helix_tui.store.models import TABLES
from helix_tui.text.classes import MEANINGS
from helix_tui.tui.actions import key_table
from helix_tui.tui.screens import has_screen

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text()


def test_readme_shows_every_command_and_option() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert f"`helix {name}" in README, name
        for inner in getattr(command, "commands", {}):
            assert re.search(rf"`(helix {name} )?{inner}`", README), f"{name} {inner}"
    for option in ("--dry-run", "--json", "--config", "--store", "-v", "--install-completion"):
        assert option in README


def test_readme_shows_every_key_with_its_default() -> None:
    for section, keys in KEYS.items():
        for name, key in keys.items():
            default = json.dumps(key.default)
            assert f"| `{section}.{name}` | `{default}` |" in README, f"{section}.{name}"


def test_readme_shows_every_key_of_the_workstation() -> None:
    assert key_table() in README


def test_readme_shows_every_picture_and_each_is_there() -> None:
    shown = set(re.findall(r"\]\((docs/screens/[\w-]+\.svg)\)", README))
    drawn = {f"docs/screens/{path.name}" for path in (PROJECT / "docs" / "screens").glob("*.svg")}
    assert shown == drawn
    wanted = {f"docs/screens/{shot.name}.svg" for shot in SHOTS if has_screen(shot.screen)}
    assert drawn == wanted, "`make screenshots` draws them"


def test_pictures_name_no_machine_and_nobody() -> None:
    for path in (PROJECT / "docs" / "screens").glob("*.svg"):
        text = path.read_text()
        assert not re.search(r"/tmp|/home/(?!dev/)|/root|/Users/", text), path.name
        assert 'url("http' not in text, f"{path.name} would ask another machine for something"


def test_readme_names_every_exit_code() -> None:
    from helix_tui import errors

    for error in vars(errors).values():
        if isinstance(error, type) and issubclass(error, errors.HelixError):
            assert re.search(rf"\b{error.exit_code} ", README), error


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


def test_architecture_names_every_module() -> None:
    page = (PROJECT / "ARCHITECTURE.md").read_text()
    stages = ("capture", "digest", "detect", "retain", "search", "memory", "store")
    for folder in (
        "engine",
        "workers",
        *stages,
        "memory/hooks",
        "pricing",
        "sample",
        "tui",
        "tui/screens",
        "tui/widgets",
    ):
        for module in (PROJECT / "helix_tui" / folder).glob("*.py"):
            if module.name not in ("__init__.py", "models.py", "sql.py", "layout.py"):
                known = module.name in page or module.stem in ("session_state", "codec")
                assert known, f"{folder}/{module.name}"


def test_cost_page_shows_what_the_configuration_takes() -> None:
    page = (PROJECT / "docs" / "cost.md").read_text()
    for name in ("from", "above", *Rate._fields, *map(str, PROMPT_STEPS)):
        assert f"`{name}`" in page, name


@pytest.mark.parametrize(
    "target", ["run", "test", "check", "bench", "score", "faults", "screenshots"]
)
def test_make_targets_of_the_readme_exist(target: str) -> None:
    assert f"make {target}" in README
    subprocess.run(["make", "-n", target], cwd=PROJECT, check=True, capture_output=True)


def test_versions_are_pinned_by_name_alone() -> None:
    lines = (PROJECT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {re.split(r"[>=<]", name)[0].lower() for name in wanted} <= pinned


def test_signature_page_explains_every_class() -> None:
    page = (PROJECT / "docs" / "signature.md").read_text()
    for name, meaning in MEANINGS.items():
        assert f"| `{name}` | {meaning} |" in page, name
