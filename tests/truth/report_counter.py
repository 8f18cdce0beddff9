"""What a report must say, counted from what other commands print and straight from Claude's logs.

With the standard library only, one table after the other, by other ways than the report goes:
sessions one by one, days as dates, medians by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.truth.claude_counter import TOKEN_FIELDS, owner_of, records, session_files

Json = dict[str, Any]
KINDS = ("input", "output", "cache_read", "cache_write")


def monday(day: str) -> str:
    """The Monday of a date's week."""
    found = date.fromisoformat(day)
    return (found - timedelta(days=found.isoweekday() - 1)).isoformat()


def tokens(cost: Json) -> int:
    """All tokens of a row."""
    return sum(int(cost[kind]) for kind in KINDS)


def claude_tokens(home: Path) -> dict[str, dict[str, int]]:
    """Output tokens of Claude's messages, each once, by week and by model."""
    messages: dict[str, Json] = {}
    for path in session_files(home):
        roots: dict[str, str] = {}
        for record in records(path):
            message = record.get("message")
            if not owner_of(record, path, roots) or record.get("type") != "assistant":
                continue
            if not isinstance(message, dict) or not isinstance(message.get("usage"), dict):
                continue
            key = message.get("id") or record.get("uuid")
            known = messages.setdefault(str(key), {"output": 0, "at": "9999", "model": ""})
            spent = message["usage"].get(TOKEN_FIELDS["output"])
            known["output"] = max(known["output"], spent if isinstance(spent, int) else 0)
            known["at"] = min(known["at"], str(record.get("timestamp"))[:10])
            known["model"] = message.get("model")
    found: dict[str, dict[str, int]] = {"weeks": defaultdict(int), "models": defaultdict(int)}
    for known in messages.values():
        found["weeks"][monday(known["at"])] += known["output"]
        found["models"][known["model"]] += known["output"]
    return {name: {key: n for key, n in rows.items() if n} for name, rows in found.items()}


def outcomes(sessions: Iterable[Json]) -> dict[str, int]:
    """How many sessions went how."""
    found: dict[str, int] = defaultdict(int)
    for session in sessions:
        found[session["outcome"]] += 1
    return dict(found)


def by_key(sessions: Iterable[Json], field: str) -> dict[str, tuple[int, int]]:
    """Sessions and tokens by a field of theirs."""
    found: dict[str, tuple[int, int]] = {}
    for session in sessions:
        key = session[field] or "unknown"
        count, spent = found.get(key, (0, 0))
        found[key] = (count + 1, spent + tokens(session["cost"]))
    return found


def rates(sessions: Iterable[Json], digests: dict[str, Json], field: str) -> dict[str, Json]:
    """Calls, failures and corrections by a field of sessions whose failures are known."""
    found: dict[str, Json] = {}
    for session in sessions:
        if session["failures"] is None:
            continue
        row = found.setdefault(
            session[field] or "unknown", {"calls": 0, "failures": 0, "corrections": 0}
        )
        row["calls"] += session["tool_calls"]
        row["failures"] += session["failures"]
        turns = digests[session["id"]]["turns"]
        row["corrections"] += len([turn for turn in turns if turn["kind"] == "correction"])
    return found


def checks(digests: dict[str, Json]) -> dict[str, Json]:
    """Runs of each check, and the median time from red to green within a session."""
    found: dict[str, Json] = {}
    for digest in digests.values():
        runs = [run for run in digest["runs"] if run["kind"] != "git"]
        for name in {run["name"] for run in runs}:
            own = [run for run in runs if run["name"] == name]
            own.sort(key=lambda run: run["ts"] or "")
            row = found.setdefault(
                name, {"runs": 0, "failed": 0, "reds": 0, "greens": 0, "waits": []}
            )
            row["runs"] += len(own)
            row["failed"] += len([run for run in own if run["state"] == "failed"])
            known = [run for run in own if run["state"] != "unknown"]
            for place, run in enumerate(known):
                if run["state"] != "failed" or (place and known[place - 1]["state"] == "failed"):
                    continue
                row["reds"] += 1
                later = [one for one in known[place:] if one["state"] == "passed"]
                row["greens"] += bool(later)
                if later and later[0]["ts"] and run["ts"]:
                    wait = _moment(later[0]["ts"]) - _moment(run["ts"])
                    row["waits"].append(wait.total_seconds())
    return found


def middle(values: list[float]) -> float | None:
    """The median."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
