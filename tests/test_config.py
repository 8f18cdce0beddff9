"""Settings: every mistake at once, every value with its origin, defaults that are documented."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from helix_tui.config import load
from helix_tui.errors import ConfigError
from helix_tui.places import SAMPLE_HOME
from helix_tui.schema.curation import Floors, HubSettings
from helix_tui.schema.memory import MemorySettings
from helix_tui.schema.model import ModelSettings
from helix_tui.schema.quality import DetectSettings
from helix_tui.setting_values import parse_size
from helix_tui.settings import KEYS, PLUGIN_SECONDS
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

PROJECT = Path(__file__).parent.parent


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


class TestMistakes:
    """All of them, each with file and key, and exit code 78."""

    def test_every_mistake_is_told_at_once(self, tmp_path: Path) -> None:
        path = write(
            tmp_path,
            """
            colour = "red"
            domains = 5
            [store]
            path = 7
            pth = "x"
            [sources.claude]
            enabled = "yes"
            roots = "~/.claude"
            [sources.nobody]
            enabled = true
            [sweep]
            cadence = "7 min"
            workers = -1
            [prices]
            gpt-9 = 5
            [prices.mine]
            input = -1
            """,
        )
        with pytest.raises(ConfigError) as caught:
            load(path, environ={"HOME": str(tmp_path)})
        told = {mistake.split(": ")[1]: mistake for mistake in caught.value.mistakes}
        assert told.keys() == {
            "colour",
            "domains",
            "store.path",
            "store.pth",
            "sources.claude.enabled",
            "sources.claude.roots",
            "sources.nobody",
            "sweep.cadence",
            "sweep.workers",
            "prices.gpt-9",
            "prices.mine.input",
            "prices.mine.output",
        }
        assert all(mistake.startswith(str(path)) for mistake in caught.value.mistakes)

    def test_exit_code_and_plain_words(self, bench: Workbench, tmp_path: Path) -> None:
        path = write(tmp_path, "[sweep]\nworkers = 'many'\n[nonsense]\n")
        for arguments in (["--sweep"], ["config", "check"], ["config", "show"], ["sessions"]):
            ran = bench.helix(*arguments, "--config", str(path), check=False)
            assert (ran.code, ran.out) == (78, "")
            assert ran.err.count("helix: ") == 2
            assert "Traceback" not in ran.err

    @pytest.mark.parametrize(
        "content", [b"[store\n", b"\xff\xfe", b"store = \n", b"x = " + b"[" * 5000]
    )
    def test_file_that_is_no_toml(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "config.toml"
        path.write_bytes(content)
        with pytest.raises(ConfigError, match="not valid TOML"):
            load(path)

    def test_named_file_must_exist(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="No such file"):
            load(tmp_path / "absent.toml")


class TestOrigins:
    """Each value knows who set it."""

    def test_order_of_places(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = tmp_path / ".config" / "helix"
        usual.mkdir(parents=True)
        write(usual, "[store]\npath = '/from/usual'\n")
        named = write(tmp_path, "[store]\npath = 'beside'\n")
        home = {"HOME": str(tmp_path)}
        assert str(load(environ=home).store) == "/from/usual"
        assert load(environ={**home, "HELIX_CONFIG": str(named)}).store == tmp_path / "beside"
        assert str(load(named, Path("/from/option"), home).store) == "/from/option"
        monkeypatch.chdir(tmp_path)  # a config.toml of the current folder is not read
        assert str(load(environ=home).store) == "/from/usual"

    def test_agents_own_variables_are_honoured(self, tmp_path: Path) -> None:
        environ = {
            "HOME": str(tmp_path),
            "CLAUDE_CONFIG_DIR": "/opt/claude",
            "CODEX_HOME": "/opt/codex",
            "GROK_HOME": "/opt/grok",
        }
        config = load(environ=environ)
        for flavor in ("claude", "codex", "grok"):
            assert [str(root) for root in config.sources[flavor].roots] == [f"/opt/{flavor}"]
        origins = {origin.key: origin.origin for origin in config.origins}
        assert origins["sources.claude.roots"] == "$CLAUDE_CONFIG_DIR"
        assert origins["sweep.cadence"] == "default"
        path = write(tmp_path, "[sources.claude]\nroots = ['~/a', 'b']\n")
        own = load(path, environ=environ)
        assert own.sources["claude"].roots == (tmp_path / "a", tmp_path / "b")

    def test_show_prints_every_key(self, bench: Workbench) -> None:
        shown = bench.helix("config", "show", "--json").json["values"]
        keys = {item["key"] for item in shown}
        assert keys == {f"{section}.{key}" for section, keys in KEYS.items() for key in keys}

    def test_show_prints_prices(self, bench: Workbench, tmp_path: Path) -> None:
        row = "input = 1\noutput = 2\nfrom = 2026-01-31\n"
        path = write(tmp_path, f"[prices.'gpt-5.9']\n{row}")
        shown = bench.helix("config", "show", "--json", "--config", str(path)).json["values"]
        (price,) = [item for item in shown if item["key"].startswith("prices.")]
        assert price == {
            "key": "prices.gpt-5.9",
            "value": {"input": 1, "output": 2, "from": "2026-01-31"},
            "origin": str(path),
        }


class TestEffects:
    """Settings do what they say."""

    def test_several_roots_exclusion_and_switch(self, bench: Workbench, tmp_path: Path) -> None:
        for number, (home, cwd) in enumerate(
            (("one", "/work/app"), ("two", "/work/app"), ("one", "/work/private-x"))
        ):
            log = ClaudeLog(session=f"{number}", cwd=cwd)
            log.prompt()
            log.write(tmp_path / home, project=cwd.replace("/", "-"))
        roots = f"roots = ['{tmp_path}/one/.claude', '{tmp_path}/two/.claude', '{tmp_path}/gone']"
        bench.config = write(tmp_path, f"[sources.claude]\n{roots}\nexclude = ['/work/private*']\n")
        report = bench.sweep()
        assert bench.sessions().keys() == {"claude:0", "claude:1"}
        assert [(p.path, p.reason) for p in report.listed_problems] == [
            (f"{tmp_path}/gone", "no such folder")
        ]
        bench.config.write_text("[sources.claude]\nenabled = false\n")
        assert bench.sweep().discovered == 0

    def test_domains_by_name_and_glob(self, bench: Workbench, tmp_path: Path) -> None:
        for name in ("app", "web-a", "other"):
            log = ClaudeLog(session=name, cwd=f"/nowhere/{name}")
            log.prompt()
            log.write(bench.home)
        bench.config = write(tmp_path, "[domains]\napp = 'core'\n'web-*' = 'front'\n")
        bench.sweep()
        listed = bench.helix("sessions", "--json", "--config", str(bench.config)).json["sessions"]
        assert {item["repo"]: item["domain"] for item in listed} == {
            "app": "core",
            "web-a": "front",
            "other": None,
        }


@pytest.mark.parametrize(
    ("written", "size"),
    [(5, 5), ("2 GiB", 2 << 30), ("1.5 MiB", 3 << 19), ("10kb", 10_000), ("7", 7), ("0 B", 0)],
)
def test_sizes(written: object, size: int) -> None:
    assert parse_size(written) == size


@pytest.mark.parametrize("written", [-1, True, "2 gigs", "", 1.5, None, "GiB"])
def test_sizes_that_are_none(written: object) -> None:
    with pytest.raises(Exception, match="a size"):
        parse_size(written)


def test_shipped_file_documents_every_key_with_its_default() -> None:
    text = (PROJECT / "config.toml").read_text()
    assert load(PROJECT / "config.toml").curate.catalog_dir == PROJECT / "catalog"
    sections = {
        "store",
        "sources",
        "domains",
        "prices",
        "sweep",
        "retention",
        "digest",
        "detect",
        "distribute",
        "hub",
        "team",
        "model",
        "memory",
        "keys",
    }
    assert tomllib.loads(text).keys() <= {*sections, "curate"}
    commented = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    documented = tomllib.loads(commented)
    for section, keys in KEYS.items():
        found = documented
        for word in section.split("."):
            found = found[word]
        own = {name: value for name, value in found.items() if f"{section}.{name}" not in KEYS}
        assert own == {name: key.default for name, key in keys.items()}, section


def test_defaults_of_the_file_are_those_of_the_code(tmp_path: Path) -> None:
    config = load(None, None, {"HOME": str(tmp_path)})
    assert config.detect == DetectSettings()
    assert config.curate.floors == Floors()
    assert config.hub == HubSettings()
    assert config.model == ModelSettings()
    assert config.memory == MemorySettings()
    assert config.plugin_seconds == PLUGIN_SECONDS
    default = KEYS["store"]["path"].default
    assert str(config.store) == str(default).replace("~", str(tmp_path))


def test_relative_home_and_roots_become_absolute(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = write(elsewhere, "")
    monkeypatch.chdir(bench.home)
    for variables in ({"HOME": "../home"}, {"HOME": "/", "CLAUDE_CONFIG_DIR": ".claude"}):
        config = load(path, environ=variables)
        assert str(config.sources["claude"].roots[0]).startswith("/")
        assert config.sources["claude"].roots[0].resolve() == bench.home / ".claude"


def test_doctor_knows_a_root_that_is_none(bench: Workbench, tmp_path: Path) -> None:
    (bench.home / ".claude" / "projects").mkdir(parents=True)
    bench.config = write(tmp_path, f"[sources.claude]\nroots = ['{bench.home}/.claude/projects']\n")
    ran = bench.helix("doctor", "--config", str(bench.config), check=False)
    assert ran.code == 3
    assert "no logs of claude below" in ran.out


class TestPlacesOfCuration:
    """Where verdicts and patterns are kept, by who says so."""

    def test_they_are_in_the_store_where_nobody_says_so(self, tmp_path: Path) -> None:
        config = load(write(tmp_path, ""), tmp_path / "store")
        assert config.curate.catalog_dir == tmp_path / "store" / "catalog"
        assert config.curate.review_log == tmp_path / "store" / "review" / "journal.jsonl"

    def test_they_are_relative_to_the_file_that_sets_them(self, tmp_path: Path) -> None:
        config = load(write(tmp_path, "[curate]\ncatalog_dir = 'team'\n"), tmp_path / "store")
        assert config.curate.catalog_dir == tmp_path / "team"
        assert config.curate.decision_queue == tmp_path / "store" / "review" / "decisions.jsonl"

    def test_sample_heeds_them_only_in_a_file_that_is_named(self, tmp_path: Path) -> None:
        store = tmp_path / "store"
        (store / SAMPLE_HOME).mkdir(parents=True)
        usual = tmp_path / "xdg" / "helix"
        usual.mkdir(parents=True)
        file = write(usual, "[curate]\ncatalog_dir = 'team'\n[hub]\nurl = 'https://hub.example'\n")
        environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "xdg")}
        unnamed = load(None, store, environ)
        assert (unnamed.curate.catalog_dir, unnamed.hub.url) == (store / "catalog", "")
        named = load(file, store, environ)
        assert (named.curate.catalog_dir, named.hub.url) == (usual / "team", "https://hub.example")


@pytest.mark.parametrize(
    "url",
    ["https://hub.example/helix", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:1"],
)
def test_addresses_of_a_hub(url: str, tmp_path: Path) -> None:
    assert load(write(tmp_path, f"[hub]\nurl = '{url}/'\n")).hub.url == url


@pytest.mark.parametrize(
    "url",
    [
        "http://hub.example",
        "ftp://localhost",
        "https://",
        "https://me:pass@hub.example",
        "https://hub.example/?a=1",
        "https://hub.example:port",
        "http://localhost.example",
        "https://hub .example",
        "http://[::1",
    ],
)
def test_addresses_that_no_token_may_go_to(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"hub\.url: must be an https address"):
        load(write(tmp_path, f"[hub]\nurl = '{url}'\n"))


def test_notes_thresholds_of_zero_and_less_mean_the_default(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        "[memory]\nminimum_tokens_to_init = 0\nminimum_tokens_between_update = -5\n"
        "tool_calls_between_updates = 7\n"
    )
    found = load(file, environ={"HOME": str(tmp_path)}).memory
    assert (found.minimum_tokens_to_init, found.minimum_tokens_between_update) == (10_000, 5_000)
    assert found.tool_calls_between_updates == 7


def test_a_distiller_that_is_a_command_needs_one(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[memory]\ndistiller = "command"\n')
    with pytest.raises(ConfigError, match=r"memory\.command: must be set"):
        load(file, environ={"HOME": str(tmp_path)})
