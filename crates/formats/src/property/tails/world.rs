//! Tails of worlds, levels and actors.

use super::context::{Context, Read};
use crate::property::decode::Decoder;
use crate::property::structs::Field::{
    self, Bool32, Bytes, F32, Guid, I32, List as Many, Object, Real, Str, U8, U16,
};
use crate::property::structs::add;
use crate::property::value::{Record, Value};
use crate::wire::Fault;

pub(super) const TABLE: &[(&str, Read)] = &[
    ("World", world),
    ("Level", level),
    ("WorldPartition", partition),
    ("WorldPartitionRuntimeCellData", cell_data),
    ("Actor", actor),
    ("LevelInstance", level_instance),
];

pub(super) const VECTOR: Field = Field::Record(&[("X", Real), ("Y", Real), ("Z", Real)]);

fn world(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    tail.push("PersistentLevel", d.object()?);
    tail.push("ExtraReferencedObjects", d.list("objects of a world", 4, Decoder::object)?);
    tail.push("StreamingLevels", d.list("streaming levels", 4, Decoder::object)?);
    Ok(())
}

const URL: Field = Field::Record(&[
    ("Protocol", Str),
    ("Host", Str),
    ("Map", Str),
    ("Portal", Str),
    ("Op", Many(4, &[("Option", Str)])),
    ("Port", I32),
    ("Valid", Bool32),
]);

const BUCKET: &[(&str, Field)] = &[
    ("CellDataSize", I32),
    ("Cells", Many(16, &[("Min", VECTOR), ("ChunkIndex", U16), ("DataOffset", U16)])),
    ("CellDataChunks", Many(12, &[("bCompressed", Bool32), ("UncompressedSize", I32), ("Data", Bytes)])),
];

const VISIBILITY: Field = Field::Record(&[
    ("BucketOriginX", Real),
    ("BucketOriginY", Real),
    ("CellSizeXY", F32),
    ("CellSizeZ", F32),
    ("BucketSizeXY", I32),
    ("NumBuckets", I32),
    ("Buckets", Many(12, BUCKET)),
]);

const DISTANCE_FIELD: Field = Field::Record(&[
    ("VolumeMaxDistance", F32),
    ("VolumeBox", Field::Record(&[("Min", VECTOR), ("Max", VECTOR), ("IsValid", U8)])),
    ("VolumeSizeX", I32),
    ("VolumeSizeY", I32),
    ("VolumeSizeZ", I32),
    ("Data", Many(4, &[("B", U8), ("G", U8), ("R", U8), ("A", U8)])),
]);

fn level(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    let versions = d.scope.versions;
    if !versions.has_plain_actor_list() {
        tail.push("ActorsOwner", d.object()?);
    }
    tail.push("Actors", d.list("actors of a level", 4, Decoder::object)?);
    tail.push("URL", URL.read(d)?);
    tail.push("Model", d.object()?);
    tail.push("ModelComponents", d.list("components of a level", 4, Decoder::object)?);
    tail.push("LevelScriptActor", d.object()?);
    if versions.has_lean_levels() {
        add(d, tail, &[("NavListStart", Object), ("NavListEnd", Object)])?;
    }
    if versions.has_map_build_data() {
        add(
            d,
            tail,
            &[
                ("PrecomputedVisibilityHandler", VISIBILITY),
                ("PrecomputedVolumeDistanceField", DISTANCE_FIELD),
            ],
        )?;
    }
    Ok(())
}

/// Reads a flag (four bytes), and an object if it is set: only cooked packages have the object.
pub(super) fn cooked_object(
    d: &mut Decoder<'_, '_>,
    tail: &mut Record,
    flag: &'static str,
    name: &'static str,
) -> Result<(), Fault> {
    let found = d.bool32()?;
    let is_there = found == Value::Bool32(true);
    tail.push(flag, found);
    if is_there {
        tail.push(name, d.object()?);
    }
    Ok(())
}

fn partition(d: &mut Decoder<'_, '_>, tail: &mut Record, _: &Context<'_>) -> Result<(), Fault> {
    if d.scope.versions.has_streaming_policy() {
        cooked_object(d, tail, "bCooked", "StreamingPolicy")?;
    }
    Ok(())
}

fn cell_data(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    // 5.3 and later. No version tells, but the bytes left do.
    if !context.is_default && d.r.remaining() > 0 {
        tail.push("DebugName", d.string()?);
    }
    Ok(())
}

fn actor(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    let (versions, cooked) = (d.scope.versions, d.scope.package.form.cooked);
    if context.is_default {
        return Ok(());
    }
    if versions.has_actor_labels() {
        let found = d.bool32()?;
        let has_label = found == Value::Bool32(true);
        tail.push("bIsCooked", found);
        if has_label {
            tail.push("ActorLabel", d.string()?);
        }
    }
    if versions.has_level_instance_guids() && cooked {
        add(d, tail, &[("ActorInstanceGuid", Guid), ("ActorContentBundleGuid", Guid)])?;
    }
    Ok(())
}

fn level_instance(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if !context.is_default && d.r.remaining() >= 16 {
        tail.push("LevelInstanceActorGuid", d.guid()?);
    }
    Ok(())
}
