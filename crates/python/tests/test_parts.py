"""Games as rows of a table, in parts."""

from __future__ import annotations

import multiprocessing
import pickle
from pathlib import Path
from typing import Any, Iterable

import pytest

import uncask

pyarrow = pytest.importorskip("pyarrow")

KINDS = ("chunks", "packages", "files", "values", "export")


def rows(parts: Iterable[uncask.Part], **options: Any) -> list[dict[str, Any]]:
    return [row for part in parts for batch in part.read(**options) for row in batch.to_pylist()]


@pytest.mark.parametrize("what", KINDS)
def test_parts_have_everything_once(testdata: Path, what: Any) -> None:
    (whole,) = uncask.parts(testdata / "demo", what, count=1)
    parts = uncask.parts(testdata / "demo", what, count=5)
    assert 1 < len(parts) <= 5
    assert sum(part.size for part in parts) == whole.size
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    found, expected = rows(parts), rows([whole])
    assert not [row["error"] for row in expected if row["error"]]
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


def test_chunks_are_what_the_game_reads(demo: uncask.Game, testdata: Path) -> None:
    found = {row["path"]: row for row in rows(uncask.parts(testdata / "demo", "chunks"))}
    assert found.keys() == {entry.path for entry in demo}
    for entry in demo:
        row = found[entry.path]
        assert row["bytes"] == demo.read(entry)
        assert (row["id"], row["size"], row["hash"]) == (entry.chunk_id, entry.size, entry.hash)
        assert row["class"] == (entry.class_name if entry.chunk_type == "package" else None)


@pytest.mark.parametrize("what, job", [("files", "to_legacy"), ("export", "export")])
def test_made_files_are_those_of_the_job(demo: uncask.Game, testdata: Path, tmp_path: Path, what: Any, job: str) -> None:
    packages = [entry.path for entry in demo if entry.chunk_type == "package"]
    getattr(demo, job)(tmp_path, packages).raise_if_failed()
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*")}
    made = rows(uncask.parts(testdata / "demo", what))
    assert {row["path"]: row["bytes"] for row in made} == written
    assert all(row["package"] and row["class"].startswith("/Script/") for row in made)


def test_values_are_those_of_the_game(demo: uncask.Game, testdata: Path) -> None:
    import json

    found = rows(uncask.parts(testdata / "demo", "values"))
    assert len(found) == 8
    for row in found:
        assert json.loads(row["values"]) == demo.properties(row["package"]), row["path"]


def test_only_what_is_wanted_is_read(testdata: Path) -> None:
    parts = uncask.parts(testdata / "demo", "chunks", patterns="*/Maps/*", exclude="*.ubulk")
    found = rows(parts, columns=["size", "path"])
    assert found and all(list(row) == ["size", "path"] and "/Maps/" in row["path"] for row in found)
    with pytest.raises(uncask.InvalidArgument, match="no column"):
        rows(parts, columns=["nothing"])
    with pytest.raises(uncask.InvalidArgument, match="expected one of chunks"):
        uncask.parts(testdata / "demo", "things")  # type: ignore[arg-type]


def test_parts_go_to_other_processes(testdata: Path) -> None:
    parts = uncask.parts(testdata / "demo", "packages", count=3)
    assert max(len(pickle.dumps(part)) for part in parts) < 1000
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(paths, parts)
    assert sorted(sum(found, [])) == sorted(row["path"] for row in rows(parts))


def paths(part: uncask.Part) -> list[str]:
    return [row["path"] for row in rows([part], columns=["path"])]


def test_keys_are_not_shown(testdata: Path) -> None:
    (build,) = uncask.builds(testdata / "demo", keys={"00000000-0000-0000-0000-000000000000": "0x" + "41" * 32})
    assert "41" not in repr(build) and hash(build)
    assert pickle.loads(pickle.dumps(build)) == build


def test_builds_are_games_of_their_own(testdata: Path) -> None:
    demo = testdata / "demo"
    assert [build.paths for build in uncask.builds([demo, (demo, testdata)])] == [(str(demo),), (str(demo), str(testdata))]
    assert [build.name for build in uncask.builds(f"{testdata}/dem?")] == [str(demo)]
    assert {row["build"] for row in rows(uncask.parts([demo]), columns=["build"])} == {str(demo)}


def test_what_is_damaged_is_a_row(testdata: Path, tmp_path: Path) -> None:
    name = "pakchunk1-Demo"
    for kind in ("utoc", "ucas"):
        content = bytearray((testdata / f"demo/{name}.{kind}").read_bytes())
        if kind == "ucas":
            content[: len(content) // 2] = bytes(len(content) // 2)
        (tmp_path / f"{name}.{kind}").write_bytes(content)
    for what in KINDS:
        found = rows(uncask.parts(tmp_path, what))  # type: ignore[arg-type]
        failed = [row for row in found if row["error"]]
        assert failed, what
        assert all(row.get("bytes") is None and row.get("values") is None for row in failed)


def test_a_stream_is_read_once(testdata: Path) -> None:
    (part,) = uncask.parts(testdata / "demo", count=1)
    stream = part.stream(["path"])
    assert stream.column_names == ["path"]
    assert pyarrow.RecordBatchReader.from_stream(stream).read_all().num_rows == 8
    with pytest.raises(StopIteration):
        stream.__arrow_c_stream__()


def test_a_stream_may_be_left_in_the_middle(testdata: Path) -> None:
    for _ in range(20):
        for part in uncask.parts(testdata / "demo", "chunks"):
            next(part.read(memory=1 << 20))
