//! Packages that wait for each other; real builds are compared elsewhere.

use super::*;
use crate::package::convert::to_zen::{ToZenError, ZenPackage, to_zen};
use crate::package::legacy::{
    Export, FILTER_EDITOR_ONLY, Import, Name, NameEntry, Package, PackageIndex, PreloadSlice, Summary,
};
use crate::version::Release;

/// Builds a package `/Game/<own>` with one object that waits for those of others to be created or serialized,
/// before it is created or serialized itself.
/// or created.
struct Waiting {
    own: &'static str,
    others: &'static [&'static str],
    /// Commands: the awaited one, and the waiting one.
    serialized: bool,
    before_create: bool,
}

const fn waits(own: &'static str, others: &'static [&'static str]) -> Waiting {
    Waiting { own, others, serialized: false, before_create: false }
}

impl Waiting {
    fn package(&self, release: &Release) -> Package {
        let texts = ["Package", "Object"].into_iter().chain([self.own]).chain(self.others.iter().copied());
        let mut names: Vec<String> = texts.map(str::to_owned).collect();
        names.extend(self.others.iter().map(|other| format!("/Game/{other}")));
        let name = |text: &str| {
            let index = names.iter().position(|name| name == text).unwrap();
            Name { index: u32::try_from(index).unwrap(), number: 0 }
        };
        let mut imports = Vec::new();
        for (other, at) in self.others.iter().zip(0_i32..) {
            let import = |outer, text: &str| Import {
                class_name: name(if outer == 0 { "Package" } else { "Object" }),
                outer: PackageIndex(outer),
                name: name(text),
                ..Import::default()
            };
            imports.push(import(0, &format!("/Game/{other}")));
            imports.push(import(-2 * at - 1, other));
        }
        let objects = (1..).take(self.others.len()).map(|at: i32| PackageIndex(-2 * at));
        let count = i32::try_from(self.others.len()).unwrap();
        let mut preload = PreloadSlice { first: 0, ..PreloadSlice::default() };
        *match (self.serialized, self.before_create) {
            (true, true) => &mut preload.serialize_before_create,
            (true, false) => &mut preload.serialize_before_serialize,
            (false, true) => &mut preload.create_before_create,
            (false, false) => &mut preload.create_before_serialize,
        } = count;
        let mut package = Package {
            summary: Summary {
                package_flags: FILTER_EDITOR_ONLY | 0x200,
                total_header_len: 1000,
                names_referenced: Some(0),
                ..Summary::default()
            },
            exports: vec![Export {
                name: name(self.own),
                object_flags: 1,
                serial_len: 10,
                serial_offset: 1000,
                preload: Some(preload),
                ..Export::default()
            }],
            preload_dependencies: objects.collect(),
            names: names.iter().map(|text| NameEntry::new(text)).collect(),
            imports,
            ..Package::default()
        };
        package.form.versions = release.objects;
        package
    }

    fn with<T>(&self, act: impl Fn(&Source<'_>) -> T) -> T {
        let release = Release::from_name("5.1").unwrap();
        let (package, name) = (self.package(release), format!("/Game/{}", self.own));
        act(&Source {
            package: &package,
            name: &name,
            exports_len: 14,
            release,
            bundles: None,
            remainder: None,
        })
    }

    fn loading(&self) -> Loading {
        self.with(|source| Loading::of_source(source, &())).unwrap()
    }

    fn convert(&self, bundles: Option<&[Vec<BundleEntry>]>) -> Result<ZenPackage, ToZenError> {
        self.with(|source| to_zen(&Source { bundles, ..*source }, &()))
    }
}

/// Number of bundles of each package.
fn counts(packages: &[Loading], circles: &Circles) -> Vec<usize> {
    packages.iter().map(|loading| circles.bundles[&loading.package()].len()).collect()
}

#[test]
fn of_two_packages_that_wait_for_each_other_the_first_has_two_bundles() {
    let packages = [waits("A", &["B"]), waits("B", &["A"])];
    let loadings = packages.each_ref().map(Waiting::loading);
    let circles = find(&loadings, |_| true);
    assert_eq!((counts(&loadings, &circles), circles.stuck.len()), (vec![2, 1], 0));
    let bundles = &circles.bundles[&loadings[0].package()];
    let header = packages[0].convert(Some(bundles)).unwrap().header;
    let rows: Vec<_> = header.bundles.iter().map(|bundle| (bundle.first, bundle.count)).collect();
    assert_eq!(rows, [(0, 1), (1, 1)]);
    let Graph::Arcs { internal, external } = &header.graph else { panic!() };
    let internal: Vec<_> = internal.iter().map(|arc| (arc.from, arc.to)).collect();
    let external: Vec<_> = external.concat().iter().map(|arc| (arc.from_command, arc.to_bundle)).collect();
    assert_eq!((internal, external), (vec![(0, 1)], vec![(Command::Create, 1)]));
}

#[test]
fn only_who_waits_in_a_circle_is_cut() {
    let packages = [waits("C", &["D"]), waits("B", &["C"]), waits("A", &["B"]), waits("D", &[])];
    let loadings = packages.each_ref().map(Waiting::loading);
    // D has its turn first, since it waits for nothing.
    let [c, b, a, d] = loadings;
    let in_turn = [d, c, b, a];
    assert_eq!(counts(&in_turn, &find(&in_turn, |_| true)), [1, 1, 1, 1]);
    assert_eq!(in_turn[3].awaited(), [PackageId::from_name("/Game/B")]);
}

/// Models the engine's sound submixes, which every cook contains: the packager cuts the first two.
#[test]
fn who_comes_last_in_a_circle_is_not_cut() {
    let packages =
        [waits("Reverb", &["Master"]), waits("Master", &["Reverb", "Eq"]), waits("Eq", &["Master"])];
    let loadings = packages.each_ref().map(Waiting::loading);
    assert_eq!(counts(&loadings, &find(&loadings, |_| true)), [2, 2, 1]);
}

/// An unknown package may be in the cycle, too.
#[test]
fn what_waits_for_unknown_packages_runs_later() {
    let packages = [waits("Reverb", &["Master"]), waits("Master", &["Reverb", "Eq"])];
    let loadings = packages.each_ref().map(Waiting::loading);
    assert_eq!(counts(&loadings, &find(&loadings, |_| false)), [2, 2]);
    assert_eq!(counts(&loadings, &find(&loadings, |_| true)), [2, 1]);
}

/// A package that waits for one in a cycle is cut, too, if its turn comes before that one is done.
#[test]
fn who_waits_for_a_circle_waits_for_what_is_left() {
    let of_reverb = Waiting { serialized: true, ..waits("Effect", &["Reverb"]) };
    let packages = [waits("Reverb", &["Master"]), waits("Master", &["Reverb"]), of_reverb];
    let loadings = packages.each_ref().map(Waiting::loading);
    // Reverb is serialized after Master's visit, and then Effect.
    assert_eq!(counts(&loadings, &find(&loadings, |_| true)), [2, 1, 2]);
}

#[test]
fn steps_that_wait_for_each_other_are_told() {
    let stuck = |own, others| Waiting { own, others, serialized: true, before_create: true };
    let loadings = [stuck("A", &["B"]).loading(), stuck("B", &["A"]).loading(), waits("C", &["A"]).loading()];
    let circles = find(&loadings, |_| true);
    let both = ["/Game/A", "/Game/B"].map(PackageId::from_name);
    assert_eq!(circles.stuck, BTreeSet::from(both));
    let steps: usize = circles.bundles.values().flatten().map(Vec::len).sum();
    assert_eq!(steps, 6, "all of them are somewhere");
}

#[test]
fn packages_of_containers_keep_their_bundles() {
    let a = waits("A", &["B"]);
    let in_container = waits("B", &["A"]).convert(None).unwrap();
    let header = Header::parse(&in_container.bytes).unwrap();
    let b = Loading::of_header(&header, &in_container.imported_packages);
    assert_eq!(b.awaited(), [PackageId::from_name("/Game/A")]);
    for loadings in [[a.loading(), b.clone()], [b, a.loading()]] {
        let circles = find(&loadings, |_| true);
        assert_eq!(circles.bundles[&a.loading().package()].len(), 2);
        assert_eq!(circles.bundles[&header.id()].len(), 1);
    }
}

#[test]
fn a_long_chain_takes_no_stack() {
    let names: Vec<&'static str> = (0..20_000).map(|at| &*format!("N{at}").leak()).collect();
    let package = |at: usize| {
        let others: &'static [&'static str] =
            names.get(at + 1..at + 2).unwrap_or(&names[..1]).to_vec().leak();
        Waiting { own: names[at], others, serialized: true, before_create: false }.loading()
    };
    let loadings: Vec<Loading> = (0..names.len()).map(package).collect();
    let circles = find(&loadings, |_| true);
    assert_eq!(circles.bundles.values().flatten().map(Vec::len).sum::<usize>(), 2 * names.len());
    assert!(!circles.stuck.is_empty());
}

#[test]
fn bundles_of_other_steps_are_refused() {
    let step = |export, command| BundleEntry { export, command };
    let (create, serialize) = (step(0, Command::Create), step(0, Command::Serialize));
    for wrong in
        [vec![vec![create]], vec![vec![create, create]], vec![vec![create], vec![serialize, serialize]]]
    {
        let refused = waits("A", &["B"]).convert(Some(&wrong)).unwrap_err();
        assert_eq!(refused.to_string(), "bundles that are not made of its 2 steps of loading");
    }
}
