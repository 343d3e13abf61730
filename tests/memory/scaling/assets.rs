//! Cooked assets, as `to-zen` and `json` read them: zen packages that were converted back.
#![cfg(all(feature = "cli", target_os = "linux"))]

use super::properties::{RELEASE, Tagged};
use crate::fuzz::draw::{self, Zen};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use uncask::id::{PackageId, PackageObjectIndex};
use uncask::package::ObjectPath;
use uncask::package::convert::{Converted, Evidence, Input, Target, convert};
use uncask::package::legacy::{FILTER_EDITOR_ONLY, Package};
use uncask::package::zen::{self, Neighbours};
use uncask::version::Release;

/// Writes a zen package as the two files that the cooker makes.
fn write(content: &Path, name: &str, chunk: &[u8]) {
    write_among(content, name, chunk, &());
}

/// Writes a zen package of which the neighbours know something.
fn write_among(content: &Path, name: &str, chunk: &[u8], neighbours: &impl Neighbours) {
    let header = zen::Header::parse(chunk).unwrap();
    let input = Input { header: &header, chunk, file_stem: None, evidence: Evidence::default() };
    let target = Target { release: Some(Release::from_name(RELEASE).unwrap()) };
    let asset = convert(&input, neighbours, &target).and_then(Converted::write).unwrap();
    std::fs::write(content.join(format!("{name}.uasset")), &asset.header).unwrap();
    std::fs::write(content.join(format!("{name}.uexp")), &asset.converted.body).unwrap();
}

/// The folder that assets go into, and the one around it.
fn tree(folder: &Path) -> (PathBuf, PathBuf) {
    let root = folder.join("cooked");
    let content = root.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    (root, content)
}

pub(super) fn long_imports(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    let package = Zen {
        names: vec!["/Game/A".to_owned(), "A".to_owned()],
        hashes: (1..=n as u64).collect(),
        imports: (0..n as u64).map(|hash| 2 << 62 | hash).collect(),
        exports: vec![draw::export(1, None, 1)],
        packages: vec![format!("/Game/{}", "x".repeat(900))],
    };
    write(&content, "A", &package.bytes());
    root
}

/// Each imports all that come before it, up to fifty.
pub(super) fn linked(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    let name = |at: usize| format!("{at:04}{}", "y".repeat(200));
    for at in 0..n {
        let packages: Vec<String> =
            (at.saturating_sub(50)..at).map(|other| format!("/Game/{}", name(other))).collect();
        let package = Zen {
            names: vec![format!("/Game/{}", name(at)), name(at)],
            hashes: vec![7],
            imports: (0..packages.len() as u64).map(|package| 2 << 62 | package << 32).collect(),
            exports: vec![draw::export(1, None, 1)],
            packages,
        };
        write(&content, &name(at), &package.bytes());
    }
    root
}

/// Exports in one another, of the same long name.
pub(super) fn exports(n: usize, folder: &Path) -> PathBuf {
    exports_among(n, folder, &())
}

fn exports_among(n: usize, folder: &Path, neighbours: &impl Neighbours) -> PathBuf {
    let (root, content) = tree(folder);
    let outer = |at: u64| (at % 30).checked_sub(1).map(|_| at - 1);
    let package = Zen {
        names: vec!["/Game/A".to_owned(), "n".repeat(30)],
        exports: (0..n as u64).map(|at| draw::export(1, outer(at), at + 1)).collect(),
        ..Zen::default()
    };
    write_among(&content, "A", &package.bytes(), neighbours);
    root
}

/// One object with many properties of one long name.
pub(super) fn properties(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    write(&content, "A", &Tagged::of_one_name(n).chunk());
    root
}

/// The same as a montage and as a material.
pub(super) fn values(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    for (name, class) in [("A", "/Script/Engine.AnimMontage"), ("B", "/Script/Engine.Material")] {
        write_among(&content, name, &Tagged::of_one_name(n).chunk(), &Native(class));
    }
    root
}

/// Sequences in one another.
pub(super) fn sequences(n: usize, folder: &Path) -> PathBuf {
    exports_among(n, folder, &Native("/Script/LevelSequence.LevelSequence"))
}

/// The first of these properties, as `set` names it.
pub(super) fn address() -> String {
    format!("#0.{}", "x".repeat(900))
}

/// An asset with many properties, and the document that `from-json` takes.
pub(super) fn document(n: usize, folder: &Path) -> PathBuf {
    let root = properties(n, folder);
    let mut json = Command::new(env!("CARGO_BIN_EXE_uncask"));
    let json = json.args(["-q", "json", "--form", "tree"]).arg(root.join("Project/Content/A.uasset"));
    let document = json.output().unwrap();
    assert!(document.status.success());
    std::fs::write(root.join("A.json"), document.stdout).unwrap();
    root
}

/// An asset of many objects, and a document in FModel's form in which the number of each is another one.
pub(super) fn shown(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    write(&content, "A", &super::properties::numbers(n).chunk());
    let mut json = Command::new(env!("CARGO_BIN_EXE_uncask"));
    let document = json.args(["-q", "json"]).arg(content.join("A.uasset")).output().unwrap();
    let text = String::from_utf8(document.stdout).unwrap();
    assert_eq!(text.matches("\"Number\": 7").count(), n);
    std::fs::write(root.join("F.json"), text.replace("\"Number\": 7", "\"Number\": 8")).unwrap();
    root
}

/// Three versions of an asset of the editor with many objects, of which two have another number in each.
pub(super) fn versions(n: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    write(&content, "A", &super::properties::numbers(n).chunk());
    let [header, body] =
        ["uasset", "uexp"].map(|kind| std::fs::read(content.join("A").with_extension(kind)).unwrap());
    let mut package = Package::parse(&header).unwrap();
    package.summary.package_flags &= !FILTER_EDITOR_ONLY;
    package.form.cooked = false;
    for import in &mut package.imports {
        import.package_name = Some(import.name);
    }
    package.lay_out_cooked(0).unwrap();
    let base = [package.write_header().unwrap(), body].concat();
    assert!(Package::parse(&base).is_ok_and(|package| !package.form.cooked && package.exports.len() == n));
    std::fs::remove_dir_all(root.join("Project")).unwrap();
    // An integer of this value stands in each object.
    let with = |number: u8| {
        let mut bytes = base.clone();
        let places = bytes.windows(4).enumerate().filter(|(_, found)| *found == [7, 0, 0, 0]);
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        places.into_iter().filter(|at| *at >= header_end(&base)).for_each(|at| bytes[at] = number);
        bytes
    };
    std::fs::write(root.join("ours.uasset"), with(8)).unwrap();
    std::fs::write(root.join("theirs.uasset"), with(9)).unwrap();
    std::fs::write(root.join("base.uasset"), &base).unwrap();
    root
}

fn header_end(file: &[u8]) -> usize {
    usize::try_from(Package::parse(file).unwrap().header_len()).unwrap()
}

/// The class of functions.
const FUNCTION: &str = "/Script/CoreUObject.Function";

/// Knows the class of all exports.
struct Native(&'static str);

impl Neighbours for Native {
    fn script_path(&self, _index: PackageObjectIndex) -> Option<ObjectPath> {
        Some(ObjectPath::from_text(self.0))
    }

    fn package(&self, _id: PackageId) -> Option<Arc<zen::Header>> {
        None
    }
}

/// A long function.
pub(super) fn function(n: usize, folder: &Path) -> PathBuf {
    code(1, n, folder)
}

/// Many short ones.
pub(super) fn functions(n: usize, folder: &Path) -> PathBuf {
    code(n, 1, folder)
}

/// Functions, and the listing of all with one statement more in each.
fn code(count: usize, calls: usize, folder: &Path) -> PathBuf {
    let (root, content) = tree(folder);
    let chunk = Tagged::functions(count, calls, PackageObjectIndex::script(FUNCTION).0);
    write_among(&content, "A", &chunk, &Native(FUNCTION));
    let mut code = Command::new(env!("CARGO_BIN_EXE_uncask"));
    code.args(["-q", "code", "--form", "listing", "--engine", RELEASE]).arg(content.join("A.uasset"));
    let listing = code.output().unwrap();
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    let listing = String::from_utf8(listing.stdout).unwrap();
    assert_eq!(listing.matches("VirtualFunction").count(), count * calls);
    let longer = listing.replace("\n0000 ", "\nFFFFFF00 Nothing\n0000 ");
    std::fs::write(root.join("A.txt"), longer).unwrap();
    root
}
