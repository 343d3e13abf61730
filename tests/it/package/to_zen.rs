//! Legacy packages as zen packages, compared with those that the engine's own packager made of them.

use super::support::{self, container::chunks};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use uncask::id::hash::ChunkHash;
use uncask::id::{ChunkKind, PackageId, PackageObjectIndex};
use uncask::package::ObjectPath;
use uncask::package::convert::Remainder;
use uncask::package::convert::sidecar::Kept;
use uncask::package::convert::to_legacy::{Converted, Evidence, Input, Target, convert};
use uncask::package::convert::to_zen::circles::{self, Loading};
use uncask::package::convert::to_zen::{Source, ToZenError, ZenPackage, to_zen};
use uncask::package::legacy::{NameEntry, Package};
use uncask::package::zen::{BundleEntry, Command, Header, Neighbours};
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};
use uncask::version::{ChunkHashKind, ChunkKindNumbering, Release};

/// A cooker's package: header, exports, name.
pub(super) struct Cooked {
    header: Vec<u8>,
    exports: Vec<u8>,
    name: String,
    release: &'static str,
    remainder: Option<Remainder>,
}

impl Cooked {
    pub(super) fn read(path: &Path, name: &str, release: &'static str) -> Self {
        let read = |path: &Path| std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let exports = read(&path.with_extension("uexp"));
        Self { header: read(path), exports, name: name.to_owned(), release, remainder: None }
    }

    /// Does something with it.
    fn with<T>(&self, act: impl Fn(&Source<'_>) -> T) -> T {
        let release = Release::from_name(self.release).unwrap();
        let package = Package::parse_as(&self.header, release).unwrap();
        let name = if self.name.is_empty() { package.name() } else { &self.name };
        let (exports_len, remainder) = (self.exports.len() as u64, self.remainder.as_ref());
        act(&Source { package: &package, name, exports_len, release, bundles: None, remainder })
    }

    pub(super) fn convert(&self) -> Result<(ZenPackage, Vec<u8>), ToZenError> {
        self.convert_with(None)
    }

    /// Converts it, with bundles that are given.
    fn convert_with(
        &self,
        bundles: Option<&[Vec<BundleEntry>]>,
    ) -> Result<(ZenPackage, Vec<u8>), ToZenError> {
        let zen = self.with(|source| to_zen(&Source { bundles, ..*source }, &()))?;
        let mut chunk = zen.bytes.clone();
        for part in &zen.body {
            let [start, end] = [part.start, part.end].map(|at| usize::try_from(at).unwrap());
            chunk.extend_from_slice(&self.exports[start..end]);
        }
        assert_eq!(chunk.len() as u64, zen.chunk_len());
        Ok((zen, chunk))
    }
}

/// A short description of a difference.
fn difference(found: &[u8], expected: &[u8]) -> String {
    let (Ok(a), Ok(b)) = (Header::parse(found), Header::parse(expected)) else {
        return "unreadable".to_owned();
    };
    let parts = [
        ("names", a.names == b.names),
        ("imports", a.imports == b.imports),
        ("hashes", a.imported_public_export_hashes == b.imported_public_export_hashes),
        ("exports", a.exports == b.exports),
        ("entries", a.bundle_entries == b.bundle_entries),
        ("graph", a.graph == b.graph),
        ("bulk map", a.bulk == b.bulk),
        ("imported package names", a.imported_package_names == b.imported_package_names),
        ("versioning", a.versioning == b.versioning),
        ("cooked header size", a.cooked_header_len == b.cooked_header_len),
        ("flags", a.package_flags == b.package_flags),
    ];
    let differing: Vec<&str> = parts.iter().filter(|(_, same)| !same).map(|(part, _)| *part).collect();
    if differing.is_empty() { "body".to_owned() } else { differing.join(", ") }
}

/// Bundles of packages of 5.1 that are in circles with packages that are not part of the corpus, as their recorded hashes prove
/// them: exports, to be created or serialized.
const BUNDLES: [(&str, &str); 4] = [
    (
        "/Game/MyDemo/AI/Enemy_Troll/BT_Troll",
        "0C 1C 0S 2C 3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C 15C 16C 17C 18C 19C 20C 21C 22C 23C 24C 1S 2S 3S 4S 5S 6S \
         7S 8S 9S 10S 11S 12S 13S 14S 15S 16S 17S 18S 19S 20S 21S 22S 23S | 24S",
    ),
    (
        "/Game/MyDemo/Characters/BP_Test_Character",
        "1C 9C 10C 11C 12C 9S 10S 11S 14C 13C 13S 14S | 1S 5C 0C 2C 3C 4C 6C 7C 8C 15C 16C 17C 18C 5S 0S 2S 3S 4S 6S 7S \
         8S 12S 15S 16S 17S 18S",
    ),
    (
        "/Game/MyDemo/UI/UI_Main",
        "15C 5C 6C 7C 8C 9C 10C 5S 6S 7S 8S 9S 10S 4C 16C 0C 1C 2C 3C 12C 14C 0S 2S 3S 4S 12S 14S 16S | 15S 13C 13S 11C \
         1S 11S",
    ),
    (
        "/Game/MyDemo/BluePrints/NPC/BP_NPC",
        "0C 2C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C 5S 7S 8S 9S 10S 11S 12S 13S 17C 15C 16C 19C 15S 16S 17S 19S | 6S 0S 1C \
         3C 4C 18C 2S 1S 3S 4S 14S 18S",
    ),
];

fn steps(bundles: &str) -> Vec<Vec<BundleEntry>> {
    let step = |step: &str| {
        let (export, command) = step.split_at(step.len() - 1);
        let command = if command == "C" { Command::Create } else { Command::Serialize };
        BundleEntry { export: export.parse().unwrap(), command }
    };
    bundles.split('|').map(|bundle| bundle.split_whitespace().map(step).collect()).collect()
}

/// The engine's equalizer submix, which is not part of the corpus: it waits for the master submix as its reverb submix does. By
/// its recorded length, it has one bundle in every build.
fn third_submix(reverb: &Cooked) -> Loading {
    let release = Release::from_name(reverb.release).unwrap();
    let mut package = Package::parse_as(&reverb.header, release).unwrap();
    for name in &mut package.names {
        *name = NameEntry::new(&name.text.to_string().replace("Reverb", "EQ"));
    }
    let name = reverb.name.replace("Reverb", "EQ");
    let exports_len = reverb.exports.len() as u64;
    let source =
        Source { package: &package, name: &name, exports_len, release, bundles: None, remainder: None };
    Loading::of_source(&source, &()).unwrap()
}

/// Packages of builds whose chunks are not public, but the hashes of which are.
#[test]
fn cooked_packages_hash_to_what_the_packager_recorded() {
    let Some(corpus) = support::corpus_with("to-zen/ue5.0/expected.tsv") else { return };
    let mut table = String::new();
    for release in ["5.0", "5.1", "5.2", "5.4"] {
        let folder = corpus.join("to-zen").join(format!("ue{release}"));
        let text = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
        let (mut all, mut equal, mut cut, mut others) = (0, 0, 0, Vec::new());
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split('\t').collect()).collect();
        let read = |row: &Vec<&str>| Cooked::read(&folder.join(row[0]), row[1], release);
        let in_circles: Vec<&Vec<&str>> = rows.iter().filter(|row| row[5].contains("two-bundles")).collect();
        let mut loadings: Vec<Loading> = in_circles
            .iter()
            .map(|row| read(row).with(|source| Loading::of_source(source, &())).unwrap())
            .collect();
        loadings.extend(in_circles.first().map(|row| third_submix(&read(row))));
        let mut circles = circles::find(&loadings, |_| true);
        assert!(circles.stuck.is_empty());
        assert!(loadings.get(2).is_none_or(|third| circles.bundles[&third.package()].len() == 1));
        if release == "5.1" {
            circles
                .bundles
                .extend(BUNDLES.map(|(name, bundles)| (PackageId::from_name(name), steps(bundles))));
        }
        for row in &rows {
            let [_, name, _, len, hash, features] = row[..] else { panic!("{row:?}") };
            let is_right = |chunk: &[u8]| {
                ChunkHash::of(ChunkHashKind::Blake3, chunk).to_string() == hash
                    && chunk.len().to_string() == len
            };
            let bundles = circles.bundles.get(&PackageId::from_name(name)).map(Vec::as_slice);
            let (_, chunk) =
                read(row).convert_with(bundles).unwrap_or_else(|error| panic!("{name}: {error}"));
            all += 1;
            if is_right(&chunk) {
                equal += 1;
                cut += u32::from(bundles.is_some_and(|bundles| bundles.len() > 1));
                continue;
            }
            others.push(format!("  {name}: {} bytes, expected {len}; {features}", chunk.len()));
        }
        writeln!(table, "{release}: {equal} of {all} equal, {cut} of them with a second bundle").unwrap();
        for line in others {
            writeln!(table, "{line}").unwrap();
        }
    }
    insta::assert_snapshot!("to_zen_by_hash", table);
}

/// Zen packages of the fixture, by their ids.
fn fixture(corpus: &Path, mode: &str) -> Vec<(PackageId, Vec<u8>)> {
    let folder = format!("iostore/ue5.8/{mode}/Uncompressed");
    let utoc = corpus.join(folder).join("CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc");
    let is_package = |kind| kind == ChunkKind::ExportBundleData;
    let packages =
        chunks(&utoc).into_iter().filter(|chunk| is_package(chunk.id.kind(ChunkKindNumbering::Ue5)));
    packages.map(|chunk| (PackageId(chunk.id.id()), chunk.bytes)).collect()
}

#[test]
fn pairs_of_cooked_and_zen_packages_agree() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    let mut line = |name: &str, cooked: &Cooked, expected: &dyn Fn(PackageId) -> Vec<u8>| {
        let (zen, chunk) = cooked.convert().unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = expected(zen.id);
        let verdict = if chunk == expected { "equal".to_owned() } else { difference(&chunk, &expected) };
        writeln!(table, "{name}: {verdict}").unwrap();
    };
    for mode in ["tagged", "unversioned"] {
        let chunks = fixture(&corpus, mode);
        for name in ["DA_AllProperties", "DT_AllProperties", "Empty", "T_BC6H", "T_Streaming"] {
            let extension = if name == "Empty" { "umap" } else { "uasset" };
            let path = corpus.join(format!("packages/ue5.8-{mode}/{name}.{extension}"));
            let chunk = |id| chunks.iter().find(|(found, _)| *found == id).unwrap().1.clone();
            line(&format!("5.8 {mode} {name}"), &Cooked::read(&path, "", "5.8"), &chunk);
        }
    }
    for (release, names) in [
        ("5.4", &["BP_Table_Lamp", "Randy"][..]),
        ("5.5", &["BP_ThirdPersonCharacter", "SM_Cube", "T_Test"][..]),
    ] {
        for name in names {
            let path = corpus.join(format!("packages/ue{release}/{name}.uasset"));
            let chunk = |_| std::fs::read(path.with_extension("uzenasset")).unwrap();
            line(&format!("{release} {name}"), &Cooked::read(&path, "", release), &chunk);
        }
    }
    insta::assert_snapshot!("to_zen_pairs", table);
}

#[test]
fn packages_come_back_from_their_legacy_form() {
    let Some(corpus) = support::corpus() else { return };
    let mut table = String::new();
    for mode in ["tagged", "unversioned"] {
        let (mut equal, mut kept_of, mut others) = (0, 0, BTreeMap::<String, u32>::new());
        let folder = corpus.join("iostore/ue5.8").join(mode);
        let inputs = [folder.join("Uncompressed"), folder.join("global.utoc")];
        let store = Store::open(&inputs, &[], &StoreOptions::default()).unwrap();
        let world = Packages::new(&store, 256 << 20);
        for (id, chunk) in fixture(&corpus, mode) {
            let header = Header::parse(&chunk).unwrap();
            let target = Target { release: Release::from_name("5.8") };
            let evidence = Evidence::default();
            let input = Input { header: &header, chunk: &chunk, file_stem: None, evidence };
            let asset = convert(&input, &world, &target).and_then(Converted::write).unwrap();
            let kept = Kept::of(&header, &chunk, &asset, &world);
            let mut cooked = Cooked {
                header: asset.header,
                exports: asset.converted.body.into_owned(),
                name: String::new(),
                release: "5.8",
                remainder: None,
            };
            let (zen, again) = cooked.convert().unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(zen.id, id);
            if again == chunk {
                assert_eq!(kept, None, "{id}: nothing is lost");
                equal += 1;
                continue;
            }
            *others.entry(difference(&again, &chunk)).or_default() += 1;
            let kept = kept.unwrap();
            cooked.remainder = kept.for_header(&cooked.header).cloned();
            assert!(cooked.convert().unwrap().1 == chunk, "{id}");
            kept_of += 1;
        }
        writeln!(
            table,
            "5.8 {mode}: {equal} equal, others differ in {others:?}; {} equal with what is kept",
            equal + kept_of
        )
        .unwrap();
    }
    insta::assert_snapshot!("to_zen_round_trips", table);
}

/// The packages of a build, as far as they are in the corpus, and the native objects that they import.
#[derive(Default)]
struct Build {
    scripts: BTreeMap<PackageObjectIndex, String>,
    packages: BTreeMap<PackageId, (Arc<Header>, Vec<PackageId>)>,
}

impl Neighbours for Build {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.scripts.get(&index).map(|path| ObjectPath::from_text(path))
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.packages.get(&id).map(|(header, _)| Arc::clone(header))
    }

    fn imported_packages(&self, id: PackageId) -> Option<Vec<PackageId>> {
        self.packages.get(&id).map(|(_, imported)| imported.clone())
    }

    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        self.packages.get(&id)?.1.get(at).copied()
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        self.package(id).map(|header| header.name().to_string())
    }
}

/// The packages of real builds, each made twice: from the cooker's files, and from what `to_legacy` makes of the first. Left out
/// are those that import packages which are not in the corpus.
#[test]
fn packages_up_to_5_2_come_back_with_what_is_kept() {
    let Some(corpus) = support::corpus_with("to-zen/ue5.0/expected.tsv") else { return };
    let mut table = String::new();
    for release in ["5.0", "5.1", "5.2"] {
        let folder = corpus.join("to-zen").join(format!("ue{release}"));
        let text = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
        let (mut build, mut chunks) = (Build::default(), Vec::new());
        for row in text.lines().skip(1) {
            let [path, name] = row.split('\t').take(2).collect::<Vec<_>>()[..] else { panic!("{row}") };
            let cooked = Cooked::read(&folder.join(path), name, release);
            let (zen, chunk) = cooked.convert().unwrap();
            let paths = cooked.with(|source| {
                (0..).map_while(|import| source.package.import_path(import)).collect::<Vec<_>>()
            });
            build.scripts.extend(paths.into_iter().map(|path| (PackageObjectIndex::script(&path), path)));
            let header = Arc::new(Header::parse(&chunk).unwrap());
            build.packages.insert(zen.id, (header, zen.imported_packages));
            chunks.push((name, zen.id, chunk));
        }
        let (mut all, mut alone, mut equal, mut others) = (0, 0, 0, Vec::new());
        for (name, id, chunk) in chunks {
            let (header, imported) = &build.packages[&id];
            if imported.iter().any(|id| !build.packages.contains_key(id)) {
                continue;
            }
            let target = Target { release: Release::from_name(release) };
            let evidence = Evidence::default();
            let input = Input { header, chunk: &chunk, file_stem: None, evidence };
            let asset = convert(&input, &build, &target).and_then(Converted::write).unwrap();
            let kept = Kept::of(header, &chunk, &asset, &build);
            let mut cooked = Cooked {
                header: asset.header,
                exports: asset.converted.body.into_owned(),
                name: name.to_owned(),
                release,
                remainder: None,
            };
            alone += u32::from(cooked.convert().is_ok_and(|(_, again)| again == chunk));
            cooked.remainder = kept.and_then(|kept| kept.for_header(&cooked.header).cloned());
            all += 1;
            match cooked.convert() {
                Ok((_, again)) if again == chunk => equal += 1,
                Ok((_, again)) => others.push(format!("  {name}: {}", difference(&again, &chunk))),
                Err(error) => others.push(format!("  {name}: {error}")),
            }
        }
        writeln!(table, "{release}: {equal} of {all} equal with what is kept, {alone} without").unwrap();
        for line in &others {
            writeln!(table, "{line}").unwrap();
        }
    }
    insta::assert_snapshot!("to_zen_round_trips_up_to_5_2", table);
}
