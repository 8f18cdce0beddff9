"""Words of any request, as stems: verbs that ask, and words that tell little alone."""

from __future__ import annotations

# These tell something only beside another word.
_WEAK_ACTS = frozenset(
    (
        *("add", "addres", "call", "chang", "check", "clean", "creat", "delet", "document"),
        *("edit", "fix", "get", "keep", "leav", "log", "look", "mak", "mov", "open", "put"),
        *("read", "remov", "renam", "respond", "review", "rewrit", "run", "set", "show", "start"),
        *("stop", "switch", "updat", "us", "writ", "work", "implement", "support"),
    )
)
_WEAK_THINGS = frozenset(
    (
        *("cas", "cod", "complet", "content", "default", "detail", "error", "exampl", "featur"),
        *("fil", "function", "issu", "level", "lin", "list", "messag", "multipl", "nam", "option"),
        *("problem", "project", "question", "repo", "result", "section", "statu", "task", "tool"),
        *("typ", "version"),
    )
)
WEAK = _WEAK_ACTS | _WEAK_THINGS
# Verbs that ask for something, whether they tell much or little.
ACTS = _WEAK_ACTS | frozenset(
    (
        *("commit", "push", "pull", "merg", "rebas", "fetch", "deploy", "install", "build", "test"),
        *("generat", "reply", "research", "restart", "kill", "mock", "format", "lint", "releas"),
    )
)
# What any session may be asked for: what tells little, and the steps at the end of any work.
ANY_WORK = WEAK | frozenset(
    {"commit", "push", "pull", "merg", "test", "build", "lint", "format", "pr", "branch"}
)
# Words that say when something is to be done, or that it always is.
WHEN = frozenset(
    (
        *("before", "after", "once", "when", "whenever", "each", "every", "always", "never"),
        *("until", "unless", "first", "immer", "nie", "bevor", "nachdem", "wenn", "jedes", "jeder"),
        *("jede", "jeden", "tous", "toutes", "todos", "todas"),
        *("erst", "toujours", "jamais", "avant", "après", "chaque", "siempre", "nunca", "antes"),
        *("después", "cada", "cuando"),
    )
)
# Words with which an order begins.
ORDERS = frozenset(
    (
        *("add", "address", "build", "change", "check", "clean", "commit", "continue", "create"),
        *("delete", "deploy", "do", "document", "edit", "execute", "explain", "fetch", "find"),
        *("fix", "format", "generate", "get", "go", "implement", "install", "list", "log", "look"),
        *("make", "merge", "move", "open", "proceed", "pull", "push", "put", "read", "rebase"),
        *("release", "rename", "rerun", "respond", "review", "run", "search", "set", "show"),
        *("start", "summarize", "switch", "tell", "test", "try", "update", "use", "write"),
    )
)
# Further words with which an order begins that is a task of its own.
TASK_ORDERS = frozenset(
    (
        *("analyse", "analyze", "append", "apply", "ask", "audit", "combine", "compare"),
        *("configure", "convert", "debug", "design", "draft", "ensure", "evaluate", "examine"),
        *("explore", "extend", "extract", "give", "hand", "handle", "have", "identify", "improve"),
        *("inspect", "integrate", "introduce", "investigate", "migrate", "optimize", "port"),
        *("prepare", "process", "provide", "reduce", "refactor", "remove", "replace", "reproduce"),
        *("research", "resolve", "restore", "rewrite", "simplify", "split", "trace", "translate"),
        *("turn", "upgrade", "validate", "verify", "wrap"),
    )
)
# Acts by what they do to a thing: it is there only afterwards, or was there and is kept up.
MAKING = frozenset(
    (
        *("add", "creat", "generat", "writ", "build", "implement", "log", "open", "put", "plac"),
        *("collect", "draft", "prepar", "introduc", "set", "mak", "erstell", "leg", "schreib"),
        *("crea", "crear", "créer", "ajout", "añad", "criar"),
    )
)
KEEPING = frozenset(
    (
        *("updat", "keep", "maintain", "sync", "refresh", "chang", "edit", "leav", "aktualisier"),
        *("pfleg", "halt", "actualiz", "mettr", "mets", "atualiz"),
    )
)
