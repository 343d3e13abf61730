"""Opens Unreal Engine game files: IoStore containers (`.utoc`, `.ucas`) and `.pak` files.

    import uncask

    game = uncask.open("MyGame/Content/Paks", keys="0x...")
    for entry in game.glob("*.umap"):
        print(entry.size, entry.path)
    data = game.read("/Game/Maps/Start")
    game.unpack("out", "*/UI/*").raise_if_failed()
"""

from ._uncask import Batches, Changes, Entry, Game, Tables, __version__, expand, open
from .errors import (
    Ambiguous,
    Cancelled,
    Damaged,
    DataMissing,
    FileError,
    InputMissing,
    InternalError,
    InvalidArgument,
    KeyMissing,
    LimitExceeded,
    MappingsMissing,
    NotAPackage,
    NotFound,
    UncaskError,
    UncaskWarning,
    Unsupported,
    WrongKey,
)
from .outcomes import (
    Asset,
    BuildOutcome,
    Change,
    Container,
    ConvertOutcome,
    Edit,
    ExportOutcome,
    Failure,
    FindOutcome,
    Outcome,
    Progress,
)
from .parts import Build, Part, builds, parts

__all__ = [
    "Ambiguous",
    "Asset",
    "Batches",
    "Build",
    "BuildOutcome",
    "Cancelled",
    "Change",
    "Changes",
    "Container",
    "ConvertOutcome",
    "Damaged",
    "DataMissing",
    "Edit",
    "Entry",
    "ExportOutcome",
    "Failure",
    "FileError",
    "FindOutcome",
    "Game",
    "InputMissing",
    "InternalError",
    "InvalidArgument",
    "KeyMissing",
    "LimitExceeded",
    "MappingsMissing",
    "NotAPackage",
    "NotFound",
    "Outcome",
    "Part",
    "Progress",
    "Tables",
    "UncaskError",
    "UncaskWarning",
    "Unsupported",
    "WrongKey",
    "__version__",
    "builds",
    "expand",
    "open",
    "parts",
]
