"""What jobs say: how far they are, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional

from .errors import UncaskError

if TYPE_CHECKING:
    from ._uncask import Entry


@dataclass(frozen=True)
class Progress:
    """How far a job is. Numbers only grow; the totals, too, as a job may be planned in several parts."""

    done: int
    """Uncompressed bytes that are done."""
    total: int
    """Uncompressed bytes to do in all."""
    chunks: int
    """Chunks that are done; packages, for `export`."""
    total_chunks: int
    """Chunks to do in all."""


@dataclass(frozen=True)
class Failure:
    """A chunk, package or file that could not be processed, or is not what it should be."""

    path: str
    """Its path, or its name by id."""
    chunk_id: str | None
    """Its id, if it is a chunk."""
    error: UncaskError
    """What is wrong. It was not raised."""


@dataclass(frozen=True)
class Outcome:
    """What became of a job. One bad chunk never ends it, so look at `ok`, or call `raise_if_failed`."""

    ok: bool
    """Whether nothing went wrong."""
    kind: str
    """What is counted: `"chunk"`, `"package"` or `"file"`."""
    count: int
    """How many came through, without those that were there already."""
    bytes: int
    """Their uncompressed size."""
    unchanged: int
    """Those whose files were there already, and were found to be right."""
    kept: int
    """Those whose files were there already, and were to be left alone."""
    unhashed: int
    """Those without a recorded hash, so that nothing could be compared."""
    failures: list[Failure] = field(repr=False)
    """What could not be read or written."""
    mismatches: list[Failure] = field(repr=False)
    """What is not as its container says: content or an index that does not have the recorded hash, or a chunk that the engine would not
    find. Unless a job is strict, such content is written."""
    renamed: list[tuple[str, str]] = field(repr=False)
    """Paths that had to change so that no two files meet, and what they became."""

    def raise_if_failed(self) -> None:
        """Raises the first thing that went wrong, if something did."""
        for failure in [*self.failures, *self.mismatches]:
            raise failure.error

    def __repr__(self) -> str:
        bad = len(self.failures) + len(self.mismatches)
        state = "ok" if self.ok else f"{bad} failed"
        skipped = self.unchanged + self.kept
        return f"<{type(self).__name__} {state}: {self.count} done, {self.bytes} bytes, {skipped} skipped>"


@dataclass(frozen=True, repr=False)
class ConvertOutcome(Outcome):
    """What became of `to_legacy`."""

    packages: list[dict[str, Any]]
    """What each package was rebuilt as, and what could not be rebuilt: as in `uncask to-legacy --report`."""
    libraries: list[dict[str, Any]]
    """Shader libraries that were rebuilt."""
    problems: list[UncaskError]
    """What kept imports from being resolved."""


@dataclass(frozen=True)
class Asset:
    """An asset that was exported, or that was left out."""

    package: str
    """The name of its package."""
    object: str
    """Its path in the package."""
    class_name: str
    """Its class."""
    files: list[str]
    """The files that it became, relative to the output folder; none if it was left out."""
    bytes: int
    """Bytes in them."""
    note: Optional[str]
    """What was not written, and why."""


@dataclass(frozen=True, repr=False)
class ExportOutcome(Outcome):
    """What became of `export`."""

    assets: list[Asset]
    """Assets that were exported."""
    left_out: list[Asset]
    """Assets that are in no form that was asked for."""
    other_classes: dict[str, int]
    """Packages in which nothing can be exported, by the classes of their assets."""
    without_mappings: int
    """Packages whose properties have no tags, although there are no mappings."""


@dataclass(frozen=True, repr=False)
class FindOutcome(Outcome):
    """What `find` has found."""

    values: list[dict[str, Any]]
    """The values: package, export, property and value of each."""
    cut: int
    """Packages that have more values than are listed."""
    without_mappings: int
    """Packages whose properties have no tags, although there are no mappings: nothing is found in them."""


@dataclass(frozen=True)
class Change:
    """A chunk that differs between two builds."""

    change: str
    """`added`, `removed`, `changed` or `moved`."""
    old: Optional[Entry]
    """The chunk in the old build."""
    new: Optional[Entry]
    """The chunk in the new build."""


@dataclass(frozen=True)
class Edit:
    """What became of `set`."""

    changes: list[tuple[str, Optional[str], Optional[str]]]
    """Address, old value and new value of each, as JSON; `None` is the default of the class."""
    files: list[str]
    """Paths of the files written, or of those in the container; none if nothing has changed."""
    warnings: list[str]
    """Reasons why the game may reject the result."""


@dataclass(frozen=True)
class BuildOutcome:
    """What became of changes that were collected by `Game.edit`."""

    changes: list[tuple[str, str, Optional[str], Optional[str]]]
    """Package, address, old value and new value of each, as JSON; `None` is the default of the class, or nothing."""
    cut: bool
    """There are more changes than listed."""
    packages: int
    """Number of packages that changed."""
    doubts: list[tuple[str, str, str, str]]
    """Values that were not what was expected: package, address, expected value, value of the game."""
    problems: list[str]
    """Changes that cannot be made, and packages that cannot be read."""
    warnings: list[str]
    """Reasons why the game may reject the result."""
    objects_not_read: int
    """Objects that changes may be for, but that cannot be read, as without mappings; nothing is changed in them."""
    is_written: bool
    """The mod is there; not so if nothing changed, or if there are problems and `keep_going` was not given."""


@dataclass(frozen=True)
class Container:
    """A container of a game: a `.utoc` with its `.ucas` files, or a `.pak`."""

    name: str
    """File name without extension."""
    path: str
    """The `.utoc` or `.pak`."""
    kind: str
    """`iostore` or `pak`."""
    version: int
    """Version of the format."""
    engine: Optional[str]
    """Engine releases that write such a container, as far as it says."""
    chunks: int
    """Number of chunks."""
    encrypted: bool
    """Whether it is encrypted."""
    locked: Optional[UncaskError]
    """Why its chunks cannot be decrypted, if they cannot."""
    mount_point: str
    """What the paths in it are relative to."""
    base: bool
    """Whether it only lends its names to the others."""
