"""Where a page applies: in which repository or sandbox, and to what that is run there."""

from __future__ import annotations

from collections import Counter

from helix_tui.agent_homes import agent_name
from helix_tui.curate.draft.log_words import SUBJECT_LENGTH, DraftWords
from helix_tui.curate.draft.names import code, is_plain, quoted
from helix_tui.schema.candidate import Candidate
from helix_tui.text.shape import action_in
from helix_tui.text.shape_change import PATH_WORDS, REPOSITORY_WORDS

_MOST_ACTIONS = 2
_OF_NETWORKS = frozenset({"host_unresolved", "network_unreachable"})
_NO_TESTS = "no_tests_found"


def repository_of(candidate: Candidate) -> str:
    """The repository that a candidate is mostly of."""
    repos = Counter(member.repo for member in candidate.members.values())
    return min(repos, key=lambda name: (-repos[name], name))


def place_first(words: DraftWords, candidate: Candidate) -> None:
    """Put the one repository in which something holds before when it does."""
    repo, applies = repository_of(candidate), words.texts["applies"]
    if candidate.scope == "repo" and is_plain(repo):
        text = f"In {code(repo)}, {applies[:1].lower()}{applies[1:]}"
        words.texts["applies"] = text
        words.cite("applies", repo)


def place(words: DraftWords, candidate: Candidate) -> None:
    """Say in which repository it applies, and to what that is run there.

    A path or a name that is wrong is so whatever it is given to. Of one agent without a network it
    is its sandbox.
    """
    repo = repository_of(candidate)
    ran = [action_in(candidate.shape)] if candidate.shape else candidate.actions[:_MOST_ACTIONS]
    actions = [name for action in ran if (name := quoted(action, SUBJECT_LENGTH))]
    if candidate.scope == "agent" and candidate.error_class in _OF_NETWORKS and actions:
        (agent,) = {member.flavor for member in candidate.members.values()}
        text = f"In {agent_name(agent)}'s sandbox, when you run {either(_coded(actions))}."
        words.replace("applies", text, dict.fromkeys(actions, ""))
    if candidate.scope != "repo" or not is_plain(repo) or not actions:
        return
    when, named = _when(candidate, actions)
    words.replace("applies", f"In {code(repo)}, {when}.", dict.fromkeys((repo, *named), ""))


def _when(candidate: Candidate, actions: list[str]) -> tuple[str, list[str]]:
    """When it applies, and the words of a log in that."""
    verb = candidate.cure.verb if candidate.cure else ""
    if verb.startswith(PATH_WORDS):
        path = quoted(verb.removeprefix(PATH_WORDS), SUBJECT_LENGTH)
        if path:
            return f"when you name {code(path)}", [path]
    if verb.startswith(REPOSITORY_WORDS):
        program = actions[0].partition(" ")[0]
        return f"when you name the repository to {code(program)}", [program]
    for_some = " for some of the tests" if candidate.error_class == _NO_TESTS else ""
    return f"when you run {either(_coded(actions))}{for_some}", actions


def _coded(names: list[str]) -> list[str]:
    return [code(name) for name in names]


def either(names: list[str]) -> str:
    """Names as a choice: *a, b or c*."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
