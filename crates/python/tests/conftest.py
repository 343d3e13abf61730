"""Where the files are that the tests read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Iterator

import pytest
from buckets import KEYS, Bucket

import uncask

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def testdata() -> Path:
    return ROOT / "testdata"


@pytest.fixture(scope="session")
def demo(testdata: Path) -> uncask.Game:
    return uncask.open(testdata / "demo")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real files, which is not part of the repository."""
    folder = Path(os.environ.get("UNCASK_CORPUS", ROOT / "../shared/corpus"))
    if not folder.is_dir():
        assert os.environ.get("CI") != "true", f"CI=true, and there is no corpus at {folder}"
        pytest.skip(f"no corpus at {folder}")
    return folder


@pytest.fixture(scope="session")
def command() -> Callable[..., bytes]:
    """Runs the command `uncask` and gives what it prints."""
    built = ROOT / "target/debug" / ("uncask.exe" if os.name == "nt" else "uncask")
    program = os.environ.get("UNCASK", built if built.exists() else shutil.which("uncask"))
    if program is None:
        pytest.skip("the command uncask is not built; UNCASK can say where it is")
    return lambda *arguments: subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE).stdout


@pytest.fixture
def pack(command: Callable[..., bytes], tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, bytes], Path], Path]:
    """Makes a mod of some files."""

    def make(files: dict[str, bytes], output: Path) -> Path:
        folder = tmp_path_factory.mktemp("packed")
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        command("pack", folder, "-o", output)
        return output

    return make


@pytest.fixture(scope="session")
def buckets(testdata: Path) -> Iterator[Bucket]:
    """A bucket with two builds of the demo, `builds/1.0/Paks` and `builds/1.1/Paks`."""
    server_module = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    server = server_module.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://127.0.0.1:{port}"
    client = boto3.client(
        "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
    )
    client.create_bucket(Bucket="games")
    for path in sorted((testdata / "demo").iterdir()):
        for build in ("1.0", "1.1"):
            if path.is_file():
                client.upload_file(str(path), "games", f"builds/{build}/Paks/{path.name}")
    before = {name: os.environ.get(name) for name in (*KEYS, "AWS_ENDPOINT")}
    os.environ.update(KEYS)
    yield Bucket(client, "games", url)
    for name, value in before.items():
        os.environ.pop(name, None) if value is None else os.environ.update({name: value})
    server.stop()


@pytest.fixture
def bucket(buckets: Bucket) -> Iterator[Bucket]:
    """The bucket, asked directly unless a test says otherwise."""
    buckets.answer()
    yield buckets
    buckets.answer()
