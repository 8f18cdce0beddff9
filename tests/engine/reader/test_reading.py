"""A model labels each turn once; what it does not answer is left to the rules."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from helix_tui.engine.reader.label_book import LabelBook, LabelLine, book_of
from helix_tui.engine.reader.reading import TurnReader, TurnsRead
from helix_tui.files.ledger import sealed
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.reader.homes import (
    LABEL,
    REPORT,
    WISH,
    questions,
    session,
    turns,
    use_model,
    write_home,
)

# Three sessions with three turns each.
TURNS = 9


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    write_home(bench)
    return bench


def read(bench: Workbench, seconds: float = 60) -> TurnsRead:
    return TurnReader(bench.engine().config).read(seconds)


def lines(bench: Workbench) -> list[LabelLine]:
    return book_of(bench.engine().config).lines()


class TestLabels:
    def test_a_sweep_has_each_turn_read_once(self, home: Workbench) -> None:
        asked = use_model(home)
        home.helix("--sweep")
        assert len(questions(asked)) == TURNS
        assert len({*questions(asked)}) == 7, "the first turns are alike, and asked by event"
        home.helix("--sweep")
        assert len(questions(asked)) == TURNS

    def test_its_words_stand_in_the_place_of_the_rules(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        first, wish, report = turns(home, 1)
        assert (first["kind"], first["by"], first["rule"]) == ("none", "model", None)
        assert (wish["kind"], wish["topic"], wish["rule"]) == tuple(LABEL.values())
        assert wish["by"] == "model"
        assert wish["reasons"] == ["read by command:default"]
        assert report["kind"] == "report"

    def test_without_it_the_rules_read(self, home: Workbench) -> None:
        asked = use_model(home, reader="rules")
        home.helix("--sweep")
        assert questions(asked) == []
        assert {turn["by"] for turn in turns(home, 1)} == {"rules"}
        assert not (home.store / "model").exists()

    def test_switched_off_it_is_as_if_nobody_had_asked(self, home: Workbench) -> None:
        use_model(home, reader="rules")
        home.helix("--sweep")
        before = turns(home, 1)
        use_model(home)
        home.helix("--sweep")
        assert turns(home, 1) != before
        use_model(home, reader="rules")
        home.helix("--sweep")
        assert turns(home, 1) == before

    def test_a_dry_run_asks_nothing(self, home: Workbench) -> None:
        asked = use_model(home)
        home.helix("--sweep", "--dry-run")
        assert questions(asked) == []

    def test_nothing_secret_is_asked(self, bench: Workbench) -> None:
        key = "sk-ant-" + "a1B2" * 10
        session(1, f"{WISH} with {key} of /home/ann").write(bench.home)
        asked = use_model(bench, f"open({str(bench.home / 'all')!r}, 'a').write(text)")
        bench.helix("--sweep")
        assert len(questions(asked)) == 2
        sent = (bench.home / "all").read_text()
        assert WISH in sent
        assert key not in sent
        assert "/home/ann" not in sent

    def test_it_gets_the_neighbours(self, bench: Workbench) -> None:
        session(1, WISH).write(bench.home)
        use_model(bench, f"open({str(bench.home / 'all')!r}, 'a').write(text)")
        bench.helix("--sweep")
        sent = (bench.home / "all").read_text()
        assert "ONE TURN BEFORE: please make the import work" in sent
        assert "JUST AFTER: $ make test" in sent

    def test_it_is_told_the_topics_that_it_gave_before(self, home: Workbench) -> None:
        use_model(home, f"open({str(home.home / 'all')!r}, 'a').write(text)")
        home.helix("--sweep")
        sent = (home.home / "all").read_text()
        assert sent.count("TOPICS GIVEN BEFORE: keep old names\n") == 1
        assert sent.count("TOPICS GIVEN BEFORE: keep old names; login still fails\n") == 6


class TestFailures:
    """Each costs its own turn at most."""

    @pytest.mark.parametrize(
        "body",
        [
            "sys.exit(print(\"I'm sorry, but I can't help with that.\"))",
            "sys.exit(print('what?'))",
            "sys.exit(print(text))",
            'sys.exit(print(\'{"kind": "anger", "topic": "a", "rule": "b"}\'))',
            'sys.exit(print(\'{"kind": "report"}\'))',
            "sys.exit(print(json.dumps({'kind': 'report', 'topic': 'a \\u200b b', 'rule': 'c'})))",
            "sys.exit(print(json.dumps({'kind': 'report', 'topic': 'a ' * 20, 'rule': 'c'})))",
            "sys.exit(print('x' * 999_999))",
        ],
    )
    def test_nonsense_leaves_the_rules_label_and_is_not_asked_again(
        self, home: Workbench, body: str
    ) -> None:
        asked = use_model(home, f"if turn.startswith({WISH!r}): {body}")
        home.helix("--sweep")
        _, wish, report = turns(home, 1)
        assert (wish["by"], report["by"]) == ("rules", "model")
        home.helix("--sweep")
        assert len(questions(asked)) == TURNS

    def test_what_is_late_is_asked_again_so_often(self, home: Workbench) -> None:
        body = f"if turn == {WISH + ' 1'!r}: time.sleep(60)"
        asked = use_model(home, body, timeout_seconds=1)
        home.sweep()
        for _ in range(5):
            read(home)
        assert questions(asked).count(f"{WISH} 1") == 3
        assert len(questions(asked)) == TURNS + 2
        assert turns(home, 1)[1]["by"] == "rules"

    def test_a_model_that_is_down_is_not_asked_for_all(self, home: Workbench) -> None:
        asked = use_model(home, "sys.exit('it broke')")
        told = home.helix("--sweep")
        assert len(questions(asked)) == 3
        assert "Not all turns were read by the model" in told.err
        assert "it broke" in told.err

    def test_one_that_is_missing_is_told_and_costs_nothing(self, home: Workbench) -> None:
        use_model(home)
        assert home.config is not None
        home.config.write_text(
            '[detect]\nreader = "model"\n[model]\npreset = "command"\ncommand = ["/no/such"]\n'
        )
        told = home.helix("--sweep")
        assert "could not be started" in told.err
        assert lines(home) == []
        assert {turn["by"] for turn in turns(home, 1)} == {"rules"}

    def test_the_days_cap_ends_it_and_tomorrow_it_goes_on(
        self, home: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = use_model(home, daily_token_cap=2_000)
        home.sweep()
        done = read(home)
        assert 0 < done.asked < TURNS
        assert "cap of 2,000 tokens" in done.problem
        count = len(questions(asked))
        config = home.engine().config
        tomorrow = datetime.now() + timedelta(days=1)
        TurnReader(config, now=lambda: tomorrow).read(60)
        assert len(questions(asked)) > count


class TestGoingOn:
    def test_what_there_is_no_time_for_is_left_to_the_next(self, home: Workbench) -> None:
        asked = use_model(home)
        home.sweep()
        assert read(home, 0).asked == 0
        stops = iter([False, False, False, True])
        stopped = TurnReader(home.engine().config, lambda: next(stops, True))
        stopped.read(60)
        some = len(questions(asked))
        assert some < TURNS
        read(home)
        assert TURNS <= len(questions(asked)) <= TURNS + 1, "one may have been stopped at it"

    def test_the_latest_session_comes_first(self, home: Workbench) -> None:
        asked = use_model(home)
        home.sweep()
        read(home)
        assert [turn[-1] for turn in questions(asked) if turn.startswith(WISH)] == ["3", "2", "1"]

    def test_a_turn_waits_until_the_agent_has_answered(self, bench: Workbench) -> None:
        log = session(1, f"{WISH} 1", f"{WISH} 2")
        log.write(bench.home)
        asked = use_model(bench)
        bench.sweep()
        last = datetime.fromtimestamp(_last_ms(log) / 1000, UTC)
        config = bench.engine().config
        TurnReader(config, now=lambda: last + timedelta(minutes=5)).read(60)
        assert f"{WISH} 2" not in questions(asked)
        TurnReader(config, now=lambda: last + timedelta(hours=2)).read(60)
        assert questions(asked).count(f"{WISH} 2") == 1
        assert questions(asked).count(f"{WISH} 1") == 1

    def test_what_is_appended_is_asked_alone(self, bench: Workbench) -> None:
        log = session(1, f"{WISH} 1")
        log.write(bench.home)
        asked = use_model(bench)
        bench.helix("--sweep")
        log.prompt(f"{WISH} 2")
        log.step()
        log.write(bench.home)
        bench.helix("--sweep")
        assert [turn for turn in questions(asked) if turn.startswith(WISH)] == [
            f"{WISH} 1",
            f"{WISH} 2",
        ]

    def test_a_copy_takes_the_answer_of_its_origin(self, bench: Workbench) -> None:
        log = session(1, f"{WISH} 1")
        log.write(bench.home)
        fork = session(1, f"{WISH} 1")
        fork.session = "fork"
        for record in fork.records:
            record["sessionId"] = "fork"
        fork.write(bench.home, name="fork")
        asked = use_model(bench)
        bench.helix("--sweep")
        labelled = {line.session for line in lines(bench) if line.label}
        assert len(questions(asked)) == len({line.fingerprint for line in lines(bench)})
        assert len(labelled) == len(bench.sessions())

    def test_labels_outlive_the_store(self, home: Workbench) -> None:
        asked = use_model(home)
        home.helix("--sweep")
        before = turns(home, 2)
        (home.store / "store.db").unlink()
        _remove(home.store / "packs")
        home.helix("--sweep")
        assert turns(home, 2) == before
        assert len(questions(asked)) == TURNS

    def test_forgotten_sessions_leave_no_label(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        name = min(home.sessions())
        home.helix("forget", name)
        assert name not in {line.session for line in lines(home)}
        assert len({line.session for line in lines(home)}) == 2
        assert home.helix("doctor").code == 0


def test_a_kill_behind_any_answer_costs_no_answer(
    home: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = use_model(home)
    home.sweep()
    add = LabelBook.add

    def add_and_die(book: LabelBook, line: LabelLine) -> None:
        add(book, line)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(LabelBook, "add", add_and_die)
        for _ in range(4):
            with pytest.raises(KeyboardInterrupt):
                read(home)
    assert len(questions(asked)) == 4
    read(home)
    assert len(questions(asked)) == TURNS


def _last_ms(log: ClaudeLog) -> int:
    last = str(log.records[-1]["timestamp"])
    return int(datetime.fromisoformat(last.replace("Z", "+00:00")).timestamp() * 1000)


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def test_the_book_is_plain_lines(home: Workbench) -> None:
    use_model(home)
    home.helix("--sweep")
    rows = (home.store / "model/labels.jsonl").read_text().splitlines()
    assert len(rows) == TURNS
    assert {"session", "fingerprint", "at", "label", "sum"} == json.loads(rows[0]).keys()


def candidates(bench: Workbench) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bench.helix("detect", "--all", "--json").json["candidates"]
    return found


def test_two_at_once_ask_once(home: Workbench) -> None:
    asked = use_model(home, "time.sleep(0.2)")
    home.sweep()
    config = home.engine().config
    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(lambda _: TurnReader(config).read(60), range(2)))
    assert sorted(one.asked for one in done) == [0, TURNS]
    assert len(questions(asked)) == TURNS


def test_lines_of_another_form_are_passed_over(home: Workbench) -> None:
    asked = use_model(home)
    home.helix("--sweep")
    file = home.store / "model/labels.jsonl"
    rows = file.read_bytes().splitlines()
    strange = sealed(b'{"session":"a","fingerprint":1,"at":0,"failed":"bewitched"}')
    file.write_bytes(b"\n".join([strange, *rows[:-1], rows[-1][:-20] + b"torn", b""]))
    assert len(lines(home)) == TURNS - 1
    home.helix("forget", min(home.sessions()))
    assert strange in file.read_bytes()
    home.helix("--sweep")
    assert len(questions(asked)) == TURNS


class TestCandidates:
    def test_equal_topics_meet_and_are_quoted_in_the_persons_words(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        (one,) = [found for found in candidates(home) if found["subject"] == LABEL["topic"]]
        assert (one["sessions"], one["frequency"], one["sort"]) == (3, 3, "correction")
        assert one["title"] == f"user on keep old names, as a model read it: “{WISH} 1”"
        assert sorted(cited["session"] for cited in one["evidence"]) == sorted(home.sessions())
        (other,) = [found for found in candidates(home) if found["subject"] == REPORT["topic"]]
        assert other["sort"] == "report"
        for cited in one["evidence"]:
            assert f"user: {WISH}" in cited["excerpt"]
            assert "read by command:default as: Keep the old names." in cited["excerpt"]

    def test_without_the_model_there_are_none_and_they_go_with_it(self, home: Workbench) -> None:
        use_model(home, reader="rules")
        home.helix("--sweep")
        before = candidates(home)
        assert LABEL["topic"] not in {one["subject"] for one in before}
        use_model(home)
        home.helix("--sweep")
        assert candidates(home) != before
        use_model(home, reader="rules")
        assert candidates(home) == before

    def test_the_same_labels_give_the_same_candidates(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        before = candidates(home)
        (home.store / "store.db").unlink()
        _remove(home.store / "packs")
        home.helix("--sweep")
        assert candidates(home) == before

    def test_sessions_that_come_later_join(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        session(9, f"{WISH} 9").write(home.home)
        home.helix("--sweep")
        (one,) = [found for found in candidates(home) if found["subject"] == LABEL["topic"]]
        assert one["sessions"] == 4

    def test_what_a_model_calls_none_is_no_correction(self, bench: Workbench) -> None:
        said = "no, that is wrong, use the old importer instead of the new one"
        for number in range(1, 5):
            session(number, said).write(bench.home)
        use_model(bench, reader="rules")
        bench.helix("--sweep")
        assert [one for one in candidates(bench) if one["signal"] == "user_correction"]
        use_model(bench)
        bench.helix("--sweep")
        assert not [one for one in candidates(bench) if one["signal"] == "user_correction"]

    def test_a_forgotten_session_is_cited_no_more(self, home: Workbench) -> None:
        use_model(home)
        home.helix("--sweep")
        name = min(home.sessions())
        home.helix("forget", name)
        (one,) = [found for found in candidates(home) if found["subject"] == LABEL["topic"]]
        assert one["sessions"] == 2
        assert name not in one["members"]

    def test_answers_count_though_nobody_came_to_group_them(self, home: Workbench) -> None:
        use_model(home)
        home.sweep()
        before = candidates(home)
        read(home)
        assert candidates(home) != before

    def test_raw_bytes_are_not_needed(self, home: Workbench) -> None:
        use_model(home, reader="rules")
        home.helix("--sweep")
        asked = use_model(home)
        assert home.config is not None
        with home.config.open("a") as file:
            file.write("[retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 0\n")
        home.helix("--sweep", check=False)
        assert {one.raw for one in home.sessions().values()} == {"evicted"}
        assert len(questions(asked)) == TURNS
        (one,) = [found for found in candidates(home) if found["subject"] == LABEL["topic"]]
        assert one["sessions"] == 3

    def test_no_batch_approves_what_a_model_read(self, home: Workbench) -> None:
        use_model(home)
        assert home.config is not None
        with home.config.open("a") as file:
            file.write("[curate.gate]\nmin_frequency = 0\nmin_sessions = 0\nmin_cost_impact = 0\n")
        home.helix("--sweep")
        read_ids = {one["id"] for one in candidates(home) if "a model read it" in one["title"]}
        assert len(read_ids) == 2
        told = home.helix("curate", "--auto-approve", "--json", check=False).json
        assert {one["id"] for one in told["below_floor"]} >= read_ids
        assert told["patterns"] == []
