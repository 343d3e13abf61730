//! Levels of detail that are streamed. Those of the corpus are inline: here, they are moved into a file beside.

use super::{files, payloads, uncask};
use std::path::Path;
use uncask::package::legacy::Package;

/// Bulk data in a `.ubulk`, as the sheet has its flags.
const SEPARATE: u32 = 0x10501;

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
    let file = folder.join("SK_Fixture.uasset");
    std::fs::write(&file, package.write_header().unwrap()).unwrap();
    std::fs::write(file.with_extension("uexp"), data).unwrap();
    std::fs::write(file.with_extension("ubulk"), beside).unwrap();
}

#[test]
fn streamed_levels_of_detail_are_those_that_were_inline() {
    let Some(payloads) = payloads() else { return };
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Meshes/SK_Fixture.uasset");
    let folder = tempfile::tempdir().unwrap();
    streamed(&from, folder.path());
    let export = |input: &Path, out: &str| {
        let out = folder.path().join(out);
        let args =
            ["export", input.to_str().unwrap(), "--engine", "5.8", "--all-lods", "-o", out.to_str().unwrap()];
        let run = uncask(args).expect(0);
        let read = |(name, path): (String, std::path::PathBuf)| (name, std::fs::read(path).unwrap());
        (files(&out).into_iter().map(read).collect::<Vec<_>>(), run.stderr)
    };
    let (expected, _) = export(&from, "inline");
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["SK_Fixture_LOD0.glb", "SK_Fixture_LOD1.glb"]);
    let moved = folder.path().join("SK_Fixture.uasset");
    let (found, said) = export(&moved, "streamed");
    assert!(found == expected, "{said}");
    // Without the file beside, there is nothing to write, and that is said.
    std::fs::remove_file(moved.with_extension("ubulk")).unwrap();
    let (none, said) = export(&moved, "missing");
    assert!(
        none.is_empty() && said.contains("the data of level of detail 0 is in no file that is there"),
        "{said}"
    );
    // A file that is cut off is a failure, not a panic.
    std::fs::write(moved.with_extension("ubulk"), [0; 100]).unwrap();
    let run =
        uncask(["export", moved.to_str().unwrap(), "--engine", "5.8", "-o", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.stderr);
}
