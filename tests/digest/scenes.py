"""What happens in sessions of which tests tell how they went."""

from __future__ import annotations

from collections.abc import Callable

from helix_tui.schema import Digest
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

GREEN, RED = "3 passed in 0.1s", "1 failed, 2 passed in 0.1s"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
DENIED = "Claude requested permissions to use WebSearch, but you haven't granted it yet."
UNABLE = (
    "I don't have any way to reach the Internet from here. The sandbox that I run in is **offline**"
    " and blocks all calls over the network."
)
Scene = Callable[[ClaudeLog], object]


def edit(
    log: ClaudeLog, file: str = "/work/app/a.py", answer: str = "done", **said: object
) -> None:
    use(log, "Edit", {"file_path": file}, answer, **said)


def use(log: ClaudeLog, tool: str, given: dict[str, object], answer: str, **said: object) -> None:
    call = log.call(tool, given=given)["message"]["content"][0]["id"]
    log.result(call, answer, **said)


def refuse(log: ClaudeLog) -> None:
    edit(log, answer=REFUSED, is_error=True)


def red(log: ClaudeLog, command: str = "pytest -q", output: str = RED) -> None:
    log.step(command, f"Exit code 1\n{output}", is_error=True)


def commit(log: ClaudeLog) -> None:
    log.step("git commit -m 'Read it once'", "[main 3f2a1bc] Read it once\n 1 file changed")


def run_by_person(log: ClaudeLog, output: str) -> None:
    log.prompt("<bash-input>uv run pytest</bash-input>")
    log.prompt(f"<bash-stdout>{output}</bash-stdout><bash-stderr></bash-stderr>")


def digest_of(bench: Workbench, *scenes: Scene) -> Digest:
    log = ClaudeLog()
    for scene in scenes:
        scene(log)
    log.write(bench.home)
    bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    assert bench.session().left_open == digest.left_open
    return digest


def asks(text: str = "read the table only once") -> Scene:
    return lambda log: log.prompt(text)


def says(text: str = "It is done.") -> Scene:
    return lambda log: log.reply(text)


def lists(task: str) -> Scene:
    given: dict[str, object] = {"todos": [{"content": task, "status": "pending"}]}
    return lambda log: use(log, "TodoWrite", given, "Todos have been modified")
