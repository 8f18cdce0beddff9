"""When a noun joins corrections of several repositories, and when it does not."""

from __future__ import annotations

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Sighting
from tests.detect.made import session
from tests.detect.turns import turn

_REPOS = ("app", "site", "tool")
_ELSEWHERE = (
    *("show the invoice twice", "colour of the button", "sort the ledger", "rotate the key"),
    *("widen the table", "cache the price", "parse the letter", "count the visits"),
    *("group the mails", "mask the number", "resize the photo", "round the sum"),
)


def corrected(
    *texts: str, lies: list[list[str]] | None = None, beside: tuple[str, ...] = _ELSEWHERE
) -> list[Candidate]:
    """The corrections among the candidates, each text a correction of a repository of its own."""
    seen = [
        Sighting(
            session(n, repo=_REPOS[n - 1]),
            [turn(n, text, "correction", lies=lies[n - 1] if lies else [])],
        )
        for n, text in enumerate(texts, 1)
    ]
    for n, text in enumerate(beside, 11):
        seen.append(Sighting(session(n, repo=_REPOS[n % 3]), [turn(n, text)]))
    found = group(seen, lambda _: True)
    return [one for one in found if one.sort == "correction"]


_VENDOR = ("no edits under vendor", "vendor is not ours", "again a change in vendor/")


def test_a_noun_that_nobody_says_otherwise_is_enough() -> None:
    (found,) = corrected(*_VENDOR)
    assert len(found.members) == 3


def test_a_noun_that_tasks_speak_of_joins_no_repositories() -> None:
    assert corrected(*_VENDOR, beside=(*_ELSEWHERE, "update the vendor list")) == []


def test_where_little_else_is_said_nothing_is_known_of_a_noun() -> None:
    assert corrected(*_VENDOR, beside=_ELSEWHERE[:4]) == []


def test_it_takes_three_who_plainly_object() -> None:
    assert corrected(*_VENDOR[:2]) == []


def test_the_folder_that_all_of_them_name_is_where_the_rejected_files_lie() -> None:
    beside = (*_ELSEWHERE, "update the vendor list")
    (found,) = corrected(*_VENDOR, lies=[["hal", "vendor"], ["vendor"], ["vendor"]], beside=beside)
    assert len(found.members) == 3
    assert corrected(*_VENDOR, lies=[["hal"], ["hal"], ["hal"]], beside=beside) == []


def test_edits_of_one_kind_of_file_are_objected_to_alike() -> None:
    texts = ("models are made by sqlc", "not the models by hand", "change the models source")
    beside = (*_ELSEWHERE, "count the models")
    assert len(corrected(*texts, lies=[["{generated}"]] * 3, beside=beside)) == 1
    assert corrected(*texts, beside=beside) == []


def test_a_small_word_takes_nothing_away_from_one_that_tells() -> None:
    # Finnish: `siellä` is in all of them, and the commoner word.
    texts = ("siellä vendor ei meidän", "vendor siellä saa olla", "siellä vendor rauhaan")
    more = ("siellä väri väärin", "siellä nimi väärä")
    seen = [
        Sighting(
            session(n, repo=_REPOS[n % 3]),
            [turn(n, text, "correction", lies=["vendor"] if "vendor" in text else [])],
        )
        for n, text in enumerate((*texts, *more), 1)
    ]
    seen += [
        Sighting(session(n, repo=_REPOS[n % 3]), [turn(n, text)])
        for n, text in enumerate((*_ELSEWHERE, "siellä on vendor"), 11)
    ]
    (found,) = [one for one in group(seen, lambda _: True) if one.sort == "correction"]
    assert len(found.members) == 3


def test_slavic_words_are_one_in_every_case() -> None:
    texts = ("без тестов не готово", "тесты сначала", "тестами проверь")
    (found,) = corrected(*texts)
    assert len(found.members) == 3


def test_documents_that_are_taken_back_are_one_thing_by_whatever_name() -> None:
    texts = ("no md please", "delete that summary, never asked", "nobody reads the design text")
    seen = [
        Sighting(
            session(n, repo=_REPOS[n - 1]),
            [turn(n, text, "correction", lies=["{docs}"], led_to=["rm"])],
        )
        for n, text in enumerate(texts, 1)
    ]
    seen += [Sighting(session(n), [turn(n, text)]) for n, text in enumerate(_ELSEWHERE, 11)]
    (found,) = [one for one in group(seen, lambda _: True) if one.sort == "correction"]
    assert len(found.members) == 3
    for one in seen[:3]:
        one.signals[0] = turn(one.session.key, one.signals[0].text, "correction", lies=["{docs}"])
    assert [one for one in group(seen, lambda _: True) if one.sort == "correction"] == []


def test_one_word_in_common_beside_what_others_say_is_no_second() -> None:
    # `short` is what two of them say, of answers and of a text.
    texts = ("keep answers short from now on", "too short, put the install part back")
    seen = [Sighting(session(n), [turn(n, text, "correction")]) for n, text in enumerate(texts, 1)]
    seen.append(Sighting(session(3, repo="site"), [turn(3, "short answers only", "correction")]))
    seen += [
        Sighting(session(n), [turn(n, text)])
        for n, text in enumerate((*_ELSEWHERE, "a short list"), 11)
    ]
    found = [one for one in group(seen, lambda _: True) if one.sort == "correction"]
    assert not any({"claude:0001", "claude:0002"} <= one.members.keys() for one in found)


def test_a_noun_in_another_case_is_the_same_in_any_language() -> None:
    texts = ("komentarzy nie piszemy", "wywal komentarz stąd", "znów komentarzy cała linia")
    (found,) = corrected(*texts)
    assert len(found.members) == 3
    assert corrected(*texts, beside=(*_ELSEWHERE, "popraw komentarz")) == []
