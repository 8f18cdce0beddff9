"""Which service a refused connection was meant for: by its port, or by the client that asked."""

from __future__ import annotations

import re

from helix_tui.text.lazy import lazy

_PORTS = {
    "2375": "docker",
    "2376": "docker",
    "3306": "mysql",
    "5432": "postgres",
    "5433": "postgres",
    "5672": "rabbitmq",
    "6379": "redis",
    "6443": "kubernetes",
    "9092": "kafka",
    "9200": "elasticsearch",
    "11211": "memcached",
    "27017": "mongodb",
}
_PORT = lazy(r"(?:[\w\]\"')`>]:[`'\"]?|\bport[\"']?[ =:]{1,3}|, )(\d{4,5})\b")
# How services and their clients are called, in an error or as a program of a command.
_NAMES = (
    ("docker", r"docker\.sock|docker(?:d|-compose)?"),
    ("kubernetes", r"kubectl|helm|k9s|kustomize|kubernetes|skaffold|server api group list"),
    ("postgres", r"psql|psycopg\d?|postgres(?:ql)?|pgx|pg_\w{1,20}|createdb|dropdb|asyncpg"),
    ("mysql", r"mysql\w{0,10}|mariadb|pymysql"),
    ("redis", r"redis(?:-\w{1,12})?|ioredis|valkey-cli|valkey"),
    ("mongodb", r"mongo(?:sh|db|dump|restore|import|export)?|mongoose|pymongo|mongo\w{1,30}error"),
    ("kafka", r"kafka(?:-[\w-]{1,30})?(?:\.sh)?|kcat|kafkajs|rdkafka"),
    ("rabbitmq", r"rabbitmq\w{0,10}|amqps?|amqplib|pika"),
    ("elasticsearch", r"elasticsearch|opensearch"),
    ("memcached", r"memcached|pymemcache"),
)
_NAMED = lazy(
    r"(?<![\w/.-])(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _NAMES) + r")(?![\w-])",
    re.IGNORECASE,
)
# Its own words where a cluster is not there, whatever the port.
_CLUSTER = lazy(r"server api group list|the connection to the server \S{1,200} was refused", re.I)


def port_service(line: str) -> str:
    """The service that usually listens on a port that a line names."""
    for match in _PORT.finditer(line):
        if match[1] in _PORTS:
            return _PORTS[match[1]]
    return ""


def service_of(line: str, command: str = "") -> str:
    """The service that did not answer, or nothing where it cannot be told."""
    if service := port_service(line):
        return service
    if _CLUSTER.search(line):
        return "kubernetes"
    named = _NAMED.search(line) or (_NAMED.search(command) if command else None)
    return (named.lastgroup or "") if named else ""
