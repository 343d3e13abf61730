"""Whole jobs: unpack, to_legacy, export, verify; progress, and how they end early."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import uncask


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_unpack(demo: uncask.Game, tmp_path: Path) -> None:
    seen: list[uncask.Progress] = []
    outcome = demo.unpack(tmp_path, progress=seen.append)
    assert outcome.ok and not outcome.failures
    assert (outcome.count, outcome.bytes) == (len(demo), sum(entry.size for entry in demo))
    assert files(tmp_path) == {entry.path: demo.read(entry) for entry in demo}
    last = seen[-1]
    assert (last.done, last.chunks) == (last.total, last.total_chunks) == (outcome.bytes, outcome.count)
    assert sorted(seen, key=lambda now: now.done) == seen
    assert repr(outcome) == "<Outcome ok: 17 done, 900228 bytes, 0 skipped>"
    outcome.raise_if_failed()
    again = demo.unpack(tmp_path)
    assert again.unchanged == sum(entry.hash is not None for entry in demo)


def test_patterns_and_overwrite(demo: uncask.Game, tmp_path: Path) -> None:
    assert demo.unpack(tmp_path, ["*.umap", "*.ini"], exclude="Cave").count == 2
    assert set(files(tmp_path)) == {"Demo/Content/Maps/Start.umap", "Demo/Config/DefaultGame.ini"}
    ini = tmp_path / "Demo/Config/DefaultGame.ini"
    right = ini.read_bytes()
    ini.write_bytes(b"mine")
    assert demo.unpack(tmp_path, "*.ini", overwrite="never").kept == 1
    assert ini.read_bytes() == b"mine"
    demo.unpack(tmp_path, "*.ini", overwrite="always")
    assert ini.read_bytes() == right


def test_packages_come_out_as_the_cooker_wrote_them(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "iostore/ue5.8/tagged"
    game = uncask.open(folder / "Zlib", base=folder / "global.utoc")
    outcome = game.to_legacy(tmp_path)
    outcome.raise_if_failed()
    assert all(package["engine"] == "5.8" for package in outcome.packages) and outcome.packages
    written = {path.name: path for path in tmp_path.rglob("*") if path.is_file()}
    compared = 0
    for cooked in (corpus / "packages/ue5.8-tagged").rglob("*"):
        if cooked.is_file() and cooked.name in written:
            assert written[cooked.name].read_bytes() == cooked.read_bytes(), cooked
            compared += 1
    assert compared >= 10


def test_export(demo: uncask.Game, tmp_path: Path) -> None:
    outcome = demo.export(tmp_path)
    assert outcome.ok
    by_object = {asset.object: asset for asset in outcome.assets}
    assert set(by_object) == {"T_Rock", "Cube", "Theme", "M_Rock"}
    assert by_object["T_Rock"].files == ["Demo/Content/Textures/T_Rock.png"]
    assert set(files(tmp_path)) == {file for asset in outcome.assets for file in asset.files}
    assert (tmp_path / by_object["T_Rock"].files[0]).read_bytes().startswith(b"\x89PNG")
    assert outcome.other_classes["World"] == 2
    only = demo.export(tmp_path / "dds", "T_Rock", forms=["dds"], all_mips=True)
    assert [asset.files for asset in only.assets] == [["Demo/Content/Textures/T_Rock.dds"]]


def test_what_cannot_be_written(demo: uncask.Game, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(uncask.FileError) as caught:
        demo.unpack(tmp_path / "file")
    assert isinstance(caught.value, OSError)


def test_an_exception_in_the_callback_ends_the_job(demo: uncask.Game, tmp_path: Path) -> None:
    def stop(_: uncask.Progress) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        demo.unpack(tmp_path, progress=stop)
    # What is there is whole.
    for path, content in files(tmp_path).items():
        assert content == demo.read(path)
    with pytest.raises(TypeError):
        demo.unpack(tmp_path, progress=5)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform == "win32", reason="no process can send itself Ctrl-C there")
def test_ctrl_c_ends_a_job(corpus: Path, tmp_path: Path) -> None:
    """A process of its own gets the signal: in the middle of the job, since it does nothing else."""
    folder = corpus / "iostore/ue5.8/tagged"
    script = textwrap.dedent(
        """
        import signal, sys, uncask
        # Whoever has started the tests in the background may have left the signal ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        game = uncask.open(sys.argv[1], threads=1)
        print("ready", flush=True)
        try:
            while True:
                game.unpack(sys.argv[2], overwrite="always")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    arguments = [sys.executable, "-c", script, str(folder / "Oodle"), str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        os.kill(process.pid, signal.SIGINT)
        try:
            assert process.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            process.kill()
        assert process.returncode == 0
    rows = (line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines())
    right = {row[1].replace("../../../", ""): row[3] for row in rows}
    written = files(tmp_path)
    assert written
    # Nothing unfinished is left, and what is there is whole.
    for path, content in written.items():
        if path in right:
            assert hashlib.sha256(content).hexdigest() == right[path], path
        else:
            assert path.startswith("chunks/"), path


def test_summaries_can_be_written_as_json(demo: uncask.Game, tmp_path: Path) -> None:
    import dataclasses

    assert json.loads(json.dumps(dataclasses.asdict(demo.verify())))["ok"] is True
