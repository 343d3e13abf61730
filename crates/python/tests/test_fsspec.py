"""Games as file systems."""

from __future__ import annotations

from pathlib import Path

import pytest

import uncask

fsspec = pytest.importorskip("fsspec")


def test_files_are_chunks(demo: uncask.Game) -> None:
    from uncask.files import UncaskFileSystem

    files = UncaskFileSystem(demo)
    assert sorted(files.find("")) == sorted(entry.path for entry in demo)
    maps = files.ls("Demo/Content/Maps", detail=False)
    assert "Demo/Content/Maps/Start.umap" in maps
    assert files.isdir("Demo/Content") and not files.exists("Demo/Content/Nothing")
    entry = demo["Demo/Content/Maps/Start.umap"]
    assert files.info(entry.path)["size"] == entry.size and files.checksum(entry.path) == entry.hash
    content = demo.read(entry)
    assert files.cat(entry.path) == content
    assert files.cat_file(entry.path, 10, 20) == content[10:20] and files.cat_file(entry.path, -5) == content[-5:]
    with files.open(entry.path, block_size=1000) as file:
        file.seek(5000)
        assert file.read(3000) == content[5000:8000]
    with pytest.raises(FileNotFoundError):
        files.cat("Demo/Nothing.uasset")
    with pytest.raises(OSError, match="read only"):
        files.open(entry.path, "wb")


def test_addresses_open_games(testdata: Path) -> None:
    with fsspec.open("uncask://Demo/Config/DefaultGame.ini", paths=str(testdata / "demo")) as file:
        assert file.read().startswith(b"Setting 0 0\n")
    assert fsspec.filesystem("uncask", paths=str(testdata / "demo")).glob("**/*.umap")
    with pytest.raises(TypeError, match="paths"):
        fsspec.filesystem("uncask")


def test_other_libraries_open_files_in_a_game(demo: uncask.Game, testdata: Path) -> None:
    pandas = pytest.importorskip("pandas")
    options = {"paths": str(testdata / "demo")}
    table = pandas.read_csv("uncask://Demo/Config/DefaultGame.ini", sep=" ", header=None, storage_options=options)
    assert table.shape == (40, 3)
    pyarrow = pytest.importorskip("pyarrow.fs")
    files = pyarrow.PyFileSystem(pyarrow.FSSpecHandler(fsspec.filesystem("uncask", **options)))
    assert files.get_file_info("Demo/Content/Maps/Start.umap").size == demo["Demo/Content/Maps/Start.umap"].size
    with files.open_input_file("Demo/Config/DefaultGame.ini") as file:
        assert file.read_at(9, 0) == b"Setting 0"
    dask = pytest.importorskip("dask.dataframe")
    frame = dask.read_csv("uncask://Demo/Config/*.ini", sep=" ", header=None, storage_options=options, blocksize=200)
    assert frame.npartitions > 1 and len(frame) == len(table)
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as database:
        database.register_filesystem(fsspec.filesystem("uncask", **options))
        ((count,),) = database.sql("select count(*) from read_text('uncask://Demo/Config/*.ini')").fetchall()
    assert count >= 1
