"""What was decided and taught before the sample is opened: three rules, each since a known day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern, PatternEvidence, Provenance
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.review.transaction import ReviewTransaction, review_transaction
from helix_tui.sample import UNTIL, loop_sessions
from helix_tui.sample.loop import FILE, LOADING, REPO, TAUGHT, Taught, came_in
from helix_tui.sample.stories import Planned
from helix_tui.schema.distribute import LedgerLine, LedgerRule
from helix_tui.schema.review import JournalLine, PatternRef, Snapshot, Write
from helix_tui.text.times import iso

_AUTHOR, _VERSION = "sample", "1.0.0"


def tell_history(config: Config) -> None:
    """Write journal, catalog and ledger of the sample, where nobody decided on anything yet.

    A journal or a catalog that a person's own configuration names is never written to.
    """
    curate = config.curate
    is_own = all(
        path.is_relative_to(config.store) for path in (curate.catalog_dir, curate.review_log)
    )
    if not (config.is_sample and is_own) or curate.review_log.exists():
        return
    planned = loop_sessions()
    pages = [_page(one, planned) for one in TAUGHT]
    with review_transaction(config) as transaction:
        transaction.record(
            [_approved(transaction, *row) for row in zip(TAUGHT, pages, strict=True)]
        )
    ledger = DistributionLedger(config)
    with ledger.locked():
        ledger.append(*_distributed(config))


def _at(one: Taught) -> str:
    return iso(int(came_in(one, UNTIL).timestamp() * 1000)) or ""


def _seen(one: Taught, planned: Sequence[Planned]) -> list[Planned]:
    """The sessions that it was seen in by then."""
    until = came_in(one, UNTIL).timestamp()
    return [row for row in planned if one.story in row.stories and row.start < until]


def _page(one: Taught, planned: Sequence[Planned]) -> Pattern:
    seen = _seen(one, planned)
    times = [datetime.fromtimestamp(row.start, UTC).date().isoformat() for row in seen]
    return Pattern(
        id=one.candidate,
        version=_VERSION,
        kind="problem",
        status="approved",
        distribution_ready=True,
        signal="error_signature",
        scope=f"repo:{REPO}",
        rung="line",
        rule=one.rule,
        candidates=[one.candidate],
        evidence=PatternEvidence(
            sessions=len(seen),
            frequency=len(seen),
            flavors=dict(sorted(Counter(row.flavor for row in seen).items())),
            repos=1,
            repo_names=[REPO],
            first_seen=times[0],
            last_seen=times[-1],
            remedied=len(seen),
        ),
        provenance=Provenance(
            author=_AUTHOR, at=_at(one), candidate=one.candidate, score=0.0, guidance="person"
        ),
        title=one.title,
        problem=one.problem,
        applies=one.applies,
        guidance=one.rule,
        why=f"Seen in {len(seen)} sessions of {REPO}.",
    )


def _approved(transaction: ReviewTransaction, one: Taught, page: Pattern) -> JournalLine:
    evidence = page.evidence
    snapshot = Snapshot(
        evidence.sessions,
        evidence.frequency,
        sorted(evidence.flavors),
        evidence.repos,
        evidence.cost_impact,
        0.0,
        "ongoing",
        evidence.first_seen,
        evidence.last_seen,
    )
    made = transaction.line(
        "approve",
        one.candidate,
        snapshot,
        pattern=PatternRef(page.id, page.version, page.status, page.distribution_ready),
        writes=[Write(page.id, write_page(page))],
    )
    return replace(made, at=_at(one), author=_AUTHOR)


def _distributed(config: Config) -> Iterator[LedgerLine]:
    """Each time that the file was written, with all rules that stood there from then on."""
    root = str(config.distribute.repos[REPO])
    for number, moment in enumerate(sorted({_at(one) for one in TAUGHT})):
        batch = f"sample-{number}"
        rules = [
            LedgerRule(one.candidate, _VERSION, one.rule, _at(one), list(LOADING))
            for one in TAUGHT
            if _at(one) <= moment
        ]
        yield LedgerLine(
            id=f"{batch}-apply",
            batch=batch,
            at=moment,
            author=_AUTHOR,
            action="apply",
            site=REPO,
            root=root,
            file=f"{root}/{FILE}",
            rules=rules,
            glue="\n",
        )
        yield LedgerLine(id=f"{batch}-done", batch=batch, at=moment, author=_AUTHOR, action="done")
