"""The types that are promised: those that the package has, and those that these tests use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


CONFIGURATION = str(Path(__file__).parents[1] / "pyproject.toml")


def run(*arguments: str) -> None:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout


def test_stubs_describe_the_package() -> None:
    pytest.importorskip("mypy")
    run("mypy.stubtest", "--mypy-config-file", CONFIGURATION, "uncask._uncask")


def test_the_tests_use_the_types() -> None:
    pytest.importorskip("mypy")
    run("mypy", "--strict", "--config-file", CONFIGURATION, "--cache-dir", os.devnull, ".", "../python/uncask")
