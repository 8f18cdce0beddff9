"""A prompt: what was asked, and what it ends."""

from __future__ import annotations

from helix_tui.digest import ending
from helix_tui.digest.excerpt import excerpt, excerpt_line
from helix_tui.digest.links import note_planned
from helix_tui.digest.pasted import written_first
from helix_tui.digest.plans import accepts_plan, take_back_interruption
from helix_tui.digest.remedies.note import note_turn
from helix_tui.digest.steps.folding import AFTER_LENGTH, Folding, follow
from helix_tui.digest.tables import cut
from helix_tui.digest.tasks import is_answer, is_task
from helix_tui.digest.title.session import note_asked_title
from helix_tui.digest.words import Said, hear
from helix_tui.schema import PROMPT_TEXT

PROMPT_LENGTH = 400
# What can be searched is longer than what a digest shows.
SEARCHED_PROMPT = 4000


def take_prompt(part: Folding, fingerprint: int, ts: int | None, text: str) -> None:
    """Takes what a person asks."""
    facts, memory = part.facts, part.memory
    facts.prompts += 1
    facts.tasks += is_task(text) and not is_answer(text, memory.offered)
    if accepts_plan(text):
        take_back_interruption(facts)
        note_planned(facts, part.flavor, text)
    searched, shown = "", written_first(text)
    if len(text) > PROMPT_LENGTH:
        searched = part.texts.add_beginning(PROMPT_TEXT, ts, shown, SEARCHED_PROMPT)
    said = cut(searched, PROMPT_LENGTH) or excerpt(shown, PROMPT_LENGTH)
    note_asked_title(facts, searched or said, memory.offered)
    if not searched:
        part.texts.add(PROMPT_TEXT, ts, said)
    if facts.prompts == 1:
        facts.first_prompt = said
    facts.last_prompt = said
    ending.note_unanswered(facts)
    was_asked = facts.ended == "question"
    facts.ended, facts.ended_text = "prompt", ""
    facts.calls_since_prompt = facts.checks_since_prompt = 0
    follows_work = memory.has_acted and facts.prompts > 1
    ending.note_prompt(facts, text, said, follows_work=follows_work)
    ending.note_turned_down(facts.ending, text, follows=follows_work and not was_asked)
    if memory.unfollowed:
        follow(part, f"user: {excerpt_line(text, AFTER_LENGTH)}")
    memory.troubles.clear()
    note_turn(memory)
    if memory.has_acted and facts.prompts > 1:
        hear(facts, memory, Said(fingerprint, ts, text, said))
    else:
        memory.claim = ""
    memory.has_acted = False
    memory.fresh_pass = ""
    memory.turn_spent, memory.turn_ms = memory.spent, facts.active_ms
