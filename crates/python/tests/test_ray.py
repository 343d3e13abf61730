"""Games on Ray: two nodes on this machine."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from buckets import Bucket

import uncask

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster(buckets: Bucket) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    # Nodes start after the settings of the bucket are in the environment, which their workers inherit.
    buckets.answer()
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, logging_level="warning", log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_rows_are_those_of_the_parts(cluster: Any, bucket: Bucket, tmp_path: Path) -> None:
    import uncask.ray as on_ray

    pattern = f"{bucket.url}/builds/*/Paks"
    read = on_ray.read(pattern, "values", bytes=100_000, columns=["build", "path", "class", "values"])
    maps = read.filter(lambda row: row["class"] == "/Script/Engine.World")
    maps.write_parquet(str(tmp_path))
    pyarrow = pytest.importorskip("pyarrow.parquet")
    found = {(row["build"], row["path"]): row["values"] for row in pyarrow.read_table(tmp_path).to_pylist()}
    expected = {
        (row["build"], row["path"]): row["values"]
        for part in uncask.parts(pattern, "values")
        for batch in part.read()
        for row in batch.to_pylist()
        if row["class"] == "/Script/Engine.World"
    }
    assert len(found) == 4 and found == expected


def test_a_job_survives_a_lost_worker(cluster: Any, bucket: Bucket, demo: uncask.Game, tmp_path: Path) -> None:
    import uncask.ray as on_ray

    victim = threading.Thread(target=kill_a_worker)
    victim.start()
    done = on_ray.unpack(f"{bucket.url}/builds/*/Paks", f"{bucket.url}/ray", tasks=6)
    victim.join()
    assert len(done) == 12 and all(task.outcome.ok for task in done)
    demo.unpack(tmp_path)
    expected = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*")}
    for build in ("1.0", "1.1"):
        assert bucket.files(f"ray/{build}/") == expected
    again = on_ray.unpack(f"{bucket.url}/builds/*/Paks", f"{bucket.url}/ray", tasks=3)
    assert sum(task.outcome.unchanged for task in again) > 0
    verified = on_ray.verify(f"{bucket.url}/builds/1.0/Paks", tasks=2)
    assert sum(task.outcome.count for task in verified) == len(demo)
    exported = on_ray.export(f"{bucket.url}/builds/1.0/Paks", str(tmp_path / "assets"), tasks=2, forms="png")
    assert all(task.outcome.ok for task in exported) and list((tmp_path / "assets").rglob("*.png"))


def kill_a_worker() -> None:
    """Kills the first process of Ray that works on a share."""
    import psutil

    end = time.monotonic() + 20
    while time.monotonic() < end:
        for process in psutil.process_iter(["name", "cmdline"]):
            if "ray::_share" in " ".join(process.info["cmdline"] or []):
                os.kill(process.pid, signal.SIGKILL)
                return
        time.sleep(0.005)
    raise AssertionError("no worker was found")


def test_folders_of_builds_are_what_differs() -> None:
    from uncask.parts import Build
    from uncask.ray import _folders

    def folders(*paths: str) -> list[Any]:
        return _folders([Build((path,)) for path in paths], "out")

    assert folders("s3://b/1.0/Paks") == ["out"]
    assert folders("s3://b/1.0/Paks", "s3://b/1.1/Paks") == ["out/1.0", "out/1.1"]
    assert folders("a/x/1/P", "a/y/2/P") == ["out/x/1", "out/y/2"]
    assert folders("a/x.utoc", "a/y.utoc") == ["out/x.utoc", "out/y.utoc"]
