from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Callable, Literal, Optional, Union, final

from typing_extensions import Buffer

from .errors import UncaskError
from .outcomes import BuildOutcome, Change, Container, ConvertOutcome, Edit, ExportOutcome, FindOutcome, Outcome, Progress

_Path = Union[str, PathLike[str]]
_Texts = Union[str, Iterable[str]]
_Overwrite = Literal["different", "untouched", "never", "always"]
_Form = Literal["png", "exr", "dds", "wav", "ogg", "gltf", "scene", "usd", "ttf", "csv", "json", "raw"]
_OnProgress = Callable[[Progress], object]

__all__ = ["Batches", "Changes", "Entry", "Game", "Tables", "__version__", "batches", "build_names", "expand", "open", "plan"]

__version__: str

def open(
    paths: Union[_Path, Iterable[_Path]],
    *,
    keys: Union[_Texts, Mapping[str, str], None] = None,
    mappings: Optional[_Path] = None,
    base: Union[_Path, Iterable[_Path], None] = None,
    engine: Optional[str] = None,
    threads: int = 0,
    memory: Optional[int] = None,
    tables: Optional[Tables] = None,
) -> Game: ...
def expand(path: _Path) -> list[str]: ...
def build_names(paths: list[str]) -> list[str]: ...
def plan(
    game: Game,
    what: str,
    patterns: list[str],
    exclude: list[str],
    count: Optional[int],
    bytes: int,
    names: bool,
) -> list[tuple[int, int, int, str]]: ...
def batches(
    game: Game,
    what: str,
    patterns: list[str],
    exclude: list[str],
    part: tuple[int, int, int, str],
    build: str,
    columns: Optional[list[str]],
) -> Batches: ...
@final
class Batches:
    @property
    def column_names(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

@final
class Tables:
    def __new__(cls, said: Optional[list[tuple[str, str, Optional[str], bytes]]] = None) -> Tables: ...
    @property
    def size(self) -> int: ...

@final
class Entry:
    @property
    def path(self) -> str: ...
    @property
    def has_path(self) -> bool: ...
    @property
    def size(self) -> int: ...
    @property
    def compressed_size(self) -> int: ...
    @property
    def container(self) -> str: ...
    @property
    def chunk_id(self) -> str: ...
    @property
    def chunk_type(self) -> str: ...
    @property
    def hash(self) -> Optional[str]: ...
    @property
    def compression(self) -> str: ...
    @property
    def encrypted(self) -> bool: ...
    @property
    def class_name(self) -> Optional[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Game:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Entry]: ...
    def __contains__(self, what: object, /) -> bool: ...
    def __getitem__(self, path: str, /) -> Entry: ...
    @property
    def containers(self) -> list[Container]: ...
    @property
    def failed(self) -> list[UncaskError]: ...
    def glob(self, *patterns: str, exclude: Optional[_Texts] = None) -> list[Entry]: ...
    def columns(self, *, classes: bool = False) -> dict[str, list[Any]]: ...
    def read(self, what: Union[str, Entry], offset: int = 0, size: Optional[int] = None) -> bytes: ...
    def read_into(self, what: Union[str, Entry], buffer: Buffer) -> int: ...
    def package(self, what: Union[str, Entry]) -> dict[str, Any]: ...
    def properties(self, what: Union[str, Entry]) -> list[dict[str, Any]]: ...
    def scene(self, what: Union[str, Entry]) -> list[dict[str, Any]]: ...
    def code(
        self,
        what: Union[str, Entry],
        form: Literal["pseudo", "listing", "json"] = "pseudo",
        function: Optional[str] = None,
    ) -> str: ...
    def texts(self) -> list[dict[str, Any]]: ...
    def diff(
        self,
        old: Game,
        patterns: Optional[_Texts] = None,
        *,
        exclude: Optional[_Texts] = None,
    ) -> list[Change]: ...
    def find(
        self,
        patterns: Optional[_Texts] = None,
        *,
        property: Optional[str] = None,
        value: Union[str, int, float, None] = None,
        exclude: Optional[_Texts] = None,
        progress: Optional[_OnProgress] = None,
    ) -> FindOutcome: ...
    def set(
        self,
        package: str,
        values: dict[str, Any],
        output: _Path,
        *,
        overwrite: bool = False,
        force: bool = False,
    ) -> Edit: ...
    def edit(self) -> Changes: ...
    def verify(
        self,
        patterns: Optional[_Texts] = None,
        *,
        exclude: Optional[_Texts] = None,
        shard: Optional[str] = None,
        progress: Optional[_OnProgress] = None,
    ) -> Outcome: ...
    def unpack(
        self,
        folder: _Path,
        patterns: Optional[_Texts] = None,
        *,
        exclude: Optional[_Texts] = None,
        overwrite: _Overwrite = "different",
        strict: bool = False,
        shard: Optional[str] = None,
        progress: Optional[_OnProgress] = None,
    ) -> Outcome: ...
    def to_legacy(
        self,
        folder: _Path,
        patterns: Optional[_Texts] = None,
        *,
        exclude: Optional[_Texts] = None,
        overwrite: _Overwrite = "different",
        strict: bool = False,
        shard: Optional[str] = None,
        progress: Optional[_OnProgress] = None,
    ) -> ConvertOutcome: ...
    def export(
        self,
        folder: _Path,
        patterns: Optional[_Texts] = None,
        *,
        exclude: Optional[_Texts] = None,
        overwrite: _Overwrite = "different",
        strict: bool = False,
        shard: Optional[str] = None,
        progress: Optional[_OnProgress] = None,
        forms: Union[_Form, Iterable[_Form], None] = None,
        all_mips: bool = False,
        all_lods: bool = False,
        nanite: Union[Literal["full", "fallback"], float] = "full",
        cube: Literal["faces", "equirectangular"] = "faces",
        collision: bool = False,
        instances: Literal["instanced", "nodes"] = "instanced",
        textures: bool = True,
        heights: Literal["png", "exr"] = "png",
        hidden: bool = False,
        within: Optional[tuple[float, float, float]] = None,
        origin: Optional[tuple[float, float, float]] = None,
        max_triangles: Optional[int] = None,
        classes: Optional[_Texts] = None,
    ) -> ExportOutcome: ...

@final
class Changes:
    def __len__(self) -> int: ...
    def set(
        self,
        packages: _Texts,
        address: str,
        value: Any,
        *,
        where: Optional[dict[str, Any]] = None,
        expected: Any = None,
        optional: bool = False,
    ) -> Changes: ...
    def multiply(
        self,
        packages: _Texts,
        address: str,
        factor: float,
        *,
        where: Optional[dict[str, Any]] = None,
        optional: bool = False,
    ) -> Changes: ...
    def add(
        self,
        packages: _Texts,
        address: str,
        summand: float,
        *,
        where: Optional[dict[str, Any]] = None,
        optional: bool = False,
    ) -> Changes: ...
    def append(
        self,
        packages: _Texts,
        address: str,
        values: Union[list[Any], dict[str, Any]],
        *,
        where: Optional[dict[str, Any]] = None,
        optional: bool = False,
    ) -> Changes: ...
    def remove(
        self,
        packages: _Texts,
        address: str,
        values: Optional[list[Any]] = None,
        *,
        where: Optional[dict[str, Any]] = None,
        optional: bool = False,
    ) -> Changes: ...
    def replace(self, package: str, file: _Path, *, object: Optional[str] = None) -> Changes: ...
    def save(
        self, output: _Path, *, keep_going: bool = False, overwrite: bool = False, force: bool = False
    ) -> BuildOutcome: ...
    def preview(self) -> BuildOutcome: ...
    def recipe(self, folder: _Path, *, overwrite: bool = False) -> None: ...
