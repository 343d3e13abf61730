#!/usr/bin/env python3
"""Licences of everything that is in the program and in the page: `notices.py OUT` writes them, `notices.py --check FILE` compares.

Nothing is downloaded: the texts come from the sources that Cargo.lock names, which `cargo fetch` has brought.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What is built into a release: the program with its features, and the page.
FEATURES = "remote,catalog"
ROOTS = ["uncask", "uncask-web", "uncask-python"]
# Files that hold the text of a licence, or what it asks to be passed on.
TEXTS = re.compile(r"(?i)^((licen[cs]e|copying|copyright|notice|unlicense)([-_. ].*)?|.*\.licen[cs]e)$")
# Sources beside the crates: of the page's scripts.
VENDORED = {
    "three.js (in the page of browse)": ROOT / "src/browse/page/vendor/three",
    "d3-hierarchy (in reports)": ROOT / "src/bin/uncask/command/report/page/vendor",
}


def packages() -> list[dict]:
    """The crates of a release, without those of this repository, and without those that only tests and builds use."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--features", FEATURES]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    by_id = {package["id"]: package for package in metadata["packages"]}
    ahead = [identity for identity, package in by_id.items() if package["name"] in ROOTS and package["source"] is None]
    seen: set[str] = set()
    while ahead:
        identity = ahead.pop()
        if identity in seen:
            continue
        seen.add(identity)
        for dependency in nodes[identity]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                ahead.append(dependency["pkg"])
    found = [by_id[identity] for identity in seen if by_id[identity]["source"] is not None]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def texts(folder: Path) -> list[str]:
    """Texts of licences in a folder, also of the C sources that some crates bring."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and TEXTS.match(path.name)]
    for below in sorted(path for path in folder.iterdir() if path.is_dir() and path.name not in {"tests", "benches"}):
        files += [path for path in sorted(below.iterdir()) if path.is_file() and TEXTS.match(path.name)]
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def names() -> list[str]:
    return [f"{package['name']} {package['version']}" for package in packages()]


def notices() -> str:
    """All licences, each text once, with those that it is for."""
    listed, by_text = [], {}
    for package in packages():
        name = f"{package['name']} {package['version']}"
        listed.append(f"{name}: {package['license'] or 'see below'}, {package['repository'] or 'no address'}")
        for text in texts(Path(package["manifest_path"]).parent):
            by_text.setdefault(text, []).append(name)
    for name, folder in VENDORED.items():
        found = texts(folder)
        assert found, f"no licence in {folder}"
        listed.append(name)
        for text in found:
            by_text.setdefault(text, []).append(name)
    parts = ["uncask contains the work of others. Their licences:", "\n".join(listed)]
    for text, of in sorted(by_text.items(), key=lambda pair: pair[1]):
        parts.append("-" * 80 + "\n" + ", ".join(dict.fromkeys(of)) + "\n\n" + text)
    return "\n\n".join(parts) + "\n"


def check(file: Path) -> None:
    """Fails if a crate that Cargo.lock names for a release is missing."""
    listed = {line.split(":")[0] for line in file.read_text(encoding="utf-8").splitlines()}
    missing = [name for name in names() if name not in listed]
    if missing:
        sys.exit("not in the notices: " + ", ".join(missing))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        check(Path(sys.argv[2]))
    elif len(sys.argv) == 2:
        Path(sys.argv[1]).write_text(notices(), encoding="utf-8", newline="\n")
    else:
        sys.exit(__doc__)
