//! Classic packages of the corpus: one of each engine.

use super::support::{self, hostile::abuse};
use std::collections::BTreeMap;
use std::io::Write;
use uncask::package::classic::{Export, Package, Property, PropertyKind, Summary, Value};

fn load(name: &str) -> Option<(Vec<u8>, Package)> {
    let bytes = support::read(&support::corpus()?, &format!("classic/{name}"));
    let package = Package::parse(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    Some((bytes, package))
}

#[test]
fn counts_and_places_are_those_of_the_sheet() {
    for (name, version, counts, last) in [
        ("TestUC1.u", (69, 0), (106, 102, 26), 14468),
        ("TestUC2.u", (128, 29), (150, 146, 32), 22546),
        ("TestUC3.u", (868, 0), (127, 143, 36), 13890),
    ] {
        let Some((bytes, package)) = load(name) else { return };
        let found = package.summary.version;
        assert_eq!((found.file, found.licensee), version, "{name}");
        assert_eq!((package.names.len(), package.exports.len(), package.imports.len()), counts, "{name}");
        let ends: BTreeMap<_, _> = package.sections.iter().map(|s| (s.name, s.range.clone())).collect();
        assert_eq!(ends["names"].start, ends["header"].end, "{name}: the header ends where names begin");
        assert_eq!(ends["exports"].end, last, "{name}");
        assert_eq!(ends["imports"].end, ends["exports"].start, "{name}");
        let generation = package.summary.generations.last().unwrap();
        assert_eq!((generation.exports as usize, generation.names as usize), (counts.1, counts.0), "{name}");
        for export in &package.exports {
            assert_eq!(package.data(&bytes, export).unwrap().len() as u64, u64::from(export.serial_len));
            assert!(!package.class_of(export).is_empty());
        }
    }
}

#[test]
fn object_data_fills_the_space_between_the_tables() {
    let Some((_, package)) = load("TestUC1.u") else { return };
    assert_eq!(package.summary.guid.0[..4], [0x10, 0x78, 0xF6, 0x47]);
    assert_eq!(package.summary.package_flags, 1);
    let mut data: Vec<_> = package
        .exports
        .iter()
        .filter(|export| export.serial_len > 0)
        .map(|export| (export.serial_offset, export.serial_offset + export.serial_len))
        .collect();
    data.sort_unstable();
    assert_eq!((data[0].0, data.last().unwrap().1), (1713, 12751));
    assert!(data.iter().zip(&data[1..]).all(|(a, b)| a.1 == b.0));
    let first: Vec<&str> = package.names.iter().take(4).map(|name| name.text.as_str()).collect();
    assert_eq!(first, ["None", "System", "Core", "__TestUC1__Temp"]);
    let classes = package.exports.iter().fold(BTreeMap::new(), |mut classes, export| {
        *classes.entry(package.class_of(export)).or_insert(0) += 1;
        classes
    });
    insta::assert_debug_snapshot!("classic_classes", classes);
}

fn shown(package: &Package, properties: &[Property]) -> String {
    let shown: Vec<String> = properties
        .iter()
        .map(|property| {
            let of = property.struct_name.map(|name| format!("({})", package.text(name))).unwrap_or_default();
            let value = match &property.value {
                Value::Name(name) => package.text(*name).to_string(),
                Value::Object(index) => package.path(*index).unwrap_or_else(|| "none".to_owned()),
                Value::Struct(fields) => format!("{} fields", fields.len()),
                other => format!("{other:?}"),
            };
            let name = package.text(property.name);
            format!("{name}[{}]: {:?}{of} = {value}", property.array_index, property.kind)
        })
        .collect();
    shown.join("\n")
}

#[test]
fn defaults_are_decoded() {
    let Some((bytes, package)) = load("TestUC1.u") else { return };
    let class = &package.exports[2];
    assert_eq!(
        (package.text(class.name).to_string().as_str(), class.serial_offset),
        ("DefaultProperties", 1755)
    );
    let end = u64::from(class.serial_offset + class.serial_len);
    let (properties, end_found) = package.properties_at(&bytes, 1755 + 84, end).unwrap();
    assert_eq!((properties.len(), end_found), (23, end));
    insta::assert_snapshot!("classic_defaults", shown(&package, &properties));
    assert!(
        properties
            .iter()
            .any(|property| property.kind == PropertyKind::Struct && property.size_code == Some(5))
    );
}

#[test]
fn defaults_of_ue3_are_decoded() {
    let Some((bytes, package)) = load("TestUC3.u") else { return };
    let named = |export: &&Export| package.text(export.name).to_string() == "Default__DefaultProperties";
    let object = package.exports.iter().find(named).unwrap();
    let (properties, end_found) = package.properties(&bytes, object).unwrap();
    assert_eq!(end_found, u64::from(object.serial_offset + object.serial_len));
    insta::assert_snapshot!("classic_defaults_ue3", shown(&package, &properties));
}

#[test]
fn every_object_but_classes_starts_with_its_properties() {
    for (name, expected) in [("TestUC1.u", 96), ("TestUC2.u", 137), ("TestUC3.u", 134)] {
        let Some((bytes, package)) = load(name) else { return };
        let objects = || package.exports.iter().filter(|export| export.class.0 != 0 && export.serial_len > 0);
        let read = objects().filter(|export| package.properties(&bytes, export).is_ok()).count();
        assert_eq!((read, objects().count()), (expected, expected), "{name}");
    }
}

#[test]
fn damaged_classic_packages_are_an_error_and_nothing_worse() {
    let mut cases = 0;
    for name in ["TestUC1.u", "TestUC2.u", "TestUC3.u"] {
        let Some((bytes, _)) = load(name) else { return };
        cases += abuse(&bytes, 1500, |bytes| {
            let Ok(partial) = Package::parse_partial(bytes) else { return };
            let package = partial.value;
            for export in &package.exports {
                drop((package.class_of(export), package.path(export.outer)));
                drop((package.properties(bytes, export), package.texture(bytes, export)));
                drop(package.palette(bytes, export));
            }
        });
    }
    insta::assert_snapshot!("damaged_classic", format!("{cases} cases"));
}

/// The package of UE3 as a game would compress it: the header, with an entry for one chunk, and the chunk.
fn compressed(bytes: &[u8], original: &Package, flags: u32) -> Vec<u8> {
    let header_len = usize::try_from(original.sections[0].range.end).unwrap();
    let (header, body) = bytes.split_at(header_len);
    let words = |words: &[usize]| -> Vec<u8> {
        words.iter().flat_map(|word| u32::try_from(*word).unwrap().to_le_bytes()).collect()
    };
    let blocks: Vec<(usize, Vec<u8>)> = body
        .chunks(4096)
        .map(|block| {
            let mut stream = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            stream.write_all(block).unwrap();
            (block.len(), stream.finish().unwrap())
        })
        .collect();
    let stored: usize = blocks.iter().map(|(_, stored)| stored.len()).sum();
    let mut chunk = words(&[0x9E2A_83C1, 4096, stored, body.len()]);
    chunk.extend(blocks.iter().flat_map(|(len, stored)| words(&[stored.len(), *len])));
    chunk.extend(blocks.iter().flat_map(|(_, stored)| stored));
    // Compression flags and the number of chunks are two zeros; the rest of the header must read as before.
    let candidates = (0..header_len - 8).filter(|at| header[*at..at + 8] == [0; 8]).filter_map(|at| {
        let entry = words(&[flags as usize, 1, header_len, body.len(), header_len + 16, chunk.len()]);
        let header = [&header[..at], &entry, &header[at + 8..]].concat();
        let summary = Summary::parse(&header).ok()?;
        let expected = Summary {
            compression_flags: Some(flags),
            compressed_chunks: summary.compressed_chunks.clone(),
            summary_len: original.summary.summary_len + 16,
            ..original.summary.clone()
        };
        (summary == expected && summary.compressed_chunks.len() == 1).then_some(header)
    });
    let headers: Vec<Vec<u8>> = candidates.collect();
    assert_eq!(headers.len(), 1, "there is one place for it");
    [headers[0].clone(), chunk].concat()
}

#[test]
fn compressed_packages_read_as_what_they_were() {
    let Some((bytes, original)) = load("TestUC3.u") else { return };
    let made = compressed(&bytes, &original, 1);
    let package = Package::parse(&made).unwrap();
    assert_eq!(package.names, original.names);
    assert_eq!((&package.imports, &package.exports), (&original.imports, &original.exports));
    let content = package.content(&made).unwrap();
    assert_eq!(content.len(), bytes.len());
    for export in &package.exports {
        assert_eq!(package.data(&content, export).unwrap(), original.data(&bytes, export).unwrap());
    }
    let header_len = usize::try_from(package.summary.summary_len).unwrap();
    let damaged = |at: usize, value: u32| {
        let mut made = made.clone();
        made[header_len + at..header_len + at + 4].copy_from_slice(&value.to_le_bytes());
        let partial = Package::parse_partial(&made).unwrap();
        assert_eq!(partial.value.summary, package.summary);
        partial.fault.unwrap().to_string()
    };
    let lzo = Package::parse(&compressed(&bytes, &original, 2)).unwrap_err();
    let shown = [
        lzo.to_string(),
        damaged(0, 7),
        damaged(12, 7),
        damaged(16, u32::MAX),
        damaged(20, 0),
        damaged(100, 0xFFFF_FFFF),
        Package::parse(&made[..made.len() - 1]).unwrap_err().to_string(),
    ];
    insta::assert_snapshot!("classic_compressed_faults", shown.join("\n"));
    abuse(&made, 300, |bytes| drop(Package::parse_partial(bytes)));
}
