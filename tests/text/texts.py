"""Texts for property tests: any at all, ordinary ones, and ones with secrets woven in."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.text.planted import DASHES, KEYS, WORD, noise

PLAIN = noise(WORD, 24)

STRONG = noise(WORD + "+/", 40)

ORDINARY = r"""
max_tokens=4096
tokens: 512
token: str
password: string
password = getpass()
TOKEN=$GITHUB_TOKEN
TOKEN=${GITHUB_TOKEN}
api_key=os.environ["X"]
process.env.API_KEY
apiKey: process.env.API_KEY2,
secret: ${{ secrets.X }}
api_key: <your-api-key>
export API_KEY=YOUR_API_KEY
API_KEY=your-api-key-here
API_KEY="xxxxxxxxxxxxxxxx"
password=None
password: null,
token=true
"tokens":{"input":1234567,"output":17}
token_count: 17
next_token
total_tokens=123456
Token usage: 123
secretsmanager
tokenize(text)
tokenizer="cl100k_base"
password reset flow
the token is expired
the password is required
def login(self, user: str, password: str = "", *, token: str | None = None) -> Token:
login(password=password, token=access_token, api_key=settings.api_key)
const { token, password }: Credentials = await load();
token: Option<String>,
let token = Token::new(kind2);
if token.kind == TokenKind.NAME2:
prompt='Password: ', stream=None
errors.password = 'Password is required'
<input type="password" name="password" />
credentials: "include"
token_url = "https://example.com/oauth/token"
PWD=/srv/work/project2
--token TOKEN  the token to use
use --password to be asked, --token or --key otherwise
key=value
author: Jane
Authorization: Bearer $TOKEN
headers["Authorization"] = f"Bearer {token}"
Basic authentication and Bearer authentication-middleware
arn:aws:secretsmanager:us-west-2:123456789012:secret:MyDatabase-a1b2c3
https://x.y/home/page
http://localhost:3000/home/page
/homeless /homes/x /srv/home/x ./home/x ~/home/x
/Users and /Users/ and /home/ and /home/$USER and /home/<name>
/srv/root /rooted //root/item https://root/x
my-home-page go-home-now --home-dir
git@github.com:org/repo
ssh://git@github.com/org/repo.git
https://jane@bitbucket.org/org/repo
pkg@1.2.3 @types/node@20.1.0 react@18.3.0-rc.next
user@host
@app.command
\n@pytest.fixture\ndef it(): ...\n@app.command("x")
\ngit@github.com:org/repo
node_modules/@scope/pkg@1.0.0/x.js
uses: actions/checkout@v4.1.0
logo@2x.png getty@tty1.service a@b.T q@k.transpose(-2, -1)
http://localhost:3000/@vite/client
https://medium.com/@jane/a-title-of-some-length
docker://alpine:3.19@sha256:abc
https://$USER:$PASSWORD@host/x https://${TOKEN}@host/x https://user:***@host
b4cc808 3f786850e387550fdab836ed7e6dc881de23001b
f47ac10b-58cc-4372-a567-0e02b2c3d479
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeo==
msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9 call_9f8Gh2kLmN0pQrStUvWxYz12
sk-learn sk-toggleable__content-arrow task-0123456789abcdefghijklmnop risk-assessment
desk-ant-colony-simulation ask-question xai-org/grok-build AKIAN AKIA ghp hf_hub_download
npm_config_cache npm_lifecycle_event npm_package_dependencies_typescript pypi-simple pypi-server
2026-02-07T04:23:03.483Z v1.2.3-beta.4+build.5
  File "/usr/lib/python3.11/site-packages/some/quite/long/path/module.py", line 42, in <module>
class="flex items-center justify-between px-4 py-2 text-sm font-medium"
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
eyJ is how a token begins
all 42 tests pass, 3 fail; pass: 12, fail: 0
class TestPyPass1(TestPass1, PyTest): pass
def generate_key() -> ed25519.Ed25519PrivateKey: ...
if keycertalg is PBES.PBESv1SHA1And3KeyTripleDESCBC:
const password = new PasswordField({ label: 'Password', name: 'pw1' });
kind: Secret or ConfigMap
0x2022ebf26f2ff7756e0ad7c49589fa20f00a2e8d (ERC20 token contract)
github.com/golang-jwt/jwt/v5 v5.2.1/go.mod h1:3IzgXji5RUnE2ZslzVfCTot5NJ9nXUOMqnaWreu9j48=
cache_key: Linux-node-9f2c1b7a4e6d8c0b1a3f5e7d9c2b4a6f8e0d1c3b
docker compose -p shop up -d && kubectl get pods -n kube-system -w
psql -h localhost -p 5432 -U app && ssh -p 2222 host
session_id: 019cd4d6-0668-7f30-adcd-ef309bef26b4
request req_011CX78VEUM6UvcbD8GuzQ3k failed, the token was refreshed
Cookie: none
"""

PIECES = [start.replace("|", "") for _, start, _ in KEYS] + [
    *("token", "TOKEN", "secret", "password", "api_key", "authorization", "Bearer ", "=", ": "),
    *('"', "'", '\\"', "`", " ", "\n", "\\n", ",", "[", "](", "{", "$", "~", "@", ".", "-", "--"),
    *("hunter22", PLAIN, STRONG, "[secret:key]", "[mail]", "://", "u:", "host.com", "jane", "git"),
    *("/home/", "/Users/", "/root", "-home-", "-Users-", "C:\\Users\\", "%2Fhome%2F", "_", "s"),
    *(f"{DASHES}BEGIN PRIVATE KEY{DASHES}", f"{DASHES}END PRIVATE KEY{DASHES}", "é", "İ", "\0"),
]

ANY = st.text(st.characters(exclude_categories=()))

WOVEN = st.lists(st.sampled_from(PIECES) | ANY, max_size=14).map("".join)
