//! Structs of the sequencer: channels, and the compiled form of tracks.

use super::field::Field::{self, F32, F64, Fill, I32, List as Many, Object, U8, U32};
use super::field::record_of;
use super::native::Native::{self, Code};
use super::native::record;
use crate::property::decode::Decoder;
use crate::property::from_value::FromValue;
use crate::property::kind::StructName;
use crate::property::value::{Record, Value};
use crate::wire::{Fault, FaultKind};

pub(super) const TABLE: &[(&str, Native)] = &[
    ("MovieSceneFloatChannel", Code(|d| channel(d, F32, 28, FLOAT_KEY))),
    ("MovieSceneDoubleChannel", Code(|d| channel(d, F64, 32, DOUBLE_KEY))),
    ("MovieSceneFloatValue", Code(|d| key(d, F32))),
    ("MovieSceneDoubleValue", Code(|d| key(d, F64))),
    ("MovieSceneSegment", Code(segment)),
    ("MovieSceneTrackIdentifier", Code(track_id)),
    ("MovieSceneEvalTemplatePtr", Code(pointer)),
    ("MovieSceneTrackImplementationPtr", Code(pointer)),
    ("MovieSceneSequenceInstanceDataPtr", Code(pointer)),
    ("MovieSceneEvaluationFieldEntityTree", Code(|d| tree(d, 8, entity))),
    ("MovieSceneSubSequenceTree", Code(|d| tree(d, 5, sub_sequence))),
    ("MovieSceneTrackFieldData", Code(|d| tree(d, 4, track))),
    ("MovieSceneSubSectionFieldData", Code(|d| tree(d, 21, sub_section))),
    ("SectionEvaluationDataTree", Code(|d| tree(d, 1, section))),
    ("MovieSceneEventParameters", Code(event)),
    ("MovieSceneTimeWarpVariant", Code(time_warp)),
];

/// The fields of a channel's key, including fillers.
macro_rules! key_fields {
    ($value:ident, $end:literal) => {
        &[
            ("Value", $value),
            ("ArriveTangent", F32),
            ("LeaveTangent", F32),
            ("ArriveTangentWeight", F32),
            ("LeaveTangentWeight", F32),
            ("TangentWeightMode", U8),
            ("Filler", Fill(3)),
            ("InterpMode", U8),
            ("TangentMode", U8),
            ("End", Fill($end)),
        ]
    };
}

// 28 and 32 bytes, as the channel records them.
const FLOAT_KEY: &[(&str, Field)] = key_fields!(F32, 2);
const DOUBLE_KEY: &[(&str, Field)] = key_fields!(F64, 2);

fn channel(
    d: &mut Decoder<'_, '_>,
    value: Field,
    key_len: u32,
    key: &'static [(&'static str, Field)],
) -> Result<Option<Value>, Fault> {
    let versions = d.scope.versions;
    // A plain list before 4.25.
    if !versions.has_full_channels() && !versions.has_show_curve() {
        return Ok(None);
    }
    let mut f = record_of(d, &[("PreInfinityExtrap", U8), ("PostInfinityExtrap", U8)])?;
    // Sizes precede both arrays, as they are written as blocks of memory.
    f.push("TimeSize", known(d, "size of a time", 4)?);
    f.push("Times", d.list("times of a channel", 4, Decoder::int)?);
    f.push("ValueSize", known(d, "size of a key", key_len)?);
    let len = key_len as usize;
    f.push("Values", d.list("keys of a channel", len, |d| record_of(d, key).map(Value::of_record))?);
    f.push("DefaultValue", value.read(d)?);
    f.push("bHasDefaultValue", d.bool32()?);
    f.push("TickResolution", Field::Record(&[("Numerator", I32), ("Denominator", I32)]).read(d)?);
    if versions.has_show_curve() {
        f.push("bShowCurve", d.bool32()?);
    }
    record(f)
}

/// Reads a number that has only one valid value.
fn known(d: &mut Decoder<'_, '_>, field: &'static str, expected: u32) -> Result<Value, Fault> {
    let at = d.r.clone();
    match d.r.u32(field)? {
        found if found == expected => Ok(Value::UInt32(found)),
        found => {
            let kind = FaultKind::Unexpected { found: found.into(), expected: expected.into() };
            Err(at.fault(field, kind))
        }
    }
}

/// Reads a key that is a property by itself.
fn key(d: &mut Decoder<'_, '_>, value: Field) -> Result<Option<Value>, Fault> {
    let mut f = Record::default();
    f.push("Value", value.read(d)?);
    let rest: &'static [(&'static str, Field)] = if d.scope.versions.has_full_channels() {
        &[
            ("ArriveTangent", F32),
            ("LeaveTangent", F32),
            ("ArriveTangentWeight", F32),
            ("LeaveTangentWeight", F32),
            ("TangentWeightMode", U8),
            ("InterpMode", U8),
            ("TangentMode", U8),
            ("Filler", Fill(1)),
        ]
    } else {
        // The older order, without filler.
        &[
            ("InterpMode", U8),
            ("TangentMode", U8),
            ("ArriveTangent", F32),
            ("LeaveTangent", F32),
            ("TangentWeightMode", U8),
            ("ArriveTangentWeight", F32),
            ("LeaveTangentWeight", F32),
        ]
    };
    f.fields.extend(record_of(d, rest)?.fields);
    record(f)
}

const FRAMES: Field = Field::Record(FRAME_RANGE);
const FRAME_RANGE: &[(&str, Field)] =
    &[("LowerBoundType", U8), ("LowerBound", I32), ("UpperBoundType", U8), ("UpperBound", I32)];
// Before 4.20 times are seconds.
const SECONDS: Field = Field::Record(&[
    ("LowerBoundType", U8),
    ("LowerBound", F32),
    ("UpperBoundType", U8),
    ("UpperBound", F32),
]);

fn segment(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let versions = d.scope.versions;
    let mut f = Record::default();
    f.push("Range", if versions.has_frame_times() { FRAMES } else { SECONDS }.read(d)?);
    // 4.19 and later.
    if versions.has_evaluation_tree() {
        f.fields.extend(record_of(d, &[("ID", I32), ("bAllowEmpty", Field::Bool32)])?.fields);
    }
    f.push("Impls", d.list("sections of a segment", 1, section)?);
    record(f)
}

fn track_id(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // A plain list before 4.17.
    if d.scope.versions.has_native_track_ids() { record(record_of(d, &[("Value", U32)])?) } else { Ok(None) }
}

/// Reads a struct whose type is given as a path; an empty path stands for none.
fn pointer(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    let path = d.string()?;
    // The last part of `/Script/Module.Struct`.
    let name = <&str>::from_value(&path).unwrap_or_default().rsplit('.').next().unwrap_or_default();
    let name = StructName::new(name);
    let mut f = Record::default();
    f.push("TypePath", path);
    if !name.name.is_empty() {
        f.push("Data", d.enter(|d| d.plain_struct(&name))?);
    }
    record(f)
}

const NODE: &[(&str, Field)] = &[
    ("Range", FRAMES),
    ("ParentChildrenID", I32),
    ("ParentChildIndex", I32),
    ("ChildrenID", I32),
    ("DataID", I32),
];
const ENTRIES: Field = Many(12, &[("StartIndex", I32), ("Size", I32), ("Capacity", I32)]);

/// `TMovieSceneEvaluationTree`: nodes by time, and the items evaluated in each.
fn tree(
    d: &mut Decoder<'_, '_>,
    item_len: usize,
    item: fn(&mut Decoder<'_, '_>) -> Result<Value, Fault>,
) -> Result<Option<Value>, Fault> {
    let mut f = record_of(
        d,
        &[
            ("RootNode", Field::Record(NODE)),
            ("ChildEntries", ENTRIES),
            ("ChildNodes", Many(26, NODE)),
            ("DataEntries", ENTRIES),
        ],
    )?;
    f.push("Data", d.list("items of a tree", item_len, item)?);
    record(f)
}

fn entity(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    record_of(d, &[("EntityIndex", I32), ("MetaDataIndex", I32)]).map(Value::of_record)
}

fn sub_sequence(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut f = record_of(d, &[("SequenceID", U32), ("Flags", U8)])?;
    // 4.27 to 5.4.
    if d.scope.versions.has_warp_counter() {
        f.push(
            "RootToSequenceWarpCounter",
            d.enter(|d| d.plain_struct(&StructName::new("MovieSceneWarpCounter")))?,
        );
    }
    Ok(Value::of_record(f))
}

fn track(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    d.uint32()
}

fn sub_section(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    record_of(d, &[("Section", Object), ("ObjectBindingId", Field::Guid), ("Flags", U8)])
        .map(Value::of_record)
}

fn section(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    d.enter(|d| d.plain_struct(&StructName::new("SectionEvaluationData")))
}

fn event(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // An object before 4.16.
    let is_soft = d.scope.versions.has_soft_event_structs();
    let mut f = Record::default();
    f.push("StructType", if is_soft { d.soft_path()? } else { d.object()? });
    f.push("StructBytes", d.bytes("bytes of an event")?);
    record(f)
}

fn time_warp(d: &mut Decoder<'_, '_>) -> Result<Option<Value>, Fault> {
    // The structs of kinds 2 and up, in order.
    const LISTS: [&str; 6] = [
        "MovieSceneTimeWarpFixedFrame",
        "MovieSceneTimeWarpFrameRate",
        "MovieSceneTimeWarpLoop",
        "MovieSceneTimeWarpClamp",
        "MovieSceneTimeWarpLoopFloat",
        "MovieSceneTimeWarpClampFloat",
    ];
    let mut f = Record::default();
    let is_literal = d.bool32()?;
    let literal = is_literal == Value::Bool32(true);
    f.push("bIsLiteral", is_literal);
    if literal {
        f.push("PlayRate", d.double()?);
        return record(f);
    }
    let at = d.r.clone();
    let kind = d.r.u8("kind of a time warp")?;
    f.push("Type", Value::Byte(kind));
    let value = match kind {
        0 => d.double()?,
        1 => d.object()?,
        _ => {
            // Kinds 0 and 1 are matched above, so this cannot underflow.
            let name = LISTS.get(usize::from(kind) - 2).ok_or_else(|| {
                at.fault("kind of a time warp", FaultKind::Unsupported { found: kind.into() })
            })?;
            d.enter(|d| d.plain_struct(&StructName::new(name)))?
        }
    };
    f.push("Value", value);
    record(f)
}
