"""The examples for schedulers, run as these would run them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest
from buckets import Bucket

import uncask

PACKAGING = Path(__file__).parents[3] / "packaging"


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_pods_of_kubernetes_do_a_share_each(
    bucket: Bucket, demo: uncask.Game, command: Callable[..., bytes], tmp_path: Path
) -> None:
    yaml: Any = pytest.importorskip("yaml")
    if "remote" not in command("info", "--json", PACKAGING.parent / "testdata/demo").decode():
        pytest.skip("the command uncask was built without the feature remote")
    spec = yaml.safe_load((PACKAGING / "kubernetes-job.yaml").read_text())["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    assert spec["completionMode"] == "Indexed" and container["env"][0]["name"] == "SHARD_INDEX"
    for index in range(spec["completions"]):
        arguments = [each.replace("$(SHARD_INDEX)", str(index)) for each in container["args"]]
        command(*(each.replace("s3://builds/1.0", f"{bucket.url}/builds/1.0").replace("s3://unpacked", f"{bucket.url}/k8s") for each in arguments))
    demo.unpack(tmp_path)
    assert bucket.files("k8s/1.0/") == files_below(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_tasks_of_slurm_do_a_share_each(demo: uncask.Game, testdata: Path, command: Callable[..., bytes], tmp_path: Path) -> None:
    command("--version")
    built = PACKAGING.parent / "target/debug"
    for task in (1, 2, 3):
        environment = {
            **os.environ,
            "PATH": f"{built}:{os.environ['PATH']}",
            "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_MAX": "3",
            "SLURM_CPUS_PER_TASK": "1",
        }
        subprocess.run([PACKAGING / "slurm-array.sh", testdata / "demo", tmp_path / "out"], env=environment, check=True)
    demo.unpack(tmp_path / "whole")
    assert files_below(tmp_path / "out") == files_below(tmp_path / "whole")
