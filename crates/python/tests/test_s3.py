"""Games in a bucket, and output into one, with a server of the kind on this machine."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from buckets import Bucket

import uncask


def test_a_folder_of_a_bucket_is_a_game(bucket: Bucket, demo: uncask.Game) -> None:
    game = uncask.open(f"{bucket.url}/builds/1.0/Paks")
    assert not game.failed
    assert sorted(entry.path for entry in game) == sorted(entry.path for entry in demo)
    for entry in demo:
        assert game.read(entry.path) == demo.read(entry), entry.path


def test_paks_are_read_by_ranges(bucket: Bucket, demo: uncask.Game, tmp_path: Path, pack: Any) -> None:
    demo.to_legacy(tmp_path / "files")
    files = {path.relative_to(tmp_path / "files").as_posix(): path.read_bytes() for path in (tmp_path / "files").rglob("*.*")}
    pak = pack(files, tmp_path / "P_P.pak")
    bucket.client.upload_file(str(pak), bucket.name, "paks/P_P.pak")
    near, far = uncask.open(pak), uncask.open(f"{bucket.url}/paks/P_P.pak")
    assert len(near) == len(far) > 0
    assert all(far.read(entry.path) == near.read(entry) for entry in near)
    assert far.verify().ok


def test_wildcards_stand_for_builds(bucket: Bucket) -> None:
    pattern = f"{bucket.url}/builds/*/Paks"
    found = [f"{bucket.url}/builds/{build}/Paks" for build in ("1.0", "1.1")]
    assert uncask.expand(pattern) == found
    assert [build.name for build in uncask.builds(pattern)] == found
    rows = [row for part in uncask.parts(pattern) for batch in part.read(["build", "path"]) for row in batch.to_pylist()]
    assert {row["build"] for row in rows} == set(found)
    assert uncask.expand(f"{bucket.url}/none/*/Paks") == []
    with pytest.raises(uncask.InputMissing):
        uncask.open(f"{bucket.url}/none")


@pytest.mark.parametrize("job", ["unpack", "to_legacy", "export"])
def test_jobs_write_into_a_bucket(bucket: Bucket, demo: uncask.Game, tmp_path: Path, job: str) -> None:
    getattr(demo, job)(tmp_path).raise_if_failed()
    output = f"{bucket.url}/out/{job}"
    first = getattr(demo, job)(output)
    assert first.ok and first.unchanged == 0
    expected = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert bucket.files(f"out/{job}/") == expected
    # What is there already stays; what is missing or differs is written.
    *_, gone = expected
    bucket.client.delete_object(Bucket=bucket.name, Key=f"out/{job}/{gone}")
    again = getattr(demo, job)(output)
    assert again.ok
    # An export counts assets, not files.
    assert job == "export" or again.unchanged > 0 and again.count < first.count
    assert bucket.files(f"out/{job}/") == expected


def test_large_files_go_in_parts(bucket: Bucket, tmp_path: Path, pack: Any) -> None:
    content = bytes(range(256)) * 4096 * 21
    game = uncask.open(pack({"Content/Large.bin": content}, tmp_path / "L_P.pak"))
    assert game.unpack(f"{bucket.url}/large").ok
    ((path, found),) = bucket.files("large/").items()
    assert path.endswith("Large.bin") and found == content
    assert "-" in bucket.client.head_object(Bucket=bucket.name, Key=f"large/{path}")["ETag"]


def test_a_build_that_changes_is_told(bucket: Bucket, testdata: Path) -> None:
    name = "pakchunk0-Demo"
    for kind in ("utoc", "ucas"):
        bucket.client.upload_file(str(testdata / f"demo/{name}.{kind}"), bucket.name, f"changes/{name}.{kind}")
    game = uncask.open(f"{bucket.url}/changes")
    first, *_, last = [entry for entry in game if entry.size]
    game.read(first)
    ucas = (testdata / f"demo/{name}.ucas").read_bytes()
    bucket.client.put_object(Bucket=bucket.name, Key=f"changes/{name}.ucas", Body=ucas + b"x")
    with pytest.raises(uncask.FileError, match="has changed on the server"):
        game.read(last)


def test_a_part_of_another_build_is_refused(bucket: Bucket, testdata: Path) -> None:
    def put(container: str) -> None:
        for kind in ("utoc", "ucas"):
            bucket.client.upload_file(str(testdata / f"demo/{container}.{kind}"), bucket.name, f"moving/x.{kind}")

    put("pakchunk0-Demo")
    (part,) = uncask.parts(f"{bucket.url}/moving", count=1)
    put("pakchunk2-Demo")
    with pytest.raises(uncask.Damaged, match="has changed since its parts were planned"):
        list(part.read())


@pytest.mark.parametrize("what", ["chunks", "packages", "files", "values", "export"])
def test_workers_ask_for_data_alone(bucket: Bucket, what: Any) -> None:
    pattern, kept = f"{bucket.url}/builds/*/Paks", {}
    planned = uncask.parts(pattern, what, tables=lambda build, said: kept.update({build: pickle.dumps(said)}))

    def rows(tables: Any) -> tuple[Any, set[tuple[str, ...]]]:
        # As in another process, which has opened no game.
        sys.modules["uncask.parts"]._games.clear()
        bucket.watch()
        found = [part.read(tables=tables(part)) for part in planned]
        return [row for batches in found for batch in batches for row in batch.to_pylist()], bucket.asked

    without, all_requests = rows(lambda part: None)
    found, requests = rows(lambda part: lambda: pickle.loads(kept[part.build]))
    assert found == without and found
    tables = {asked for asked in all_requests if "list-type" in asked[1] or ".utoc" in asked[1] or asked[0] == "HEAD"}
    assert tables and not tables & requests
    # Besides lists and tables, headers of containers and native objects are known.
    assert len(requests) <= len(all_requests) - len(tables) - (0 if what == "chunks" else 2)


def test_names_with_signs_of_addresses(bucket: Bucket, testdata: Path) -> None:
    folder = "signs/100% #1 a?b&c+d=ü\\/Paks"
    for path in (testdata / "demo").glob("pakchunk0-Demo.u*"):
        bucket.client.upload_file(str(path), bucket.name, f"{folder}/{path.name}")
    near, far = uncask.open(testdata / "demo/pakchunk0-Demo.utoc"), uncask.open(f"{bucket.url}/signs")
    assert not far.failed and len(far) == len(near)
    assert all(far.read(entry.path) == near.read(entry) for entry in near)
    (found,) = uncask.expand(f"{bucket.url}/signs/*")
    assert len(uncask.open(found)) == len(near)
    (deeper,) = uncask.expand(f"{found}/*")
    assert deeper == f"{found}/Paks"


def test_mappings_may_be_in_a_bucket(bucket: Bucket, corpus: Path) -> None:
    folder = corpus / "iostore/ue5.8/unversioned"
    usmap = corpus / "payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap"
    bucket.client.upload_file(str(usmap), bucket.name, "mappings/Fixtures.usmap")

    def values(mappings: Any) -> str:
        game = uncask.open(folder / "Uncompressed", base=folder / "global.utoc", mappings=mappings)
        return str(game.properties("/Game/Fixtures/Properties/DA_AllProperties"))

    assert values(f"{bucket.url}/mappings/Fixtures.usmap") == values(usmap)
    with pytest.raises(uncask.FileError, match=r"s3://games/mappings/None.usmap"):
        values(f"{bucket.url}/mappings/None.usmap")


def test_a_token_that_has_expired_is_told(bucket: Bucket) -> None:
    bucket.answer_with(403)
    with pytest.raises(uncask.FileError, match="denies access"):
        uncask.open(f"{bucket.url}/builds/1.0/Paks")


def test_a_server_that_fails_now_and_then_is_asked_again(bucket: Bucket, demo: uncask.Game) -> None:
    bucket.answer_with(503, once=True)
    game = uncask.open(f"{bucket.url}/builds/1.0/Paks")
    assert not game.failed and game.verify().ok
    assert bucket.refused > 0


def test_only_buckets_are_written_to(demo: uncask.Game) -> None:
    with pytest.raises(uncask.FileError, match="only a bucket"):
        demo.unpack("http://127.0.0.1:9/x")


def test_manifests_of_a_bucket_are_those_of_a_folder(
    bucket: Bucket, testdata: Path, tmp_path: Path, command: Any
) -> None:
    if "remote" not in command("info", "--json", testdata / "demo").decode():
        pytest.skip("the command uncask was built without the feature remote")
    for output, manifest in ((f"{bucket.url}/listed", "far.jsonl"), (tmp_path / "near", "near.jsonl")):
        command("unpack", testdata / "demo", "-o", output, "--manifest", tmp_path / manifest)
    assert (tmp_path / "far.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()
    command("verify", f"{bucket.url}/listed", "--manifest", tmp_path / "far.jsonl")
    gone, *_ = bucket.files("listed/")
    bucket.client.delete_object(Bucket=bucket.name, Key=f"listed/{gone}")
    with pytest.raises(subprocess.CalledProcessError):
        command("verify", f"{bucket.url}/listed", "--manifest", tmp_path / "far.jsonl")
    command("unpack", testdata / "demo", "-o", f"{bucket.url}/listed", "--resume")
    command("verify", f"{bucket.url}/listed", "--manifest", tmp_path / "far.jsonl")
