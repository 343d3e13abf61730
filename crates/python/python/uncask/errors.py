"""What can go wrong. Every exception of this package is an `UncaskError`."""

from __future__ import annotations


class UncaskError(Exception):
    """Something went wrong; the message says what, and where."""


class NotFound(UncaskError, LookupError):
    """Nothing has this name or path."""


class InputMissing(UncaskError, FileNotFoundError):
    """A path does not exist, or has no containers."""


class Ambiguous(UncaskError, LookupError):
    """A name matches several chunks; the message lists some of them."""


class InvalidArgument(UncaskError, ValueError):
    """A key, pattern, engine release or option cannot be understood."""


class NotAPackage(UncaskError):
    """A chunk is not a package."""


class KeyMissing(UncaskError):
    """A container is encrypted, and no key was given."""


class WrongKey(UncaskError):
    """A container is encrypted, and none of the keys that were given decrypts it."""


class MappingsMissing(UncaskError):
    """Properties have no tags, so the game's mappings (`.usmap`) are needed."""


class DataMissing(UncaskError):
    """A data file is missing or cut off."""


class Damaged(UncaskError):
    """Data is damaged: it does not follow its format, or does not have its recorded hash."""


class Unsupported(UncaskError):
    """Something exists that cannot be read, or cannot be made as it was asked for."""


class LimitExceeded(UncaskError):
    """Something is larger than the memory or the limit that it may take."""


class FileError(UncaskError, OSError):
    """The operating system refused something."""


class Cancelled(UncaskError):
    """Work was given up because it was cancelled."""


class InternalError(UncaskError):
    """A bug of uncask; please report it."""


class UncaskWarning(UserWarning):
    """Something is odd about a container, but it can be read."""
