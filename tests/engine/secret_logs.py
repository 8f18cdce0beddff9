"""Logs with planted secrets."""

from __future__ import annotations

from pathlib import Path

from tests.claude_log import ClaudeLog
from tests.text.planted import BODY, DASHES, KEYS, noise

WORD = "abcdefghijklmnopqrstuvwxyz0123456789"

BEGIN, END = (f"{DASHES}{word} RSA PRIVATE KEY{DASHES}" for word in ("BEGIN", "END"))

# What stands in a log, and the part of it that must not stay.
SECRETS: list[tuple[str, str]] = [
    *((start.replace("|", "") + rest, rest) for _, start, rest in KEYS),
    ("\n".join([BEGIN, *BODY, END]), BODY[1]),
    (f"Authorization: Bearer {noise(WORD, 40, 1)}", noise(WORD, 40, 1)),
    (f"postgres://app:{noise(WORD, 20, 2)}@db.example.org/app", noise(WORD, 20, 2)),
    (f"SERVICE_API_KEY={noise(WORD, 30, 3)}", noise(WORD, 30, 3)),
    (f"AWS_SECRET_ACCESS_KEY={noise(WORD, 40, 4)}", noise(WORD, 40, 4)),
]


def write_logs(home: Path) -> None:
    """Each secret wherever a log can have one: prompts, commands, results, errors, file names."""
    for number, (secret, _) in enumerate(SECRETS):
        log = ClaudeLog(session=f"{number:04d}-session")
        log.prompt(f"my key is {secret}, keep it")
        log.step(f"curl -H 'x: {secret}' https://example.org", f"got {secret}")
        log.step(f"echo {secret}", f"Exit code 1\nError: bad key {secret}\nmore", is_error=True)
        log.step(f"retry {secret}", f"{'x' * 9000}\n{secret}\nError: {secret}", is_error=True)
        call = log.call("Read", given={"file_path": f"/tmp/{secret}/a"})
        log.result(call["message"]["content"][0]["id"], secret)
        log.call("Task", given={"description": secret, "prompt": secret})
        log.prompt(f"no, that's wrong: {secret}")
        log.prompt("z" * 350 + f" {secret}")
        log.prompt("z" * 3990 + f" {secret} and " + "z" * 600)
        log.step(f"run {'z' * 460} {secret} {'z' * 400}")
        log.reply(f"{'z' * 480} {secret}")
        log.reply(f"I saw {secret}. {'z' * 360} {secret}?")
        log.write(home)
