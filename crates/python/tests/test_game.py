"""Games as collections of entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest

import uncask

MAP = "Demo/Content/Maps/Start.umap"


def test_entries_are_what_the_command_lists(
    demo: uncask.Game, testdata: Path, command: Callable[..., bytes]
) -> None:
    listed = json.loads(command("list", str(testdata / "demo"), "--json"))
    rows = {row["id"]: row for row in listed["chunks"]}
    assert len(demo) == len(rows) == len(list(demo))
    for entry in demo:
        row = rows[entry.chunk_id]
        assert (entry.path if entry.has_path else None) == row["path"]
        assert (entry.size, entry.compressed_size) == (row["size"], row["stored"])
        assert (entry.chunk_type, entry.container) == (row["type"], row["container"])
        assert (entry.compression, entry.hash) == (row["method"], row["hash"])
        assert not entry.encrypted


def test_names_of_every_form_mean_the_same_entry(demo: uncask.Game) -> None:
    entry = demo[MAP]
    for name in [MAP.upper(), "Start.umap", "/Game/Maps/Start", entry.chunk_id]:
        assert name in demo
        assert demo[name] == entry
        assert hash(demo[name]) == hash(entry)
    assert entry in demo
    assert demo["/Game/Maps/Cave"] != entry
    assert "nobody" not in demo
    assert 5 not in demo
    assert repr(entry) == f'<Entry "{MAP}" package, 136053 bytes>'
    assert repr(demo) == "<Game: 17 chunks in 9 containers>"


def test_globs(demo: uncask.Game) -> None:
    assert {entry.path for entry in demo.glob("*.umap")} == {MAP, "Demo/Content/Maps/Cave.umap"}
    assert [entry.path for entry in demo.glob("*.umap", exclude="Cave")] == [MAP]
    assert len(demo.glob("*.umap", "*.ini")) == 3
    assert demo.glob("*.nothing") == []


def test_what_has_no_name_is_not_found(demo: uncask.Game, testdata: Path) -> None:
    with pytest.raises(uncask.NotFound, match='no chunk has the name "nobody"') as caught:
        demo["nobody"]
    assert isinstance(caught.value, LookupError)
    with pytest.raises(uncask.Ambiguous, match="expected one"):
        demo.read("*.u*")
    with pytest.raises(uncask.InputMissing, match="cannot open input"):
        uncask.open(testdata / "nowhere")
    with pytest.raises(uncask.Unsupported, match="input is not a .utoc"):
        uncask.open(testdata / "README.md")


def test_arguments_that_make_no_sense(testdata: Path, demo: uncask.Game, tmp_path: Path) -> None:
    with pytest.raises(uncask.InvalidArgument, match="neither hex nor base64") as caught:
        uncask.open(testdata / "demo", keys="xyz")
    assert isinstance(caught.value, ValueError)
    with pytest.raises(uncask.InvalidArgument, match='engine release "7.3" is not known'):
        uncask.open(testdata / "demo", engine="7.3")
    with pytest.raises(uncask.InvalidArgument, match='overwrite is "x"'):
        demo.unpack(tmp_path, overwrite="x")  # type: ignore[arg-type]
    with pytest.raises(uncask.InvalidArgument, match="form is"):
        demo.export(tmp_path, forms="gif")  # type: ignore[arg-type]
    with pytest.raises(uncask.InvalidArgument, match="another game"):
        demo.read(next(iter(uncask.open(testdata / "demo"))))


def test_keys(testdata: Path, tmp_path: Path) -> None:
    folder, key, guid = testdata / "encrypted", "11" * 32, "0" * 32
    file = tmp_path / "keys.txt"
    file.write_text(f"# the key\n{key}\n")
    for keys in [key, [key], {guid: key}, f"{guid}={key}", f"@{file}"]:
        game = uncask.open(folder, keys=keys)
        assert all(container.locked is None for container in game.containers if not container.base)
        assert game.verify().ok
    locked = uncask.open(folder)
    assert isinstance(locked.containers[0].locked, uncask.KeyMissing)
    outcome = locked.verify()
    assert not outcome.ok
    assert all(isinstance(failure.error, uncask.KeyMissing) for failure in outcome.failures)
    with pytest.raises(uncask.KeyMissing, match="no key was given"):
        outcome.raise_if_failed()
    with pytest.raises(uncask.WrongKey):
        uncask.open(folder, keys="22" * 32).verify().raise_if_failed()


def test_several_paths_are_one_game(testdata: Path) -> None:
    game = uncask.open([testdata / "demo", str(testdata / "encrypted")], keys="11" * 32)
    names = {container.name for container in game.containers}
    assert {"secret-Demo", "pakchunk0-Demo", "global"} <= names
    assert game.verify().ok


def test_containers(demo: uncask.Game) -> None:
    patch = next(one for one in demo.containers if one.name == "pakchunk0-Demo_0_P" and one.kind == "iostore")
    assert (patch.version, patch.engine, patch.chunks, patch.mount_point) == (8, "UE 5.5", 2, "../../../")
    assert demo.containers.index(patch) < [one.name for one in demo.containers].index("pakchunk0-Demo")
    assert {one.kind for one in demo.containers} == {"iostore", "pak"}
    assert demo.failed == []


def test_a_container_that_cannot_be_opened(testdata: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.utoc").write_bytes(b"not a container" * 100)
    (tmp_path / "good.pak").write_bytes((testdata / "demo/pakchunk0-Demo.pak").read_bytes())
    game = uncask.open(tmp_path)
    assert [type(error) for error in game.failed] == [uncask.Damaged]
    assert len(game) > 0


def test_columns_make_a_frame(demo: uncask.Game) -> None:
    columns = demo.columns()
    for name, column in columns.items():
        assert column == [getattr(entry, name) for entry in demo], name
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns)
    assert frame["size"].sum() == sum(entry.size for entry in demo)
    assert frame.groupby("container").size()["pakchunk1-Demo"] == 3
