//! Levels of detail that are streamed. Those of the corpus are inline: here, they are moved into a file beside.

use super::{files, payloads_with, uncask};
use std::path::Path;
use uncask::package::legacy::{DataResource, Package, PackageIndex};

/// Bulk data in a `.ubulk`, as the sheet has its flags.
const SEPARATE: u32 = 0x10501;

/// Writes a package with its data in three files.
fn write(file: &Path, mut package: Package, data: &[u8], beside: &[u8]) {
    std::fs::write(file, package.write_header().unwrap()).unwrap();
    std::fs::write(file.with_extension("uexp"), data).unwrap();
    std::fs::write(file.with_extension("ubulk"), beside).unwrap();
}

/// Exports all levels of detail: the names and bytes of the files, and what was said.
fn export(input: &Path, out: &Path) -> (Vec<(String, Vec<u8>)>, String) {
    let [from, to] = [input, out].map(|path| path.to_str().unwrap());
    let run = uncask(["export", from, "--engine", "5.8", "--all-lods", "-o", to]).expect(0);
    let read = |(name, path): (String, std::path::PathBuf)| (name, std::fs::read(path).unwrap());
    (files(out).into_iter().map(read).collect(), run.stderr)
}

/// Writes the skeletal mesh of the fixture with its levels of detail in a `.ubulk`.
fn streamed(from: &Path, folder: &Path) {
    let mut package = Package::parse(&std::fs::read(from).unwrap()).unwrap();
    let mut data = std::fs::read(from.with_extension("uexp")).unwrap();
    let [morph, mesh] = package.exports.as_mut_slice() else { panic!() };
    let start = usize::try_from(morph.serial_len).unwrap();
    let resources = package.data_resources.as_mut().unwrap();
    let (mut beside, mut cut) = (Vec::new(), 0);
    for entry in resources.entries.iter_mut().filter(|entry| entry.serial_len > 0) {
        // Where it is counts from the start of the export.
        let at = start + usize::try_from(entry.serial_offset).unwrap() - cut;
        let len = usize::try_from(entry.serial_len).unwrap();
        entry.serial_offset = i64::try_from(beside.len()).unwrap();
        entry.bulk_flags = SEPARATE;
        beside.extend(data.drain(at..at + len));
        cut += len;
    }
    mesh.serial_len -= i64::try_from(cut).unwrap();
    assert_eq!(cut, 565 + 379);
    write(&folder.join("SK_Fixture.uasset"), package, &data, &beside);
}

#[test]
fn streamed_levels_of_detail_are_those_that_were_inline() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Meshes/SK_Fixture.uasset");
    let folder = tempfile::tempdir().unwrap();
    streamed(&from, folder.path());
    let (expected, _) = export(&from, &folder.path().join("inline"));
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["SK_Fixture_LOD0.glb", "SK_Fixture_LOD1.glb"]);
    let moved = folder.path().join("SK_Fixture.uasset");
    let (found, said) = export(&moved, &folder.path().join("streamed"));
    assert!(found == expected, "{said}");
    // Without the file beside, there is nothing to write, and that is said.
    std::fs::remove_file(moved.with_extension("ubulk")).unwrap();
    let (none, said) = export(&moved, &folder.path().join("missing"));
    assert!(none.is_empty() && said.contains("the data of level of detail 0 was not found"), "{said}");
    // The same goes for a file without that data, which is named.
    for (content, said) in [
        (&[0; 100][..], "it has only 100 bytes, but an asset needs its first 565"),
        (b"", "it has only 0 bytes, but an asset needs its first 565"),
        (b"version https://git-lfs.github.com/spec/v1\nsize 944\n", "file is a Git LFS pointer"),
    ] {
        std::fs::write(moved.with_extension("ubulk"), content).unwrap();
        let (none, stderr) = export(&moved, &folder.path().join("short"));
        assert!(none.is_empty() && stderr.contains(said) && stderr.contains("SK_Fixture.ubulk"), "{stderr}");
    }
}

/// Writes the static mesh of the fixture with its levels of detail in a `.ubulk`.
fn streamed_static(from: &Path, folder: &Path) {
    let mut package = Package::parse(&std::fs::read(from).unwrap()).unwrap();
    let mut data = std::fs::read(from.with_extension("uexp")).unwrap();
    let mesh =
        package.exports.iter().position(|export| package.text(export.name).to_string() == "SM_Fixture");
    let mesh = mesh.unwrap();
    let resources = package.data_resources.as_mut().unwrap();
    let mut beside = Vec::new();
    // Six positions of twelve bytes, as a list with their size in front of the array.
    let start = [12, 6, 12, 6].map(u32::to_le_bytes).concat();
    let places: Vec<usize> = data
        .windows(start.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == start)
        .map(|(at, _)| at)
        .collect();
    assert_eq!(places.len(), 2, "{places:?}");
    let mut grown = 0;
    for place in places.into_iter().rev() {
        // In front of the positions: two strip flags, and before these whether there is ray tracing, and whether it is inlined.
        let (start, inlined) = (place - 2, place - 2 - 8);
        assert_eq!(data[inlined..inlined + 4], [1, 0, 0, 0]);
        // The sizes of the buffers come after these: 204, 0, 0.
        let sizes = [204, 0, 0].map(u32::to_le_bytes).concat();
        let len = data[start..].windows(sizes.len()).position(|bytes| bytes == sizes).unwrap();
        data[inlined] = 0;
        let index = u32::try_from(resources.entries.len()).unwrap();
        resources.entries.push(DataResource {
            serial_offset: i64::try_from(beside.len()).unwrap(),
            duplicate_offset: -1,
            serial_len: i64::try_from(len).unwrap(),
            raw_len: i64::try_from(len).unwrap(),
            bulk_flags: SEPARATE,
            owner: PackageIndex::export(u32::try_from(mesh).unwrap()).unwrap(),
            ..resources.entries[0]
        });
        // What is recorded about buffers that are elsewhere: 80 bytes, and 24 since 5.6.
        let instead = [&index.to_le_bytes()[..], &[0; 104]].concat();
        beside.extend(data.splice(start..start + len, instead.iter().copied()));
        grown += i64::try_from(instead.len()).unwrap() - i64::try_from(len).unwrap();
    }
    package.exports[mesh].serial_len += grown;
    package.lay_out_cooked(0).unwrap();
    write(&folder.join("SM_Fixture.uasset"), package, &data, &beside);
}

#[test]
fn streamed_levels_of_a_static_mesh_are_those_that_were_inline() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Meshes/SM_Fixture.uasset");
    let folder = tempfile::tempdir().unwrap();
    streamed_static(&from, folder.path());
    let (expected, _) = export(&from, &folder.path().join("inline"));
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["SM_Fixture_LOD0.glb", "SM_Fixture_LOD1.glb"]);
    let (found, said) = export(&folder.path().join("SM_Fixture.uasset"), &folder.path().join("streamed"));
    assert!(found == expected, "{said}");
}
