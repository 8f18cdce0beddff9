"""Answers are read as models print them; what can be read in two ways, or is none, is refused."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.model.cut import LEFT_OUT, cut_middle
from helix_tui.model.envelope import unwrap
from helix_tui.model.lenient import object_in, without_thoughts
from helix_tui.model.refusal import is_echo, is_refusal
from tests.model.made import ANSWER, INSTRUCTIONS, WRAPPED, fits

SAID = {
    "bare": ANSWER,
    "fenced": f"```json\n{ANSWER}\n```",
    "fenced without a name": f"```\n{ANSWER}\n```",
    "a preamble": f"Sure! Here is the JSON you asked for:\n\n{ANSWER}",
    "words after it": f"{ANSWER}\n\nLet me know if I can help with anything else {{:}}.",
    "thoughts": f'<think>\nMaybe {{"answer": 41}}? No.\n</think>\n\n{ANSWER}',
    "thoughts without a beginning": f'perhaps {{"answer": 41}}\n</think>\n{ANSWER}',
    "thoughts behind it": f'{ANSWER}\n<think>or {{"answer": 41}}?',
    "a draft before it": f'First try: {{"answer": 41}}. Corrected: {ANSWER}',
    "another object": f'{{"tool": "none"}}\n{ANSWER}',
    "a last comma": '{"answer": 42, "why": ["a, ]", "b",], }',
    "Python's quotes": "{'answer': 42, 'why': \"it's so\"}",
    "a byte order mark": "\ufeff" + ANSWER,
    "line breaks in a text": '{"answer": 42, "why": "one\ntwo"}',
}
NO_ANSWER = {
    "nothing": "",
    "prose": "The answer is 42.",
    "an object of another form": '{"result": 42}',
    "cut off": '{"answer": 42, "why": "it was',
    "half of a fence": "```json\n{",
    "single quotes of no language": "{'answer': 42, 'why': 'it's so'}",
    "a list": "[42]",
    "only thoughts": f"<think>{ANSWER}",
}


@pytest.mark.parametrize("wrapping", WRAPPED)
@pytest.mark.parametrize("way", SAID)
def test_an_answer_is_found(way: str, wrapping: str) -> None:
    reply = unwrap(WRAPPED[wrapping](SAID[way]))
    found = object_in(without_thoughts(reply.text), fits)
    assert found is not None
    assert found["answer"] == 42


@pytest.mark.parametrize("wrapping", WRAPPED)
@pytest.mark.parametrize("way", NO_ANSWER)
def test_no_answer_is_made_up(way: str, wrapping: str) -> None:
    reply = unwrap(WRAPPED[wrapping](NO_ANSWER[way]))
    assert object_in(without_thoughts(reply.text), fits) is None


@pytest.mark.parametrize(
    "text",
    [
        "I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "Unfortunately, I am unable to process this.",
        "As an AI language model, I cannot do so.",
        "I won't answer this.",
    ],
)
def test_a_refusal_is_known(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", [ANSWER, "I can see that the test fails.", "It cannot be found."])
def test_other_words_are_no_refusal(text: str) -> None:
    assert not is_refusal(text)


def test_an_echo_is_known_and_a_quoted_sentence_is_none() -> None:
    assert is_echo(f"> {INSTRUCTIONS}\n\nWhat is six times seven?", INSTRUCTIONS)
    assert is_echo("\n".join(INSTRUCTIONS.split()), INSTRUCTIONS)
    assert not is_echo(f"You said: {INSTRUCTIONS[:80]}", INSTRUCTIONS)
    assert not is_echo(ANSWER, INSTRUCTIONS)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, 7),
        ({"prompt_tokens": -3, "completion_tokens": 4}, None),
        ({"prompt_tokens": "3"}, None),
        ({"prompt_tokens": 10**12}, None),
        ({}, None),
        (None, None),
    ],
)
def test_only_counts_that_can_be_are_believed(usage: object, tokens: int | None) -> None:
    body = {"choices": [{"message": {"content": ANSWER}}], "usage": usage}
    assert unwrap(json.dumps(body)).tokens == tokens


@pytest.mark.parametrize(
    "text",
    [
        "{" * 250_000,
        '{"a":' * 50_000,
        "[" * 250_000,
        "<think>" * 36_000,
        "</think>" * 32_000,
        '{"' + '\\"' * 16_000,
        "{" + "'a" * 16_000 + "}",
        "{" + ",}" * 16_000,
        "sorry " * 40_000,
        '{"type": "result"}\n' * 14_000,
    ],
)
def test_no_answer_takes_long(text: str) -> None:
    started = time.process_time()
    reply = unwrap(text)
    object_in(without_thoughts(reply.text), fits)
    is_refusal(text)
    is_echo(text, INSTRUCTIONS)
    assert time.process_time() - started < 2


@given(st.text(max_size=300), st.integers(40, 200))
def test_what_is_cut_keeps_both_ends_and_the_limit(text: str, most: int) -> None:
    cut = cut_middle(text, most)
    assert len(cut) <= most
    if len(text) <= most:
        assert cut == text
    else:
        head, _, tail = cut.partition(LEFT_OUT)
        assert text.startswith(head)
        assert text.endswith(tail)


def test_words_are_not_cut() -> None:
    words = " ".join(f"word{number}" for number in range(500))
    head, _, tail = cut_middle(words, 1_000).partition(LEFT_OUT)
    assert {*head.split(), *tail.split()} <= {*words.split()}


@given(st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    for wrap in WRAPPED.values():
        object_in(without_thoughts(unwrap(wrap(text)).text), fits)
    object_in(without_thoughts(unwrap(text).text), fits)
