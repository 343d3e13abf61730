"""Games as file systems of `fsspec`: what pandas, Dask, DuckDB and pyarrow open.

    import fsspec, uncask
    from uncask.files import UncaskFileSystem

    files = UncaskFileSystem(uncask.open("MyGame/Content/Paks"))
    files.glob("**/*.umap")
    fsspec.open("uncask://MyGame/Content/Data/Prices.csv", paths="MyGame/Content/Paks")

Needs `fsspec` (`pip install uncask[fsspec]`). A file is a chunk by its path; a file that is read whole is compared with its hash.
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Union

from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from . import _uncask
from .parts import builds


class UncaskFileSystem(AbstractFileSystem):
    """The chunks of a game as files, to be read only.

    game: a game that is open. Without it, `paths` and the other arguments of `uncask.open` open one.
    """

    protocol = "uncask"
    # A game is not sent to other processes: they open it by its paths.
    cachable = True

    def __init__(
        self,
        game: Optional[_uncask.Game] = None,
        *,
        paths: Union[str, "os.PathLike[str]", Iterable[str], None] = None,
        keys: Any = None,
        mappings: Optional[str] = None,
        base: Union[str, Iterable[str], None] = None,
        engine: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        if game is None:
            if paths is None:
                raise TypeError("uncask:// needs a game, or the paths of one")
            together = paths if isinstance(paths, (str, os.PathLike)) else [tuple(paths)]
            (build,) = builds(together, keys=keys, mappings=mappings, base=base, engine=engine)
            game = build.open()
        self.game = game
        self._folders: Optional[dict[str, dict[str, Optional[int]]]] = None

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path)).strip("/")

    def _listed(self) -> dict[str, dict[str, Optional[int]]]:
        """Folders with the sizes of their files; a folder has none."""
        if self._folders is None:
            folders: dict[str, dict[str, Optional[int]]] = {"": {}}
            columns = self.game.columns()
            for path, size in zip(columns["path"], columns["size"]):
                folder, _, name = path.rpartition("/")
                folders.setdefault(folder, {})[name] = size
            for folder in list(folders):
                while folder:
                    above, _, name = folder.rpartition("/")
                    folders.setdefault(above, {}).setdefault(name, None)
                    folder = above
            self._folders = folders
        return self._folders

    def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
        """The files and folders in a folder, or a file itself."""
        path = self._strip_protocol(path)
        folder = self._listed().get(path)
        if folder is None:
            found = [self.info(path)]
        else:
            found = [self._described(f"{path}/{name}".lstrip("/"), size) for name, size in sorted(folder.items())]
        return found if detail else [each["name"] for each in found]

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        """Kind and size of a file or a folder; of a file, its container, hash and kind of chunk, too."""
        path = self._strip_protocol(path)
        folder, _, name = path.rpartition("/")
        if path in self._listed():
            return self._described(path, None)
        size = self._listed().get(folder, {}).get(name)
        if size is None:
            raise FileNotFoundError(path)
        entry = self.game[path]
        facts = {"container": entry.container, "hash": entry.hash, "chunk_type": entry.chunk_type}
        return {**self._described(path, size), **facts}

    def _described(self, path: str, size: Optional[int]) -> dict[str, Any]:
        return {"name": path, "size": size or 0, "type": "directory" if size is None else "file"}

    def cat_file(self, path: str, start: Optional[int] = None, end: Optional[int] = None, **options: Any) -> bytes:
        """The content of a file, or some of its bytes."""
        path = self._strip_protocol(path)
        size = self.info(path)["size"]
        first, last, _ = slice(start, end).indices(size)
        return self.game.read(path) if (first, last) == (0, size) else self.game.read(path, first, max(last - first, 0))

    def checksum(self, path: str) -> str:
        """The hash that the game records for a file."""
        return str(self.info(path).get("hash"))

    def _open(self, path: str, mode: str = "rb", block_size: Optional[int] = None, **options: Any) -> "UncaskFile":
        if mode != "rb":
            raise OSError(f"a game is read only, so not opened as {mode!r}: {path}")
        size = self.info(path)["size"]
        return UncaskFile(self, self._strip_protocol(path), mode, block_size or "default", size=size, **options)


class UncaskFile(AbstractBufferedFile):
    """A file of a game."""

    def _fetch_range(self, start: int, end: int) -> bytes:
        return bytes(self.fs.cat_file(self.path, start, end))
