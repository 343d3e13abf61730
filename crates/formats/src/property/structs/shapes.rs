//! Structs of a few numbers in a fixed order.

use super::field::Field::{self, F32, F64, I32, I64, Ints, Name, Real, Record as Sub, Str, U8, U32, U64};
use super::native::Native::{self, Fields};

// `Real` is a double since 5.0; structs with f or d in their name keep their width.
const VECTOR: &[(&str, Field)] = &[("X", Real), ("Y", Real), ("Z", Real)];
const VECTOR_2: &[(&str, Field)] = &[("X", Real), ("Y", Real)];
const VECTOR_4: &[(&str, Field)] = &[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)];
const VECTOR_2F: &[(&str, Field)] = &[("X", F32), ("Y", F32)];
const VECTOR_3F: &[(&str, Field)] = &[("X", F32), ("Y", F32), ("Z", F32)];
const VECTOR_4F: &[(&str, Field)] = &[("X", F32), ("Y", F32), ("Z", F32), ("W", F32)];
const VECTOR_3D: &[(&str, Field)] = &[("X", F64), ("Y", F64), ("Z", F64)];
const VECTOR_4D: &[(&str, Field)] = &[("X", F64), ("Y", F64), ("Z", F64), ("W", F64)];
const INTS_2: &[(&str, Field)] = &[("X", I32), ("Y", I32)];
const INTS_3: &[(&str, Field)] = &[("X", I32), ("Y", I32), ("Z", I32)];
const INTS_4: &[(&str, Field)] = &[("X", I32), ("Y", I32), ("Z", I32), ("W", I32)];
const UINTS_2: &[(&str, Field)] = &[("X", U32), ("Y", U32)];
const UINTS_3: &[(&str, Field)] = &[("X", U32), ("Y", U32), ("Z", U32)];
const UINTS_4: &[(&str, Field)] = &[("X", U32), ("Y", U32), ("Z", U32), ("W", U32)];
const LONGS_2: &[(&str, Field)] = &[("X", I64), ("Y", I64)];
const LONGS_3: &[(&str, Field)] = &[("X", I64), ("Y", I64), ("Z", I64)];
const LONGS_4: &[(&str, Field)] = &[("X", I64), ("Y", I64), ("Z", I64), ("W", I64)];
const ULONGS_2: &[(&str, Field)] = &[("X", U64), ("Y", U64)];
const ULONGS_3: &[(&str, Field)] = &[("X", U64), ("Y", U64), ("Z", U64)];
const ULONGS_4: &[(&str, Field)] = &[("X", U64), ("Y", U64), ("Z", U64), ("W", U64)];
const TICKS: &[(&str, Field)] = &[("Ticks", I64)];
const VALUE: &[(&str, Field)] = &[("Value", I32)];
const UNSIGNED: &[(&str, Field)] = &[("Value", U32)];

/// The fields of a box.
macro_rules! extent {
    ($corner:ident) => {
        Fields(&[("Min", Sub($corner)), ("Max", Sub($corner)), ("IsValid", U8)])
    };
}

/// The fields of a matrix.
macro_rules! matrix {
    ($row:ident) => {
        Fields(&[("XPlane", Sub($row)), ("YPlane", Sub($row)), ("ZPlane", Sub($row)), ("WPlane", Sub($row))])
    };
}

pub(super) const TABLE: &[(&str, Native)] = &[
    ("Vector", Fields(VECTOR)),
    ("Vector2D", Fields(VECTOR_2)),
    ("Vector4", Fields(VECTOR_4)),
    ("Plane", Fields(VECTOR_4)),
    ("Quat", Fields(VECTOR_4)),
    ("Rotator", Fields(&[("Pitch", Real), ("Yaw", Real), ("Roll", Real)])),
    ("Vector2f", Fields(VECTOR_2F)),
    ("Vector3f", Fields(VECTOR_3F)),
    ("Vector4f", Fields(VECTOR_4F)),
    ("Quat4f", Fields(VECTOR_4F)),
    ("Plane4f", Fields(VECTOR_4F)),
    ("Rotator3f", Fields(&[("Pitch", F32), ("Yaw", F32), ("Roll", F32)])),
    ("Vector3d", Fields(VECTOR_3D)),
    ("Vector4d", Fields(VECTOR_4D)),
    ("Quat4d", Fields(VECTOR_4D)),
    ("Plane4d", Fields(VECTOR_4D)),
    ("Rotator3d", Fields(&[("Pitch", F64), ("Yaw", F64), ("Roll", F64)])),
    ("DeprecateSlateVector2D", Fields(VECTOR_2F)),
    ("Matrix", matrix!(VECTOR_4)),
    ("Matrix44f", matrix!(VECTOR_4F)),
    ("Matrix44d", matrix!(VECTOR_4D)),
    ("Box", extent!(VECTOR)),
    ("Box2D", extent!(VECTOR_2)),
    ("Box3f", extent!(VECTOR_3F)),
    ("Box2f", extent!(VECTOR_2F)),
    ("Box3d", extent!(VECTOR_3D)),
    ("Sphere", Fields(&[("Center", Sub(VECTOR)), ("W", Real)])),
    ("Sphere3f", Fields(&[("Center", Sub(VECTOR_3F)), ("W", F32)])),
    ("Sphere3d", Fields(&[("Center", Sub(VECTOR_3D)), ("W", F64)])),
    ("TwoVectors", Fields(&[("V1", Sub(VECTOR)), ("V2", Sub(VECTOR))])),
    (
        "CapsuleShape",
        Fields(&[("Center", Sub(VECTOR)), ("Radius", Real), ("Orientation", Sub(VECTOR)), ("Length", Real)]),
    ),
    // In this order: the memory layout of a little-endian ARGB word.
    ("Color", Fields(&[("B", U8), ("G", U8), ("R", U8), ("A", U8)])),
    ("LinearColor", Fields(&[("R", F32), ("G", F32), ("B", F32), ("A", F32)])),
    // In units of 100 ns.
    ("DateTime", Fields(TICKS)),
    ("Timespan", Fields(TICKS)),
    ("IntPoint", Fields(INTS_2)),
    ("Int32Point", Fields(INTS_2)),
    ("IntVector2", Fields(INTS_2)),
    ("Int32Vector2", Fields(INTS_2)),
    ("IntVector", Fields(INTS_3)),
    ("Int32Vector", Fields(INTS_3)),
    ("IntVector3", Fields(INTS_3)),
    ("IntVector4", Fields(INTS_4)),
    ("Int32Vector4", Fields(INTS_4)),
    ("UintPoint", Fields(UINTS_2)),
    ("Uint32Point", Fields(UINTS_2)),
    ("UintVector2", Fields(UINTS_2)),
    ("Uint32Vector2", Fields(UINTS_2)),
    ("UintVector", Fields(UINTS_3)),
    ("Uint32Vector", Fields(UINTS_3)),
    ("UintVector4", Fields(UINTS_4)),
    ("Uint32Vector4", Fields(UINTS_4)),
    ("Int64Point", Fields(LONGS_2)),
    ("Int64Vector2", Fields(LONGS_2)),
    ("Int64Vector", Fields(LONGS_3)),
    ("Int64Vector4", Fields(LONGS_4)),
    ("Uint64Point", Fields(ULONGS_2)),
    ("Uint64Vector2", Fields(ULONGS_2)),
    ("Uint64Vector", Fields(ULONGS_3)),
    ("Uint64Vector4", Fields(ULONGS_4)),
    ("FrameNumber", Fields(VALUE)),
    ("NavAgentSelector", Fields(&[("PackedBits", U32)])),
    ("MovieSceneSequenceID", Fields(UNSIGNED)),
    ("MovieSceneSegmentIdentifier", Fields(&[("IdentifierIndex", I32)])),
    (
        "RichCurveKey",
        Fields(&[
            ("InterpMode", U8),
            ("TangentMode", U8),
            ("TangentWeightMode", U8),
            ("Time", F32),
            ("Value", F32),
            ("ArriveTangent", F32),
            ("ArriveTangentWeight", F32),
            ("LeaveTangent", F32),
            ("LeaveTangentWeight", F32),
        ]),
    ),
    ("SimpleCurveKey", Fields(&[("Time", F32), ("Value", F32)])),
    ("NameCurveKey", Fields(&[("Time", F32), ("Value", Name)])),
    ("StringCurveKey", Fields(&[("Time", F32), ("Value", Str)])),
    // Writes no bytes at all.
    ("KeyHandleMap", Fields(&[])),
    (
        "FontCharacter",
        Fields(&[
            ("StartU", I32),
            ("StartV", I32),
            ("USize", I32),
            ("VSize", I32),
            ("TextureIndex", U8),
            ("VerticalOffset", I32),
        ]),
    ),
    (
        "MovieSceneFrameRange",
        Fields(&[("LowerBoundType", U8), ("LowerBound", I32), ("UpperBoundType", U8), ("UpperBound", I32)]),
    ),
    (
        "MovieSceneEvaluationKey",
        Fields(&[("SequenceID", U32), ("TrackIdentifier", U32), ("SectionIndex", U32)]),
    ),
    (
        "LevelSequenceObjectReferenceMap",
        Fields(&[(
            "Map",
            Field::List(36, &[("Key", Field::Guid), ("ObjectId", Field::Guid), ("ObjectPath", Str)]),
        )]),
    ),
    (
        "SkeletalMeshSamplingLODBuiltData",
        Fields(&[("Prob", Field::Floats), ("Alias", Ints), ("TotalWeight", F32)]),
    ),
    (
        "MaterialLayersFunctionsTree",
        Fields(&[("Nodes", Field::List(16, INTS_4)), ("Payloads", Field::List(8, INTS_2)), ("Root", I32)]),
    ),
];
