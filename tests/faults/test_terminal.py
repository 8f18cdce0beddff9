"""No byte of a log controls the terminal that it is shown on, or a path."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.cli.terminal import on_terminal
from tests.conftest import Workbench
from tests.faults import strace

_LONG_AGO = -90_000_000
_COLOUR = "\x1b[38;5;201m"  # one that Helix itself never uses
HOSTILE = "".join(
    (
        "\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1bP1$r\x1b\\",
        f"\x1b[2J\x1b[H{_COLOUR}\x1b[?1049h\x9b31m\x9d0;x\x9c\x85",
        "\x08\x08\r\x0b\x0c\x0e\x7f\x00",
        "\u202e\u2066\u200f\u061c\u200b\u2028\ufeff\U000e0041\ud800",
        "[bold red]x[/bold red] [/nope] [link=https://evil.example]y[/link] :smile:",
    )
)
_NAME = HOSTILE.replace("/", "|").replace("\x00", "").encode("utf-8", "replace").decode()
SESSION = f"../../../../tmp/evil{HOSTILE}"
# What Rich draws with: colours; for its bar also the start of the line, clearing, and the cursor.
_DRAWN = re.compile(r"\x1b\[[0-9;]*m|\r?\x1b\[2K|\x1b\[1A|\x1b\[\?25[lh]|\r(?=\x1b|\n|sweep )")
_HIDDEN = "\u202a-\u202e\u2066-\u2069\u200b-\u200f\u061c\u2028\u2029\ufeff\U000e0000-\U000e007f"
_STEERING = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f{_HIDDEN}]")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Logs that are hostile in everything they say, and in their names."""
    bench = Workbench(tmp_path_factory.mktemp("hostile") / "inner")
    log = ClaudeLog(session=SESSION, cwd=f"/w/{HOSTILE}", branch=f"br{HOSTILE}", start=_LONG_AGO)
    _talk(log)
    # A line that is no record makes the name of the file part of a report.
    _write(log, bench.home / ".claude" / "projects" / "-w" / f"log{_NAME[:60]}.jsonl", "{bad\n")
    agent = ClaudeLog(session="parent", agent=f"../../up{HOSTILE}", start=_LONG_AGO)
    _talk(agent)
    _write(agent, bench.home / ".claude" / "projects" / f"-p{_NAME[:60]}" / "agent-1.jsonl")
    (bench.home / "tight.toml").write_text('[retention]\nraw_soft_cap_bytes = "1 B"\n')
    return bench


def _write(log: ClaudeLog, path: Path, before: str = "") -> None:
    """Every sign beyond ASCII as an escape: so a record can hold half of a pair, too."""
    path.parent.mkdir(parents=True)
    path.write_text(before + "".join(f"{json.dumps(record)}\n" for record in log.records))


def _talk(log: ClaudeLog) -> None:
    log.prompt(f"ask {HOSTILE}")
    log.reply(f"say {HOSTILE}", model=f"model {HOSTILE}")
    call = log.call(f"tool {HOSTILE}", given={"command": HOSTILE, "file_path": f"/w/{HOSTILE}"})
    log.result(call["message"]["content"][0]["id"], f"Error: {HOSTILE}", is_error=True)
    for _ in range(3):
        log.step(f"make {HOSTILE}", f"Exit code 2\nerror: {HOSTILE}", is_error=True)
    read = log.call("Edit", given={"file_path": f"/w/{HOSTILE}.py", "old_string": HOSTILE})
    log.result(read["message"]["content"][0]["id"], HOSTILE)
    log.prompt(f"no, that is wrong: {HOSTILE}")


def through_terminal(bench: Workbench, *arguments: str) -> tuple[int, str]:
    """A command's exit code, and what it writes to a real terminal; only `retain` is tight."""
    more = ["--config", str(bench.home / "tight.toml")] if arguments[0] == "retain" else []
    environ = {**strace.environ(bench.home), "TERM": "xterm-256color", "COLUMNS": "160"}
    code, shown = on_terminal([*arguments, "--store", str(bench.store), *more], environ)
    return code, shown.decode().replace("\r\n", "\n")


def steering(shown: str) -> list[str]:
    """What in an output would steer a terminal, with what stands around it."""
    found = [shown.index(_COLOUR)] if _COLOUR in shown else []
    plain = _DRAWN.sub("", shown)
    return [repr(shown[at : at + 40]) for at in found] + [
        repr(plain[max(0, match.start() - 20) : match.end() + 20])
        for match in _STEERING.finditer(plain)
    ]


class TestHostileLogs:
    """Every command shows them; none of their bytes does more than being seen."""

    def test_sweep_and_its_report(self, hostile: Workbench) -> None:
        before = _listed(hostile)
        for more in (["--dry-run"], ["-v"], []):
            code, shown = through_terminal(hostile, "--sweep", *more)
            assert code in (0, 1), shown
            assert steering(shown) == []
        assert "Problems: 0 new, 1 known." in shown
        assert _listed(hostile) == before
        packs = [path for path in (hostile.store / "packs").rglob("*") if path.is_file()]
        assert sorted(path.name for path in packs) == ["0000001.pack", "0000002.pack", "mark"]

    @pytest.mark.parametrize(
        "command",
        [
            ["sessions"],
            ["sessions", "--json"],
            ["status"],
            ["status", "--json"],
            *(["usage", "--by", by] for by in ("day", "repo", "model", "flavor", "session")),
            ["usage", "--by", "model", "--json"],
            ["show", "claude:../../../../tmp/evil"],
            ["show", "claude:../../../../tmp/evil", "--events"],
            ["show", "claude:../../../../tmp/evil", "--events", "--json"],
            ["show", "claude:parent.../../up", "--events"],
            *(["search", word] for word in ("ask", "say", "make", "error", "wrong")),
            ["search", "ask", "--json"],
            ["retain", "--dry-run"],
            ["pin", "claude:parent.../../up"],
            ["doctor"],
            ["config", "show"],
        ],
        ids=" ".join,
    )
    def test_command(self, hostile: Workbench, command: list[str]) -> None:
        hostile.sweep()
        code, shown = through_terminal(hostile, *command)
        assert code == 0, shown
        assert steering(shown) == []
        if command[0] == "retain":
            assert "would evict 2 sessions" in shown
        if command[0] == "search":
            assert "match" in shown
        if command[0] == "show":
            assert "[bold red]x[/bold red] [/nope]" in shown  # told, not obeyed

    def test_what_is_not_there_is_repeated_harmlessly(self, hostile: Workbench) -> None:
        hostile.sweep()
        name = HOSTILE.replace("\x00", "").replace("\ud800", "")
        for command in (
            ["show", name],
            ["forget", name],
            ["sessions", "--since", name],
            ["search", "x", "--since", name],
        ):
            code, shown = through_terminal(hostile, *command)
            assert code in (2, 66), shown
            assert steering(shown) == []

    def test_evicting_and_forgetting_them(self, hostile: Workbench) -> None:
        before = _listed(hostile)
        hostile.sweep()
        code, shown = through_terminal(hostile, "retain")
        assert (code, steering(shown)) == (0, [])
        assert hostile.engine().session("claude:../../../../tmp/evil").raw == "evicted"
        for more in ([], ["--events"]):
            code, shown = through_terminal(hostile, "show", "claude:../../../../tmp/evil", *more)
            assert (code, steering(shown)) == (0, [])
        code, shown = through_terminal(hostile, "forget", "claude:../../../../tmp/evil")
        assert (code, steering(shown)) == (0, [])
        assert len(hostile.sessions()) == 1
        assert _listed(hostile) == before


def _listed(bench: Workbench) -> list[str]:
    """Everything around the store, as far up as the fixture's own folder."""
    around = bench.store.parents[1]
    return sorted(
        str(path) for path in around.rglob("*") if bench.store not in (path, *path.parents)
    )
