"""What different programs say of one failure, where each puts it into other words around it."""

from __future__ import annotations

SAME = [
    (
        "connection_refused",
        "postgres",
        """\
psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused
Error: connect ECONNREFUSED 127.0.0.1:5432
dial tcp 127.0.0.1:5433: connect: connection refused
psycopg2.OperationalError: could not connect to server: Connection refused
2026/03/02 09:10:11 failed to connect: dial tcp [::1]:5432: connect: connection refused""",
    ),
    (
        "connection_refused",
        "redis",
        """\
redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.
Could not connect to Redis at cache.test:7000: Connection refused
[ioredis] Unhandled error event: Error: connect ECONNREFUSED 127.0.0.1:6379""",
    ),
    (
        "connection_refused",
        "mongodb",
        """\
MongoServerSelectionError: connect ECONNREFUSED ::1:27017
pymongo.errors.ServerSelectionTimeoutError: db.test:27017: [Errno 111] Connection refused""",
    ),
    (
        "connection_refused",
        "kubernetes",
        """\
The connection to the server localhost:8080 was refused - did you specify the right host or port?
E0203 04:05:06.789012      77 memcache.go:265] couldn't get current server API group list: Get \
"http://localhost:8080/api": dial tcp 127.0.0.1:8080: connect: connection refused
Error: INSTALLATION FAILED: Get "https://10.0.0.9:6443/version": connect: connection refused""",
    ),
    ("docker_not_running", "", "dial tcp 10.0.0.2:2375: connect: connection refused"),
    (
        "http_error",
        "403",
        """\
Request failed with status code 403
AxiosError: Request failed with status code 403
curl: (22) The requested URL returned error: 403
curl: (22) The requested URL returned error: 403 Forbidden
2026-03-02 09:10:11 ERROR 403: Forbidden.
urllib.error.HTTPError: HTTP Error 403: Forbidden
requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://example.test/a
httpx.HTTPStatusError: Client error '403 Forbidden' for url 'https://example.test/a'
Failed to fetch URL: HTTP status 403 Forbidden
Failed to fetch https://example.test/a: 403 Forbidden
HTTP error! status: 403
HTTP/1.1 403 Forbidden
HTTP 403: Forbidden (https://example.test/a)
gh: Forbidden (HTTP 403)
error: RPC failed; HTTP 403 curl 22 The requested URL returned error: 403
fatal: unable to access 'https://example.test/a.git/': The requested URL returned error: 403
An error occurred (403) when calling the HeadObject operation: Forbidden
ERROR: HTTP error 403 while getting https://example.test/a.whl
npm error code E403""",
    ),
    ("http_error", "401", "Request failed with status code 401\nHTTP 401 Unauthorized"),
    ("http_error", "502", "Error: 502 Bad Gateway\nserver responded with status 502"),
    (
        "rate_limited",
        "",
        """\
GraphQL: API rate limit already exceeded for user ID 12.
You have exceeded a secondary rate limit. Please wait a few minutes before you try again.
Rate limit has been exceeded
Error: Request failed with status code 429""",
    ),
    (
        "credentials_expired",
        "aws",
        """\
Error when retrieving token from sso: Token has expired and refresh failed
aws: [ERROR]: Error when retrieving token from sso: Token has expired and refresh failed
botocore.exceptions.TokenRetrievalError: Error when retrieving token from sso: Token has expired
The SSO session associated with this profile has expired or is otherwise invalid.
CredentialsProviderError: Token is expired. To refresh this SSO session run 'aws sso login'
An error occurred (ExpiredToken) when calling the ListBuckets operation: The token has expired.
An error occurred (ExpiredTokenException) when calling the GetRole operation: it is expired""",
    ),
    (
        "token_scope_missing",
        "",
        """\
error: your authentication token is missing required scopes [read:org]
GraphQL: Your token has not been granted the required scopes to execute this query.
gh: Your token has not been granted the required scopes to execute this query.
This API operation needs the "admin:org" scope. To request it, run: gh auth refresh
! [remote rejected] a -> a (refusing to allow an OAuth App to update it without `workflow` scope)
GraphQL: Resource not accessible by personal access token (createIssue)""",
    ),
    (
        "state_locked",
        "",
        """\
│ Error: Error acquiring the state lock
Error: Error acquiring the state lock
Error: Error locking state: Error acquiring the state lock: the condition does not hold
error: the stack is currently locked by 1 lock(s)""",
    ),
    (
        "runtime_version_unsupported",
        "node",
        """\
You are using Node.js 16.1.0. Acme requires Node.js version 20.19+ or 22.12+.
You are running Node.js 14.2.0 and this is not supported.
npm ERR! code EBADENGINE
npm error engine Unsupported engine
error acme@7.1.0: The engine "node" is incompatible with this module. Got "16.1.0"
ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)
ERROR: This version of pnpm requires at least Node.js v18.12
acme requires Node.js >= 20
Unsupported Node.js version
Node.js v14 is not supported""",
    ),
    (
        "runtime_version_unsupported",
        "python",
        """\
ERROR: Package 'acme' requires a different Python: 3.8.1 not in '>=3.9'
error: acme requires Python >=3.11
Python 3.10 or newer is required
Current Python version (3.8.1) is not allowed by the project (^3.10).""",
    ),
    ("runtime_version_unsupported", "go", "go: go.mod requires go >= 1.22 (running go 1.21.1)"),
    (
        "crlf_line_endings",
        "",
        """\
/usr/bin/env: ‘bash\\r’: No such file or directory
env: 'python3\\r': No such file or directory
bash: ./run.sh: /bin/sh^M: bad interpreter: No such file or directory
zsh: ./run.sh: bad interpreter: /bin/bash^M: no such file or directory
run.sh: line 4: $'\\r': command not found
run.sh: line 9: syntax error near unexpected token `$'do\\r''
zsh: command not found: ^M""",
    ),
    (
        "command_not_found",
        "acme",
        """\
This repository is set up for it, but 'acme' was not found on your path. Remove this hook.
error: linker `acme` not found
Error: unable to find executable 'acme'
fatal: unable to locate executable: acme
could not find the binary `acme`
acme: The term 'acme' is not recognized as a name of a cmdlet, function, or executable program.
acme-hook filter: acme: command not found
Error: acme is not installed.
Error: spawn acme ENOENT
/bin/sh: ./run.sh: acme: bad interpreter: No such file or directory
executable "acme" not found""",
    ),
    (
        "is_a_directory",
        "",
        """\
EISDIR: illegal operation on a directory, read
Error: EISDIR: illegal operation on a directory, open 'a'
Failed to read file 'src/a': Is a directory (os error 21)
sed: read error on src/a: Is a directory
sed: couldn't edit src/a: not a regular file
IsADirectoryError: [Errno 21] Is a directory: 'a'
read src/a: is a directory
Path is a directory: /home/me/a""",
    ),
    (
        "no_tests_found",
        "",
        """\
no tests ran in 0.01s
==== no tests ran in 0.01s ====
No tests found, exiting with code 1
No test files found, exiting with code 1
Error: No tests found
No examples found.
Ran 0 tests in 0.000s""",
    ),
    (
        "invalid_json",
        "",
        """\
Expecting value: line 1 column 1 (char 0)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
requests.exceptions.JSONDecodeError: Extra data: line 2 column 1 (char 9)
Error: Expecting ',' delimiter: line 3 column 4 (char 30)""",
    ),
    (
        "not_a_git_repository",
        "",
        """\
fatal: not a git repository (or any of the parent directories): .git
failed to run git: fatal: not a git repository (or any of the parent directories): .git
error: failed to run git: fatal: not a git repository
error: fatal: not a git repository""",
    ),
    (
        "bsd_sed_in_place",
        "",
        """\
sed: 1: "./lib/a.ts": invalid command code .
sed: 1: "models/a.py": invalid command code m""",
    ),
    ("column_missing", "", 'ERROR:  column "age" does not exist\nno such column: age'),
    (
        "not_formatted",
        "",
        """\
[warn] Code style issues found in the above file. Run Prettier with --write to fix.
[warn] Code style issues found in 3 files. Run Prettier with --write to fix.
2 files would be reformatted, 5 files would be left unchanged.""",
    ),
]
