"""Find what corrections are about: words that they share and tasks do not, and what they reject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec

from helix_tui.detect.agreement import Correction, agreeing
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.said_here import word_number
from helix_tui.detect.utterances import MARKS
from helix_tui.schema.speech import Heard, Speech, Word
from helix_tui.text.request_words import ACTS

# A word is of corrections where it is said so many times as often in them as in all turns, or
# mostly there.
_MORE_OFTEN, _MOSTLY = 3, 0.5
# Two words are of one thing where one in so many of their conversations says both.
_TOGETHER = 3
# The same of words that object to the same actions.
_BEHIND_THE_SAME = 4
# A remark of so many telling words is about each of them.
_BRIEF = 4
# A word in another form is so many letters longer at most, of one that has so many at least.
_ENDING, _LEAST_FORM = 2, 5
# What is objected to with more words than these ties none of them.
_MOST_WORDS = 12
# A word that more conversations than these say beside corrections tells nothing: so are the small
# words of whatever language.
_OFTEN, _COMMON = 4, 0.15
# Where for each conversation that objects with a word so many speak of other things, and none but
# these says it, it is no chance that it is the same word.
_ELSEWHERE = 5


def corrected(
    speeches: Mapping[str, Speech],
) -> Iterator[tuple[str, str, list[tuple[str, int]]]]:
    """Corrections by words that three conversations correct by, and hardly anybody else says.

    Words are of one thing where they are said together, or mostly object to the same. Corrections
    behind an action that most others object to follow these. One that is not plain may join. Turns
    are told by their repository and their place in its speech. What only one repository agrees in
    beside others stands with its name.
    """
    forms = _forms(speeches)
    telling = _telling(speeches, forms)
    heard = list(_heard(speeches, telling, forms))
    talks: dict[str, set[str]] = {word: set() for word in telling}
    for one in heard:
        if one.is_mark and one.known:
            for word in one.known:
                talks[word].add(one.root)
    leaders = _joined(heard, talks)
    commonest = sorted(talks, key=lambda word: (-len(talks[word]), word))
    for subject, groups in sorted(_agreed(heard, leaders, commonest, telling)):
        # The first goes on by the word alone, others by their repositories, too.
        named: dict[str, list[tuple[str, int]]] = {}
        for at, group in enumerate(groups):
            name = " ".join(sorted({one.repo for one in group})) if at else ""
            named.setdefault(name, []).extend((one.repo, one.heard.turn) for one in group)
        for name, places in named.items():
            yield subject, name, places


def _agreed(
    heard: Sequence[Correction],
    leaders: Mapping[str, str],
    commonest: Sequence[str],
    telling: Mapping[str, bool],
) -> list[tuple[str, list[list[Correction]]]]:
    """Each word with the corrections that agree in it, the commonest words first.

    What agrees with nobody in one word is looked at by its next: a word that is only small takes
    nothing away from one that tells something. What nobody says but to object is enough by itself.
    """
    place = {word: at for at, word in enumerate(commonest)}
    subjects = [
        sorted({leaders[word] for word in one.known}, key=place.__getitem__)
        if len(one.known) > 1
        else [leaders[word] for word in one.known]
        for one in heard
    ]
    about = {at: words[0] for at, words in enumerate(subjects) if words}
    _follow(heard, about)
    by_subject: dict[str, list[int]] = {}
    for at, subject in sorted(about.items()):
        by_subject.setdefault(subject, []).append(at)
    found = []
    for subject in commonest:
        places = sorted(by_subject.get(subject, ()))
        members = [heard[at] for at in places]
        groups = agreeing(subject, members) if _may_agree(members) else []
        if telling[subject] and not groups and _is_said_by_enough(subject, members):
            groups = [members]
        taken = {id(one) for some in groups for one in some}
        for at in places:
            own = subjects[at]
            if len(own) < 2 or subject not in own or id(heard[at]) in taken:
                continue
            if rest := own[own.index(subject) + 1 :]:
                by_subject.setdefault(rest[0], []).append(at)
        if groups:
            found.append((subject, groups))
    return found


def _is_said_by_enough(subject: str, members: Sequence[Correction]) -> bool:
    """Whether three conversations plainly object with a word, and most of them say little else.

    In a longer remark it may stand beside what the remark is about.
    """
    said = [one for one in members if one.is_mark and subject in one.known]
    roots = {one.root for one in said}
    brief = {one.root for one in said if len(one.heard.words) <= _BRIEF}
    return len(roots) >= MIN_SESSIONS and 2 * len(brief) > len(roots)


def _may_agree(members: Sequence[Correction]) -> bool:
    """Whether three conversations are there, two of which object plainly."""
    plain = {one.root for one in members if one.is_mark}
    every = {one.root for one in members}
    return len(plain) >= MIN_SESSIONS - 1 and len(every) >= MIN_SESSIONS


def _forms(speeches: Mapping[str, Speech]) -> dict[str, str]:
    """Words of corrections that differ by how they end alone, each with the shortest of them.

    So is a noun in its cases, in languages whose endings nobody knows here.
    """
    found: dict[str, str] = {}
    words = {word for speech in speeches.values() for word in speech.words}
    before = ""
    for word in sorted(word for word in words if word.isalpha() and len(word) >= _LEAST_FORM):
        if before and word.startswith(before) and len(word) - len(before) <= _ENDING:
            found[word] = before
        else:
            before = word
    return found


def _in_one_form(one: Heard, forms: Mapping[str, str]) -> Heard:
    if forms.keys().isdisjoint(one.words):
        return one
    words = list(dict.fromkeys(forms.get(word, word) for word in one.words))
    demanded = list(dict.fromkeys(forms.get(word, word) for word in one.demanded))
    lies = [forms.get(word, word) for word in one.lies]
    return msgspec.structs.replace(one, words=words, demanded=demanded, lies=lies)


def _heard(
    speeches: Mapping[str, Speech], telling: Mapping[str, bool], forms: Mapping[str, str]
) -> Iterator[Correction]:
    """The corrections with a telling word, and those behind an action that some of these reject."""
    spelled = telling.keys() | {form for form, word in forms.items() if word in telling}
    with_word = {
        repo: {at for word in spelled & speech.words.keys() for at in speech.words[word].heard}
        for repo, speech in speeches.items()
    }
    actions = {
        speech.heard[at].action for repo, speech in speeches.items() for at in with_word[repo]
    } - {""}
    for repo, speech in sorted(speeches.items()):
        telling_here, turns = with_word[repo], speech.turns
        for at, one in enumerate(speech.heard):
            has_word = at in telling_here
            if has_word or one.action in actions:
                said, one = turns[one.turn], _in_one_form(one, forms) if forms else one
                kind = said.kind
                known = [word for word in one.words if word in telling] if has_word else []
                is_rule = kind == "instruction"
                yield Correction(repo, one, said.root, kind in MARKS, is_rule, known)


def _telling(speeches: Mapping[str, Speech], forms: Mapping[str, str]) -> dict[str, bool]:
    """The words by which three conversations object to what an agent did, and hardly say else.

    With each whether nobody at all says it otherwise.
    """
    holding: dict[str, list[Word]] = {}
    for speech in speeches.values():
        for word, one in speech.words.items():
            holding.setdefault(forms.get(word, word), []).append(one)
    heard = sum(len(speech.heard) for speech in speeches.values())
    usual = heard / max(1, sum(speech.spoken for speech in speeches.values()))
    least = min(_MOSTLY, _MORE_OFTEN * usual)
    conversations = sum(speech.conversations for speech in speeches.values())
    most = max(_OFTEN, _COMMON * conversations)
    # A conversation speaks in one repository: its numbers add up.
    wanted = {
        word: counts
        for word, counts in holding.items()
        if sum([one.every for one in counts]) >= MIN_SESSIONS
        and sum([one.plain for one in counts]) >= MIN_SESSIONS - 1
    }
    said = _everywhere(speeches, wanted, forms)
    found = {}
    for word, counts in wanted.items():
        turns, beside = said[word]
        is_common = word not in ACTS and beside > most
        is_of_these = sum([len(one.heard) for one in counts]) >= least * turns
        # What several repositories speak of is none's own, nor what is only ever objected to.
        is_own = len(counts) == 1 and counts[0].is_named and beside > 0
        if is_of_these and not is_common and not is_own:
            plain = sum(one.plain for one in counts)
            is_much_else = conversations >= _ELSEWHERE * plain
            found[word] = not beside and plain >= MIN_SESSIONS and is_much_else
    return found


def _everywhere(
    speeches: Mapping[str, Speech], words: Collection[str], forms: Mapping[str, str]
) -> dict[str, tuple[int, int]]:
    """How many turns have each word, and how many conversations say it beside corrections."""
    numbers = {word_number(word): word for word in words}
    numbers |= {word_number(form): word for form, word in forms.items() if word in words}
    turns, talks = dict.fromkeys(words, 0), dict.fromkeys(words, 0)
    for speech in speeches.values():
        columns = (speech.vocabulary, speech.turns_of, speech.beside)
        for number, turns_of, beside in zip(
            *(memoryview(packed).cast("I") for packed in columns), strict=True
        ):
            if number in numbers:
                turns[numbers[number]] += turns_of
                talks[numbers[number]] += beside
    return {word: (turns[word], talks[word]) for word in words}


def _joined(heard: Sequence[Correction], talks: dict[str, set[str]]) -> dict[str, str]:
    """Each telling word with the one that its group is named after: the commonest."""
    both: dict[tuple[str, str], set[str]] = {}
    rejected: dict[str, dict[str, set[str]]] = {}
    for one in heard:
        known, action = one.known, one.heard.action
        if not known:
            continue
        if len(known) > 1:
            for pair in combinations(known, 2):
                both.setdefault(pair, set()).add(one.root)
        if action:
            by_word = rejected.setdefault(action, {})
            for word in known:
                by_word.setdefault(word, set()).add(one.root)
    joins = {
        pair: len(found)
        for pair, found in both.items()
        if len(found) > 1 and _TOGETHER * len(found) >= len(talks[pair[0]] | talks[pair[1]])
    }
    shared: dict[tuple[str, str], list[int]] = {}
    for by_word in rejected.values():
        if len(by_word) <= _MOST_WORDS:
            for first, second in combinations(sorted(by_word), 2):
                count = min(len(by_word[first]), len(by_word[second]))
                shared.setdefault((first, second), []).append(count)
    for pair, counts in shared.items():
        is_mostly = _BEHIND_THE_SAME * sum(counts) >= max(len(talks[word]) for word in pair)
        if len(counts) > 1 and is_mostly:
            joins[pair] = joins.get(pair, 0) + len(counts)
    return _leaders(talks, joins)


def _leaders(talks: dict[str, set[str]], joins: dict[tuple[str, str], int]) -> dict[str, str]:
    """Let each word, the commonest first, follow the one that it has most in common with.

    So a word that two things share, such as `whole`, makes no one thing of them.
    """
    beside: dict[str, dict[str, int]] = {}
    for (one, other), count in joins.items():
        beside.setdefault(one, {})[other] = count
        beside.setdefault(other, {})[one] = count
    leaders: dict[str, str] = {}
    for word in sorted(talks, key=lambda word: (-len(talks[word]), word)):
        near: Counter[str] = Counter()
        for other, count in beside.get(word, {}).items():
            if other in leaders:
                near[leaders[other]] += count
        leaders[word] = min(near, key=lambda leader: (-near[leader], leader), default=word)
    return leaders


def _follow(heard: Sequence[Correction], about: dict[int, str]) -> None:
    """Give corrections without a telling word what most behind the same action are about."""
    behind: dict[str, list[int]] = {}
    for at, one in enumerate(heard):
        if one.heard.action:
            behind.setdefault(one.heard.action, []).append(at)
    for places in behind.values():
        with_subject = [at for at in places if at in about]
        if not MIN_SESSIONS - 1 <= len(with_subject) < len(places):
            continue  # too few to follow, or nobody to follow them
        votes: Counter[str] = Counter()
        for subject, _ in {(about[at], heard[at].root) for at in with_subject}:
            votes[subject] += 1
        best = min(votes, key=lambda subject: (-votes[subject], subject), default="")
        roots = {heard[at].root for at in places}
        if best and votes[best] >= MIN_SESSIONS - 1 and 2 * votes[best] > len(roots):
            about.update((at, best) for at in places if at not in about and heard[at].is_mark)
