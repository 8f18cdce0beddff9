"""Sweep at a cadence: a systemd user timer, or a line for cron."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from helix_tui.config import Config
from helix_tui.environment import outside_environment
from helix_tui.errors import ExitCode, HelixError
from helix_tui.invocation import helix_command
from helix_tui.places import xdg_folder

UNIT = "helix-sweep"
_CRON_MARK = "# helix sweep"
_PRINT = "`helix schedule print` shows what would be installed."


class ScheduleError(HelixError):
    """The scheduler of this machine refused."""

    exit_code = ExitCode.UNWRITABLE


class Schedule(msgspec.Struct, frozen=True):
    """What would be installed."""

    service: str
    timer: str
    cron_line: str


def schedule_for(config: Config, store: Path | None) -> Schedule:
    """The units and the cron line for a configuration."""
    command = sweep_command(config, store)
    return Schedule(
        service=_service(command),
        timer=_timer(config.cadence_minutes),
        cron_line=_cron(config, command),
    )


def sweep_command(config: Config, store: Path | None) -> list[str]:
    """The sweep with the same configuration, store and sources, by absolute paths."""
    return helix_command("--sweep", config=config.file, store=store)


def _service(command: Sequence[str]) -> str:
    # systemd expands % and $ in a command line; both must reach the program as they are.
    escaped = " ".join(
        '"'
        + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
        + '"'
        for word in command
    )
    return (
        "[Unit]\nDescription=Helix: take in what is new in the coding agents' logs\n\n"
        "[Service]\nType=oneshot\n"
        f"ExecStart={escaped}\n"
        "# 1 says that the sweep is done and met new problems.\n"
        "SuccessExitStatus=1\nNice=10\nIOSchedulingClass=idle\n"
    )


def _timer(minutes: int) -> str:
    return (
        "[Unit]\nDescription=Helix: sweep at a cadence\n\n"
        f"[Timer]\nOnStartupSec=5min\nOnUnitActiveSec={minutes}min\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


def _cron(config: Config, command: Sequence[str]) -> str:
    minutes = config.cadence_minutes
    if minutes < 60:
        when = f"*/{minutes} * * * *"
    elif minutes < 1440:
        when = f"0 */{minutes // 60} * * *"
    else:
        when = "0 3 * * *"
    # cron turns a bare % into a newline
    line = shlex.join(command).replace("%", "\\%")
    return f"{when} {line} >/dev/null 2>&1 {_CRON_MARK}"


def install(schedule: Schedule) -> str:
    """Install the timer, or the cron line where systemd does not run for this user."""
    if has_systemd():
        folder = unit_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{UNIT}.service").write_text(schedule.service, encoding="utf-8")
            (folder / f"{UNIT}.timer").write_text(schedule.timer, encoding="utf-8")
        except OSError as error:
            raise ScheduleError(f"{folder}: {error.strerror}.", _PRINT) from error
        _run(["systemctl", "--user", "daemon-reload"])
        _run(["systemctl", "--user", "enable", "--now", f"{UNIT}.timer"])
        return f"a systemd user timer in {folder}"
    if shutil.which("crontab"):
        _write_crontab([*_other_cron_lines(), schedule.cron_line])
        return "a line in your crontab"
    raise ScheduleError(
        "Neither a systemd user session nor crontab is there.",
        "Use `helix schedule print` and give the line to the scheduler you have.",
    )


def installed() -> list[str]:
    """What `remove` would take away."""
    found: list[str] = []
    if any((unit_folder() / f"{UNIT}.{kind}").exists() for kind in ("timer", "service")):
        found.append("the systemd user timer")
    if shutil.which("crontab") and any(_CRON_MARK in line for line in _cron_lines()):
        found.append("the line in your crontab")
    return found


def remove() -> list[str]:
    """Remove what `install` may have left; return what there was."""
    removed: list[str] = []
    files = [unit_folder() / f"{UNIT}.{kind}" for kind in ("timer", "service")]
    if any(file.exists() for file in files):
        if has_systemd():
            _run(["systemctl", "--user", "disable", "--now", f"{UNIT}.timer"])
        for file in files:
            file.unlink(missing_ok=True)
        if has_systemd():
            _run(["systemctl", "--user", "daemon-reload"])
        removed.append("the systemd user timer")
    if shutil.which("crontab") and any(_CRON_MARK in line for line in _cron_lines()):
        _write_crontab(_other_cron_lines())
        removed.append("the line in your crontab")
    return removed


def has_systemd() -> bool:
    """Whether a systemd user session answers."""
    if not shutil.which("systemctl"):
        return False
    return _ask(["systemctl", "--user", "show-environment"]).returncode == 0


def unit_folder() -> Path:
    """The folder of a user's own units."""
    return xdg_folder("config").parent / "systemd" / "user"


def _cron_lines() -> list[str]:
    result = _ask(["crontab", "-l"])
    if result.returncode == 0:
        return result.stdout.splitlines()
    if "no crontab" in result.stderr:
        return []
    # After any other error, writing now would lose the lines that exist.
    raise ScheduleError(f"Your crontab cannot be read: {result.stderr.strip()}.", _PRINT)


def _other_cron_lines() -> list[str]:
    return [line for line in _cron_lines() if _CRON_MARK not in line]


def _write_crontab(lines: list[str]) -> None:
    _run(["crontab", "-"], "".join(f"{line}\n" for line in lines))


def _run(command: list[str], stdin: str | None = None) -> None:
    result = _ask(command, stdin)
    if result.returncode != 0:
        raise ScheduleError(
            f"`{' '.join(command)}` failed: {result.stderr.strip() or result.returncode}.",
            _PRINT,
        )


def _ask(command: list[str], stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        input=stdin,
        env=outside_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
