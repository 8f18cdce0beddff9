"""Words by which a report tells of work that was done, or of what holds since."""

from __future__ import annotations

import re

WORK = re.compile(
    r"(?i)\b(?:now|no longer|restored|released|added|adds|addressed|built|bumped|centralized"
    r"|changed|cleaned|committed|completed|configured|converted|corrected|created|deleted|deployed"
    r"|dropped|edited|executed|extracted|fixe[sd]|generated|implemented|imports|improved|included"
    r"|installed|integrated|introduced|made|merged|migrated|modified|moved|opened|pass(?:es|ed)"
    r"|pinned|reduced|refactored|removed|renamed|replaced|resolved|reverted|rewr(?:ite|ote|itten)"
    r"|set up|simplified|split|stays|switched|unified|updated|upgraded|validated|verified|wired"
    r"|written|wrote)\b"
)
