//! The values of converted packages, compared with what the reader makes of their written headers.

use super::support::{self, container::chunks};
use super::to_zen::Cooked;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uncask::id::ChunkKind;
use uncask::package::PackageKind;
use uncask::package::convert::{Converted, Evidence, Input, Target, convert};
use uncask::package::legacy::Package;
use uncask::package::zen::{Header, Neighbours};
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};
use uncask::version::{ChunkKindNumbering, Release};

/// Packages of each release that read back as they were converted, and those among them that are padded or have a note.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, (u32, u32)>);

impl Tally {
    /// Converts a package for every release that may have written it.
    fn add(&mut self, name: &str, chunk: &[u8], world: &impl Neighbours) {
        let header = Header::parse(chunk).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let versions = header.versioning.as_ref();
        let fits = |release: &Release| {
            release.zen == Some(header.generation) && versions.is_none_or(|own| own.releases().has(release))
        };
        for release in Release::all().filter(|release| fits(release)) {
            let input = Input { header: &header, chunk, file_stem: None, evidence: Evidence::default() };
            let target = Target { release: Some(release) };
            let converted = convert(&input, world, &target).unwrap_or_else(|e| panic!("{name}: {e}"));
            let parse = |bytes: &[u8]| Package::parse_as(bytes, release).unwrap();
            let before = converted.package.clone().write_header().unwrap();
            assert_same(name, &parse(&before), &converted.package);
            let asset = Converted::write(converted).unwrap();
            let read = parse(&asset.header);
            assert_same(name, &read, &asset.converted.package);
            let (all, filled) = self.0.entry(release.name).or_default();
            *all += 1;
            *filled += u32::from(!read.unaccounted().is_empty());
        }
    }
}

/// Compares two packages; a difference is shown by the part that it is in, as a package is a long text.
fn assert_same(name: &str, read: &Package, converted: &Package) {
    assert_eq!(read.summary, converted.summary, "{name}");
    assert_eq!((read.form, read.evidence), (converted.form, converted.evidence), "{name}");
    assert_eq!(read.sections, converted.sections, "{name}");
    assert_eq!(read.names, converted.names, "{name}");
    assert_eq!(read.imports, converted.imports, "{name}");
    assert_eq!(read.exports, converted.exports, "{name}");
    assert_eq!(read.data_resources, converted.data_resources, "{name}");
    assert!(read == converted, "{name}: tables that cooked packages leave empty differ");
}

#[test]
fn written_headers_read_back_as_the_packages_that_were_converted() {
    let Some(corpus) = support::corpus() else { return };
    let mut tally = Tally::default();
    for (name, chunk) in support::files(&corpus, "packages", &["uasset", "umap", "uzenasset"]) {
        if matches!(PackageKind::sniff(&chunk), Some(PackageKind::Zen(_))) {
            tally.add(&name, &chunk, &());
        }
    }
    for release in ["5.0", "5.1", "5.2", "5.4"] {
        for (name, _) in support::files(&corpus, &format!("to-zen/ue{release}"), &["uasset", "umap"]) {
            let cooked = Cooked::read(&corpus.join(&name), "/Game/Of/Any/Name", release);
            tally.add(&name, &cooked.convert().unwrap().1, &());
        }
    }
    for mode in ["tagged", "unversioned"] {
        let folder = corpus.join("iostore/ue5.8").join(mode);
        let inputs = [folder.join("Uncompressed"), folder.join("global.utoc")];
        let store = Store::open(&inputs, &[], &StoreOptions::default()).unwrap();
        let world = Packages::new(&store, 256 << 20);
        let utoc = inputs[0].join("CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc");
        for chunk in chunks(&utoc) {
            if chunk.id.kind(ChunkKindNumbering::Ue5) == ChunkKind::ExportBundleData {
                tally.add(&format!("{mode} {}", chunk.id), &chunk.bytes, &world);
            }
        }
    }
    let mut table = String::new();
    for (release, (all, filled)) in tally.0 {
        writeln!(table, "{release}: {all} packages, {filled} with bytes that no table holds").unwrap();
    }
    insta::assert_snapshot!("converted_read_back", table);
}
