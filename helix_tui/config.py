"""Read config.toml into one frozen, validated object that knows where each value came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date, time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from helix_tui.agent_homes import FLAVORS, SAMPLED
from helix_tui.environment import keep_secret
from helix_tui.errors import ConfigError
from helix_tui.places import SAMPLE_CODE, SAMPLE_HOME, has_sample, home_of, xdg_folder
from helix_tui.schema.curation import (
    CurateSettings,
    DistributeFloors,
    DistributeSettings,
    Floors,
    HubSettings,
)
from helix_tui.schema.memory import MemorySettings
from helix_tui.schema.model import SERVERS, USUAL_KEYS, ModelSettings
from helix_tui.schema.quality import DetectSettings, Quality
from helix_tui.schema.retention import Caps
from helix_tui.schema.team_settings import TeamSettings
from helix_tui.setting_values import BadValueError, read_keys, read_text
from helix_tui.settings import FREE_SECTIONS, KEYS, keys_of

if TYPE_CHECKING:
    from helix_tui.pricing import Price, Prices

# The entry points by which adapters are found, ours and plug-ins'.
ADAPTER_GROUP = "helix.adapters"
# The sections of a person's own review: the bundled sample heeds them only where a file is named,
# so that a first try neither writes into a team's catalog, nor tells its hub, nor runs a program.
_REVIEWER = ("curate", "distribute", "hub", "team", "model", "memory")


class SourceConfig(msgspec.Struct, frozen=True):
    """Where one agent's logs are, and which projects are excluded."""

    enabled: bool
    roots: tuple[Path, ...]
    exclude: tuple[str, ...]
    has_own_roots: bool


class SettingOrigin(msgspec.Struct, frozen=True):
    """One value with the place that set it, for `config show`."""

    key: str
    value: object
    origin: str


class Config(msgspec.Struct, frozen=True):
    """Everything a person can set."""

    store: Path
    is_store_named: bool
    sources: Mapping[str, SourceConfig]
    domains: Mapping[str, str]
    cadence_minutes: int
    workers: int
    plugin_seconds: int
    retention: Caps
    runners: tuple[str, ...]
    detect: DetectSettings
    curate: CurateSettings
    distribute: DistributeSettings
    hub: HubSettings
    team: TeamSettings
    model: ModelSettings
    memory: MemorySettings
    prices: Prices
    keys: Mapping[str, tuple[str, ...]]
    file: Path | None
    origins: tuple[SettingOrigin, ...]

    @property
    def is_sample(self) -> bool:
        """Whether the store is that of the bundled sample."""
        roots = [root for source in self.sources.values() for root in source.roots]
        return bool(roots) and all(root.is_relative_to(self.store / SAMPLE_HOME) for root in roots)


def sample_sources(home: Path) -> dict[str, SourceConfig]:
    """The sources of the bundled sample: no setting and no variable of the user's counts."""
    return {
        flavor: SourceConfig(
            True, (home / FLAVORS[flavor].roots[0].removeprefix("~/"),), (), has_own_roots=True
        )
        for flavor in SAMPLED
    }


def sample_repos(home: Path) -> dict[str, Path]:
    """The folders of the bundled sample's repositories: its rules go nowhere else."""
    code = home / SAMPLE_CODE
    return {path.name: path for path in sorted(code.iterdir())} if code.is_dir() else {}


def load(
    config_path: Path | None = None,
    store_path: Path | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """The configuration in force; every mistake in it is raised at once."""
    file = _find(config_path, environ)
    is_named = config_path is not None or bool(environ.get("HELIX_CONFIG"))
    return _Reader(file, environ, is_named=is_named).config(store_path)


def _find(named: Path | None, environ: Mapping[str, str]) -> Path | None:
    """`--config`, else `$HELIX_CONFIG`, else the XDG place; never the current folder."""
    if named is not None:
        return named
    if environ.get("HELIX_CONFIG"):
        return Path(environ["HELIX_CONFIG"])
    usual = xdg_folder("config", environ) / "config.toml"
    try:
        return usual if usual.is_file() else None
    except OSError as error:
        raise ConfigError([f"{usual}: {error.strerror}."]) from error


class _Reader:
    """Collect values, their origins and every mistake."""

    def __init__(self, file: Path | None, environ: Mapping[str, str], *, is_named: bool) -> None:
        self._file = file
        self._is_named = is_named
        self._environ = environ
        self._mistakes: list[str] = []
        self._origins: list[SettingOrigin] = []
        self._set: dict[str, Any] = self._parse()

    def _parse(self) -> dict[str, Any]:
        if self._file is None:
            return {}
        import tomllib

        try:
            return tomllib.loads(self._file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError([f"{self._file}: {error.strerror}."]) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError([f"{self._file}: not valid TOML: {error}."]) from error
        except RecursionError as error:
            raise ConfigError([f"{self._file}: not valid TOML: nested too deeply."]) from error

    def config(self, store_path: Path | None) -> Config:
        """Build the configuration, or raise all its mistakes."""
        self._refuse_unknown()
        store = self._store(store_path)
        sources = {flavor: self._source(flavor) for flavor in FLAVORS}
        sources |= {flavor: self._plugin_source(flavor) for flavor in self._plugins()}
        if has_sample(store):
            sources = self._sample(store / SAMPLE_HOME)
        domains = self._domains()
        cadence, workers = self._value("sweep", "cadence"), self._value("sweep", "workers")
        plugin_seconds = self._value("sweep", "plugin_timeout_seconds")
        retention = self._retention()
        runners = self._runners()
        # Before the sample leaves it out: an editor that reads its pages is not to know it, either.
        self._keep_secrets()
        if has_sample(store) and not self._is_named:
            self._set = {key: self._set[key] for key in self._set if key not in _REVIEWER}
            self._section("detect").pop("reader", None)
        detect = self._detect()
        curate, hub, memory = self._curate(store), self._hub(), self._memory()
        distribute = self._distribute()
        if has_sample(store):
            own = distribute.repos if self._is_named else {}
            repos = {**sample_repos(store / SAMPLE_HOME), **own}
            distribute = distribute._replace(repos=repos)
        model = self._model(is_needed="model" in (memory.distiller, detect.reader))
        prices = self._prices()
        keys = self._keys()
        if self._mistakes:
            raise ConfigError(self._mistakes)
        is_named = store_path is not None or "path" in self._section("store")
        return Config(
            store,
            is_named,
            sources,
            domains,
            cadence,
            workers,
            plugin_seconds,
            retention,
            runners,
            detect,
            curate,
            distribute,
            hub,
            self._team(),
            model,
            memory,
            prices,
            keys,
            self._file,
            tuple(self._origins),
        )

    def _runners(self) -> tuple[str, ...]:
        folder = self._file.parent if self._file else Path()
        named: tuple[str, ...] = tuple(self._value("digest", "runners"))
        return tuple(str(folder / Path(one).expanduser()) for one in named)

    def _detect(self) -> DetectSettings:
        knobs = {key: self._value("detect.quality", key) for key in KEYS["detect.quality"]}
        sessions, reader = self._value("detect", "min_sessions"), self._value("detect", "reader")
        is_given = "min_sessions" in self._section("detect")
        return DetectSettings(sessions, Quality(**knobs), reader, is_given)

    def _keep_secrets(self) -> None:
        """Keep the hub's token and the model's key from programs that are not to know them."""
        model = self._section("model")
        usual = USUAL_KEYS.get(str(model.get("preset")), "")
        team = self._section("team").get("secret_env", TeamSettings().secret_env)
        for named in (self._section("hub").get("token_env"), team, model.get("key_env") or usual):
            if isinstance(named, str):
                keep_secret(named)

    def _model(self, *, is_needed: bool) -> ModelSettings:
        section = "model"
        values = {key: self._value(section, key) for key in KEYS[section]}
        authority = values.pop("ca_file")
        settings = ModelSettings(**values, ca_file=self._path(authority) if authority else None)
        if is_needed and not settings.preset:
            self._mistake(f"{section}.preset", "must be set where a model distills or reads")
        if settings.preset == "command" and not settings.command:
            self._mistake(f"{section}.command", "must be set where the preset is a command")
        if settings.preset in SERVERS and not settings.model:
            self._mistake(f"{section}.model", "must name a model where the preset is a server")
        return settings

    def _curate(self, store: Path) -> CurateSettings:
        section = "curate"
        gate = {key: self._value("curate.gate", key) for key in KEYS["curate.gate"]}
        return CurateSettings(
            self._place(section, "catalog_dir", store),
            self._place(section, "review_log", store),
            self._place(section, "decision_queue", store),
            self._value(section, "evidence"),
            self._value(section, "author"),
            self._value(section, "commit"),
            self._value(section, "alike"),
            Floors(**gate),
            self._value("curate.draft", "command"),
            self._value("curate.draft", "timeout_seconds"),
        )

    def _distribute(self) -> DistributeSettings:
        floors = {key: self._value("distribute.gate", key) for key in KEYS["distribute.gate"]}
        repos: dict[str, Path] = {}
        for name, folder in self._section("distribute.repos").items():
            key = f"distribute.repos.{name}"
            try:
                repos[name] = self._path(read_text(folder))
            except BadValueError as error:
                self._mistake(key, f"must be {error}, not {folder!r}")
            else:
                self._note(key, folder, str(self._file))
        return DistributeSettings(DistributeFloors(**floors), repos)

    def _place(self, section: str, key: str, store: Path) -> Path:
        """A path relative to the file that sets it, and where none does, to the store."""
        value: str = self._value(section, key)
        if key in self._section(section):
            return self._path(value)
        return store.absolute() / value

    def _hub(self) -> HubSettings:
        token, authority = self._value("hub", "token_file"), self._value("hub", "ca_file")
        return HubSettings(
            self._value("hub", "url"),
            self._value("hub", "token_env"),
            self._path(token) if token else None,
            self._path(authority) if authority else None,
            self._value("hub", "timeout_seconds"),
        )

    def _team(self) -> TeamSettings:
        values = {key: self._value("team", key) for key in KEYS["team"]}
        for key in ("secret_file", "ca_file"):
            values[key] = self._path(values[key]) if values[key] else None
        return TeamSettings(**values)

    def _memory(self) -> MemorySettings:
        section = "memory"
        values = {key: self._value(section, key) for key in KEYS[section]}
        template = values.pop("notes_template")
        if values["distiller"] == "command" and not values["command"]:
            self._mistake(f"{section}.command", "must be set where the distiller is a command")
        return MemorySettings(**values, notes_template=self._path(template) if template else None)

    def _retention(self) -> Caps:
        section = "retention"
        caps = Caps(
            self._value(section, "raw_soft_cap_bytes"),
            self._value(section, "raw_hard_cap_bytes"),
            self._value(section, "raw_max_age_days"),
            self._value(section, "distilled_cap_bytes"),
        )
        if caps.soft > caps.hard and "raw_soft_cap_bytes" in self._section(section):
            self._mistake(
                f"{section}.raw_soft_cap_bytes",
                f"must not be above raw_hard_cap_bytes, which is {caps.hard:,} bytes",
            )
        return msgspec.structs.replace(caps, soft=min(caps.soft, caps.hard))

    def _section(self, name: str) -> dict[str, Any]:
        section: Any = self._set
        for word in name.split("."):
            section = section.get(word, {}) if isinstance(section, dict) else {}
        return section if isinstance(section, dict) else {}

    def _refuse_unknown(self) -> None:
        sections = {name.split(".")[0] for name in KEYS} | {*FREE_SECTIONS}
        for name, value in self._set.items():
            if name not in sections:
                self._mistake(name, "unknown section or key")
            elif not isinstance(value, dict):
                self._mistake(name, "must be a section")
            elif name == "sources":
                for flavor, keys in value.items():
                    flavors = (*FLAVORS, *self._plugins())
                    if flavor not in flavors:
                        self._mistake(
                            f"sources.{flavor}", f"unknown flavor; there are {', '.join(flavors)}"
                        )
                    elif not isinstance(keys, dict):
                        self._mistake(f"sources.{flavor}", "must be a section")
                    else:
                        self._refuse_keys(f"sources.{flavor}", keys)
            elif name == "distribute":
                for section, keys in value.items():
                    if section not in ("gate", "repos"):
                        self._mistake(f"distribute.{section}", "unknown; there are gate, repos")
                    elif not isinstance(keys, dict):
                        self._mistake(f"distribute.{section}", "must be a section")
                    elif section == "gate":
                        self._refuse_keys("distribute.gate", keys)
            elif name in KEYS:
                self._refuse_nested(name, value)

    def _refuse_nested(self, section: str, keys: dict[str, Any]) -> None:
        """Refuse unknown keys of a section and of the sections within it."""
        inner = {key: f"{section}.{key}" for key in keys if f"{section}.{key}" in KEYS}
        for key, name in inner.items():
            if isinstance(keys[key], dict):
                self._refuse_keys(name, keys[key])
            else:
                self._mistake(name, "must be a section")
        self._refuse_keys(section, {key: keys[key] for key in keys if key not in inner})

    def _refuse_keys(self, section: str, keys: dict[str, Any]) -> None:
        definitions = keys_of(section)
        for key in keys:
            if key not in definitions:
                self._mistake(
                    f"{section}.{key}", f"unknown key; there are {', '.join(definitions)}"
                )

    def _plugins(self) -> list[str]:
        """The flavors in the file that a plug-in reads; others of its sections are mistakes."""
        foreign = self._section("sources").keys() - FLAVORS.keys()
        if not foreign:
            return []
        # Asked for only here: it looks into every installed package.
        from importlib.metadata import entry_points

        return sorted(foreign & entry_points(group=ADAPTER_GROUP).names)

    def _mistake(self, key: str, reason: str) -> None:
        self._mistakes.append(f"{self._file}: {key}: {reason}.")

    def _value(self, section: str, key: str) -> Any:
        """A key's value from the file or its default, noted with its origin."""
        definition = keys_of(section)[key]
        is_set = key in self._section(section)
        raw = self._section(section)[key] if is_set else definition.default
        try:
            value = definition.read(raw)
        except BadValueError as error:
            self._mistake(f"{section}.{key}", f"must be {error}, not {raw!r}")
            return definition.read(definition.default)
        self._note(f"{section}.{key}", raw, str(self._file) if is_set else "default")
        return value

    def _note(self, key: str, value: object, origin: str) -> None:
        self._origins.append(SettingOrigin(key, value, origin))

    def _path(self, text: str) -> Path:
        """A path as a person wrote it: `~` is theirs, the rest is relative to the file."""
        folder = self._file.parent if self._file else Path()
        return (folder / self._in_home(text)).absolute()

    def _in_home(self, text: str) -> Path:
        is_home = text == "~" or text.startswith("~/")
        return home_of(self._environ) / text[2:] if is_home else Path(text)

    def _store(self, named: Path | None) -> Path:
        if named is not None:
            self._note("store.path", str(named), "--store")
            return named
        if "path" in self._section("store"):
            return self._path(self._value("store", "path"))
        usual = xdg_folder("data", self._environ)
        self._note("store.path", str(usual), "default")
        return usual

    def _source(self, flavor: str) -> SourceConfig:
        section = f"sources.{flavor}"
        agent = FLAVORS[flavor]
        named, variable = agent.named(self._environ)
        enabled, exclude = self._value(section, "enabled"), self._value(section, "exclude")
        has_own_roots = "roots" in self._section(section)
        if has_own_roots:
            roots = tuple(self._path(root) for root in self._value(section, "roots"))
        else:
            beside = agent.beside(self._environ)
            places = [*([named] if named else agent.roots), *beside]
            roots = tuple(self._in_home(place).absolute() for place in places)
            by = [*([variable] if named else []), *(agent.files if beside else ())]
            self._note(
                f"{section}.roots", places, ", ".join(f"${name}" for name in by) or "default"
            )
        home = home_of(self._environ)
        return SourceConfig(
            enabled,
            roots,
            tuple(str(home) + glob[1:] if glob.startswith("~/") else glob for glob in exclude),
            has_own_roots,
        )

    def _plugin_source(self, flavor: str) -> SourceConfig:
        """The source of a plug-in's agent; only the person knows where its logs are."""
        section = f"sources.{flavor}"
        if "roots" not in self._section(section):
            self._mistake(f"{section}.roots", "must be set for an agent that a plug-in reads")
        roots = tuple(self._path(root) for root in self._value(section, "roots"))
        enabled, exclude = self._value(section, "enabled"), self._value(section, "exclude")
        return SourceConfig(enabled, roots, exclude, has_own_roots=True)

    def _sample(self, home: Path) -> dict[str, SourceConfig]:
        """The sample's sources instead of all others, also in `config show`."""
        self._origins = [
            setting for setting in self._origins if not setting.key.startswith("sources.")
        ]
        sources = sample_sources(home)
        for flavor, source in sources.items():
            self._note(f"sources.{flavor}.roots", list(map(str, source.roots)), "bundled sample")
        return sources

    def _domains(self) -> dict[str, str]:
        domains: dict[str, str] = {}
        for repo, domain in self._section("domains").items():
            try:
                domains[repo] = read_text(domain)
            except BadValueError as error:
                self._mistake(f"domains.{repo}", f"must be {error}, not {domain!r}")
            else:
                self._note(f"domains.{repo}", domain, str(self._file))
        return domains

    def _keys(self) -> dict[str, tuple[str, ...]]:
        """A person's own keys by action; the workstation knows which actions there are."""
        keys: dict[str, tuple[str, ...]] = {}
        for name, raw in self._section("keys").items():
            try:
                keys[name] = read_keys(raw)
            except BadValueError as error:
                self._mistake(f"keys.{name}", f"must be {error}, not {raw!r}")
            else:
                self._note(f"keys.{name}", raw, str(self._file))
        return keys

    def _prices(self) -> Prices:
        """A person's own prices, by model."""
        prices: dict[str, tuple[Price, ...]] = {}
        own = self._section("prices")
        if own:
            from helix_tui.pricing import read_prices
        for model, raw in own.items():
            place = f"prices.{model}"
            prices[model] = read_prices(raw, partial(self._mistake_below, place))
            self._note(place, _plain(raw), str(self._file))
        return prices

    def _mistake_below(self, place: str, key: str, reason: str) -> None:
        self._mistake(f"{place}{key}", reason)


def _plain(value: object) -> object:
    """A value of the file with its dates as text, as JSON has them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date | time) else value
