"""What kind of thing a word of a command names: a test, a source, a folder, an address."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.shape import KINDS


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PATH = re.compile(r"[\w./@~*?+:,% {}\[\]()$-]{1,300}")
_TEST_NAME = re.compile(
    r"(?:^|[._-])(?:test|tests|spec|specs|e2e|cy|conftest)(?:[._-]|$)|Tests?\.\w{1,6}$", re.ASCII
)
_TEST_FOLDERS = _set("test tests __tests__ spec e2e testdata __snapshots__ __mocks__ cypress")
_MADE_FOLDERS = _set(
    "dist build node_modules target out .next .nuxt coverage __pycache__ vendor generated"
    " __generated__ .turbo .cache .venv venv site-packages"
)
_MADE_NAME = re.compile(
    r"(?:\.min\.\w{1,4}|_pb2(?:_grpc)?\.pyi?|\.pb\.go|\.g\.dart|\.generated\.\w{1,5}|\.lock)$"
    r"|^(?:package-lock\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum|npm-shrinkwrap\.json)$"
)
_DOC_FOLDERS = _set("docs doc documentation")
_DOC_ENDS = _set("md mdx rst txt adoc org")
_CONFIG_ENDS = _set("toml yaml yml ini cfg conf json json5 jsonc properties env plist hcl tf")
_CONFIG_NAME = re.compile(
    r"(?:^|[._-])(?:config|conf|rc)\.\w{1,5}$|^\.?\w{1,20}rc$|^\.env(?:\.\w{1,20})?$"
    r"|^\.\w{1,20}ignore$"
)
_CONFIG_NAMES = _set(
    "Dockerfile Makefile makefile justfile Justfile Procfile Jenkinsfile Gemfile Rakefile"
    " Vagrantfile CMakeLists.txt requirements.txt .gitattributes .gitignore .editorconfig"
)
_SOURCE_ENDS = _set(
    "py pyi ipynb js jsx mjs cjs ts tsx mts cts go rs java kt kts scala c h cc cpp cxx hpp hh m mm"
    " swift rb php cs fs vb ex exs erl hs lua pl pm r jl dart vue svelte astro html htm css scss"
    " sass less sql sh bash zsh fish ps1 bat proto graphql gql zig nim clj el tcss j2 jinja erb"
)
_DATA_ENDS = _set(
    "jsonl ndjson csv tsv xml log png jpg jpeg gif svg webp ico pdf zip gz tgz tar db sqlite bin"
    " wasm map snap patch diff out parquet mp3 mp4 wav ttf woff woff2 pem crt key bak tmp lock"
)


@lru_cache(maxsize=4096)
def kind_of_path(path: str) -> str:
    """What kind of file or folder a path names; empty where the word does not look like one."""
    if path[:1] == "{" and path[1:-1] in KINDS and path[-1:] == "}":
        return path[1:-1]
    if "://" in path[:12]:
        return "url"
    if not _PATH.fullmatch(path):
        return ""
    bare = path.partition("::")[0].partition(":")[0] if not path.startswith(":") else path
    *folders, name = bare.replace("\\", "/").rstrip("/").split("/")
    end = name.rpartition(".")[2].lower().rstrip("*?") if "." in name.lstrip(".") else ""
    is_known = end in _SOURCE_ENDS or end in _CONFIG_ENDS or end in _DOC_ENDS or end in _DATA_ENDS
    is_config = name in _CONFIG_NAMES or (
        (is_known or name.startswith(".")) and bool(_CONFIG_NAME.search(name))
    )
    if " " in path and not is_known:
        return ""
    if not is_known and not is_config and "/" not in path and name not in (".", ".."):
        if name in _TEST_FOLDERS:
            return "test"
        return "config" if _CONFIG_NAME.search(name) else ""
    return _kind(name, folders, end, is_known, is_config)


def _kind(name: str, folders: list[str], end: str, is_known: bool, is_config: bool) -> str:
    if _MADE_NAME.search(name) or not _MADE_FOLDERS.isdisjoint(folders):
        return "generated"
    if not is_known and not is_config:
        if name in _MADE_FOLDERS:
            return "generated"
        is_test = name in _TEST_FOLDERS or not _TEST_FOLDERS.isdisjoint(folders)
        return "test" if is_test else "folder"
    if not _TEST_FOLDERS.isdisjoint(folders) or (end not in _DOC_ENDS and _TEST_NAME.search(name)):
        return "test"
    if is_config:
        return "config"
    if end in _DOC_ENDS or (end in _DATA_ENDS and not _DOC_FOLDERS.isdisjoint(folders)):
        return "docs"
    if end in _SOURCE_ENDS:
        return "source"
    return "config" if end in _CONFIG_ENDS else "file"
