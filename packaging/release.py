#!/usr/bin/env python3
"""What a release is made of. The workflow calls it, and `dry-run` tests it here.

    release.py check v0.1.0                  whether this version can be released
    release.py archive TARGET BINARY OUT     the archive of one system: program, manual pages, completions, licences
    release.py checksums FOLDER              SHA256SUMS for all files of a folder
    release.py manifests FOLDER OUT          manifests of package managers, for the archives of a folder
    release.py image FOLDER OUT              the programs for a container image, from the archives of a folder
    release.py dry-run BINARY                all of it in a temporary folder, with this program of x86-64 Linux
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
TARGETS = [
    "aarch64-apple-darwin",
    "aarch64-pc-windows-msvc",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
]
DOCUMENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "SECURITY.md"]
NOTICES = "THIRD-PARTY.txt"
COMPLETIONS = {
    "bash": "uncask.bash",
    "elvish": "uncask.elv",
    "fish": "uncask.fish",
    "powershell": "_uncask.ps1",
    "zsh": "_uncask",
}


def cargo_toml(key: str) -> str | None:
    """A text in Cargo.toml: the first one of this name."""
    found = re.search(rf'^{key} = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else None


def version() -> str:
    found = cargo_toml("version")
    assert found, "Cargo.toml has no version"
    return found


def check(tag: str) -> None:
    """Fails with what is not ready."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    problems = []
    if tag != f"v{version()}":
        problems.append(f"tag is {tag}, expected v{version()} (Cargo.toml)")
    if not re.search(rf"^## {re.escape(version())}\b", changes, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no section {version()}")
    if cargo_toml("repository") is None:
        problems.append("Cargo.toml has no repository, which cargo binstall needs: CONTRIBUTING.md says what a first release takes")
    if problems:
        sys.exit("\n".join(problems))


def archive_name(target: str) -> str:
    return f"uncask-{version()}-{target}.{'zip' if 'windows' in target else 'tar.gz'}"


def contents(target: str, program: Path, scratch: Path) -> dict[str, Path]:
    """The files of an archive, by their paths in it."""
    files = {"uncask.exe" if "windows" in target else "uncask": program}
    files |= {name: ROOT / name for name in DOCUMENTS}
    # The README links to them.
    files |= {f"docs/{page.name}": page for page in (ROOT / "docs").glob("*.md")}
    notices = scratch / NOTICES
    subprocess.run([sys.executable, PACKAGING / "notices.py", notices], check=True)
    files[NOTICES] = notices
    pages = scratch / "man"
    subprocess.run([program, "-q", "man", "-o", pages], check=True)
    files |= {f"man/{page.name}": page for page in pages.iterdir()}
    for shell, name in COMPLETIONS.items():
        script = scratch / name
        with script.open("wb") as out:
            subprocess.run([program, "completions", shell], check=True, stdout=out)
        files[f"completions/{name}"] = script
    return dict(sorted(files.items()))


def archive(target: str, program: Path, out: Path, level: int = 9) -> Path:
    """Makes the archive of one system. The same files make the same bytes."""
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", "1577836800"))
    out.mkdir(parents=True, exist_ok=True)
    path, folder = out / archive_name(target), f"uncask-{version()}-{target}"
    with tempfile.TemporaryDirectory() as scratch:
        files = contents(target, program.resolve(), Path(scratch))
        if path.suffix == ".zip":
            write_zip(path, folder, files, moment, level)
        else:
            write_tar(path, folder, files, moment, level)
    return path


def write_zip(path: Path, folder: str, files: dict[str, Path], moment: int, level: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as to:
        for name, file in files.items():
            info = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(moment)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            to.writestr(info, file.read_bytes(), compresslevel=level)


def write_tar(path: Path, folder: str, files: dict[str, Path], moment: int, level: int) -> None:
    def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        info.mtime = moment
        info.mode = 0o755 if info.name.endswith("/uncask") else 0o644
        return info

    # No name and no time of its own in the compressed stream.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", level, raw, moment) as packed:
        with tarfile.open(fileobj=packed, mode="w") as to:
            for name, file in files.items():
                to.add(file, f"{folder}/{name}", filter=plain)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def checksums(folder: Path) -> None:
    """Writes SHA256SUMS, as `sha256sum --check` reads it."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{sha256(path)}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def manifests(folder: Path, out: Path) -> None:
    """Fills in the templates: `@VERSION@`, `@REPOSITORY@`, `@URL TARGET@`, `@SHA256 TARGET@`."""
    repository = os.environ.get("REPOSITORY") or cargo_toml("repository")
    assert repository, "Cargo.toml has no repository, and REPOSITORY is not set"

    def value(found: re.Match[str]) -> str:
        word, _, target = found.group(1).partition(" ")
        if word == "VERSION":
            return version()
        if word == "REPOSITORY":
            return repository
        name = archive_name(target)
        if word == "URL":
            return f"{repository}/releases/download/v{version()}/{name}"
        assert word == "SHA256", f"template has the unknown word {word}"
        return sha256(folder / name)

    for template in sorted(PACKAGING.rglob("*.in")):
        path = out / template.relative_to(PACKAGING).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"@([A-Z0-9]+(?: [a-z0-9_-]+)?)@", value, template.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")


# Architectures as container images name them.
IMAGES = {"amd64": "x86_64-unknown-linux-gnu", "arm64": "aarch64-unknown-linux-gnu"}


def image(folder: Path, out: Path) -> None:
    """Takes the programs for an image out of the archives for Linux."""
    for name, target in IMAGES.items():
        program = out / name / "uncask"
        program.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(folder / archive_name(target)) as packed:
            member = packed.extractfile(f"uncask-{version()}-{target}/uncask")
            assert member, f"no program in the archive for {target}"
            program.write_bytes(member.read())
        program.chmod(0o755)


def dry_run(program: Path) -> None:
    """Makes a release of one program, and checks what came out."""
    os.environ.setdefault("REPOSITORY", "https://example.org/uncask")
    with tempfile.TemporaryDirectory() as scratch:
        out, filled, home = Path(scratch) / "out", Path(scratch) / "filled", Path(scratch) / "home"
        real = ["x86_64-pc-windows-msvc", "x86_64-unknown-linux-gnu"]
        in_zip, in_tar = (archive(target, program, out, level=1) for target in real)
        archive(IMAGES["arm64"], program, out, level=1)
        first = sha256(in_tar)
        assert sha256(archive(real[1], program, out, level=1)) == first, "the same files made other bytes"
        for target in set(TARGETS) - set(real) - set(IMAGES.values()):
            (out / archive_name(target)).write_bytes(target.encode())
        checksums(out)
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out, check=True)
        manifests(out, filled)
        for path in (path for path in filled.rglob("*") if path.is_file()):
            text = path.read_text(encoding="utf-8")
            assert "@" not in text, f"something is not filled in: {path.name}"
            assert version() in text, f"no version: {path.name}"
            if path.suffix == ".json":
                json.loads(text)
        # What a user does: take it out of the archive, and run it.
        with tarfile.open(in_tar) as packed:
            names = packed.getnames()
            packed.extractall(home)
        folder = home / f"uncask-{version()}-{real[1]}"
        # Every crate that is built in is named, with its licence.
        subprocess.run([sys.executable, PACKAGING / "notices.py", "--check", folder / NOTICES], check=True)
        for name in ["man/uncask.1", "man/uncask-unpack.1", "completions/_uncask", "LICENSE-MIT", "docs/guide.md"]:
            assert (folder / name).stat().st_size > 0, name
        said = subprocess.run([folder / "uncask", "--version"], check=True, stdout=subprocess.PIPE, text=True)
        assert said.stdout == f"uncask {version()}\n", said.stdout
        image(out, Path(scratch) / "image")
        for name in IMAGES:
            taken = Path(scratch) / "image" / name / "uncask"
            assert sha256(taken) == sha256(program) and os.access(taken, os.X_OK), name
            assert "image/${TARGETARCH}/uncask" in (PACKAGING / "Dockerfile").read_text(encoding="utf-8")
        with zipfile.ZipFile(in_zip) as packed_zip:
            assert packed_zip.testzip() is None
            assert any(name.endswith("/uncask.exe") for name in packed_zip.namelist())
        made = len([path for path in filled.rglob("*") if path.is_file()])
        print(f"archives of {len(names)} files, and {made} manifests: as they should be")


# What each word of the command line does, and what its arguments are.
JOBS: dict[str, tuple[Callable[..., object], list[Callable[[str], object]]]] = {
    "check": (check, [str]),
    "archive": (archive, [str, Path, Path]),
    "checksums": (checksums, [Path]),
    "manifests": (manifests, [Path, Path]),
    "image": (image, [Path, Path]),
    "dry-run": (dry_run, [Path]),
}


def main(arguments: list[str]) -> None:
    found = JOBS.get(arguments[0]) if arguments else None
    if found is None or len(arguments) != len(found[1]) + 1:
        sys.exit(__doc__)
    job, kinds = found
    job(*(kind(argument) for kind, argument in zip(kinds, arguments[1:])))


if __name__ == "__main__":
    main(sys.argv[1:])
