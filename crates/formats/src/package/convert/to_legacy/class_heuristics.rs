//! Likely classes of imports whose packages are not available.
//!
//! Imports are sorted by the text `Class Package.Object`, so the class of an import lies between those of the imports
//! around it. Among those that keep the order, the likeliest comes first:
//!
//! | the import | class |
//! |---|---|
//! | is the template of an export, or the struct it extends | that of the export; certain |
//! | stands between two of the same class | that one; certain |
//! | is used as a class, or its name ends in `_C` | a generated class, by the start of its name |
//! | has a name that starts as is usual for assets of a class (`T_`, `M_`) | that class |
//! | has a name that ends in that of a native class (`WorldGridMaterial`) | that class |
//! | is anything else | what packages of this kind usually refer to |
//!
//! The header says how long the cooker's was: where the likeliest classes do not add up to that, others that do are
//! taken (`adjust.rs`). A wrong class does no harm in a game, which finds objects by their paths.

use super::class::{Class, DEFAULT, Guess, core};
use super::import_table::{ImportRow, Imports};
use super::job::ConvertJob;
use super::naming_conventions::{CLASS_PACKAGES, GENERATED, NO_ASSETS, REFERRED, USUAL, Usual};
use super::uses::Uses;
use crate::id::PackageObjectIndex;
use crate::names::separator;
use crate::names::split_number;
use crate::package::zen::{Export, Neighbours};
use foldhash::HashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Class of generated classes about which nothing more is known.
const GENERATED_CLASS: (&str, &str) = ("/Script/Engine", "BlueprintGeneratedClass");

/// Endings of a name that are looked up.
const ENDINGS: usize = 12;

/// Imports of one package for which more than the likeliest class is kept.
const MAX_OPEN: usize = 1024;

/// The open classes of a package, and what they are judged by.
pub(super) struct Heuristics<'j, 'a, N> {
    job: &'j ConvertJob<'a, N>,
    uses: &'j Uses<'a>,
    /// Imports of which no class is certain.
    open: &'j BTreeSet<usize>,
    /// For each of them, the nearest others on both sides.
    brackets: HashMap<usize, Bracket<'j>>,
    /// What packages of this kind usually refer to.
    referred: Vec<&'static Usual>,
}

impl<'j, 'a, N: Neighbours> Heuristics<'j, 'a, N> {
    pub(super) fn new(job: &'j ConvertJob<'a, N>, uses: &'j Uses<'a>, open: &'j BTreeSet<usize>) -> Self {
        let brackets = brackets(&job.imports, job.header.imports.len(), open);
        Self { job, uses, open, brackets, referred: referred(job) }
    }

    /// What is certain.
    pub(super) fn certain(&self) -> Vec<(usize, Class)> {
        let certain = self.open.iter().filter_map(|at| Some((*at, self.by_use(*at)?)));
        certain.collect()
    }

    /// The classes of all imports of which none is certain.
    pub(super) fn all(&self) -> Vec<Guess> {
        let guesses = self.open.iter().filter_map(|at| self.of(*at)).enumerate();
        let kept = guesses.map(|(at, mut guess)| {
            guess.classes.truncate(if at < MAX_OPEN { usize::MAX } else { 1 });
            guess
        });
        kept.collect()
    }

    fn of(&self, at: usize) -> Option<Guess> {
        let row = self.job.imports.rows.get(at)?;
        let bracket = self.brackets.get(&at).copied().unwrap_or_default();
        let fits = |class: &str| bracket.holds(class, row) && self.uses.may_be(class);
        if row.is_native() {
            return Some(native(at, row, &fits));
        }
        if self.is_class(row) {
            return Some(generated(at, row.name(), &fits));
        }
        if let Some(class) = bracket.only() {
            return Some(Guess::certain(at, class));
        }
        let likely = self.of_asset(row, &fits).map(|(package, class)| (package.into(), class.into()));
        let mut classes = Vec::new();
        for class in likely.chain([core("Object")]) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        Some(Guess { at, classes, certain: false })
    }

    /// A default object has its class's name. A template is of its object's class; a struct is of the same kind as one
    /// that extends it.
    fn by_use(&self, at: usize) -> Option<Class> {
        let row = self.job.imports.rows.get(at)?;
        if let Some(class) = row.name().strip_prefix(DEFAULT) {
            return Some((row.path.shared_package(), class.into()));
        }
        let user = self.uses.of_template(row.index).or_else(|| self.uses.of_super(row.index))?;
        if row.is_native() {
            // What a class extends is a class; its own class is another one.
            return self.uses.of_super(row.index).and_then(|user| self.kind_of(user)).map(core);
        }
        self.job.world.class_of(user)
    }

    /// What a native struct is that an export extends: a class if the export is one.
    fn kind_of(&self, user: &Export) -> Option<&'static str> {
        let (_, class) = self.job.world.class_of(user)?;
        (*class == *"Class" || class.ends_with("GeneratedClass")).then_some("Class")
    }

    fn is_class(&self, row: &ImportRow) -> bool {
        self.uses.is_class(row.index) || row.path.names().len() == 1 && row.name().ends_with("_C")
    }

    /// Classes of an asset, the likeliest first.
    fn of_asset<'t>(
        &'t self,
        row: &'t ImportRow,
        fits: &'t impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (&'t str, &'t str)> {
        let on_top = row.path.names().len() == 1 && !row.is_unknown();
        let fitting = move |usual: &&Usual| on_top && fits(usual.class);
        let named = USUAL.iter().filter(move |usual| usual.names(row.name())).filter(fitting);
        // Only who may be an asset is looked up: that takes a hash for each ending.
        let name = if on_top { row.name() } else { "" };
        let ending = self.endings(name).filter(move |(_, class)| fits(class)).take(1);
        let referred = self.referred.iter().copied().filter(fitting);
        let pair = |usual: &Usual| -> (&'t str, &'t str) { usual.pair() };
        named.map(pair).chain(ending).chain(referred.map(pair))
    }

    /// Native classes whose names an object's name ends in, the longest first.
    fn endings<'t>(&'t self, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let (name, _) = split_number(name);
        let capitals = name.char_indices().filter(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| at);
        let endings = capitals.take(ENDINGS).filter_map(|at| name.get(at..));
        endings.filter(|class| !NO_ASSETS.contains(class)).filter_map(|class| {
            let is_class = |package: &&&str| {
                let index = PackageObjectIndex::script(&format!("{package}.{class}"));
                self.job.world.neighbours.script_facts(index).is_some_and(|facts| facts.is_class)
            };
            CLASS_PACKAGES.iter().find(is_class).map(|package| (*package, class))
        })
    }
}

/// What packages of this kind usually refer to.
fn referred<N: Neighbours>(job: &ConvertJob<'_, N>) -> Vec<&'static Usual> {
    let own = job.header.main_export().and_then(|export| job.world.class_of(export));
    let named = |classes: &[&str]| own.as_ref().is_some_and(|(_, own)| classes.contains(&&**own));
    let found = REFERRED.iter().find(|(classes, _)| named(classes));
    let classes = found.map_or(&[][..], |(_, referred)| referred);
    classes.iter().filter_map(|class| USUAL.iter().find(|usual| usual.class == *class)).collect()
}

/// What a native object is about which nothing else is known: most are classes. Those that are not stand elsewhere in the sorted
/// table.
fn native(at: usize, row: &ImportRow, fits: &impl Fn(&str) -> bool) -> Guess {
    let kinds: &[&str] = match row.path.names().len() {
        1 => &["Class", "ScriptStruct", "Enum", "DelegateFunction", "SparseDelegateFunction"],
        _ => &["Function", "DelegateFunction", "SparseDelegateFunction", "Object"],
    };
    let mut classes: Vec<Class> = kinds.iter().filter(|class| fits(class)).map(|class| core(class)).collect();
    let certain = classes.len() == 1;
    if classes.is_empty() {
        classes.extend(kinds.first().map(|class| core(class)));
    }
    Guess { at, classes, certain }
}

/// The class of a class that was made in the editor.
fn generated(at: usize, name: &str, fits: &impl Fn(&str) -> bool) -> Guess {
    let fitting: Vec<&Usual> = GENERATED.iter().filter(|usual| fits(usual.class)).collect();
    let certain = fitting.len() == 1;
    let (first, others): (Vec<&Usual>, Vec<&Usual>) =
        fitting.into_iter().partition(|usual| usual.names(name));
    let pairs = first.into_iter().chain(others).map(Usual::pair);
    let mut classes: Vec<Class> = pairs.map(|(package, class)| (package.into(), class.into())).collect();
    if classes.is_empty() {
        classes.push((GENERATED_CLASS.0.into(), GENERATED_CLASS.1.into()));
    }
    Guess { at, classes, certain }
}

/// The nearest imports on both sides whose class is certain. An import that was added after the sorted ones has none.
#[derive(Debug, Clone, Copy, Default)]
struct Bracket<'a> {
    below: Option<&'a ImportRow>,
    above: Option<&'a ImportRow>,
}

/// The brackets of all open imports among the sorted ones.
fn brackets<'a>(imports: &'a Imports, sorted: usize, open: &BTreeSet<usize>) -> HashMap<usize, Bracket<'a>> {
    let mut brackets: HashMap<usize, Bracket<'a>> = HashMap::default();
    let rows = || imports.rows.iter().take(sorted).enumerate();
    let mut below = None;
    for (at, row) in rows() {
        if open.contains(&at) {
            brackets.entry(at).or_default().below = below;
        } else {
            below = Some(row);
        }
    }
    let mut above = None;
    for at in (0..rows().count()).rev() {
        if open.contains(&at) {
            brackets.entry(at).or_default().above = above;
        } else {
            above = imports.rows.get(at);
        }
    }
    brackets
}

impl Bracket<'_> {
    /// Whether an import of this class would keep the order.
    fn holds(&self, class: &str, row: &ImportRow) -> bool {
        self.below.is_none_or(|below| order((&below.class_name, below), (class, row)).is_le())
            && self.above.is_none_or(|above| order((class, row), (&above.class_name, above)).is_le())
    }

    /// The class that both have.
    fn only(&self) -> Option<Class> {
        let class = |row: &ImportRow| (Arc::clone(&row.class_package), Arc::clone(&row.class_name));
        let (below, above) = (class(self.below?), class(self.above?));
        (below == above).then_some(below)
    }
}

/// The order of imports: by class and path, without regard to letter case. Mostly the first letters tell.
fn order(a: (&str, &ImportRow), b: (&str, &ImportRow)) -> Ordering {
    fn text<'t>((class, row): (&'t str, &'t ImportRow)) -> impl Iterator<Item = u8> {
        let path = &row.path;
        let names = path.names().iter().enumerate();
        let names = names.flat_map(|(at, name)| [separator(at + 1), name]);
        let parts = [class, " ", path.package()].into_iter().chain(names);
        parts.flat_map(str::bytes).map(|byte| byte.to_ascii_lowercase())
    }
    text(a).cmp(text(b))
}
