"""What doctor says of sources that a sweep cannot go into."""

from __future__ import annotations

from tests.conftest import Workbench


def test_a_folder_of_logs_that_is_a_link_is_told(bench: Workbench) -> None:
    elsewhere = bench.home / "disk" / "sessions"
    elsewhere.mkdir(parents=True)
    (bench.home / ".grok").mkdir()
    (bench.home / ".grok" / "sessions").symlink_to(elsewhere)
    bench.sweep()
    (check,) = [item for item in bench.engine().doctor() if item.name == "source grok"]
    assert not check.is_ok
    assert ".grok/sessions" in check.detail
    assert "sources.grok.roots" in check.todo
