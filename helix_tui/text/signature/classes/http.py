"""What servers answer, by status and by what a token lacks, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes.row import ClassRow, row, weak

_STATUS = r"(?P<s>[45]\d\d)\b"
# What statuses are called; the last word of each is what a line must hold.
_REASONS = (
    "bad request",
    "unauthorized",
    "payment required",
    "forbidden",
    "not found",
    "method not allowed",
    "not acceptable",
    "request timeout",
    "conflict",
    "gone",
    "payload too large",
    "unprocessable entity",
    "unprocessable content",
    "too many requests",
    "internal server error",
    "not implemented",
    "bad gateway",
    "service unavailable",
    "gateway timeout",
)

ROWS: tuple[ClassRow, ...] = (
    *(
        weak(
            "http_error",
            reason.split()[-1],
            rf"(?:^|[\s(:\[\"'])(?P<s>[45]\d\d)[:)]? (?:\S{{1,20}}: )?{reason}\b",
        )
        for reason in _REASONS
    ),
    weak("http_error", "error", r"^(?P<s>[45]\d\d) (?:client|server) error: "),
    weak(
        "http_error",
        "status",
        rf"^(?!.{{0,40}}\bexpect).{{0,300}}\bstatus(?: code)?(?: of)?[:=]? ?\(?{_STATUS}",
    ),
    weak("http_error", "statuscode", rf"\bstatuscode[:=] ?{_STATUS}"),
    weak("http_error", "error", rf"\breturned error:? {_STATUS}"),
    weak("http_error", "error", rf"^(?:http )?error(?: code)?:? {_STATUS}(?: -|:|$)"),
    weak("http_error", "http", rf"\bhttp (?:error|status|response)?(?: code)?[:!]? ?{_STATUS}"),
    weak("http_error", "http", rf"\bhttp/\d(?:\.\d)? {_STATUS}(?! \d)"),
    weak("http_error", "httperror", rf"\bhttperror:? {_STATUS}"),
    weak("http_error", "error", rf"\ban error occurred \({_STATUS}\) when calling\b"),
    weak("http_error", "npm", r"^npm: code e(?P<s>[45]\d\d)\b"),
)

_EXPIRED = r"(?:is|has|was)?(?: been)? ?expired"

TOKENS: tuple[ClassRow, ...] = (
    row(
        "token_scope_missing",
        "scopes",
        r"\b(?:missing|lacks?|granted|needs?) (?:the )?required scopes\b",
    ),
    row("token_scope_missing", "scopes", r"\bmissing (?:the )?(?:following )?scopes\b"),
    row("token_scope_missing", "scope", r"\bmissing (?:the )?(?:required )?(?:\S{1,60} )?scope\b"),
    row("token_scope_missing", "scopes", r"\brequires one of the following scopes\b"),
    row("token_scope_missing", "scope", r"\b(?:needs|requires|without) (?:the )?\S{1,60} scope\b"),
    row("token_scope_missing", "scopes", r"\binsufficient (?:\w{1,20} )?scopes\b"),
    row("token_scope_missing", "scope", r"\binsufficient_scope\b"),
    row("token_scope_missing", "scope", r"\bmissing_scope\b"),
    row(
        "token_scope_missing",
        "accessible",
        r"\bresource not accessible by (?:integration|personal)",
    ),
    row("credentials_expired", "sso", r"\b(?:retrieving|refreshing) token from sso\b", "aws"),
    row("credentials_expired", "sso", r"\brefresh this sso session\b", "aws"),
    row(
        "credentials_expired",
        "sso",
        rf"\bthe sso session .{{0,60}}\b(?:invalid|{_EXPIRED})\b",
        "aws",
    ),
    row("credentials_expired", "sso", rf"\bsso token .{{0,60}}{_EXPIRED}\b", "aws"),
    row(
        "credentials_expired",
        "token",
        rf"\bthe security token .{{0,60}}\b(?:invalid|{_EXPIRED})\b",
        "aws",
    ),
    row("credentials_expired", "expiredtoken", r"\bexpiredtoken\b", "aws"),
    row("credentials_expired", "expiredtokenexception", r"\bexpiredtokenexception\b", "aws"),
    row("credentials_expired", "requestexpired", r"\brequestexpired\b", "aws"),
    row("credentials_expired", "aws", r"\bexpired\b.{0,80}\baws (?:sso )?login\b", "aws"),
    row(
        "credentials_expired",
        "refreshing",
        r"\bproblem refreshing your current auth tokens\b",
        "gcloud",
    ),
    row(
        "credentials_expired",
        "reauthentication",
        r"\breauthentication (?:failed|required|is needed)\b",
        "gcloud",
    ),
    row("credentials_expired", "grant", r"\binvalid_grant\b", "gcloud"),
    row("credentials_expired", "aadsts", r"\baadsts\d{5,7}\b.{0,200}\bexpired\b", "azure"),
    row("credentials_expired", "az", r"\bexpired\b.{0,120}\baz login\b", "azure"),
    row(
        "credentials_expired", "refresh", r"\bfailed to refresh cached (?:credentials|sso)\b", "aws"
    ),
    row("credentials_expired", "sso", r"\berror loading sso token\b", "aws"),
    row("init_required", "initialization", r"\bbackend initialization required\b"),
    row("init_required", "init", r"\brun:? [\"'`]?(?:terraform|tofu|terragrunt) init\b"),
    row("state_locked", "lock", r"\berror acquiring the state lock\b"),
    row("state_locked", "state", r"^error (?:locking|acquiring) (?:the )?state\b"),
    row("state_locked", "state", r"\bstate (?:file )?is (?:already |currently )?locked\b"),
    row("state_locked", "stack", r"\bthe stack is currently locked\b"),
)
