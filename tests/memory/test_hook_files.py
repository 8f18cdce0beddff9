"""Files of agents' settings: changed whole or not at all, and given back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helix_tui.errors import HelixError
from helix_tui.memory.hooks.command import MARK, hook_command, is_ours, store_of
from helix_tui.memory.hooks.entries import HookFileError
from helix_tui.memory.hooks.install import backup_of, entries_in, install, uninstall

COMMAND = f"/bin/sh -c 'python hook.py --store /s' {MARK}"
NEWER = f"/bin/sh -c 'python3 hook.py --store /t' {MARK}"
EVENTS = ("SessionEnd", "Stop")
CONTENTS = [
    b"{}",
    b"",
    b" \n",
    b'\xef\xbb\xbf{\r\n\t"model": "opus",\r\n\t"hooks": {},\r\n\t"n": 1e3\r\n}',
    b'{"hooks": {"Stop": []}, "a": 1, "a": 2}',
    '{\n  "\\u00e9": "é"\n}\n'.encode(),
]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "agent" / "settings.json"


def put(path: Path, content: bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_uninstall_restores_the_bytes(settings: Path, content: bytes, mode: int) -> None:
    put(settings, content, mode)
    assert install(settings, COMMAND, EVENTS)
    assert {entry.event for entry in entries_in(settings)} == set(EVENTS)
    assert backup_of(settings).read_bytes() == content
    assert settings.stat().st_mode & 0o777 == mode
    assert not install(settings, COMMAND, EVENTS)
    assert install(settings, NEWER, EVENTS)
    assert backup_of(settings).read_bytes() == content
    assert uninstall(settings, EVENTS)
    assert settings.read_bytes() == content
    assert settings.stat().st_mode & 0o777 == mode
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]
    assert not uninstall(settings, EVENTS)


def test_a_file_that_install_made_goes(settings: Path) -> None:
    assert install(settings, COMMAND, EVENTS)
    assert settings.stat().st_mode & 0o777 == 0o600
    assert json.loads(settings.read_bytes())["hooks"].keys() == set(EVENTS)
    assert uninstall(settings, EVENTS)
    assert list(settings.parent.iterdir()) == []


def test_what_others_changed_since_stays(settings: Path) -> None:
    put(settings, b'{"a": 1}')
    install(settings, COMMAND, EVENTS)
    settings.write_bytes(settings.read_bytes().replace(b'"a": 1', b'"a": 2, "theirs": [1e3]'))
    assert uninstall(settings, EVENTS)
    assert settings.read_bytes() == b'{"a": 2, "theirs": [1e3]}'
    assert not backup_of(settings).exists()


def test_a_file_that_install_made_stays_once_others_use_it(settings: Path) -> None:
    install(settings, COMMAND, EVENTS)
    whole = settings.read_bytes()
    settings.write_bytes(whole.replace(b'{\n  "hooks"', b'{\n  "theirs": 1,\n  "hooks"'))
    assert uninstall(settings, EVENTS)
    assert json.loads(settings.read_bytes()) == {"theirs": 1}


def test_a_backup_of_an_earlier_install_does_not_come_back(settings: Path) -> None:
    put(settings, b'{"old": true}')
    install(settings, COMMAND, EVENTS)
    settings.write_bytes(b'{"new": true}')  # by hand, without our entries
    install(settings, COMMAND, EVENTS)
    uninstall(settings, EVENTS)
    assert settings.read_bytes() == b'{"new": true}'


def test_links_are_written_through(settings: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles" / "claude.json"
    put(dotfiles, b'{"a": 1}\n')
    settings.parent.mkdir()
    settings.symlink_to(Path("..") / "dotfiles" / "claude.json")
    install(settings, COMMAND, EVENTS)
    assert settings.is_symlink()
    assert len(json.loads(dotfiles.read_bytes())["hooks"]) == 2
    assert [path.name for path in dotfiles.parent.iterdir()] == ["claude.json"]
    uninstall(settings, EVENTS)
    assert settings.is_symlink()
    assert dotfiles.read_bytes() == b'{"a": 1}\n'


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": 1}}', b'{"a": "\xff"}']
)
def test_what_cannot_be_understood_is_left_as_it_is(settings: Path, content: bytes) -> None:
    put(settings, content)
    with pytest.raises(HookFileError, match=str(settings)) as raised:
        install(settings, COMMAND, EVENTS)
    assert raised.value.exit_code == 78
    assert settings.read_bytes() == content
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_a_folder_in_the_files_place_is_told(settings: Path) -> None:
    settings.mkdir(parents=True)
    with pytest.raises(HelixError, match=r"settings\.json"):
        install(settings, COMMAND, EVENTS)


def test_commands_are_known_again_whatever_is_in_them(tmp_path: Path) -> None:
    store = tmp_path / "with space" / "it's" / 'a "store"'
    for flavor in ("claude", "codex"):
        command = hook_command(store, flavor, ["/usr/bin/env", "A=b c", "helix"])
        assert is_ours(command)
        assert store_of(command) == store
    assert not is_ours("python my-helix-hook")
    assert store_of("/bin/sh -c 'x") is None
    for odd in ("/a$b", "/a\nb"):
        with pytest.raises(HelixError, match="cannot stand in an agent's hook"):
            hook_command(Path(odd), "claude")
