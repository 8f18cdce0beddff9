"""The label in a model's answer; one of another form is refused whole."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from helix_tui.digest.reader.question import INSTRUCTIONS
from helix_tui.model.failure import ModelError
from helix_tui.model.refusal import has_sentence_of, is_refusal
from helix_tui.schema.digest import TurnKind, TurnLabel
from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals
from helix_tui.text.safe import safe_line

KINDS: tuple[TurnKind, ...] = get_args(TurnKind)
# Three words are asked for; a small one more does no harm.
_MOST_WORDS = 5
_TOPIC_LENGTH = 60
_RULE_LENGTH = 300
_SMALL = frozenset(
    {
        *("a", "an", "the", "of", "to", "in", "on", "for", "with", "and", "or", "by", "is", "are"),
        *("be", "its", "their", "your", "this"),
    }
)


def fits(value: dict[str, Any]) -> bool:
    """Whether an object is a label: a known kind, and texts."""
    texts = (value.get("topic", ""), value.get("rule", ""))
    return _kind_of(value) in KINDS and all(text is None or isinstance(text, str) for text in texts)


def label_of(value: dict[str, Any], model: str) -> TurnLabel:
    """The label of an answer that fits; raise ModelError where its words cannot be used."""
    kind = msgspec.convert(_kind_of(value), TurnKind)
    if kind == "none":
        return TurnLabel("none", model=model)
    topic = _topic(_line(value.get("topic")))
    rule = _line(value.get("rule"))
    if not topic or len(topic.split()) > _MOST_WORDS or len(topic) > _TOPIC_LENGTH:
        raise ModelError("unusable", "The model's answer has no topic of three words.")
    for text in (topic, rule):
        if refusals(text) or is_refusal(text) or has_sentence_of(text, INSTRUCTIONS):
            raise ModelError("unusable", "The words of the model's answer cannot be used.")
    return TurnLabel(kind, topic, safe_line(rule, _RULE_LENGTH), model)


def _topic(line: str) -> str:
    """A topic in small letters; of a long one the words that tell something."""
    words = line.lower().strip(" .\"'`").split()
    if len(words) > _MOST_WORDS:
        words = [word for word in words if word not in _SMALL]
    return " ".join(words)


def _kind_of(value: dict[str, Any]) -> str:
    kind = value.get("kind")
    return kind.strip().lower() if isinstance(kind, str) else ""


def _line(text: object) -> str:
    return redact(" ".join(text.split())) if isinstance(text, str) else ""
