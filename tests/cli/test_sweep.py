"""`helix --sweep` as scripts and people use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from helix_tui.engine.sweep.sweep import STAGES
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.faults import strace


class TestSweep:
    """`helix --sweep`: the report, its JSON, its exit codes."""

    def test_json_is_one_object_with_the_fixed_names(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        path = log.write(bench.home)
        path.write_bytes(b"{bad\n" + path.read_bytes())
        first = bench.helix("--sweep", "--json", check=False)
        assert first.code == 1
        report = first.json
        assert report.pop("seconds") >= 0
        assert report.pop("stages").keys() == set(STAGES)
        retention = report.pop("retention")
        assert retention.keys() >= {
            "freed",
            "raw_usage",
            "distilled_usage",
            "soft_cap",
            "hard_cap",
            "final_usage",
            "passes",
            "evicted",
            "data_loss",
            "distilled_alert",
        }
        assert report == {
            "schema": "helix.sweep/1",
            "discovered": 1,
            "ingested": 1,
            "skipped_unchanged": 0,
            "analyzed": 1,
            "search_pending": 1,
            "taken_over": 0,
            "candidates": {"new": 0, "changed": 0, "total": 0},
            "decisions": {"queued": 0},
            "bytes_read": path.stat().st_size,
            "dry_run": False,
            "problems": {
                "new": 1,
                "known": 0,
                "list": [
                    {
                        "path": str(path),
                        "offset": 0,
                        "reason": "not JSON: Expecting property name enclosed in double quotes",
                    }
                ],
            },
        }
        again = bench.helix("sweep", "--json")
        assert again.json["problems"] == {"new": 0, "known": 1, "list": []}
        known = bench.helix("status", "--json").json
        assert (known["problems"], known["problem_list"]) == (1, report["problems"]["list"])

    def test_dry_run_tells_the_same_and_creates_nothing(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        path = log.write(bench.home)
        path.write_bytes(path.read_bytes() + b"{bad}\n")
        before = sorted(bench.home.parent.rglob("*"))
        dry = bench.helix("--sweep", "--dry-run", "--json", check=False)
        assert sorted(bench.home.parent.rglob("*")) == before
        wet = bench.helix("--sweep", "--json", check=False)
        # What retention finds depends on what is stored; how long it took, on the day.
        varying = {"seconds": 0, "stages": {}, "retention": {}}
        assert {**dry.json, "dry_run": False, **varying} == {**wet.json, **varying}
        assert dry.json["retention"]["raw_usage"] == 0
        assert dry.json["dry_run"] is True
        stamps = {path: path.stat().st_mtime_ns for path in bench.store.rglob("*")}
        again = bench.helix("--sweep", "--dry-run", "--json").json
        assert (again["ingested"], again["problems"]["known"]) == (0, 1)
        assert bench.helix("doctor").code == 0  # it leaves no trace either
        assert {path: path.stat().st_mtime_ns for path in bench.store.rglob("*")} == stamps

    def test_people_get_a_report_and_the_problems(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        path = log.write(bench.home)
        path.write_bytes(path.read_bytes() + b"{bad}\n")
        ran = bench.helix("--sweep", check=False)
        assert ran.code == 1
        assert "Took in 1 of 1 log" in ran.out
        assert f"  {path}\n    not JSON: " in ran.out
        assert " at byte " in ran.out

    def test_interrupted_sweep_ends_in_order_and_goes_on_later(self, bench: Workbench) -> None:
        for number in range(30):
            log = ClaudeLog(session=f"{number:08d}-0000-4000-8000-000000000000")
            for _ in range(60):
                log.step(output="some output\n" * 400)
            log.write(bench.home)
        command = [sys.executable, "-m", "helix_tui", "--sweep", "--json"]
        running = subprocess.Popen(
            [*command, "--store", str(bench.store)],
            env={"PATH": os.environ["PATH"], **bench.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 20
        while not (bench.store / "store.db").exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
        assert running.returncode in (0, 130), err
        assert "Traceback" not in err
        if running.returncode == 130 and out:
            json.loads(out)
        bench.sweep()
        assert len(bench.sessions()) == 30
        assert bench.helix("doctor").code == 0

    def test_log_file_and_verbosity(self, swept: Workbench) -> None:
        ran = swept.helix("--sweep", "-v")
        assert "helix_tui" in ran.err
        log = swept.store / "log" / "helix.log"
        assert "sweep: 2 discovered" in log.read_text()
        folder = swept.store / "log"
        log.unlink()
        folder.rmdir()
        folder.write_text("in the way")
        again = swept.helix("--sweep")
        assert again.err.count("no log is kept") == 1

    def test_source_is_never_written(self, bench: Workbench, tmp_path: Path) -> None:
        log = ClaudeLog()
        log.prompt()
        log.write(bench.home)
        trace = tmp_path / "trace"
        command = ["strace", "-f", "-qq", "-e", "trace=file,desc", "-o", str(trace), sys.executable]
        strace.require()
        subprocess.run(
            [*command, "-m", "helix_tui", "--sweep", "--store", str(bench.store)],
            env={"PATH": os.environ["PATH"], **bench.environ},
            check=True,
            capture_output=True,
        )
        touching = [line for line in trace.read_text().splitlines() if str(bench.home) in line]
        assert any("openat" in line for line in touching)
        changing = (
            "O_WRONLY",
            "O_RDWR",
            "O_CREAT",
            "O_TRUNC",
            "unlink",
            "rename",
            "mkdir",
            "chmod",
        )
        assert [line for line in touching if any(word in line for word in changing)] == []
