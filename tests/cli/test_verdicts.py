"""The verdict commands as scripts use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Workbench

JQ = "command-not-found-jq-eea67918"
RG = "command-not-found-rg-cd630925"
SECRET = "ghp_" + "a1B2c3D4e5" * 4
FIELDS = {"id", "at", "author", "action", "candidate", "others", "note", "undoes"}


def journal(bench: Workbench) -> bytes:
    path = bench.store / "review" / "journal.jsonl"
    return path.read_bytes() if path.exists() else b""


def verdict_on(bench: Workbench, name: str) -> str:
    found = bench.helix("detect", "--json").json["candidates"]
    return str(next(one["verdict"] for one in found if one["id"] == name))


def test_approve_makes_a_page_and_says_where(sampled: Workbench) -> None:
    told = sampled.helix("approve", JQ, "--note", "seen often", "--json").json
    assert told["schema"] == "helix.approve/1"
    assert told["verdict"].keys() >= FIELDS
    assert told["verdict"]["note"] == "seen often"
    (pattern,) = told["patterns"]
    assert pattern["id"] == JQ
    assert pattern["action"] == "created"
    assert Path(pattern["path"]).is_file()
    again = sampled.helix("approve", JQ, "--json").json
    assert again["verdict"] is None
    assert again["patterns"][0]["action"] == "unchanged"


def test_beginning_of_an_id_is_enough_where_it_is_clear(sampled: Workbench) -> None:
    told = sampled.helix("reject", "port-in", "--json").json
    assert told["verdict"]["candidate"].startswith("port-in-use")
    assert sampled.helix("reject", "command-not-found", check=False).code == 66


def test_every_verdict_shows_in_the_list(sampled: Workbench) -> None:
    sampled.helix("discuss", JQ, "--note", "is it worth it?")
    assert verdict_on(sampled, JQ) == "discussed"
    sampled.helix("snooze", JQ, "--until", "+3")
    assert verdict_on(sampled, JQ) == "snoozed"
    sampled.helix("reject", JQ)
    assert verdict_on(sampled, JQ) == "rejected"


def test_merged_candidate_is_decided_on_as_the_other(sampled: Workbench) -> None:
    told = sampled.helix("merge", JQ, RG, "--json").json
    assert told["verdict"]["others"] == [RG]
    refused = sampled.helix("approve", RG, check=False)
    assert refused.code == 2
    assert JQ in refused.err
    assert verdict_on(sampled, RG) == "merged"
    assert sampled.helix("split", RG).out == f"Split {RG} from {JQ}.\n"
    assert verdict_on(sampled, RG) == "open"
    assert sampled.helix("split", RG, check=False).code == 2
    assert sampled.helix("merge", JQ, JQ, check=False).code == 2


@pytest.mark.parametrize("name", ["nobody", "../x", "", "a\nb"])
@pytest.mark.parametrize("command", ["approve", "reject", "discuss"])
def test_unknown_candidate_exits_66(sampled: Workbench, command: str, name: str) -> None:
    done = sampled.helix(command, name, check=False)
    assert done.code == 66
    assert not journal(sampled)


@pytest.mark.parametrize("command", ["approve", "reject", "discuss", "snooze", "merge"])
def test_secret_in_a_note_refuses_the_verdict(sampled: Workbench, command: str) -> None:
    more = {"snooze": ["--until", "2w"], "merge": [RG]}.get(command, [])
    done = sampled.helix(command, JQ, *more, "--note", f"uses {SECRET}", check=False)
    assert done.code == 3
    assert SECRET not in done.err
    assert not journal(sampled)
    assert not (sampled.store / "catalog").exists()


def test_undo_goes_back_to_the_beginning_and_then_says_so(sampled: Workbench) -> None:
    sampled.helix("approve", JQ)
    sampled.helix("reject", RG)
    listed = sampled.helix("undo", "--list", "--json").json["verdicts"]
    assert [one["action"] for one in listed] == ["reject", "approve"]
    named = sampled.helix("undo", listed[1]["id"], "--json").json
    assert named["verdict"]["undoes"] == listed[1]["id"]
    assert named["patterns"][0]["action"] == "removed"
    assert not (sampled.store / "catalog" / f"{JQ}.md").exists()
    assert sampled.helix("undo", listed[1]["id"], check=False).code == 66
    assert "Taken back" in sampled.helix("undo").out
    last = sampled.helix("undo", check=False)
    assert last.code == 1
    assert not last.out


def test_wrong_usage_exits_2(sampled: Workbench) -> None:
    assert sampled.helix("approve", JQ, "--new", "--into", RG, check=False).code == 2
    assert sampled.helix("snooze", JQ, check=False).code == 2
    assert sampled.helix("snooze", JQ, "--until", "someday", check=False).code == 2
    assert sampled.helix("approve", JQ, "--into", "nobody", check=False).code == 66


def test_verdicts_need_a_store(bench: Workbench) -> None:
    assert bench.helix("approve", JQ, check=False).code == 74
    assert bench.helix("undo", check=False).code == 1


def test_reasons_are_kept_and_counted(sampled: Workbench) -> None:
    first, second, third = [
        one["id"] for one in sampled.helix("detect", "--json").json["candidates"][:3]
    ]
    told = sampled.helix("reject", first, "--reason", "too-generic", "--json").json["verdict"]
    assert (told["reason"], told["note"]) == ("too_generic", "")
    told = sampled.helix("reject", second, "--reason", "we know it", "--json").json["verdict"]
    assert (told["reason"], told["note"]) == ("other", "we know it")
    sampled.helix("reject", third)
    counted = sampled.helix("status", "--verdicts", "--json").json
    assert counted["verdicts"] == {"reject": 3}
    assert counted["reasons"] == {"too_generic": 1, "other": 1, "none": 1}
    out = sampled.helix("status", "--verdicts").out
    assert "1 too generic" in out
    assert f"{second}: we know it" in out
    sampled.helix("undo")
    assert sampled.helix("status", "--verdicts", "--json").json["verdicts"] == {"reject": 2}
