//! Zen packages of UE 4.27 and 5.4 as legacy packages, and damaged ones.

use super::support::{self, hostile::abuse};
use std::sync::Arc;
use uncask::container::script_objects::ScriptObjects;
use uncask::id::{PackageId, PackageObjectIndex};
use uncask::package::ObjectPath;
use uncask::package::convert::{Converted, Evidence, Input, Loss, Target, check, convert};
use uncask::package::legacy::Package;
use uncask::package::zen::{Header, Neighbours, ScriptFacts};
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};
use uncask::version::Release;

/// Script objects alone; no other package.
struct Scripts(ScriptObjects);

impl Neighbours for Scripts {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.0.path_of(index).map(|path| ObjectPath::from_text(&path))
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        let object = self.0.find(index)?;
        let default_of = Some(object.default_of).filter(|class| !class.is_null());
        Some(ScriptFacts {
            is_class: self.0.is_class(index),
            in_class: self.0.is_class(object.outer),
            default_of: default_of.and_then(|class| self.script_path(class)),
        })
    }

    fn package(&self, _id: PackageId) -> Option<Arc<Header>> {
        None
    }
}

/// Converts a package and says how it went: lengths, losses by kind, and what differs from the given legacy header.
fn line(name: &str, chunk: &[u8], world: &Scripts, release: &str, given: Option<(&[u8], &[u8])>) -> String {
    let header = Header::parse(chunk).unwrap();
    let input = Input { header: &header, chunk, file_stem: None, evidence: Evidence::default() };
    let target = Target { release: Release::from_name(release) };
    let asset = convert(&input, world, &target).and_then(Converted::write).unwrap();
    check(&asset, &header, chunk).unwrap();
    let mut kinds: Vec<&str> = asset.converted.losses.iter().map(Loss::kind).collect();
    kinds.dedup();
    let mut line = format!(
        "{name}: header {} bytes, cooked {}; {}",
        asset.header.len(),
        header.cooked_header_len,
        kinds.join(", ")
    );
    if let Some((uasset, uexp)) = given {
        assert!(asset.converted.body == uexp, "{name}: exports");
        let (ours, theirs) = (Package::parse(&asset.header).unwrap(), Package::parse(uasset).unwrap());
        let tables = [
            ("names", ours.names == theirs.names),
            ("imports", ours.imports == theirs.imports),
            ("exports", ours.exports == theirs.exports),
            ("preload dependencies", ours.preload_dependencies == theirs.preload_dependencies),
            ("data resources", ours.data_resources == theirs.data_resources),
        ];
        let differing: Vec<&str> = tables.iter().filter(|(_, same)| !same).map(|(table, _)| *table).collect();
        line.push_str("; exports equal, differs from the given header in ");
        line.push_str(&differing.join(", "));
    }
    line
}

#[test]
fn packages_of_4_27() {
    let Some(corpus) = support::corpus() else { return };
    let part = |name: &str| support::read(&corpus, &format!("headers/ue4.27/{name}_1.bin"));
    let meta = part("LoaderInitialLoadMeta");
    let scripts =
        ScriptObjects::parse_ue4(&meta, &part("LoaderGlobalNames"), &part("LoaderGlobalNameHashes")).unwrap();
    let world = Scripts(scripts);
    let packages = support::files(&corpus, "packages/ue4.27", &["uasset"]);
    let lines: Vec<String> =
        packages.iter().map(|(name, chunk)| line(name, chunk, &world, "4.27", None)).collect();
    insta::assert_snapshot!("convert_4_27", lines.join("\n"));
}

/// A package with the script objects that say what its native imports are, and without them.
#[test]
fn native_classes_of_4_27_without_script_objects() {
    let Some(corpus) = support::corpus() else { return };
    let part = |name: &str| support::read(&corpus, &format!("headers/ue4.27/{name}_1.bin"));
    let meta = part("LoaderInitialLoadMeta");
    let scripts =
        ScriptObjects::parse_ue4(&meta, &part("LoaderGlobalNames"), &part("LoaderGlobalNameHashes")).unwrap();
    let world = Scripts(scripts);
    let (mut native, mut wrong, mut silent) = (0, Vec::new(), Vec::new());
    for (name, chunk) in support::files(&corpus, "packages/ue4.27", &["uasset"]) {
        let header = Header::parse(&chunk).unwrap();
        let input = Input { header: &header, chunk: &chunk, file_stem: None, evidence: Evidence::default() };
        let target = Target { release: Release::from_name("4.27") };
        let (known, guessed) =
            (convert(&input, &world, &target).unwrap(), convert(&input, &(), &target).unwrap());
        let reported: Vec<String> = guessed
            .losses
            .iter()
            .filter_map(|loss| match loss {
                Loss::ImportClass { import, .. } | Loss::ScriptMissing { import } => Some(import.to_string()),
                _ => None,
            })
            .collect();
        let (known, guessed) = (known.package, guessed.package);
        for (at, (row, guess)) in (0..).zip(known.imports.iter().zip(&guessed.imports)) {
            let path = known.import_path(at).unwrap();
            if !path.starts_with("/Script/") || !path.contains('.') {
                continue;
            }
            native += 1;
            let (class, found) =
                (known.text(row.class_name).to_string(), guessed.text(guess.class_name).to_string());
            if class != found {
                let line = format!("{name}: {path} is a {class}, not a {found}");
                let own = guessed.import_path(at).unwrap();
                if !reported.contains(&own) {
                    silent.push(line.clone());
                }
                wrong.push(line);
            }
        }
    }
    assert_eq!(silent, [] as [String; 0], "what is wrong is reported as a guess");
    insta::assert_snapshot!(
        "convert_4_27_without_scripts",
        format!("{native} native imports\n{}", wrong.join("\n"))
    );
}

/// The legacy files beside these were made by a tool, with signs of it: names unsorted, no name hashes, flags unset.
#[test]
fn packages_of_5_4() {
    let Some(corpus) = support::corpus() else { return };
    let world =
        Scripts(ScriptObjects::parse(&support::read(&corpus, "headers/ue5.3/ScriptObjects.bin")).unwrap());
    let lines = ["BP_Table_Lamp", "Randy"].map(|name| {
        let part = |extension: &str| support::read(&corpus, &format!("packages/ue5.4/{name}.{extension}"));
        let (uasset, uexp) = (part("uasset"), part("uexp"));
        line(name, &part("uzenasset"), &world, "5.4", Some((&uasset, &uexp)))
    });
    insta::assert_snapshot!("convert_5_4", lines.join("\n"));
}

/// Everything but other packages.
struct Alone<'a>(&'a Packages);

impl Neighbours for Alone<'_> {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.0.script_path(index)
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        self.0.script_facts(index)
    }

    fn package(&self, _id: PackageId) -> Option<Arc<Header>> {
        None
    }
}

/// Guesses made without the imported packages, compared with the facts from the whole store.
#[test]
fn objects_of_missing_packages_get_likely_classes() {
    let Some(corpus) = support::corpus() else { return };
    let folder = corpus.join("iostore/ue5.8/tagged");
    let inputs = [folder.join("Uncompressed"), folder.join("global.utoc")];
    let store = Store::open(&inputs, &[], &StoreOptions::default()).unwrap();
    let packages = Packages::new(&store, 256 << 20);
    let (mut objects, mut named, mut classed, mut wrong) = (0, 0, 0, Vec::new());
    for id in packages.ids() {
        let header = packages.package(id).unwrap();
        // Nothing here looks at what is after the header.
        let exports: u64 = header.exports.iter().map(|export| export.serial_len).sum();
        let chunk = vec![0; usize::try_from(header.header_len + exports).unwrap()];
        let evidence = Evidence::default();
        let input = Input { header: &header, chunk: &chunk, file_stem: None, evidence };
        let target = Target { release: Release::from_name("5.8") };
        let known = convert(&input, &packages, &target).unwrap();
        let guessed = convert(&input, &Alone(&packages), &target).unwrap();
        let (known, guessed) = (known.package, guessed.package);
        for (at, (row, guess)) in (0..).zip(known.imports.iter().zip(&guessed.imports)) {
            let path = known.import_path(at).unwrap();
            let owner = path.split('.').next().map(PackageId::from_name);
            if !path.contains('.') || owner.and_then(|owner| packages.find(owner)).is_none() {
                continue;
            }
            objects += 1;
            named += usize::from(guessed.import_path(at).as_ref() == Some(&path));
            let (class, guess) = (known.text(row.class_name), guessed.text(guess.class_name));
            classed += usize::from(class == guess);
            if class != guess {
                wrong.push(format!("{path} is a {class}, not a {guess}"));
            }
        }
    }
    let wrong = wrong.join("\n");
    insta::assert_snapshot!(
        "convert_guesses",
        format!("{objects} objects, {named} by their name, {classed} with their class\n{wrong}")
    );
}

#[test]
fn damaged_packages_convert_or_not_but_never_panic() {
    let Some(corpus) = support::corpus() else { return };
    let mut files = support::files(&corpus, "packages/ue4.27", &["uasset"]);
    files.extend(support::files(&corpus, "packages", &["uzenasset"]));
    let (mut cases, mut converted) = (0, 0);
    for (_, bytes) in files {
        // What is after the header matters little; a long one would only take long.
        let bytes = &bytes[..bytes.len().min(64 << 10)];
        cases += abuse(bytes, 1500, |bytes| {
            let Ok(header) = Header::parse(bytes) else { return };
            let input =
                Input { header: &header, chunk: bytes, file_stem: None, evidence: Evidence::default() };
            let Ok(values) = convert(&input, &(), &Target::default()) else { return };
            let asset = values.write().expect("what has a layout is written");
            let read = Package::parse_as(&asset.header, asset.converted.release).unwrap();
            assert!(read == asset.converted.package, "what is written is what was converted");
            assert!(asset.header.len() <= 64 * bytes.len() + (64 << 10), "{} bytes", asset.header.len());
            converted += 1;
            let _ = check(&asset, &header, bytes);
        });
    }
    assert!(cases > 10_000 && converted > 500, "{cases} cases, {converted} converted");
}
