"""Secrets go, ordinary text stays, no text is slow; the secrets here are put together in code."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable

import pytest
from hypothesis import given

from helix_tui.text.redact import redact
from tests.text.growth import is_linear
from tests.text.planted import BODY, DASHES, KEYS, WORD, noise
from tests.text.texts import ANY, ORDINARY, PLAIN, STRONG, WOVEN

CONTEXTS: list[Callable[[str], str]] = [
    lambda key: key,
    lambda key: f'"{key}"',
    lambda key: f"'{key}'",
    lambda key: f'{{"a": 1, "value": "{key}", "b": [2]}}',
    lambda key: f'{{\\"value\\": \\"{key}\\"}}',
    lambda key: f"https://api.test/v1/things?k={key}&page=2",
    lambda key: f"curl https://api.test/?q%3D{key}",
    lambda key: f"MY_VALUE={key}",
    lambda key: f"export SERVICE_API_KEY={key}\necho done",
    lambda key: f"the line ends in {key}\nand goes on",
    lambda key: f"one, {key}, two",
    lambda key: f"I put {key} into the settings, and it failed.",
    lambda key: f"Use `{key}`.",
    lambda key: f"first\\n{key}\\nlast",
    lambda key: f"\x1b[32m{key}\x1b[0m",
    lambda key: f"ünïcödé → {key} …",
]


def assert_gone(secret: str, made: str) -> None:
    for at in range(len(secret) - 7):
        assert secret[at : at + 8] not in made


@pytest.mark.parametrize(("name", "start", "rest"), KEYS)
def test_keys_of_providers_go_wherever_they_stand(name: str, start: str, rest: str) -> None:
    for context in CONTEXTS:
        made = redact(context(start.replace("|", "") + rest))
        assert_gone(rest, made)
        assert made == context(f"[secret:{name}]")


@pytest.mark.parametrize("name", sorted({name for name, _, _ in KEYS}))
def test_a_key_that_was_cut_goes_as_well(name: str) -> None:
    start, rest = next((s.replace("|", ""), r) for n, s, r in KEYS if n == name)
    if name not in ("aws", "jwt", "sendgrid", "replicate"):
        assert_gone(rest[:22], redact(f"… {start}{rest[:22]}"))


@pytest.mark.parametrize("sort", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("line", ["\n", "\\n", "\\\\n", "\r\n", "\n    12→"])
def test_private_keys_go_as_a_block(sort: str, line: str) -> None:
    begin, end = (f"{DASHES}{word} {sort}PRIVATE KEY{DASHES}" for word in ("BEGIN", "END"))
    whole = line.join([begin, *BODY, end])
    assert redact(f"before {whole} after") == "before [secret:pem] after"
    assert redact(f'{{"private_key": "{whole}{line}", "x": 1}}').endswith('", "x": 1}')
    cut = line.join([begin, *BODY[:2]])
    assert redact(f"before {cut}") == "before [secret:pem]"
    tail = redact(line.join(["cat key.pem | tail", *BODY[2:], end, "done"]))
    for part in BODY:
        assert_gone(part, redact(whole) + tail)
    assert tail.endswith(f"[secret:pem]{line}done")


def test_a_pgp_block_goes_and_a_mention_stays() -> None:
    begin, end = (f"{DASHES}{word} PGP PRIVATE KEY BLOCK{DASHES}" for word in ("BEGIN", "END"))
    block = "\n".join([begin, "Version: GnuPG v2", "", *BODY, end])
    assert redact(f"a\n{block}\nb") == "a\n[secret:pem]\nb"
    mention = f'if text.startswith("{DASHES}BEGIN RSA PRIVATE KEY{DASHES}"): return load(text)'
    assert redact(mention) == mention


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Authorization: Bearer {}", "Authorization: Bearer [secret:key]"),
        ("-H 'Authorization: Bearer {}' -d x", "-H 'Authorization: Bearer [secret:key]' -d x"),
        ("authorization: Basic {}==", "authorization: Basic [secret:key]"),
        ('"Authorization": "Basic {}=="', '"Authorization": "Basic [secret:key]"'),
        ("Authorization: token {}", "Authorization: token [secret:key]"),
        ("got bearer {} from it", "got bearer [secret:key] from it"),
        ("x-api-key: {}", "x-api-key: [secret:key]"),
        ("SOME_API_KEY={}", "SOME_API_KEY=[secret:key]"),
        ('export FOO_TOKEN="{}"', 'export FOO_TOKEN="[secret:key]"'),
        ("DB_PASSWORD='{}'", "DB_PASSWORD='[secret:key]'"),
        ("API_KEY_PROD={}", "API_KEY_PROD=[secret:key]"),
        ("TOKEN2={}; run", "TOKEN2=[secret:key]; run"),
        ('{{"client_secret": "{}", "a": 1}}', '{{"client_secret": "[secret:key]", "a": 1}}'),
        ('{{\\"password\\": \\"{}\\"}}', '{{\\"password\\": \\"[secret:key]\\"}}'),
        ('{{"apiKey":"{}"}}', '{{"apiKey":"[secret:key]"}}'),
        ('os.environ["API_KEY"] = "{}"', 'os.environ["API_KEY"] = "[secret:key]"'),
        ('api_key: str = "{}"', 'api_key: str = "[secret:key]"'),
        ("'secret' => '{}',", "'secret' => '[secret:key]',"),
        ("tool --token={} --x", "tool --token=[secret:key] --x"),
        ("tool --api-key {} --x", "tool --api-key [secret:key] --x"),
        ("https://x.test/?access_token={}&b=1", "https://x.test/?access_token=[secret:key]&b=1"),
        ("the API key is {}, keep it", "the API key is [secret:key], keep it"),
        ("//registry.test/:_authToken={}", "//registry.test/:_authToken=[secret:key]"),
        ("credentials: {}", "credentials: [secret:key]"),
        ('password: "{}', 'password: "[secret:key]'),
    ],
)
def test_values_of_telling_names_go_and_names_stay(text: str, made: str) -> None:
    assert redact(text.format(PLAIN)) == made.format()
    assert redact(f"a line\n{text.format(PLAIN)}\nanother") == f"a line\n{made.format()}\nanother"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (f"AWS_SECRET_ACCESS_KEY={STRONG}", "AWS_SECRET_ACCESS_KEY=[secret:key]"),
        (f"aws_secret_access_key = /{STRONG[1:]}", "aws_secret_access_key = [secret:key]"),
        ("password: hunter22", "password: [secret:key]"),
        ("Password: hunter2", "Password: [secret:key]"),
        ("the password is hunter22.", "the password is [secret:key]"),
        ("mysql --password hunter22 db", "mysql --password [secret:key] db"),
        ("mysql --password=letmein db", "mysql --password=[secret:key] db"),
        ("POSTGRES_PASSWORD: postgres", "POSTGRES_PASSWORD: [secret:key]"),
        ('"password": "correct horse battery"', '"password": "[secret:key]"'),
        ("JWT_SECRET=supersecretvalue", "JWT_SECRET=[secret:key]"),
        ("PGPASSWORD=letmein psql", "PGPASSWORD=[secret:key] psql"),
        (r'"password": "a\"b\"c1"', '"password": "[secret:key]"'),
    ],
)
def test_weak_passwords_go(text: str, made: str) -> None:
    assert redact(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("postgres://app:{}@db.test:5432/x", "postgres://app:[secret:url]@db.test:5432/x"),
        ("redis://:{}@cache:6379", "redis://:[secret:url]@cache:6379"),
        ("https://{}@github.com/o/r.git", "https://[secret:url]@github.com/o/r.git"),
        ('"mongodb+srv://u:{}@c.test"', '"mongodb+srv://u:[secret:url]@c.test"'),
        ("amqp://u:a@{}@mq.test/v", "amqp://u:[secret:url]@mq.test/v"),
        ("mysql://u:a/{}@sql.test/v", "mysql://u:[secret:url]@sql.test/v"),
    ],
)
def test_passwords_of_addresses_go_and_hosts_stay(text: str, made: str) -> None:
    assert redact(text.format(PLAIN)) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("cd /home/jane/x && ls", "cd ~/x && ls"),
        ("/home/jane.doe", "~"),
        ("in /Users/jane.", "in ~."),
        ('{"cwd":"/Users/jane/work"}', '{"cwd":"~/work"}'),
        (r"a\n/home/jane/b", r"a\n~/b"),
        ("file:///home/jane/x", "file://~/x"),
        ("host:/home/jane/x", "host:~/x"),
        ("PATH=/home/jane/bin:/home/jane/go", "PATH=~/bin:~/go"),
        ("gcc -I/home/jane/include", "gcc -I~/include"),
        (r"C:\Users\jane\x", r"~\x"),
        (r"C:\\Users\\jane\\x", r"~\\x"),
        (r"C:\Users\Jane Doe\x", r"~\x"),
        ("/mnt/c/Users/jane/x", "/mnt/c~/x"),
        ("ls /root/.cache /root", "ls ~/.cache ~"),
        (".claude/projects/-Users-jane-work/a.jsonl", ".claude/projects/-Users-~-work/a.jsonl"),
        ("-home-jane-work\n-home-jane", "-home-~-work\n-home-~"),
        (r"projects\C--Users-jane-work", r"projects\C--Users-~-work"),
        ("sessions/%2FUsers%2Fjane%2Fx", "sessions/~%2Fx"),
        ("/home/a/home/b", "~/home/b"),
    ],
)
def test_home_folders_become_a_tilde(text: str, made: str) -> None:
    assert redact(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Jane <jane.doe+x@mail.example.org>,", "Jane <[mail]>,"),
        ("mailto:jane@163.com", "mailto:[mail]"),
        ("?user=jane@example.com&x", "?user=[mail]&x"),
        ("a@b.co,c@d.co", "[mail],[mail]"),
        ("Write to jörg@example.de.", "Write to [mail]."),
        (r"a\njane@example.com\n", r"a\n[mail]\n"),
        ("jane@example.com(work)", "[mail](work)"),
    ],
)
def test_mail_addresses_go(text: str, made: str) -> None:
    assert redact(text) == made


@pytest.mark.parametrize("line", ORDINARY.strip("\n").split("\n"))
def test_ordinary_text_stays(line: str) -> None:
    assert redact(line) == line
    assert redact(f"before\n{line}\nafter") == f"before\n{line}\nafter"


def test_a_begin_of_a_key_before_many_words_is_soon_passed() -> None:
    start = time.process_time()
    redact(f"{DASHES}BEGIN PRIVATE KEY{DASHES}" + "Error: " * 60)
    assert time.process_time() - start < 1  # it would take years were all ways to read it tried


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("curl -u admin:hunter2pw https://x.test", "curl -u admin:[secret:key] https://x.test"),
        ("mysql -uroot -pS3cret db", "mysql -uroot -p[secret:key] db"),
        ("sshpass -p 'x9x9' ssh host", "sshpass -p '[secret:key]' ssh host"),
        ("DB_PASS=hunter2x make", "DB_PASS=[secret:key] make"),
        ("Cookie: session=abcdef0123", "Cookie: [secret:key]"),
        ("/blob?a=1&sig=abcdefghij0123456789%3D", "/blob?a=1&sig=[secret:key]"),
        ("mkdir -p build && cp -a x y", "mkdir -p build && cp -a x y"),
        ("docker run -u 1000:1000 -p 80:80 x", "docker run -u 1000:1000 -p 80:80 x"),
    ],
)
def test_what_the_command_around_it_gives_away_goes(text: str, made: str) -> None:
    assert redact(text) == made


WEAK = "hunter2!x"
SECRET = noise(WORD, 18)


@pytest.mark.parametrize(
    "text",
    [
        # files
        "machine api.test login jane password {weak}",
        "db.test:5432:shop:app:{weak}",
        "*:*:*:postgres:{weak}",
        "_auth={strong}",
        "//r.test/:_password={strong}",
        '{{"auths": {{"r.test": {{"auth": "{basic}"}}}}}}',
        "client-key-data: {strong}{strong}",
        "password: |\n  {weak}\n  {strong}\nhost: x",
        "client_secret: >-\n    {strong}",
        "- name: DB_PASSWORD\n  value: {weak}",
        '{{"name": "DB_PASSWORD", "value": "{weak}"}}',
        "kind: Secret\ndata:\n  config: {strong}",
        "<password>{weak}</password>",
        '<add key="Password" value="{weak}"/>',
        '<string name="api_key">{strong}</string>',
        "root:$6$saltsalt${strong}{strong}:19000:0:99999:7:::",
        "requirepass {weak}",
        "DB_PASS ?= {strong}",
        '#define WIFI_PASSWORD "{strong}"',
        "'DB_PASSWORD', '{weak}'",
        # headers and addresses
        "Set-Cookie: sid={strong}; Path=/; HttpOnly",
        "X-Vault-Token: {strong}",
        "https://x.test/cb?code={strong}&state=1",
        "https://x.test/hooks/catch/{strong}",
        "PHPSESSID={strong}",
        # databases
        "CREATE USER app IDENTIFIED BY '{weak}';",
        "ALTER ROLE app WITH PASSWORD '{weak}';",
        "Server=db;User Id=sa;Password={weak};",
        "DefaultEndpointsProtocol=https;AccountKey={strong}{strong}==",
        # commands
        "curl --user jane:{weak} https://x.test",
        "mysql -u root -p{weak} shop",
        "docker login -u jane -p {weak} r.test",
        "sshpass -p {weak} ssh host",
        "openssl pkcs12 -in a.p12 -passin pass:{weak}",
        "echo {weak} | sudo -S ls",
        "echo 'jane:{weak}' | chpasswd",
        "kubectl create secret generic x --from-literal=key={weak}",
        '$p = ConvertTo-SecureString "{weak}" -AsPlainText -Force',
        '$env:DB_PASSWORD = "{weak}"',
        "set -gx VAULT_PASS {strong}",
        # what people and programs say
        "the root password was changed to {strong} today",
        "use `{strong}` as the database password",
        "Passwort: {strong}",
        "la contraseña es {strong}",
        "$ op read op://dev/db/password\n{strong}",
        "Password for 'https://jane@git.test': {strong}",
        'my recovery phrase is: "{phrase}"',
        # written in another way
        '{{\\"pw\\": \\"{strong}\\"}}',
        "%22password%22%3A%22{strong}%22",
        "&quot;token&quot;: &quot;{strong}&quot;",
        "echo {inner} | base64 -d",
    ],
)
def test_what_is_around_it_gives_a_secret_away(text: str) -> None:
    inner = b64encode(f"DB_PASSWORD={SECRET}".encode()).decode()
    basic = b64encode(f"jane:{SECRET}".encode()).decode()
    parts = {
        **{"weak": WEAK, "strong": SECRET, "inner": inner, "basic": basic},
        "phrase": "able acid also apex aqua arch atom aunt away axis baby back",
    }
    made = redact(text.format(**parts))
    for name, secret in parts.items():
        if f"{{{name}}}" in text:
            assert secret not in made, made


@given(ANY | WOVEN)
def test_a_text_hardly_grows(text: str) -> None:
    assert len(redact(text)) <= 4 * len(text) + 24


@given(ANY | WOVEN)
def test_a_second_time_changes_nothing(text: str) -> None:
    made = redact(text)
    assert redact(made) == made


HARD = [
    *(
        "Error: ",
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}Error: ",
        "a",
        "sk-",
        "sk-ant-",
        f"{DASHES}BEGIN",
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n",
        "KEY-",
        "KEY=",
    ),
    *("API_KEY=", "token", "token=", 'token="', "password: ", "--password ", "bearer ", "secret_"),
    *("/home/", "/home/a", "-home-", "C:\\Users\\a ", "@", "a@b.", "://a:", "://a@", "eyJ", "eyJ."),
    *(
        "A",
        "A1b2C3d4",
        "pass",
        "password ",
        "pw1 ",
        " -p",
        "cookie: a=",
        "$1$",
        "hook/",
        "kind: Secret",
    ),
    *(
        "kind: Secret\ndata:\n a: bcde\n",
        "ABCD1234+",
        "token, ",
        "x_live_",
        "a.b1c2d3e4f.",
        "echo a|",
    ),
    *("eyJaaaaaaaaaa.", "AAAAAAAAAAAAAAAA\n", "[secret:key]", "\\", "%2Fhome%2F", "\n"),
]


@pytest.mark.parametrize("unit", HARD)
@pytest.mark.parametrize("end", ["", f"@{DASHES}END PRIVATE KEY{DASHES}"])
def test_the_time_grows_as_the_text_does(unit: str, end: str) -> None:
    short, long = (unit * (size // len(unit)) + end for size in (25_000, 100_000))
    assert is_linear(redact, short, long)
