"""Games on Ray: as datasets, and as jobs.

    import uncask.ray

    values = uncask.ray.read("s3://builds/*/Paks", what="values", mappings="MyGame.usmap")
    values.filter(lambda row: row["class"] == "/Script/Engine.DataTable").write_parquet("s3://tables/")
    uncask.ray.unpack("s3://builds/*/Paks", "s3://unpacked/", tasks=64)

Needs `ray` (`pip install uncask[ray]`). Nodes read the inputs themselves, so paths have to be the same on each, or in a bucket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Optional

import pyarrow
import ray
from ray.data import Dataset, Datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import ReadTask

from ._uncask import Tables, build_names
from .errors import FileError, UncaskError
from .outcomes import Outcome
from .parts import Build, Part, What, builds, parts

# What a part takes once it is decoded, for each stored byte: a guess.
GROWTH = 3


class UncaskDatasource(Datasource):
    """Parts of games as a source of blocks."""

    def __init__(
        self,
        planned: list[Part],
        columns: Optional[list[str]] = None,
        memory: Optional[int] = None,
        tables: Optional[dict[Build, "ray.ObjectRef[Tables]"]] = None,
    ) -> None:
        super().__init__()
        self._parts, self._columns, self._memory, self._tables = planned, columns, memory, tables or {}

    def get_name(self) -> str:
        """Its name in Ray's progress bars."""
        return "Uncask"

    def estimate_inmemory_data_size(self) -> Optional[int]:
        """Bytes of all blocks."""
        return sum(part.size for part in self._parts) * GROWTH

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: Optional[int] = None, data_context: Any = None
    ) -> list[ReadTask]:
        """One task for each part."""
        columns, memory = self._columns, self._memory

        def task(part: Part) -> ReadTask:
            size, files = part.size * GROWTH, (part.build.name,)
            about = BlockMetadata(num_rows=None, size_bytes=size, input_files=files, exec_stats=None, task_exec_stats=None)
            tables = self._tables.get(part.build)
            return ReadTask(lambda: _blocks(part, columns, memory, tables), about, per_task_row_limit=per_task_row_limit)

        return [task(part) for part in self._parts]


def _blocks(part: Part, columns: Optional[list[str]], memory: Optional[int], tables: Any) -> Iterator[pyarrow.Table]:
    for batch in part.read(columns, memory=memory, tables=None if tables is None else lambda: ray.get(tables)):
        yield pyarrow.Table.from_batches([batch])


def read(
    inputs: Any,
    what: What = "packages",
    *,
    columns: Optional[Iterable[str]] = None,
    memory: Optional[int] = None,
    concurrency: Optional[int] = None,
    **options: Any,
) -> Dataset:
    """The rows of games as a dataset. `options` are those of `uncask.parts`; `memory` is that of each task for data in flight."""
    chosen = None if columns is None else list(columns)
    # Ray keeps what servers have said, once for all workers, and on disk if it is much.
    kept: dict[Build, Any] = {}
    planned = parts(inputs, what, tables=lambda build, said: kept.update({build: ray.put(said)}), **options)
    source = UncaskDatasource(planned, chosen, memory, kept)
    return ray.data.read_datasource(source, concurrency=concurrency)


@dataclass(frozen=True)
class Task:
    """A share of a job that was done."""

    build: Build
    shard: str
    outcome: Outcome


def unpack(inputs: Any, output: str, *, tasks: int = 8, **options: Any) -> list[Task]:
    """Writes what is in games below a folder, or one of a bucket, as `Game.unpack` does, in `tasks` shares of each game. Several games
    get a folder each, named by what differs in their paths. Files are whole or absent, and what is there already is not written again:
    a share that fails is tried again, and so can be the whole job. `options` are those of `uncask.open` and of `Game.unpack`."""
    return _run("unpack", inputs, output, tasks, options)


def export(inputs: Any, output: str, *, tasks: int = 8, **options: Any) -> list[Task]:
    """Writes the assets of games as files that people open, as `unpack` writes chunks. `options` are those of `Game.export`, too."""
    return _run("export", inputs, output, tasks, options)


def verify(inputs: Any, *, tasks: int = 8, **options: Any) -> list[Task]:
    """Compares what is in games with the recorded hashes."""
    return _run("verify", inputs, None, tasks, options)


def _run(job: str, inputs: Any, output: Optional[str], tasks: int, options: dict[str, Any]) -> list[Task]:
    opened = {name: options.pop(name) for name in ("keys", "mappings", "base", "engine") if name in options}
    found = builds(inputs, **opened)
    # A worker that is lost is Ray's to replace; a server that was away may be back.
    share = ray.remote(_share).options(max_retries=5, retry_exceptions=[FileError])
    begun = [
        share.remote(job, build, f"{at}/{tasks}", folder, options)
        for build, folder in zip(found, _folders(found, output))
        for at in range(1, tasks + 1)
    ]
    return list(ray.get(begun))


def _share(job: str, build: Build, shard: str, folder: Optional[str], options: dict[str, Any]) -> Task:
    game = build.open(threads=1)
    if game.failed:
        raise game.failed[0]
    place = [] if folder is None else [folder]
    outcome: Outcome = getattr(game, job)(*place, shard=shard, **options)
    for failure in outcome.failures:
        if isinstance(failure.error, FileError):
            raise failure.error
    return Task(build, shard, outcome)


def _folders(found: list[Build], output: Optional[str]) -> list[Optional[str]]:
    """A folder for each game: the parts of its path that not all of them share."""
    if output is None or len(found) < 2:
        return [output] * len(found)
    names = build_names([build.name for build in found])
    if len(set(names)) < len(names):
        raise UncaskError("two of the games would be written to one folder; unpack them one by one")
    return [f"{output.rstrip('/')}/{name}" for name in names]
