//! JSON form of ids: their text form.

use super::{ChunkHash, ContainerId, Guid, PackageId, PackageObjectIndex, RawChunkId};
use serde::{Serialize, Serializer};

macro_rules! as_text {
    ($($name:ident),*) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }
        )*
    };
}

as_text!(ChunkHash, ContainerId, Guid, PackageId, PackageObjectIndex, RawChunkId);
