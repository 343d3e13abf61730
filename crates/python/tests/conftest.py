"""Where the files are that the tests read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Callable

import pytest

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
