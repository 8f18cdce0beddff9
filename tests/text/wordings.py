"""What different programs say of one failure: class, subject, and the sayings, a line each."""

from __future__ import annotations

SAME = [
    (
        "command_not_found",
        "rg",
        """\
bash: line 1: rg: command not found
bash: rg: command not found
-bash: rg: command not found
/bin/bash: line 43: rg: command not found
/usr/bin/bash: line 7: rg: command not found
./run.sh: line 12: rg: command not found
./run.sh: 12: rg: not found
zsh:1: command not found: rg
zsh: command not found: rg
(eval):1: command not found: rg
(eval):14: command not found: rg
/home/me/.zshrc:12: command not found: rg
sh: 1: rg: not found
sh: rg: not found
/bin/sh: 1: rg: not found
/bin/sh: rg: command not found
ash: rg: not found
fish: Unknown command: rg
'rg' is not recognized as an internal or external command,
rg : The term 'rg' is not recognized as the name of a cmdlet, function, script file, or program.
The term 'rg' is not recognized as a name of a cmdlet, function, script file, or program.
| The term 'rg' is not recognized as a name of a cmdlet, function, script file, or program.
/usr/bin/env: ‘rg’: No such file or directory
env: rg: No such file or directory
exec: "rg": executable file not found in $PATH
exec: "rg": executable file not found in %PATH%
OCI runtime exec failed: exec failed: exec: "rg": executable file not found in $PATH: unknown
Command 'rg' not found, but can be installed with:
Command 'rg' not found, did you mean:
Error: spawn rg ENOENT
Error: spawnSync rg ENOENT
error: Failed to spawn: `rg`
timeout: failed to run command 'rg': No such file or directory
nohup: failed to run command 'rg': No such file or directory
xargs: rg: No such file or directory
make: rg: No such file or directory
make: rg: Command not found
make[2]: rg: Command not found
sudo: rg: command not found
FileNotFoundError: [Errno 2] No such file or directory: 'rg'
E       FileNotFoundError: [Errno 2] No such file or directory: 'rg'
java.io.IOException: Cannot run program "rg": error=2, No such file or directory
bash: /usr/local/bin/rg: No such file or directory
bash: ./rg: No such file or directory
error Command "rg" not found.
Error: exec: "rg": executable file not found in $PATH
bundler: command not found: rg
npm ERR! sh: rg: command not found
sh: rg: Kommando nicht gefunden.
bash: rg : commande introuvable""",
    ),
    (
        "module_not_found",
        "yaml",
        """\
ModuleNotFoundError: No module named 'yaml'
E   ModuleNotFoundError: No module named 'yaml'
ImportError: No module named yaml
/usr/bin/python3: No module named yaml
/usr/bin/python3: No module named yaml.__main__; 'yaml' is a package
Error: Cannot find module 'yaml'
Error: Cannot find module 'yaml/dist/index.js'
Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'yaml' imported from /app/a.mjs
src/a.ts(3,5): error TS2307: Cannot find module 'yaml' or its corresponding type declarations.
src/a.ts:3:5 - error TS2307: Cannot find module 'yaml' or its corresponding type declarations.
Module not found: Error: Can't resolve 'yaml' in '/app/src'
Module not found: Can't resolve 'yaml'
[vite]: Rollup failed to resolve import "yaml" from "/app/src/main.ts".
[plugin:vite:import-analysis] Failed to resolve import "yaml" from "src/a.ts". Does it exist?
✘ [ERROR] Could not resolve "yaml"
error: Could not resolve: "yaml". Maybe you need to "bun install"?
error[E0432]: unresolved import `yaml::Value`
error[E0463]: can't find crate for `yaml`
error[E0433]: failed to resolve: use of undeclared crate or module `yaml`
a.py:3: error: Cannot find implementation or stub for module named "yaml"  [import-not-found]
/app/a.py:3:8 - error: Import "yaml" could not be resolved (reportMissingImports)
cannot load such file -- yaml (LoadError)
Error in library(yaml) : there is no package called ‘yaml’
main.swift:1:8: error: no such module 'yaml'""",
    ),
    (
        "module_not_found",
        "app.jobs.nightly",
        """\
E       ModuleNotFoundError: No module named 'app.jobs.nightly'
/usr/bin/python3: No module named app.jobs.nightly""",
    ),
    (
        "module_not_found",
        "app",
        'a.py:3: error: Cannot find implementation or stub for module named "app.jobs.nightly"',
    ),
    (
        "connection_timed_out",
        "git.example port 22",
        "ssh: connect to host git.example port 22: Operation timed out",
    ),
    ("module_not_found", "@scope/pkg", "Error: Cannot find module '@scope/pkg/lib/a'"),
    (
        "module_not_found",
        "github.com/acme/lib",
        """\
main.go:5:2: no required module provides package github.com/acme/lib; to add it:
main.go:4:2: cannot find package "github.com/acme/lib/sub" in any of:
main.go:4:2: cannot find module providing package github.com/acme/lib""",
    ),
    ("local_import_unresolved", "", "Error: Cannot find module './lib/util'"),
    (
        "file_not_found",
        "",
        """\
cat: notes.md: No such file or directory
ls: cannot access 'build/': No such file or directory
ls: build: No such file or directory
sed: can't read src/a.py: No such file or directory
bash: line 1: cd: web: No such file or directory
bash: cd: web: No such file or directory
(eval):cd:1: no such file or directory: web
cd: no such file or directory: web
bash: line 3: out/log.txt: No such file or directory
Error: ENOENT: no such file or directory, open '/app/a.json'
FileNotFoundError: [Errno 2] No such file or directory: 'data/a.json'
E   FileNotFoundError: [Errno 2] No such file or directory: '/app/config.toml'
python3: can't open file '/app/run.py': [Errno 2] No such file or directory
open config.yml: no such file or directory
stat /app/main.go: no such file or directory
grep: src/a.py: No such file or directory
rg: src/a: No such file or directory (os error 2)
rg: src/a: IO error for operation on src/a: No such file or directory (os error 2)
File does not exist. Did you mean main.py?
File not found: /app/a.py. Please check the path and try again.
Path does not exist: /app/src
apply_patch verification failed: Failed to read file a.ts: No such file or directory (os error 2)
ERROR: file or directory not found: tests/test_a.py
java.io.FileNotFoundException: a.txt (No such file or directory)
The system cannot find the file specified.
Cannot find path 'C:\\app\\a.txt' because it does not exist.
cp: cannot stat 'a.txt': No such file or directory
mv: rename a to b: No such file or directory
Error: Could not open file /app/a.txt: No such file or directory""",
    ),
    (
        "edit_no_match",
        "",
        """\
String to replace not found in file.
<tool_use_error>String to replace not found in file.
The string to replace was not found in the file, use the read_file tool to see the correct string.
The string to replace was not found in the file. Make sure it matches exactly.
apply_patch verification failed: Failed to find expected lines in /app/a.py:
apply_patch verification failed: Failed to find context 'def a():' in /app/a.py
Failed to find expected lines in a.py:
error: Failed to find expected lines in /app/a.py:
Could not find edits[0] in lib/a.ts. The oldText must match exactly, with all white space.
Could not find oldString in the file. It must match exactly.
Unable to find the exact text in lib/a.ts.
No match found for old_str in lib/a.py
oldText not found in lib/a.ts""",
    ),
    (
        "edit_not_unique",
        "",
        """\
Found 3 matches of the string to replace, but replace_all is false.
The string to replace was found multiple times in the file. Use replace_all to replace them all.
The string to replace was found 4 times in the file.
Found 2 occurrences of edits[1] in lib/a.py. Each oldText must be unique.
Found multiple matches for oldString in the file.
Failed to edit, Expected 1 occurrence but found 3 for old_string in file: lib/a.ts.""",
    ),
    (
        "file_not_read",
        "",
        """\
File has not been read yet. Read it first before writing to it.
You must read the file with the read_file tool before editing it.
You must use your Read tool on the file first.""",
    ),
    (
        "file_changed",
        "",
        """\
File has been modified since read, either by the user or by a linter. Read it again.
File has been unexpectedly modified. Read it again before attempting to write it.
File has been modified since it was read. Please read the file again.""",
    ),
    (
        "no_such_tool",
        "Serch",
        """\
Error: No such tool available: Serch
unsupported call: Serch
Unknown tool: Serch
Tool 'Serch' not found""",
    ),
    (
        "invalid_tool_input",
        "",
        """\
InputValidationError: Edit failed due to the following issue:
failed to parse function arguments: missing field `command` at line 1 column 2
Invalid arguments for tool read_file: no path""",
    ),
    (
        "timeout",
        "",
        """\
Command timed out after 2m 0s
Error: Command timed out after 120000ms
command timed out
command timed out after 10000 milliseconds
execution error: command timed out
Error: Test timed out after 5000ms
Error: timeout of 2000ms exceeded
rpc error: code = DeadlineExceeded desc = context deadline exceeded""",
    ),
    (
        "port_in_use",
        "",
        """\
Error: listen EADDRINUSE: address already in use :::3000
ERROR:    [Errno 98] error while attempting to bind on address ('::', 80): address already in use
2026/10/05 listen tcp :8080: bind: address already in use
2026/10/05 08:09:10 listen tcp :8080: bind: address already in use
OSError: [Errno 98] Address already in use
OSError: [Errno 48] Address already in use
Error: Port 5173 is already in use
Port 3000 is in use, trying another one instead.
Something is already running on port 3000.
Bind for 0.0.0.0:5432 failed: port is already allocated
java.net.BindException: Address already in use
nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)
Error: Os { code: 98, kind: AddrInUse, message: "Address already in use" }""",
    ),
    (
        "permission_denied",
        "",
        """\
bash: ./run.sh: Permission denied
cat: /etc/shadow: Permission denied
mkdir: cannot create directory '/opt/a': Permission denied
PermissionError: [Errno 13] Permission denied: '/opt/a'
Error: EACCES: permission denied, open '/opt/a'
open /opt/a: permission denied
zsh: permission denied: ./run.sh
error: failed to write /opt/a: Permission denied (os error 13)
Access is denied.""",
    ),
    (
        "connection_refused",
        "",
        """\
curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server
ssh: connect to host example.org port 22: Connection refused
ConnectionRefusedError: [Errno 111] Connection refused
java.net.ConnectException: Connection refused
wget: can't connect to remote host (127.0.0.1): Connection refused
Error: connect ECONNREFUSED 127.0.0.1:8123""",
    ),
    (
        "host_unresolved",
        "",
        """\
curl: (6) Could not resolve host: example.test
ssh: Could not resolve hostname example.test: Name or service not known
Error: getaddrinfo ENOTFOUND example.test
Error: getaddrinfo EAI_AGAIN registry.example.test
socket.gaierror: [Errno -3] Temporary failure in name resolution
socket.gaierror: [Errno 8] nodename nor servname provided, or not known
dial tcp: lookup example.test: no such host
java.net.UnknownHostException: example.test
wget: unable to resolve host address ‘example.test’
fatal: unable to access 'https://example.test/a.git/': Could not resolve host: example.test""",
    ),
    (
        "push_rejected",
        "",
        """\
! [rejected]        main -> main (fetch first)
! [rejected]        main -> main (non-fast-forward)
error: failed to push some refs to 'github.com:acme/app.git'
hint: Updates were rejected because the tip of your current branch is behind""",
    ),
    (
        "merge_conflict",
        "",
        """\
CONFLICT (content): Merge conflict in src/a.py
Automatic merge failed; fix conflicts and then commit the result.
error: could not apply 1a2b3c4... add a
error: Pulling is not possible because you have unmerged files.""",
    ),
    (
        "git_lock",
        "",
        """\
fatal: Unable to create '/app/.git/index.lock': File exists.
Another git process seems to be running in this repository, e.g.
error: cannot lock ref 'refs/heads/a': is at 1 but expected 2""",
    ),
    (
        "not_a_git_repository",
        "",
        """\
fatal: not a git repository (or any of the parent directories): .git
fatal: this operation must be run in a work tree""",
    ),
    (
        "local_changes_overwritten",
        "",
        """\
error: Your local changes to the following files would be overwritten by merge:
error: The following untracked working tree files would be overwritten by checkout:
error: cannot pull with rebase: You have unstaged changes.""",
    ),
    (
        "disk_full",
        "",
        """\
cp: error writing '/mnt/a': No space left on device
OSError: [Errno 28] No space left on device
Error: ENOSPC: no space left on device, write
write /tmp/a: no space left on device
error: failed to write: Disk quota exceeded (os error 122)""",
    ),
    (
        "out_of_memory",
        "",
        """\
FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
MemoryError
OSError: [Errno 12] Cannot allocate memory
java.lang.OutOfMemoryError: Java heap space
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB
terminate called after throwing an instance of 'std::bad_alloc'""",
    ),
    (
        "externally_managed_python",
        "",
        """\
error: externally-managed-environment
error: The interpreter at /usr is externally managed, and indicates the following:""",
    ),
    (
        "dependency_conflict",
        "",
        """\
npm ERR! code ERESOLVE
npm error code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree
ERROR: ResolutionImpossible: for help visit https://pip.pypa.io
× No solution found when resolving dependencies:
So, because a depends on b, version solving failed.
error: failed to select a version for `serde`.
Your requirements could not be resolved to an installable set of packages.""",
    ),
    (
        "package_not_found",
        "left-pad",
        """\
ERROR: No matching distribution found for left-pad
ERROR: Could not find a version that satisfies the requirement left-pad==9 (from versions: none)
npm ERR! 404  'left-pad@^9.0.0' is not in this registry.
E: Unable to locate package left-pad
E: Package 'left-pad' has no installation candidate
Error: No available formula with the name "left-pad".
error: no matching package named `left-pad` found
No match for argument: left-pad""",
    ),
    (
        "npm_script_missing",
        "lint",
        """\
npm ERR! Missing script: "lint"
npm error Missing script: "lint"
ERR_PNPM_NO_SCRIPT  Missing script: lint
error: Script not found "lint"
Usage Error: Couldn't find a script named "lint".""",
    ),
    (
        "docker_not_running",
        "",
        """\
Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.
ERROR: Cannot connect to the Docker daemon at tcp://localhost:2375. Is it running?
error during connect: this error may indicate that the docker daemon is not running""",
    ),
    (
        "database_locked",
        "",
        """\
sqlite3.OperationalError: database is locked
Error: SQLITE_BUSY: database is locked
Error: in prepare, database is locked (5)""",
    ),
    (
        "table_missing",
        "",
        """\
sqlite3.OperationalError: no such table: users
psycopg2.errors.UndefinedTable: relation "users" does not exist
ERROR:  relation "public.users" does not exist""",
    ),
    (
        "auth_required",
        "ssh",
        """\
git@github.com: Permission denied (publickey).
me@example.org: Permission denied (publickey,password).""",
    ),
    (
        "auth_required",
        "gh",
        """\
To get started with GitHub CLI, please run:  gh auth login
You are not logged into any GitHub hosts. To log in, run: gh auth login""",
    ),
    (
        "rate_limited",
        "",
        """\
gh: API rate limit exceeded for user ID 1.
Request failed with status code 429
HTTP 429: Too Many Requests
429 Too Many Requests""",
    ),
    (
        "http_error",
        "404",
        """\
Request failed with status code 404
curl: (22) The requested URL returned error: 404
urllib.error.HTTPError: HTTP Error 404: Not Found
requests.exceptions.HTTPError: 404 Client Error: Not Found for url: https://example.org/a""",
    ),
    (
        "certificate_invalid",
        "",
        """\
curl: (60) SSL certificate problem: unable to get local issuer certificate
ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed
Error: self-signed certificate in certificate chain
x509: certificate signed by unknown authority""",
    ),
    (
        "type_error",
        "TS2345",
        "src/a.ts(3,5): error TS2345: Argument of type 'a' is not assignable.",
    ),
    ("type_error", "arg-type", 'a.py:3: error: Argument 1 to "f" has wrong type  [arg-type]'),
    ("compile_error", "E0308", "error[E0308]: mismatched types"),
    (
        "lint_error",
        "no-unused-vars",
        "3:9  error  'a' is assigned a value but never used  no-unused-vars",
    ),
    ("lint_error", "E501", "src/a.py:3:80: E501 line too long (90 > 79 characters)"),
    ("lint_error", "errcheck", "a.go:9:15: Error return value is not checked (errcheck)"),
    ("lint_error", "F401", "F401 [*] `os` imported but unused"),
    ("lint_error", "unused-import", "a.py:12:0: W0611: Unused import os (unused-import)"),
    ("lint_error", "line_length", "A.swift:3:1: error: Line Length Violation (line_length)"),
    (
        "lint_error",
        "useSortedAttributes",
        "src/a.tsx:19:5 lint/nursery/useSortedAttributes  FIXABLE  ━━━━━━━━━━",
    ),
    ("lint_error", "sort-keys", "src/a.ts:21:37: error eslint(sort-keys): Keys should be sorted"),
    ("lint_error", "no-unused-vars", "eslint(no-unused-vars): Variable 'x' is never used."),
    (
        "lint_error",
        "Style/StringLiterals",
        "app/user.rb:3:3: C: [Correctable] Style/StringLiterals: Prefer single quotes",
    ),
    (
        "lint_error",
        "declaration-block-no-duplicate-properties",
        '3:3  ✖  Unexpected duplicate "color"  declaration-block-no-duplicate-properties',
    ),
    ("not_formatted", "", "src/read.ts format ━━━━━━━━━━━━━━━━━━"),
    (
        "undefined_name",
        "foo",
        """\
NameError: name 'foo' is not defined
ReferenceError: foo is not defined
src/a.ts(3,5): error TS2304: Cannot find name 'foo'.
main.go:5:2: undefined: foo
a.c:3:1: error: use of undeclared identifier 'foo'""",
    ),
    (
        "syntax_error",
        "shell",
        """\
bash: -c: line 12: syntax error near unexpected token `('
bash: line 3: syntax error: unexpected end of file
run.sh: line 3: syntax error near unexpected token `done'
bash: -c: line 1: unexpected EOF while looking for matching `"'
zsh:1: parse error near `}'
sh: 1: Syntax error: Unterminated quoted string""",
    ),
    (
        "syntax_error",
        "python",
        """\
SyntaxError: invalid syntax
E     SyntaxError: f-string: expecting '}'
IndentationError: unexpected indent""",
    ),
    (
        "syntax_error",
        "javascript",
        """\
SyntaxError: Unexpected token '}'
SyntaxError: Invalid or unexpected token""",
    ),
    (
        "invalid_json",
        "",
        """\
json.decoder.JSONDecodeError: Expecting ',' delimiter: line 3 column 5 (char 40)
SyntaxError: Unexpected token < in JSON at position 0
SyntaxError: Unexpected end of JSON input""",
    ),
    (
        "no_glob_match",
        "",
        """\
zsh:1: no matches found: src/[id]/*.ts
(eval):1: no matches found: *.log""",
    ),
    (
        "unknown_option",
        "--dry-run",
        """\
error: unknown option `dry-run'
git: unrecognized option '--dry-run'
error: unexpected argument '--dry-run' found
Error: unknown flag: --dry-run
app.py: error: unrecognized arguments: --dry-run
error: unknown option '--dry-run'
Error: No such option: --dry-run""",
    ),
    ("unknown_option", "-P", "grep: invalid option -- P\ngrep: illegal option -- P"),
    (
        "make_target_missing",
        "lint",
        """\
make: *** No rule to make target 'lint'.  Stop.
make: *** No rule to make target `lint'. Stop.
error: Justfile does not contain recipe `lint`.""",
    ),
    (
        "test_failure",
        "",
        """\
==== 1 failed, 3 passed in 0.20s ====
========== 2 failed in 1.2s ==========""",
    ),
    ("test_failure", "", "--- FAIL: TestAdd (0.00s)"),
    (
        "shared_library_missing",
        "libGL",
        "a: error while loading shared libraries: libGL.so.1: cannot open",
    ),
    ("header_not_found", "zlib.h", "a.c:3:10: fatal error: zlib.h: No such file or directory"),
    (
        "sudo_password_required",
        "",
        "sudo: a password is required\nsudo: a terminal is required to read it",
    ),
    (
        "env_var_missing",
        "API_URL",
        "Error: API_URL is not set\nMissing environment variable: `API_URL`.",
    ),
    ("runtime_version_unsupported", "node", 'Node.js version ">=20.9.0" is required.'),
    (
        "lockfile_out_of_date",
        "",
        """\
ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because the lockfile is old
error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.
error: lockfile had changes, but lockfile is frozen lockfile""",
    ),
]

# Lines that speak of an error, or are none: no class may be told of them.
MENTIONS = [
    "docs/faq.md:12: If you see `rg: command not found`, install it.",
    "docs/faq.md:12:rg: command not found",
    "src/server.ts:9:  if (err.code === 'EADDRINUSE') console.error('address already in use')",
    'scripts/ci.sh:3: echo "jq: command not found" >&2; exit 127',
    "docs/ci.md:4: ! [rejected] main -> main (fetch first): pull first",
    "tests/test_a.py:7:    assert 'No such file or directory' in shown",
    "docs/faq.md:12: Error: Cannot find module 'yaml' means that it is missing",
    "docs/faq.md:12: `ModuleNotFoundError: No module named 'yaml'` is common",
    "src/a.py:3: foo is not defined in this version",
    "src/a.py:3: see RFC2616 (here)",
    "# rg: command not found",
    "// Error: connect ECONNREFUSED",
    "+ raise TimeoutError('command timed out after 3s')",
    'echo "zsh: command not found: rg"',
    "| rg: command not found | install ripgrep |",
    "def test_connection_refused(): ...",
    "If you see 'permission denied', use another folder",
    "error: something else went wrong",
    "Exit code 1",
    "Process exited with code 2",
    "3 failed attempts to log in were seen",
    "the file was not found to be interesting",
    "TypeError: 'int' object is not callable",
    "AssertionError: assert 3 == 4",
    "KeyError: 'a'",
    "ValueError: not enough values to unpack",
    "npm ERR! code ELIFECYCLE",
    "make: *** [all] Error 1",
    "BUILD FAILED",
    "AssertionError: expected status code 404 to equal 200",
    "upstream is not set",
    "KeyError: 'Rates'",
    "the server keeps 404 pages in a folder",
    "Downloading acme 403 kB",
    "docs/api.md:4: 403 Forbidden means that the token is old",
    "the rate limit of the valve is 3",
    "this module requires go and patience",
    "",
]
