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
    (
        "env_var_missing",
        "DATABASE_URL",
        """\
Error: DATABASE_URL is not set
KeyError: 'DATABASE_URL'
error: Environment variable not found: DATABASE_URL.
Missing required environment variable: DATABASE_URL
panic: DATABASE_URL not set
DATABASE_URL must be set
Error: Missing required env var DATABASE_URL
RuntimeError: DATABASE_URL environment variable is required
Environment variable DATABASE_URL is not defined
thread 'main' panicked at src/main.rs:3:5: DATABASE_URL must be set: NotPresent
The environment variable `DATABASE_URL` is missing""",
    ),
    (
        "docker_not_running",
        "",
        """\
Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
ERROR: failed to connect to the docker API at unix:///var/run/docker.sock
Could not find a valid Docker environment. Please check configuration.
dial unix /var/run/docker.sock: connect: no such file or directory
Error: Cannot connect to the Docker daemon at tcp://localhost:2375.""",
    ),
    (
        "command_not_found",
        "python",
        """\
/usr/bin/env: 'python': No such file or directory
bash: python: command not found
env: python: No such file or directory
make: python: No such file or directory
/bin/sh: 1: python: not found
zsh: command not found: python
bash: ./a.py: /usr/bin/python: bad interpreter: No such file or directory
Error: Unable to locate executable python
exec: "python": executable file not found in $PATH: unknown.
FileNotFoundError: [Errno 2] No such file or directory: 'python'
Python was not found; run without arguments to install from the Microsoft Store
error: executable `python` not found in PATH
execvp(python) failed: No such file or directory
/usr/bin/timeout: failed to run command ‘python’: No such file or directory
Executable `python` not found
ERROR: python not found in PATH
Cannot find command 'python'
could not find `python` in PATH
could not execute process `python x` (never executed): No such file or directory (os error 2)
pre-commit: Executable `python` not found""",
    ),
    (
        "auth_required",
        "kubernetes",
        """\
error: You must be logged in to the server (Unauthorized)""",
    ),
    (
        "certificate_invalid",
        "",
        """\
curl: (60) SSL certificate problem: self-signed certificate in certificate chain
npm error code SELF_SIGNED_CERT_IN_CHAIN
npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY
x509: certificate signed by unknown authority
error: invalid peer certificate: UnknownIssuer
Error: unable to verify the first certificate
tls: failed to verify certificate: x509: certificate signed by unknown authority
ERROR: cannot verify a's certificate, issued by 'CN=x':""",
    ),
    (
        "connection_refused",
        "mysql",
        """\
ERROR 2003 (HY000): Can't connect to MySQL server on '127.0.0.1:3306' (111)
Error: connect ECONNREFUSED 127.0.0.1:3306""",
    ),
    (
        "connection_refused",
        "kafka",
        """\
kafka.errors.NoBrokersAvailable: NoBrokersAvailable
KafkaJSConnectionError: Connection error: connect ECONNREFUSED 127.0.0.1:9092""",
    ),
    (
        "runtime_version_unsupported",
        "node",
        """\
npm error code EBADENGINE
You are using Node.js 16.0.0. Vite requires Node.js version 18+
Unsupported engine: x requires node >=18
 ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)
error: x requires Node.js v18 or later, you have v16
Node.js version 16 is not supported
Node 18.0.0 or higher is required. You have 16.
error: your Node version is incompatible with x""",
    ),
    (
        "browser_missing",
        "",
        """\
browserType.launch: Executable doesn't exist at /x/chrome
Error: Could not find Chrome (ver. 119.0.6045.105).
Looks like Playwright was just installed or updated. Please run: npx playwright install
selenium.common.exceptions.WebDriverException: Message: unknown error: cannot find Chrome binary""",
    ),
    (
        "table_missing",
        "",
        """\
sqlite3.OperationalError: no such table: users
django.db.utils.ProgrammingError: relation "users" does not exist
psycopg2.errors.UndefinedTable: relation "a" does not exist
ERROR:  relation "b" does not exist
PrismaClientKnownRequestError: The table `public.User` does not exist in the current database.
SQLITE_ERROR: no such table: x
ERROR 1146 (42S02): Table 'a.b' doesn't exist
(sqlite3.OperationalError) no such table: users
PG::UndefinedTable: ERROR:  relation "x" does not exist
sqlalchemy.exc.ProgrammingError: (psycopg2.errors.X) relation "users" does not exist""",
    ),
    (
        "dubious_ownership",
        "",
        """\
fatal: detected dubious ownership in repository at '/a'
fatal: unsafe repository ('/a' is owned by someone else)""",
    ),
]
