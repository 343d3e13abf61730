"""Whole games, looked at and changed: classes, texts, values, builds, mods."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Callable

import pytest

import uncask

DOOR = "/Game/Blueprints/BP_Door"
ANGLE = "Default__BP_Door_C.OpenAngle"


def angles(game: uncask.Game) -> list[object]:
    """The values of the blueprint's defaults; its class has an object of that name, too."""
    hits = game.find(property="OpenAngle").values
    return [hit["value"] for hit in hits if hit["package"] == DOOR and hit["export"] == "Default__BP_Door_C"]


def test_classes(demo: uncask.Game) -> None:
    assert demo["T_Rock.uasset"].class_name == "/Script/Engine.Texture2D"
    assert demo["T_Rock.ubulk"].class_name == "/Script/Engine.Texture2D"
    assert demo["DefaultGame.ini"].class_name is None
    assert "class_name" not in demo.columns()
    columns = demo.columns(classes=True)
    assert columns["class_name"] == [entry.class_name for entry in demo]


def test_find(demo: uncask.Game, command: Callable[..., bytes]) -> None:
    found = demo.find(property="OpenAngle")
    assert angles(demo) == [90]
    assert found.ok and not found.cut and not found.without_mappings
    printed = json.loads(command("find", "testdata/demo", "--property", "OpenAngle", "--json"))
    assert printed["hits"] == found.values
    assert demo.find(value=">89").values and not demo.find(value=">90", property="OpenAngle").values
    assert demo.find("*/Maps/*", property="OpenAngle").values == []
    with pytest.raises(uncask.InvalidArgument):
        demo.find(property="[")


def test_set_and_diff(demo: uncask.Game, testdata: Path, tmp_path: Path) -> None:
    output = tmp_path / "Doors_P.utoc"
    edit = demo.set(DOOR, {ANGLE: 120}, output)
    assert edit.changes == [(ANGLE, "90", "120")] and len(edit.files) == 1 and output.is_file()
    modded = uncask.open([testdata / "demo", output])
    assert angles(modded) == [120]
    changes = modded.diff(demo)
    assert [change.change for change in changes if change.new and change.new.path.endswith("BP_Door.uasset")] == ["changed"]
    assert modded.diff(demo, "*.ini") == []
    assert demo.diff(demo) == []
    with pytest.raises(uncask.UncaskError, match="OpenAngel"):
        demo.set(DOOR, {"Default__BP_Door_C.OpenAngel": 1}, tmp_path / "out")
    assert demo.set(DOOR, {ANGLE: 90}, tmp_path / "same").files == []
    files = demo.set(DOOR, {ANGLE: 45}, tmp_path / "files").files
    assert all((tmp_path / "files" / path).is_file() for path in files) and len(files) == 2


def test_changes_become_a_mod_and_a_recipe(demo: uncask.Game, testdata: Path, tmp_path: Path) -> None:
    changes = demo.edit().multiply("/Game/Blueprints/*", "*.OpenAngle", 2).add("*/BP_Door", ANGLE, 1, where={".": ">5"})
    changes.set(["/Game/Maps/Start"], "*.Count", 9, where={"Count": [2, 3]}, expected=2)
    assert len(changes) == 3
    preview = changes.preview()
    assert not preview.is_written and preview.packages == 2
    assert [change[1:] for change in preview.changes if change[1] == ANGLE] == [(ANGLE, "90", "180"), (ANGLE, "180", "181")]
    assert [doubt[1:] for doubt in preview.doubts] == [("BP_Door_C_1.Count", "2", "3")]
    output = tmp_path / "Doors_P.utoc"
    built = changes.save(output)
    assert built.is_written and built.problems == [] and output.is_file()
    assert angles(uncask.open([testdata / "demo", output])) == [181]
    changes.recipe(tmp_path / "recipe")
    assert 'multiply = 2.0' in (tmp_path / "recipe" / "mod.toml").read_text()
    with pytest.raises(uncask.UncaskError):
        changes.recipe(tmp_path / "recipe")
    # A change that finds nothing is a problem, and nothing is written.
    nothing = demo.edit().remove("/Game/*", "*.Nothing").append("/Game/*", "*.Nowhere", [1], optional=True)
    built = nothing.save(tmp_path / "Nothing_P.utoc")
    assert built.problems == ["no value to change"] and not built.is_written
    with pytest.raises(uncask.InvalidArgument, match="column"):
        demo.edit().set("/Game/A", "A..B", 1)


def test_texts(tmp_path: Path, command: Callable[..., bytes]) -> None:
    def text(value: str) -> bytes:
        return struct.pack("<i", len(value) + 1) + value.encode() + b"\0"

    # The oldest form: no magic, and one namespace with one key.
    locres = struct.pack("<I", 1) + text("Menu") + struct.pack("<I", 1) + text("play") + struct.pack("<I", 7) + text("Spielen")
    file = tmp_path / "tree/Demo/Content/Localization/Game/de/Game.locres"
    file.parent.mkdir(parents=True)
    file.write_bytes(locres)
    command("pack", str(tmp_path / "tree"), "-o", str(tmp_path / "Demo.pak"))
    [row] = uncask.open(tmp_path / "Demo.pak").texts()
    assert (row["namespace"], row["key"], row["texts"]) == ("Menu", "play", {"de": "Spielen"})
    file.write_bytes(locres[:-3])
    command("pack", str(tmp_path / "tree"), "-o", str(tmp_path / "Damaged.pak"))
    with pytest.warns(uncask.UncaskWarning, match="Game.locres"):
        uncask.open(tmp_path / "Damaged.pak").texts()


def test_what_is_missing_says_what(testdata: Path, demo: uncask.Game, tmp_path: Path) -> None:
    with pytest.raises(uncask.InputMissing) as missing:
        uncask.open(testdata / "nowhere")
    assert isinstance(missing.value, FileNotFoundError) and not isinstance(missing.value, LookupError)
    with pytest.raises(uncask.InputMissing):
        uncask.open(tmp_path)
    with pytest.raises(uncask.NotFound) as missing_chunk:
        demo.read("Nothing.uasset")
    assert not isinstance(missing_chunk.value, OSError)


def test_levels_are_tables(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "iostore/ue5.8/tagged"
    game = uncask.open(folder / "Zlib", base=folder / "global.utoc")
    rows = game.scene("/Game/Fixtures/Maps/Streaming")
    # The mesh of a level that stands in this one twice: once for an actor, once as the world says.
    placed = {(row["x"], row["y"], row["z"]) for row in rows if row["actor"] == "StreamedMesh"}
    assert len(placed) == 2
    child = next(row for row in rows if row["component"] == "AttachmentChild")
    assert (child["x"], child["y"], child["z"]) == (11, 22, 33) and child["parent"] == "AttachmentRoot"
    assert [child[part] for part in ("sx", "sy", "sz")] == [0.5, 1.5, 2.5] and child["visible"]
    written = game.export(tmp_path, "Streaming.umap", forms="scene")
    assert written.ok and [path.name for path in tmp_path.rglob("*.glb")] == ["Streaming.glb"]
    few = game.export(
        tmp_path / "few", "Streaming.umap", forms="scene", classes="*Light*", within=(0, 0, 1e9), textures=False
    )
    assert few.ok and sum(asset.bytes for asset in few.assets) < sum(asset.bytes for asset in written.assets)


def test_words_of_an_export(demo: uncask.Game, tmp_path: Path) -> None:
    with pytest.raises(uncask.InvalidArgument, match='cube is "round", expected one of faces, equirectangular'):
        demo.export(tmp_path, cube="round")  # type: ignore[arg-type]
    with pytest.raises(uncask.InvalidArgument, match="nanite is -1, expected 0 or more"):
        demo.export(tmp_path, nanite=-1.0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        demo.export(tmp_path, colour=True)  # type: ignore[call-arg]
    assert demo.export(tmp_path, "Cube", collision=True, nanite="fallback", forms=None).ok
