"""Our server in the agents' own settings: put in as text, and out again byte for byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.engine.memory.mcp_install import (
    install_mcp,
    mcp_statuses,
    uninstall_mcp,
)
from helix_tui.memory.mcp_entries import command_in, json_editing, toml_editing
from helix_tui.memory.settings_file import SettingsFileError
from tests.conftest import Workbench

COMMAND = ["/usr/bin/python3", "-m", "helix_tui", "mcp", "--store", '/home/a "b"/s']
MOVED = [*COMMAND[:-1], "/elsewhere"]
_TOML = [
    "",
    "\n",
    'model = "o3"\n',
    'model = "o3" # no line end',
    '# mine\r\n[mcp_servers.docs]\r\ncommand = "x"\r\n',
    'a = [\n  [1],\n]\n\n[mcp_servers.docs]\ncommand = "x"\n\n\n',
    '[mcp_servers]\ndocs = { command = "x" }\n',
    '[[b]]\nx = """\n[mcp_servers.helix]\n"""\n[[b]]\n',
]
_JSON = [
    "{}",
    '{\n    "a": 1.50,\n    "mcpServers": {\n        "docs": {"command": "x"}\n    }\n}\n',
    '{"mcpServers": {}, "projects": {"/a": {"mcpServers": {}}}}',
    '\ufeff{\r\n\t"a": [1, 2],\r\n\t"a": 3\r\n}\r\n'[1:],
]


@pytest.mark.parametrize("before", _TOML)
def test_toml_gets_a_table_and_keeps_all_else(before: str) -> None:
    editing = toml_editing(COMMAND)
    after = editing.added(before)
    assert after.startswith(before)
    assert command_in(after, is_toml=True) == COMMAND
    assert editing.added(after) == after
    assert command_in(toml_editing(MOVED).added(after), is_toml=True) == MOVED
    rest = editing.removed(after)
    assert tomllib.loads(rest) == tomllib.loads(before)
    assert rest.rstrip("\r\n") == before.rstrip("\r\n")


def test_what_codex_adds_to_our_table_goes_with_it() -> None:
    after = toml_editing(COMMAND).added('model = "o3"\n')
    of_codex = "enabled = true\n\n[mcp_servers.helix.tools.recall]\napproval = true\n"
    grown = f"{after}{of_codex}\n[b]\nc = 1\n"
    rest = toml_editing(COMMAND).removed(grown)
    assert tomllib.loads(rest) == {"model": "o3", "b": {"c": 1}}


@pytest.mark.parametrize(
    "text",
    [
        "a = \n",
        'mcp_servers = "x"\n',
        "mcp_servers = {}\n",
        '[mcp_servers.helix]\ncommand = "mine"\n',
    ],
)
def test_toml_that_cannot_take_it_is_refused(text: str) -> None:
    with pytest.raises(SettingsFileError):
        toml_editing(COMMAND).added(text)


@pytest.mark.parametrize("before", _JSON)
def test_json_gets_an_entry_and_keeps_all_else(before: str) -> None:
    editing = json_editing(COMMAND)
    after = editing.added(before)
    assert command_in(after, is_toml=False) == COMMAND
    assert editing.added(after) == after
    assert command_in(json_editing(MOVED).added(after), is_toml=False) == MOVED
    rest, was = json.loads(editing.removed(after)), json.loads(before)
    # A list of servers that was empty goes with ours.
    assert rest.pop("mcpServers", {}) == was.pop("mcpServers", {})
    assert rest == was


@pytest.mark.parametrize("text", ["[]", "{", '{"mcpServers": []}', '{"mcpServers": {"helix": {}}}'])
def test_json_that_cannot_take_it_is_refused(text: str) -> None:
    with pytest.raises(SettingsFileError):
        json_editing(COMMAND).added(text)


@given(
    st.dictionaries(
        st.text("abcdef-", min_size=1, max_size=8),
        st.recursive(
            st.integers() | st.text("xyz \"'#[]=\\\n", max_size=20),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=4,
    ).filter(lambda value: "mcp_servers" not in value)
)
def test_any_toml_comes_back(value: dict[str, object]) -> None:
    before = "".join(f"{json.dumps(key)} = {inline(one)}\n" for key, one in value.items())
    editing = toml_editing(COMMAND)
    assert editing.removed(editing.added(before)) == before


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize("flavor", ["claude", "codex", "grok"])
@pytest.mark.parametrize("before", [None, b"", b"with others"])
def test_files_come_back_byte_for_byte(bench: Workbench, flavor: str, before: bytes | None) -> None:
    (bench.home / f".{flavor}").mkdir()
    path = bench.home / (".claude.json" if flavor == "claude" else f".{flavor}/config.toml")
    if before == b"with others":
        before = (_JSON[1] if flavor == "claude" else _TOML[5]).encode()
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o640)
    config = bench.engine().config
    assert install_mcp(config, flavor, is_any_repo=False)
    assert not install_mcp(config, flavor, is_any_repo=False)
    (status,) = mcp_statuses(config, flavor)
    assert (status.installed, status.is_current, status.todo) == (True, True, "")
    assert install_mcp(config, flavor, is_any_repo=True)
    assert uninstall_mcp(config, flavor)
    assert not uninstall_mcp(config, flavor)
    assert (path.read_bytes() if path.exists() else None) == before
    assert list(path.parent.glob("*helix*")) == []
    if before is not None:
        assert path.stat().st_mode & 0o777 == 0o640


def test_uninstall_takes_all_of_it_out(bench: Workbench, tmp_path: Path) -> None:
    for flavor in ("claude", "codex", "grok"):
        (bench.home / f".{flavor}").mkdir()
        bench.helix("mcp", "install", flavor)
    assert bench.helix("doctor", check=False).out.count("mcp ") >= 3
    told = bench.helix("uninstall", "--json").json
    assert [one["flavor"] for one in told["mcp"]] == ["claude", "codex", "grok"]
    assert [path for path in bench.home.rglob("*") if path.is_file()] == []


def test_another_ones_settings_are_told_and_left(bench: Workbench) -> None:
    (bench.home / ".codex").mkdir()
    path = bench.home / ".codex/config.toml"
    path.write_text("not = = toml\n")
    ran = bench.helix("mcp", "install", "codex", check=False)
    assert ran.code == 78
    assert "was left as it is" in ran.err
    assert path.read_text() == "not = = toml\n"
    assert "no valid TOML" in bench.helix("mcp", "status").out
