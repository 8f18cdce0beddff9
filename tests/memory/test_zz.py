from tests.claude_log import ClaudeLog
from tests.memory.test_extract import distilled
def test_x(bench):
    log = ClaudeLog()
    log.prompt("please make the tests of the importer pass again")
    log.step("pytest", "FAILED tests/test_a.py::test_a - KeyError\n1 failed in 0.1s", True)
    log.reply("The importer has a key for each of its parts, as the tests want it.")
    print(distilled(bench, log))
    r=bench.helix("sessions","--json").json["sessions"][0]; print({k:r.get(k) for k in ("outcome","outcome_reason","left_open","ending")}); print(r)
