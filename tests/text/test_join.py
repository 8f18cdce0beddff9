"""Templates of one message are joined, those of two are not, in whatever order they come."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.signature.join import bucket_of, join
from helix_tui.text.signature.masks import template_of

# The messages of a list are one; those of two lists are different.
FAMILIES = [
    [f"worker session opened for user {name} by (uid=0)" for name in ("ann", "bob", "eve")],
    [f"worker session closed for user {name}" for name in ("ann", "bob", "eve")],
    ["copied 12.5 KB to disk", "copied 3 MB to disk", "copied 900 B to disk"],
    ["copied 3 files to disk"],
    ["peer a.example.com:80 went away", "peer b.example.org:8080 went away"],
    ["mirror.example.net:443 is slow", "10.0.0.1:443 is slow", "cdn.example.com:80 is slow"],
    ["took <1 sec", "took 12 sec"],
    ["cache state=warm size=3", "cache state=cold size=4"],
    ["flag verbose:true", "flag verbose:false"],
    ["lost 3 of blk_12 blk_13", "lost 4 of blk_1 blk_2 blk_3"],
    ["job_1_m_2 moved from NEW to RUNNING", "job_2_r_9 moved from NEW to RUNNING"],
    ["job_1_m_2 moved from RUNNING to DONE", "job_7_m_1 moved from RUNNING to DONE"],
    ["could not be compiled in time today"],
    ["could not be installed in time today"],
    ["could not be started in time today"],
    ["the engine was started by hand (event)"],
    ["the engine was stopped by hand (event)"],
    ["the engine was paused by hand (event)"],
    ["upload begin"],
    ["upload end"],
    ["upload over"],
    ['10.0.0.1 "GET /a/b HTTP/1.1" status: 200', '10.0.0.2 "GET /c HTTP/1.1" status: 404'],
    ['10.0.0.1 "POST /a/b HTTP/1.1" status: 200'],
    ["exit reason=timeout"],
    ["exit reason=refused"],
]
TOKENS = (
    "a",
    "b",
    "c",
    "<n>",
    "x1",
    "x22",
    "k=v",
    "k=w",
    "<path>",
    "UP",
    "a.com:80",
    "KB",
    "(",
    "",
)
TEMPLATES = st.lists(st.lists(st.sampled_from(TOKENS), max_size=5).map(" ".join), max_size=14)


def _joined(messages: list[str]) -> dict[str, str]:
    templates = {message: template_of(message) for message in messages}
    found = join(templates.values())
    return {message: found[template] for message, template in templates.items()}


ALL = _joined([message for family in FAMILIES for message in family])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_values_do_not_part_a_message(family: list[str]) -> None:
    assert len({ALL[message] for message in family}) == 1


def test_messages_that_say_different_things_stay_apart() -> None:
    for one, other in combinations(FAMILIES, 2):
        assert ALL[one[0]] != ALL[other[0]], (one[0], other[0])


def test_two_wordings_are_not_a_value() -> None:
    found = _joined(["the light is on here", "the light is off here"])
    assert len(set(found.values())) == 2


def test_a_template_alone_keeps_its_words() -> None:
    assert join(["disk <n> is full"]) == {"disk <n> is full": "disk * is full"}
    assert join([]) == {}
    assert join([""]) == {"": ""}


@given(TEMPLATES, st.randoms(use_true_random=False))
def test_neither_order_nor_number_matters(templates: list[str], chance: random.Random) -> None:
    found = join(templates)
    mixed = templates * 2
    chance.shuffle(mixed)
    assert join(mixed) == found
    assert join(sorted(set(templates))) == found


@given(TEMPLATES)
def test_only_templates_of_one_bucket_are_joined(templates: list[str]) -> None:
    found = join(templates)
    buckets: dict[str, set[str]] = {}
    for template, to in found.items():
        buckets.setdefault(to, set()).add(bucket_of(template))
    assert all(len(met) == 1 for met in buckets.values())
    # So each bucket can be joined on its own.
    for bucket in {bucket_of(template) for template in templates}:
        part = [template for template in templates if bucket_of(template) == bucket]
        assert join(part) == {template: found[template] for template in part}


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=60), max_size=6))
def test_any_texts_can_be_joined(texts: list[str]) -> None:
    assert join(texts).keys() == set(texts)
