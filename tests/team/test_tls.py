"""A server that proves who it is, and a secret from each place that it may lie in (`make team`)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from helix_tui.errors import HelixError
from helix_tui.team.address import checked_address
from helix_tui.team.database import connected
from helix_tui.team.secret import joined_secret, own_secret_file
from tests.conftest import Workbench
from tests.team.postgresql import KEY

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


class Tls(NamedTuple):
    """A PostgreSQL that speaks TLS alone, its port, and two authorities: its own and another."""

    port: int
    authority: Path
    other: Path
    admin: str


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _tools() -> Path | None:
    """The programs of a PostgreSQL that speaks TLS: Debian's; that from PyPI does not."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@pytest.fixture(scope="module")
def tls() -> Iterator[Tls]:
    """A server of its own, whose certificate names one host."""
    import trustme

    tools = _tools()
    if tools is None:
        pytest.skip("needs the package postgresql")
    folder = Path(tempfile.mkdtemp(prefix="helix-tls-"))
    owner = "postgres" if os.geteuid() == 0 else None
    authority, other = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    other.cert_pem.write_to_path(folder / "other.pem")
    made = authority.issue_cert("helix-team.test")
    made.cert_chain_pems[0].write_to_path(folder / "server.pem")
    made.private_key_pem.write_to_path(folder / "server.key")
    (folder / "server.key").chmod(0o600)
    (folder / "password").write_text("admin")
    data, port = folder / "data", _free_port()
    if owner:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, owner, owner)

    def run(program: str, *words: object) -> None:
        subprocess.run(
            [tools / program, "-D", data, *map(str, words)],
            user=owner,
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    try:
        run("initdb", "-U", "postgres", "-A", "scram-sha-256", "--pwfile", folder / "password")
        (data / "pg_hba.conf").write_text(
            "hostnossl all all all reject\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
        )
        with (data / "postgresql.conf").open("a") as file:
            file.write(
                f"ssl = on\nssl_cert_file = '{folder}/server.pem'\n"
                f"ssl_key_file = '{folder}/server.key'\nport = {port}\n"
                f"listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
            )
        run("pg_ctl", "-w", "-l", folder / "log", "start")
        made_one = Tls(port, folder / "authority.pem", folder / "other.pem", "admin")
        place = _address(made_one, "postgres", "helix-team.test").replace("/tls?", "/postgres?")
        with connected(place, "admin", 10, made_one.authority) as opened:
            opened.rows("CREATE DATABASE tls")
        yield made_one
        run("pg_ctl", "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _address(tls: Tls, role: str, host: str) -> str:
    # `hostaddr` saves a name in /etc/hosts: the certificate is held against `host` alone.
    return f"postgresql://{role}@{host}:{tls.port}/tls?hostaddr=127.0.0.1"


def test_only_the_right_authority_and_name_are_believed(tls: Tls, tmp_path: Path) -> None:
    right = _address(tls, "postgres", "helix-team.test")
    with connected(right, tls.admin, 10, tls.authority) as opened:
        assert opened.value("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    wrong_name = _address(tls, "postgres", "other-team.test")
    for place, authority, told in (
        (wrong_name, tls.authority, "does not match host name"),
        (right, tls.other, "certificate verify failed"),
        (right, None, "certificate verify failed"),
        (f"{right}&sslmode=disable", tls.authority, "verify-full"),
    ):
        with pytest.raises(HelixError, match=told):  # noqa: SIM117 - the address may be refused
            with connected(checked_address(place), tls.admin, 10, authority):
                raise AssertionError(place)


def test_a_secret_comes_from_wherever_it_is_kept(tls: Tls, tmp_path: Path) -> None:
    admin = Workbench(tmp_path / "admin")
    settings = admin.home / "helix.toml"
    settings.write_text(f'[team]\nca_file = "{tls.authority}"\n')
    admin.variables = {"HELIX_CONFIG": str(settings), "PGPASSWORD": tls.admin}
    place = _address(tls, "postgres", "helix-team.test")
    made = admin.helix("team", "init", place, "--team-name", "tls", "--json").json
    assert made["is_encrypted"] is True
    secret = admin.helix("team", "invite", place, "kim_tls", "--json").json["secret"]
    own = _address(tls, "kim_tls", "helix-team.test")
    keyring = {
        "PYTHON_KEYRING_BACKEND": "tests.team.keyring_file.FileKeyring",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "HELIX_TEST_KEYRING": str(tmp_path / "keyring.json"),
    }
    kim = Workbench(tmp_path / "kim")
    base = {
        "HELIX_CONFIG": str(settings),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }

    def joined(variables: dict[str, str]) -> tuple[int, str]:
        kim.variables = base | variables
        done = kim.helix("team", "join", own, check=False)
        return done.code, done.err

    code, err = joined({})
    assert (code, "There is no secret" in err) == (2, True)
    # A server or a container has the package and no keyring; one that is locked says so.
    code, err = joined({"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"})
    assert (code, "There is no secret" in err) == (2, True)
    code, err = joined(keyring | {"HELIX_TEST_KEYRING": "locked"})
    assert (code, "The keyring does not give" in err) == (2, True)
    code, err = joined({"HELIX_TEAM_SECRET": joined_secret("wrong", KEY)})
    assert (code, "not revoked" in err) == (74, True)
    assert "wrong" not in err
    assert joined({"HELIX_TEAM_SECRET": secret})[0] == 0
    path = own_secret_file(kim.store)
    path.write_text(secret)
    path.chmod(0o644)
    code, err = joined({})
    assert code != 0
    assert "chmod 600" in err
    path.chmod(0o600)
    assert joined({})[0] == 0
    path.unlink()
    (tmp_path / "keyring.json").write_text(f'{{"helix-team kim_tls": "{secret}"}}')
    assert joined(keyring)[0] == 0
    assert kim.helix("team", "status", "--json").json["is_reachable"] is True
