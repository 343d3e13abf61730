"""Games as rows of a table, in parts that any process can read.

    import uncask

    for part in uncask.parts("MyGame/Content/Paks", what="values", count=8):
        for batch in part.read(columns=["path", "class", "values"]):
            print(batch.num_rows)

A part is a description, small enough to be sent anywhere: how the game is opened, which rows are wanted, and a fingerprint of them, so
that a worker notices a game that has changed. Keys are among what is sent.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Mapping, Optional, Sequence, Union

from . import _uncask
from ._uncask import Tables

if TYPE_CHECKING:
    import pyarrow

Path = Union[str, "os.PathLike[str]"]
Texts = Union[str, Iterable[str]]
What = Literal["chunks", "packages", "files", "values", "export"]

# Stored bytes of a part, unless something else is said.
BYTES = 128 << 20

# Open games that a process keeps: the one of the last part, and the one before.
KEPT = 2


@dataclass(frozen=True)
class Build:
    """How a game is opened: the arguments of `uncask.open`."""

    paths: tuple[str, ...]
    keys: Any = field(default=None, repr=False)
    mappings: Optional[str] = None
    base: tuple[str, ...] = ()
    engine: Optional[str] = None

    @property
    def name(self) -> str:
        """Its first path, which is in the column `build`."""
        return self.paths[0]

    def open(
        self, *, threads: int = 0, memory: Optional[int] = None, tables: Optional[Tables] = None
    ) -> _uncask.Game:
        """Opens the game."""
        return _uncask.open(
            self.paths,
            keys=self.keys,
            mappings=self.mappings,
            base=self.base or None,
            engine=self.engine,
            threads=threads,
            memory=memory,
            tables=tables,
        )


@dataclass(frozen=True)
class Part:
    """Some rows of a game. Picklable."""

    build: Build
    what: What
    patterns: tuple[str, ...]
    exclude: tuple[str, ...]
    start: int
    stop: int
    # Stored bytes to read, and a bit for each chunk.
    size: int
    fingerprint: str

    def stream(
        self,
        columns: Optional[Iterable[str]] = None,
        *,
        threads: int = 1,
        memory: Optional[int] = None,
        tables: Optional[Callable[[], Tables]] = None,
    ) -> _uncask.Batches:
        """The rows as an Arrow stream (`__arrow_c_stream__`), for any library that takes one. Columns that are left out are not made.

        tables: gives what `parts` has kept, and is called if this process has not opened the game yet.
        """
        game = _opened(self.build, threads, memory, tables)
        part = (self.start, self.stop, self.size, self.fingerprint)
        wanted = None if columns is None else list(columns)
        return _uncask.batches(game, self.what, list(self.patterns), list(self.exclude), part, self.build.name, wanted)

    def read(
        self,
        columns: Optional[Iterable[str]] = None,
        *,
        threads: int = 1,
        memory: Optional[int] = None,
        tables: Optional[Callable[[], Tables]] = None,
    ) -> Iterator["pyarrow.RecordBatch"]:
        """The rows as batches of `pyarrow`, one at a time: build, path, package, id, class, size, hash, `bytes` or `values`, error."""
        import pyarrow

        yield from pyarrow.RecordBatchReader.from_stream(self.stream(columns, threads=threads, memory=memory, tables=tables))


def builds(
    inputs: Union[Path, Sequence[Union[Path, tuple[Path, ...]]]],
    *,
    keys: Any = None,
    mappings: Optional[Path] = None,
    base: Union[Path, Iterable[Path], None] = None,
    engine: Optional[str] = None,
) -> list[Build]:
    """The games that inputs stand for: each path is one, as is each match of one with wildcards, and a tuple of paths together."""
    found: list[tuple[str, ...]] = []
    for item in [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs:
        if isinstance(item, tuple):
            found.append(tuple(os.fspath(path) for path in item))
        else:
            found.extend((os.fspath(path),) for path in _uncask.expand(os.fspath(item)))
    lent = () if base is None else (base,) if isinstance(base, (str, os.PathLike)) else tuple(base)
    # Frozen, so that a build can be a key itself.
    if isinstance(keys, Mapping):
        keys = tuple(f"{guid}={key}" for guid, key in keys.items())
    elif keys is not None and not isinstance(keys, str):
        keys = tuple(keys)
    known = None if mappings is None else os.fspath(mappings)
    return [Build(paths, keys, known, tuple(os.fspath(path) for path in lent), engine) for paths in found]


def parts(
    inputs: Union[Path, Sequence[Union[Path, tuple[Path, ...]]]],
    what: What = "packages",
    *,
    patterns: Optional[Texts] = None,
    exclude: Optional[Texts] = None,
    count: Optional[int] = None,
    bytes: Optional[int] = None,
    keys: Any = None,
    mappings: Optional[Path] = None,
    base: Union[Path, Iterable[Path], None] = None,
    engine: Optional[str] = None,
    tables: Optional[Callable[[Build, Tables], object]] = None,
) -> list[Part]:
    """Cuts games into parts of about equal work.

    inputs: games: a path or several, each with `*` and `?` as wildcards, on disk or in a bucket (`s3://builds/*/Paks`). Each is a game
        of its own; a tuple of paths is one game.
    what: "chunks", as they lie in the containers; "packages"; "files", as the cooker wrote them; "values", as JSON; "export": the files
        that assets become.
    patterns, exclude: as for `Game.glob`.
    count: number of parts of each game, of about equal size. Without it, a part has about `bytes` stored bytes, 128 MiB by default.
    tables: called for each game with what its servers have said: lists, tables and headers. A worker that has them (`Part.read`) asks
        for data alone; one that does not asks for them once.

    The others are arguments of `open`. Games are opened here one after the other, and forgotten.
    """
    chosen, left = _texts(patterns), _texts(exclude)
    made: list[Part] = []
    for build in builds(inputs, keys=keys, mappings=mappings, base=base, engine=engine):
        said = None if tables is None else Tables()
        game = build.open(tables=said)
        size = BYTES if bytes is None else bytes
        planned = _uncask.plan(game, what, list(chosen), list(left), count, size, said is not None)
        if tables is not None and said is not None and said.size:
            tables(build, said)
        made += [Part(build, what, chosen, left, *part) for part in planned]
    return made


def _texts(value: Optional[Texts]) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


_games: "OrderedDict[tuple[Any, ...], _uncask.Game]" = OrderedDict()
_lock = threading.Lock()


def _opened(
    build: Build, threads: int, memory: Optional[int], tables: Optional[Callable[[], Tables]]
) -> _uncask.Game:
    """The game, opened once in this process for all of its parts that follow one another."""
    # The threads of a game do not survive a fork.
    key = (build, threads, memory, os.getpid())
    with _lock:
        if key in _games:
            _games.move_to_end(key)
            return _games[key]
        game = build.open(threads=threads, memory=memory, tables=None if tables is None else tables())
        _games[key] = game
        while len(_games) > KEPT:
            _games.popitem(last=False)
        return game
