"""What package managers and build tools say, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes import runtimes
from helix_tui.text.signature.classes.row import LOCAL, MODULE, NAME, QUOTE, ClassRow, placed, row

MEANINGS = {
    "module_not_found": "a package or module is not installed (subject: its name)",
    "local_import_unresolved": "a file of the project is imported that is not there",
    "header_not_found": "a C header is not there (subject: the header)",
    "package_not_found": "a registry has no such package (subject: its name)",
    "package_version_not_found": "a registry has no such version of a package",
    "dependency_conflict": "the wanted versions exclude one another",
    "lockfile_out_of_date": "the lock file does not fit what is asked for",
    "externally_managed_python": "pip may not change the system's Python",
    "venv_missing": "there is no virtual environment",
    "runtime_version_unsupported": "a package wants another version (subject: of what)",
    "build_failed_for_package": "a package cannot be built while it is installed (subject: its name)",
    "checksum_mismatch": "what was downloaded is not what was promised",
    "package_manager_lock": "another package manager is at work",
    "npm_script_missing": "package.json has no such script (subject: the script)",
    "package_json_missing": "the folder holds no package.json",
    "make_target_missing": "there is no rule for what is to be made (subject: the target)",
    "makefile_missing": "there is no makefile",
    "cargo_manifest_missing": "there is no Cargo.toml",
    "browser_missing": "a browser for tests is not installed",
}

_LISTED = rf"{QUOTE}(?P<s>@?[A-Za-z][\w.+/-]{{0,100}}+)"

ROWS: tuple[ClassRow, ...] = (
    row("externally_managed_python", "externally", r"\bexternally[- ]managed\b"),
    # modules
    placed("module_not_found", "named", rf"\bno module named {MODULE}"),
    placed("module_not_found", "named", rf"\bfor module named {MODULE}"),
    placed("module_not_found", "providing", rf"\bcannot find module providing package {MODULE}"),
    placed("local_import_unresolved", "find", rf"\bcannot find (?:module|package) {LOCAL}"),
    placed(
        "local_import_unresolved",
        "resolve",
        rf"\b(?:can't|cannot|could not) resolve (?:import )?{LOCAL}",
    ),
    placed("local_import_unresolved", "resolve", rf"\bfailed to resolve import {LOCAL}"),
    placed(
        "local_import_unresolved",
        "unresolved",
        rf"\bunresolved import {QUOTE}(?:crate|self|super)\b",
    ),
    placed("module_not_found", "find", rf"\bcannot find (?:module|package) {MODULE}"),
    placed(
        "module_not_found",
        "resolve",
        rf"(?:^|: )(?:can't|cannot|could not) resolve:? (?:import )?(?=[\"'`]){MODULE}",
    ),
    placed("module_not_found", "resolve", rf"\bfailed to resolve import {MODULE}"),
    placed("module_not_found", "resolve", rf"\bunable to resolve path to module {MODULE}"),
    placed("module_not_found", "package", rf"\bno required module provides package {MODULE}"),
    placed("module_not_found", "package", rf"^package {MODULE} is not in (?:std|goroot)\b"),
    row("module_not_found", "package", rf"\bneed to (?:add|install) (?:the )?{MODULE} package\b"),
    placed("module_not_found", "import", rf"\bimport {MODULE} could not be resolved\b"),
    placed("module_not_found", "unresolved", rf"\bunresolved import {MODULE}"),
    placed("module_not_found", "crate", rf"\bcan't find crate for {MODULE}"),
    placed("module_not_found", "crate", rf"\bundeclared crate or module {MODULE}"),
    placed("module_not_found", "crate", rf"\bunresolved module or unlinked crate {MODULE}"),
    placed("module_not_found", "package", rf"^(?:error: )?package {MODULE} does not exist$"),
    placed("module_not_found", "module", rf"\bno such module {MODULE}"),
    row("module_not_found", "classnotfoundexception", rf"\bclassnotfoundexception: {MODULE}"),
    row("module_not_found", "noclassdeffounderror", rf"\bnoclassdeffounderror: {MODULE}"),
    row("module_not_found", "load", rf"\bcannot load such file -- {MODULE}"),
    row("module_not_found", "locate", rf"^can't locate {MODULE} in @inc\b"),
    row("module_not_found", "package", rf"\bthere is no package called {MODULE}"),
    row("module_not_found", "module", rf"^(?:\S{{1,80}}: )?module {MODULE} not found\b"),
    row("module_not_found", "module", rf"^module not found:? (?=[\"'`]){MODULE}"),
    placed("module_not_found", "find", rf"\bcould not find module {MODULE}"),
    placed(
        "header_not_found",
        "fatal",
        r"\bfatal error: ['\"]?(?P<s>[\w./+-]{1,120}\.h(?:pp|xx|h)?)['\"]?(?:: no such file| file not found)",
    ),
    placed(
        "header_not_found",
        "such",
        r"^['\"]?(?P<s>[\w./+-]{1,120}\.h(?:pp|xx|h)?)['\"]?: no such file or directory$",
    ),
    # registries
    row("package_not_found", "matching", rf"\bno matching distribution found for {_LISTED}"),
    row(
        "package_not_found",
        "satisfies",
        rf"\bcould not find a version that satisfies the requirement {_LISTED}",
    ),
    row(
        "package_not_found",
        "registry",
        rf"{QUOTE}(?P<s>@?[\w.-]{{1,80}}(?:/[\w.-]{{1,80}})?)@\S{{1,60}} is not in (?:this|the npm) registry",
    ),
    row(
        "package_not_found", "registry", rf"\b{_LISTED} was not found in the (?:package )?registry"
    ),
    row(
        "package_not_found",
        "npm",
        r"^npm: (?:404 {1,4}){0,2}not found - get \S{1,200}/(?P<s>@?[\w.%-]{1,120})",
    ),
    row("package_not_found", "npm", r"^npm: code e404\b"),
    row("package_not_found", "locate", rf"^unable to locate package {_LISTED}"),
    row(
        "package_not_found",
        "installation",
        rf"^package {_LISTED}{QUOTE} has no installation candidate",
    ),
    row(
        "package_not_found",
        "formula",
        rf"^no available formula (?:or cask )?with the name {QUOTE}{_LISTED}",
    ),
    row("package_not_found", "package", rf"\bno matching package named {_LISTED}"),
    row(
        "package_not_found", "package", rf"\bcould not find a matching version of package {_LISTED}"
    ),
    row("package_not_found", "match", rf"^no match for argument: {_LISTED}"),
    row("package_not_found", "match", rf"^unable to find a match: {_LISTED}"),
    row("package_not_found", "such", rf"^{_LISTED} \(no such package\)"),
    row(
        "package_not_found",
        "artifact",
        r"\bcould not find artifact (?P<s>[\w.-]{1,80}:[\w.-]{1,80})",
    ),
    row("package_version_not_found", "npm", r"^npm: code etarget\b"),
    row("package_version_not_found", "version", r"^no matching version found for \S"),
    row("dependency_conflict", "npm", r"^npm: code eresolve\b"),
    row("dependency_conflict", "dependency", r"\bunable to resolve dependency tree\b"),
    row("dependency_conflict", "resolutionimpossible", r"\bresolutionimpossible\b"),
    row("dependency_conflict", "conflicting", r"\bconflicting dependencies\b"),
    row("dependency_conflict", "solution", r"\bno solution found when resolving dependencies\b"),
    row("dependency_conflict", "solving", r"\bversion solving failed\b"),
    row("dependency_conflict", "select", r"^failed to select a version for\b"),
    row(
        "dependency_conflict",
        "installable",
        r"\brequirements could not be resolved to an installable set\b",
    ),
    row("lockfile_out_of_date", "lockfile", r"\boutdated_lockfile\b"),
    row("lockfile_out_of_date", "lockfile", r"\bfrozen[- ]lockfile\b"),
    row("lockfile_out_of_date", "lockfile", r"\blockfile would have been\b"),
    row("lockfile_out_of_date", "lockfile", r"\blockfile needs to be updated\b"),
    row(
        "lockfile_out_of_date",
        "install",
        r"\bcan only install packages when your package\.json and\b",
    ),
    row("lockfile_out_of_date", "updated", r"\block\b.{0,200}\bneeds to be updated\b"),
    row("lockfile_out_of_date", "date", r"\block\b.{0,80}\bout of date\b"),
    row(
        "lockfile_out_of_date",
        "poetry",
        r"\bpyproject\.toml changed significantly since poetry\.lock\b",
    ),
    row("venv_missing", "virtual", r"^no virtual environment found\b"),
    *runtimes.ROWS,
    row("build_failed_for_package", "wheel", rf"^failed (?:building|to build) wheel for {_LISTED}"),
    row(
        "build_failed_for_package", "build", rf"^failed to build {_LISTED}(?:==\S{{1,40}})?{QUOTE}$"
    ),
    row("checksum_mismatch", "npm", r"^npm: code eintegrity\b"),
    row("checksum_mismatch", "hashes", r"\bthese packages do not match the hashes\b"),
    row("checksum_mismatch", "checksum", r"\bchecksum mismatch\b"),
    row("package_manager_lock", "lock", r"^could not get lock /var/lib/"),
    row("package_manager_lock", "lock", r"^unable to (?:acquire|lock) the (?:dpkg|administration)"),
    row(
        "npm_script_missing",
        "missing",
        rf"^(?:npm: )?(?:err_pnpm_no_script {1, 8})?missing script:? {NAME}",
    ),
    row("npm_script_missing", "script", rf"^script not found {NAME}"),
    row("npm_script_missing", "script", rf"^couldn't find a script named {NAME}"),
    row(
        "package_json_missing",
        "package",
        r"^(?:npm: )?(?:enoent )?(?:could not read|no) package\.json\b",
    ),
    row("package_json_missing", "package", r"\bno package\.json (?:found|was found)\b"),
    row(
        "package_json_missing", "manifest", r"\berr_pnpm_no_(?:importer_)?(?:manifest|pkg_manifest)"
    ),
    row("make_target_missing", "target", rf"\bno rule to make target {NAME}"),
    row("make_target_missing", "recipe", rf"\bjustfile does not contain recipe {NAME}"),
    row("makefile_missing", "makefile", r"\bno targets specified and no makefile found\b"),
    row("makefile_missing", "justfile", r"^no justfile found\b"),
    row("cargo_manifest_missing", "cargo", r"^could not find `?cargo\.toml`? in\b"),
    row("browser_missing", "executable", r"\bexecutable doesn't exist at \S"),
    row("browser_missing", "playwright", r"\bplease run.{0,60}\bplaywright install\b"),
    row("browser_missing", "binary", r"\bcannot find chrome(?:ium)? binary\b"),
    row("browser_missing", "chrome", r"^could not find chrome(?:ium)? \("),
)
