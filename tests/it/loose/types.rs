//! `.usmap`, of every version and method.

use crate::support::hostile::Rng;
use crate::support::types::{BROTLI, PACKAGE, Property, Struct, Type, Types};
use proptest::prelude::*;
use uncask::codec::{self, Scratch};
use uncask::mappings::{Mappings, Method, PropertyKind, PropertyType, StructKind};
use uncask::version::UsmapVersion;
use uncask::wire::{Fault, FaultKind};

fn parse(file: &[u8]) -> Result<Mappings, Fault> {
    Mappings::parse(file, &mut Scratch::default())
}

/// A type, in the form that it is written from.
fn written(kind: &PropertyType<'_>) -> Type {
    let inner = |inner: &PropertyType<'_>| Box::new(written(inner));
    let name = |name: &Option<std::borrow::Cow<'_, str>>| name.as_deref().unwrap().to_owned();
    match kind {
        PropertyType::Plain(PropertyKind(kind)) => Type::Plain(*kind),
        PropertyType::Struct(of) => Type::Struct(name(of)),
        PropertyType::Enum(of, stored_as) => Type::Enum(name(of), inner(stored_as)),
        PropertyType::Array(of) => Type::Of(8, inner(of)),
        PropertyType::Set(of) => Type::Of(25, inner(of)),
        PropertyType::Optional(of) => Type::Of(28, inner(of)),
        PropertyType::Map(key, value) => Type::Map(inner(key), inner(value)),
    }
}

/// Compares what was read with what was written.
fn check(mappings: &Mappings, types: &Types) {
    let extended = types.version >= 6;
    let package = extended.then_some(PACKAGE);
    assert_eq!(mappings.enums().len(), types.enums.len());
    for (found, (name, values)) in mappings.enums().zip(&types.enums) {
        assert_eq!((found.name().as_ref(), found.package().as_deref()), (name.as_str(), package));
        let of_values = found.values().map(|value| (value.value, value.name.into_owned()));
        assert_eq!(of_values.collect::<Vec<_>>(), *values);
        assert_eq!(found.value_count() as usize, values.len());
    }
    assert_eq!(mappings.structs().len(), types.structs.len());
    for (found, row) in mappings.structs().zip(&types.structs) {
        assert_eq!(
            (found.name().as_ref(), found.super_name().as_deref()),
            (row.name.as_str(), row.base.as_deref())
        );
        let kind = if row.base.is_none() { StructKind::Struct } else { StructKind::Class };
        assert_eq!((found.package().as_deref(), found.kind()), (package, extended.then_some(kind)));
        assert_eq!(found.flags(), extended.then_some(0x2000_0010));
        let elements: u32 = row.properties.iter().map(|property| u32::from(property.array_len)).sum();
        assert_eq!(
            (found.element_count(), found.property_count() as usize),
            (elements, row.properties.len())
        );
        assert_eq!(found.properties().count(), row.properties.len());
        for (found, property) in found.properties().zip(&row.properties) {
            let Property { index, array_len, name, kind, flags } = property;
            assert_eq!(
                (found.index, found.array_len, found.name.as_ref()),
                (*index, u16::from(*array_len), name.as_str())
            );
            assert_eq!(written(&found.kind), *kind);
            assert_eq!(found.flags, extended.then_some(*flags));
        }
    }
    let extensions: Vec<_> = mappings.extensions().map(|row| (row.id, row.bytes.to_vec())).collect();
    assert_eq!(extensions, types.extensions);
}

#[test]
fn every_version_is_read() {
    for version in UsmapVersion::ALL {
        for has_versions in [false, true] {
            let types = Types { has_versions, ..Types::demo(version.to_wire()) };
            let mappings = parse(&types.file()).unwrap();
            assert_eq!((mappings.header.version, mappings.header.method), (version, Method::None));
            check(&mappings, &types);
            let versions = mappings.header.versions;
            assert_eq!(versions.is_some(), has_versions && version.has_package_versions());
            if let Some(versions) = versions {
                assert_eq!((versions.ue4, versions.ue5, versions.net_changelist), (522, 1012, 4321));
                assert_eq!(versions.custom.iter().map(|custom| custom.number).collect::<Vec<_>>(), [77]);
                let engine = versions.engine.map(|engine| (engine.minor, engine.changelist, engine.branch));
                let expected = (4, 0x8000_0007, "++UE5+5.4".into());
                assert_eq!(engine, version.has_engine_version().then_some(expected));
            }
        }
    }
}

#[test]
fn the_source_has_the_width_that_fits() {
    for source_len in [1, 4] {
        let types = Types { source_len, ..Types::demo(6) };
        let mappings = parse(&types.file()).unwrap();
        let metadata = mappings.header.metadata.as_ref().unwrap();
        assert_eq!((metadata.tool.as_str(), metadata.tool_version.as_str()), ("uncask's tests", ""));
        assert_eq!((metadata.created_at, metadata.source), (1_700_000_000, 4));
        check(&mappings, &types);
    }
}

#[test]
fn extensions_are_named() {
    for version in UsmapVersion::ALL {
        let extensions = vec![(*b"PPTH", vec![0; 9]), (*b"EATR", vec![]), (*b"ENVP", b"CEXT".to_vec())];
        let types = Types { extensions, ..Types::demo(version.to_wire()) };
        check(&parse(&types.file()).unwrap(), &types);
    }
    // The form of before there were extensions: everything after a 1 is module paths.
    let types = Types::demo(0);
    let data = [&types.data()[..], &[1, 0, 0, 0], b"module paths"].concat();
    let mappings = parse(&types.wrap(0, &data, data.len())).unwrap();
    let found: Vec<_> = mappings.extensions().map(|row| (row.id, row.bytes)).collect();
    assert_eq!(found, [(*b"MODL", &b"module paths"[..])]);
}

/// So many structs that the data is more than two blocks of an Oodle stream.
fn large() -> Types {
    let (mut types, mut rng) = (Types::demo(3), Rng::new(1));
    for _ in 0..4000 {
        let mut row = types.structs[1].clone();
        row.name = format!("Player{:016x}{:016x}", rng.next(), rng.next());
        types.structs.push(row);
    }
    types
}

#[test]
fn every_method_is_read() {
    let types = large();
    let data = types.data();
    assert!(data.len() > 2 * (256 << 10), "{} bytes", data.len());
    let mut methods = vec![(codec::Method::Oodle, 1, Some(1)), (codec::Method::Oodle, 1, Some(3))];
    if cfg!(feature = "zstd") {
        methods.push((codec::Method::Zstd, 3, None));
    }
    for (method, number, level) in methods {
        let mut stored = Vec::new();
        codec::compress(method, &data, level, &mut stored, &mut Scratch::default()).unwrap();
        assert!(stored.len() < data.len() / 2, "{method}: {} bytes", stored.len());
        check(&parse(&types.wrap(number, &stored, data.len())).unwrap(), &types);
        for raw_len in [data.len() - 1, data.len() + 1] {
            let fault = parse(&types.wrap(number, &stored, raw_len)).unwrap_err();
            assert_eq!(fault.kind, FaultKind::BadStream { expected: raw_len as u64 }, "{method}");
        }
        let fault = parse(&types.wrap(number, &stored[..stored.len() - 1], data.len())).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadStream { expected: data.len() as u64 }, "{method}");
    }
}

#[cfg(feature = "brotli")]
#[test]
fn brotli_is_read() {
    let types = Types::demo(4);
    let (data, stored) = (types.data(), BROTLI);
    assert!(stored.len() < data.len());
    let mappings = parse(&types.wrap(2, stored, data.len())).unwrap();
    assert_eq!(mappings.header.method, Method::Brotli);
    check(&mappings, &types);
    for (cut, raw_len) in [(0, data.len() - 1), (0, data.len() + 1), (1, data.len())] {
        let fault = parse(&types.wrap(2, &stored[..stored.len() - cut], raw_len)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadStream { expected: raw_len as u64 });
    }
    let fault = parse(&types.wrap(2, &[stored, &[0]].concat(), data.len())).unwrap_err();
    assert_eq!(fault.kind, FaultKind::BadStream { expected: data.len() as u64 }, "bytes after the stream");
}

#[cfg(not(feature = "brotli"))]
#[test]
fn brotli_is_refused_by_name() {
    let types = Types::demo(4);
    let fault = parse(&types.wrap(2, BROTLI, types.data().len())).unwrap_err();
    assert!(fault.to_string().contains("needs the feature brotli"), "{fault}");
}

#[test]
fn what_is_cut_off_keeps_what_came_before() {
    for version in UsmapVersion::ALL {
        let file = Types::demo(version.to_wire()).file();
        let whole = parse(&file).unwrap();
        let names: Vec<_> = whole.structs().map(|row| row.name().into_owned()).collect();
        let mut most = 0;
        for len in 0..file.len() {
            let Ok(partial) = Mappings::parse_partial(&file[..len], &mut Scratch::default()) else {
                continue;
            };
            assert!(
                matches!(partial.fault.unwrap().kind, FaultKind::Truncated { .. }),
                "{version:?}, {len} bytes"
            );
            let found: Vec<_> = partial.value.structs().map(|row| row.name().into_owned()).collect();
            assert!(names.starts_with(&found), "{version:?}, {len} bytes");
            most = most.max(found.len());
        }
        assert_eq!(most, names.len() - 1, "{version:?}");
    }
}

/// A type that lies in others, this deep.
fn nested(depth: usize) -> Types {
    let kind = (0..depth).fold(Type::Plain(0), |kind, _| Type::Of(8, Box::new(kind)));
    let property = Property { index: 0, array_len: 1, name: "Deep".to_owned(), kind, flags: 0 };
    let row = Struct { name: "Deep".to_owned(), base: None, properties: vec![property] };
    Types { structs: vec![row], ..Types::demo(3) }
}

#[test]
fn types_are_not_endless() {
    check(&parse(&nested(16).file()).unwrap(), &nested(16));
    // Such types are written, and dropped, by functions that call themselves: that takes more than the usual stack of a thread.
    let deep = std::thread::Builder::new().stack_size(256 << 20).spawn(|| nested(60_000).file()).unwrap();
    for file in [nested(17).file(), deep.join().unwrap()] {
        let fault = parse(&file).unwrap_err();
        assert_eq!(fault.kind, FaultKind::TooLarge { found: 17, limit: 16 });
    }
}

#[test]
fn faults_are_reported() {
    let types = Types::demo(3);
    let (file, data) = (types.file(), types.data());
    let replaced = |from: &[u8], at: usize, bytes: &[u8]| {
        let mut file = from.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let in_data = |at: usize, bytes: &[u8]| replaced(&file, at + 16, bytes);
    let reported: Vec<String> = [
        b"C4".to_vec(),
        replaced(&file, 2, &[7]),
        replaced(&file, 3, &[2]),
        replaced(&file, 7, &[4]),
        replaced(&file, 12, &u32::MAX.to_le_bytes()),
        [&file[..], b"abc"].concat(),
        types.wrap(0, &[&data[..], b"abcd"].concat(), data.len() + 4),
        types.wrap(1, &data, 1 << 30),
        types.wrap(1, &data, data.len()),
        in_data(0, &u32::MAX.to_le_bytes()),
        in_data(0, &1000_u32.to_le_bytes()),
        in_data(data.len() - 8, &1000_u32.to_le_bytes()),
        in_data(data.len() - 12, &u32::MAX.to_le_bytes()),
        in_data(data.len() - 2, &u16::MAX.to_le_bytes()),
    ]
    .iter()
    .map(|file| parse(file).unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!(reported.join("\n"));
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        (0_u8..35)
            .prop_filter("holds others", |kind| ![8, 9, 24, 25, 26, 28].contains(kind))
            .prop_map(Type::Plain),
        "[A-Z][a-z]{0,5}".prop_map(Type::Struct),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            (prop::sample::select(vec![8_u8, 25, 28]), boxed.clone())
                .prop_map(|(kind, of)| Type::Of(kind, of)),
            ("E[A-Z]{1,3}", boxed.clone()).prop_map(|(name, of)| Type::Enum(name, of)),
            (boxed.clone(), boxed).prop_map(|(key, value)| Type::Map(key, value)),
        ]
    })
}

fn any_struct() -> impl Strategy<Value = Struct> {
    let property = (any::<u16>(), 0_u8..9, "\\PC{1,8}", any_type(), any::<u64>())
        .prop_map(|(index, array_len, name, kind, flags)| Property { index, array_len, name, kind, flags });
    ("\\PC{0,20}", prop::option::of("[A-Z]{1,4}"), prop::collection::vec(property, 0..6))
        .prop_map(|(name, base, properties)| Struct { name, base, properties })
}

proptest! {
    #[test]
    fn anything_comes_back(
        version in 0_u8..7,
        has_versions: bool,
        enums in prop::collection::vec(("E\\PC{0,8}", prop::collection::vec((any::<i64>(), "\\PC{0,9}"), 0..6)), 0..4),
        structs in prop::collection::vec(any_struct(), 0..6),
        extensions in prop::collection::vec((any::<[u8; 4]>(), prop::collection::vec(any::<u8>(), 0..20)), 0..3),
    ) {
        let counted = |values: Vec<(i64, String)>| -> Vec<(i64, String)> {
            if version >= 4 { values } else { (0..).zip(values).map(|(place, (_, name))| (place, name)).collect() }
        };
        let enums = enums.into_iter().map(|(name, values)| (name, counted(values))).collect();
        let types = Types { version, has_versions, source_len: 1, enums, structs, extensions };
        check(&parse(&types.file()).unwrap(), &types);
    }
}
