"""Games as a data source of Spark, on a cluster of two workers on this machine."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest
from buckets import Bucket

import uncask

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)


@pytest.fixture(scope="module")
def spark(buckets: Bucket) -> Iterator[Any]:
    import os

    from pyspark.sql import SparkSession

    import uncask.spark as on_spark

    buckets.answer()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local-cluster[2,1,1024]").appName("uncask")
    session = session.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    made = session.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    on_spark.register(made)
    yield made
    made.stop()


def test_rows_are_those_of_the_parts(spark: Any, bucket: Bucket) -> None:
    pattern = f"{bucket.url}/builds/*/Paks"
    read = spark.read.format("uncask").option("what", "chunks").option("parts", "3").load(pattern)
    found = sorted((row["build"], row["path"], bytes(row["bytes"])) for row in read.collect())
    parts = uncask.parts(pattern, "chunks")
    expected = [row for part in parts for batch in part.read() for row in batch.to_pylist()]
    assert found == sorted((row["build"], row["path"], row["bytes"]) for row in expected)


def test_columns_and_paths_are_chosen_before_reading(spark: Any, testdata: Path) -> None:
    source = spark.read.format("uncask").option("what", "values")
    named = source.schema("path string, values string").load(str(testdata / "demo"))
    maps = named.filter(named.path.startswith("Demo/Content/Maps/")).collect()
    assert sorted(row["path"] for row in maps) == sorted(row["path"] for row in named.collect() if "/Maps/" in row["path"])
    assert len(maps) == 2 and all('"Type": "World"' in row["values"] for row in maps)


def test_conditions_become_patterns() -> None:
    from pyspark.sql.datasource import EqualTo, IsNotNull, StringContains, StringEndsWith, StringStartsWith

    from uncask.spark import UncaskReader

    def pushed(*conditions: Any, **options: str) -> Any:
        reader = UncaskReader({"path": "x", **options}, ["path"])
        assert list(reader.pushFilters(list(conditions))) == list(conditions)
        return reader._pattern

    path = ("path",)
    assert pushed(IsNotNull(path), StringStartsWith(path, "A/B")) == "A/B*"
    assert pushed(StringEndsWith(path, ".umap"), StringContains(path, "/Maps/")) == "*/Maps/*"
    assert pushed(EqualTo(("class",), "X"), EqualTo(path, "a[1]")) is None
    assert pushed(StringStartsWith(path, "A"), patterns="B") is None
    assert pushed(StringStartsWith(path, "A/B/C"), what="export") == "A/B/*"
    assert pushed(StringEndsWith(path, ".png"), what="export") is None
