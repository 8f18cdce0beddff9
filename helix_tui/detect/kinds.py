"""What classes are about: a kind of failure, a machine, how a repository is run."""

from __future__ import annotations

_MENDED = "a checker found faults of the change at hand, each time others"
# Why nobody learns anything from all of them together, by class.
KINDS = {
    "file_not_found": "paths are guessed and looked up again; each time another one",
    "test_failure": "tests that are red while they are worked on are the work itself",
    "type_error": _MENDED,
    "compile_error": _MENDED,
    "undefined_name": _MENDED,
    "import_name_missing": _MENDED,
    "local_import_unresolved": _MENDED,
    "syntax_error": "code that cannot be parsed is mended on the spot, each time another",
}
# What a machine or its sandbox does not give: one cause, whatever command meets it.
OF_SURROUNDINGS = frozenset(
    {
        "host_unresolved",
        "network_unreachable",
        "operation_not_permitted",
        "read_only_filesystem",
        "disk_full",
        "too_many_open_files",
        "file_watchers_exhausted",
        "and_list_unsupported",
        "no_terminal",
        "no_display",
    }
)
# A sandbox that does not let anybody out; what it refuses else is each time another thing.
OF_NETWORKS = frozenset({"host_unresolved", "network_unreachable"})
# What somebody's service does not give for a while; a sandbox without a network never does.
OF_SERVICES = frozenset(
    {"connection_timed_out", "connection_reset", "service_overloaded", "rate_limited"}
)
# What lies in how a repository is run: in another one, or in another of its steps, it is another
# cause.
OF_REPOSITORIES = frozenset(
    {
        "no_tests_found",
        "venv_missing",
        "package_json_missing",
        "makefile_missing",
        "cargo_manifest_missing",
        "module_format_mismatch",
        "remote_not_found",
    }
)
# Refusals of an edit that say themselves what to do: read the file, quote more of it.
SAY_HOW = frozenset(
    {"edit_no_match", "edit_not_unique", "edit_no_change", "file_not_read", "file_changed"}
)
