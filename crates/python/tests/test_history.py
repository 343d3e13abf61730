"""Values over many builds: the tables of `uncask history`, and the queries of `docs/scale.md`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, Callable

import pytest
from buckets import Bucket

DOOR = "/Game/Blueprints/BP_Door"
BUILDS = 40


def angle(build: int) -> int:
    """How far a door opens in a build: it is changed in every fourth."""
    return 90 + build // 4 * 5


@pytest.fixture
def tables(testdata: Path, tmp_path: Path, command: Callable[..., bytes]) -> Path:
    """Tables of 40 builds."""
    if "catalog" not in command("info", "--json", testdata / "demo").decode():
        pytest.skip("the command uncask was built without the feature catalog")
    for build in range(BUILDS):
        paks = tmp_path / f"builds/1.{build}/Paks"
        shutil.copytree(testdata / "demo", paks)
        if angle(build) != 90:
            target, mod = f"{paks}:{DOOR}", paks / "~mods/Door_P.utoc"
            command("set", "-q", target, "Default__BP_Door_C.OpenAngle", str(angle(build)), "-o", mod)
    command("history", tmp_path / "builds/*/Paks", "--property", "OpenAngle", "-o", tmp_path / "damage")
    return tmp_path


def test_how_a_value_moved_over_forty_builds(tables: Path, testdata: Path, monkeypatch: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tables)
    assert len(list(tables.glob("damage/*.parquet"))) == BUILDS
    text = (testdata.parent / "docs/scale.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    block = block.replace("/Game/Weapons/DA_Axe", DOOR).replace("'Damage'", "'OpenAngle'")
    moved, everywhere = (duckdb.sql(query).fetchall() for query in block.split(";") if query.strip())
    assert moved == [(f"1.{build}", angle(build)) for build in range(0, BUILDS, 4)]
    assert everywhere == [(f"1.{build}", angle(build)) for build in range(BUILDS)]


def test_builds_in_a_bucket(bucket: Bucket, testdata: Path, command: Callable[..., bytes]) -> None:
    if "remote" not in command("info", "--json", testdata / "demo").decode():
        pytest.skip("the command uncask was built without the feature remote")
    shown = command("history", f"{bucket.url}/builds/*/Paks", "--property", "OpenAngle").decode()
    assert "Default__BP_Door_C.OpenAngle: 90 (1.0)\n" in shown
