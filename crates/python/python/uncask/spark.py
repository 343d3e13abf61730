"""Games as a data source of Spark 4.

    import uncask.spark

    uncask.spark.register(spark)
    rows = spark.read.format("uncask").option("what", "values").load("s3://builds/*/Paks")
    rows.filter(rows.path.startswith("MyGame/Content/Data/")).select("package", "values").write.parquet("…")

Needs `pyspark` (`pip install uncask[spark]`). Nodes read the inputs themselves, so paths have to be the same on each, or in a bucket.
Options: `what`, `patterns`, `exclude`, `parts` (of each game), `bytes` (of a part), `keys`, `mappings`, `base`, `engine`; `memory`, in
bytes, of each task for data in flight. Several values are separated by commas. A schema with some of the columns reads no more than
those: `.schema("path string, size long")`.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Sequence

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    InputPartition,
    StringContains,
    StringEndsWith,
    StringStartsWith,
)
from pyspark.sql.types import StructType

from ._uncask import Tables
from .parts import Build, Part, parts

# Bytes of tables that go with each task; workers ask for those of further games themselves.
SENT = 64 << 20

# What a pattern would take for more than itself.
SPECIAL = set("*?[]{}!\\,")

# Rows whose paths are those of what was made, not of what is read.
MADE = ("files", "export")


def register(spark: SparkSession) -> None:
    """Makes the format `uncask` known to a session, and lets it hand conditions on to such formats."""
    spark.dataSource.register(UncaskDataSource)
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")


class UncaskDataSource(DataSource):
    """Games, by their paths."""

    @classmethod
    def name(cls) -> str:
        """Name of the format."""
        return "uncask"

    def schema(self) -> str:
        """All columns."""
        content = "values string" if self.options.get("what") == "values" else "bytes binary"
        texts = "build string, path string, package string, id string, class string"
        return f"{texts}, size long, hash string, {content}, error string"

    def reader(self, schema: StructType) -> "UncaskReader":
        """What reads these columns."""
        return UncaskReader(dict(self.options), schema.names)


class Share(InputPartition):
    """A part of a game as Spark sends it."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)


class UncaskReader(DataSourceReader):
    """Plans parts and reads them."""

    def __init__(self, options: dict[str, str], columns: list[str]) -> None:
        self._options = {name.lower(): value for name, value in options.items()}
        self._columns = columns
        self._pattern: Optional[str] = None
        self._tables: dict[Build, Tables] = {}

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Takes one condition on the path as a pattern, so that nothing else is read. Spark applies all of them again."""
        found = [pattern for pattern in map(self._pattern_of, filters) if pattern is not None]
        if not self._options.get("patterns"):
            self._pattern = max(found, key=len, default=None)
        return filters

    def _pattern_of(self, condition: Filter) -> Optional[str]:
        if getattr(condition, "attribute", None) != ("path",):
            return None
        value = getattr(condition, "value", None)
        if not isinstance(value, str) or not value or SPECIAL & set(value):
            return None
        if self._options.get("what") in MADE:
            # Files are made below the folder of their package, whatever their own names are.
            folder = value.rpartition("/")[0]
            return f"{folder}/*" if folder and isinstance(condition, (StringStartsWith, EqualTo)) else None
        if isinstance(condition, EqualTo):
            return value
        if isinstance(condition, StringStartsWith):
            return f"{value}*"
        if isinstance(condition, StringEndsWith):
            return f"*{value}"
        return f"*{value}*" if isinstance(condition, StringContains) else None

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each part."""
        options = self._options
        several = {name: _list(options[name]) for name in ("exclude", "keys", "base") if options.get(name)}
        single = {name: options[name] for name in ("mappings", "engine") if options.get(name)}
        numbers = {name: int(options[key]) for name, key in (("count", "parts"), ("bytes", "bytes")) if options.get(key)}
        patterns = _list(options.get("patterns", "")) or ([self._pattern] if self._pattern else None)
        inputs = _list(options.get("path", ""))
        what: Any = options.get("what", "packages")
        planned = parts(inputs, what, patterns=patterns, tables=self._keep, **numbers, **several, **single)  # type: ignore[arg-type]
        return [Share(part) for part in planned]

    def _keep(self, build: Build, said: Tables) -> None:
        if said.size + sum(kept.size for kept in self._tables.values()) <= SENT:
            self._tables[build] = said

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """The rows of a part."""
        memory = self._options.get("memory")
        part: Part = partition.value
        said = self._tables.get(part.build)
        bound = None if memory is None else int(memory)
        for batch in part.read(self._columns, memory=bound, tables=None if said is None else lambda: said):
            yield _as_spark_has_it(batch)


# Spark's types of columns that Arrow has in two sizes. A batch is far below what the small ones hold.
SMALL = {pyarrow.large_string(): pyarrow.string(), pyarrow.large_binary(): pyarrow.binary()}


def _as_spark_has_it(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    fields = [pyarrow.field(each.name, SMALL.get(each.type, each.type)) for each in batch.schema]
    columns = [column.cast(each.type) for column, each in zip(batch.columns, fields)]
    return pyarrow.RecordBatch.from_arrays(columns, schema=pyarrow.schema(fields))


def _list(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]
