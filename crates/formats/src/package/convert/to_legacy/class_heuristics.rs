//! Likely classes of imports from unavailable packages.
//!
//! Imports are sorted by the text `Class Package.Object`, so the class of an import lies between those of the imports
//! around it. Among those that keep the order, the likeliest comes first:
//!
//! | the import | class |
//! |---|---|
//! | is the template of an export, or the struct it extends | that of the export; certain |
//! | stands between two of the same class | theirs; certain |
//! | is used as a class, or its name ends in `_C` | a generated class, by the start of its name |
//! | has a name with the usual prefix of a class (`T_`, `M_`) | that class |
//! | has a name that ends in that of a native class (`WorldGridMaterial`) | that class |
//! | is anything else | usual references of packages of this kind |
//!
//! The cooker's header length is recorded: if the likeliest classes do not add up to it, others that do are
//! taken (`adjust.rs`). A wrong class is harmless in a game, which finds objects by path.

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

/// Fallback for generated classes.
const GENERATED_CLASS: (&str, &str) = ("/Script/Engine", "BlueprintGeneratedClass");

/// Limit on the name endings that are looked up.
const ENDINGS: usize = 12;

/// Limit on the imports per package that keep more than the likeliest class.
const MAX_OPEN: usize = 1024;

/// Unknown classes of a package, and the evidence for them.
pub(super) struct Heuristics<'j, 'a, N> {
    job: &'j ConvertJob<'a, N>,
    uses: &'j Uses<'a>,
    /// Imports without a certain class.
    open: &'j BTreeSet<usize>,
    /// Nearest certain imports on both sides of each.
    brackets: HashMap<usize, Bracket<'j>>,
    /// Classes that packages of this kind usually refer to.
    referred: Vec<&'static Usual>,
}

impl<'j, 'a, N: Neighbours> Heuristics<'j, 'a, N> {
    pub(super) fn new(job: &'j ConvertJob<'a, N>, uses: &'j Uses<'a>, open: &'j BTreeSet<usize>) -> Self {
        let brackets = brackets(&job.imports, job.header.imports.len(), open);
        Self { job, uses, open, brackets, referred: referred(job) }
    }

    /// Returns the classes that are certain.
    pub(super) fn certain(&self) -> Vec<(usize, Class)> {
        let certain = self.open.iter().filter_map(|at| Some((*at, self.by_use(*at)?)));
        certain.collect()
    }

    /// Returns guesses for all imports without a certain class.
    pub(super) fn all(&self) -> Vec<Guess> {
        let guesses = self.open.iter().filter_map(|at| self.of(*at)).enumerate();
        let kept = guesses.map(|(at, mut guess)| {
            // The alternatives are tried in combination, so their number is bounded.
            guess.classes.truncate(if at < MAX_OPEN { usize::MAX } else { 1 });
            guess
        });
        kept.collect()
    }

    fn of(&self, at: usize) -> Option<Guess> {
        let row = self.job.imports.rows.get(at)?;
        let bracket = self.brackets.get(&at).copied().unwrap_or_default();
        let fits = |class: &str| bracket.holds(class, row) && self.uses.may_be(class);
        // Native objects first: a native class would also pass the test for classes below.
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
        // Several rules may name one class; only the first occurrence keeps its rank.
        let mut classes = Vec::new();
        for class in likely.chain([core("Object")]) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        Some(Guess { at, classes, certain: false })
    }

    /// Derives the class from the use of an import. A default object is named after its class. A template has
    /// the class of its object; a struct is of the same kind as the one extending it.
    fn by_use(&self, at: usize) -> Option<Class> {
        let row = self.job.imports.rows.get(at)?;
        if let Some(class) = row.name().strip_prefix(DEFAULT) {
            return Some((row.path.shared_package(), class.into()));
        }
        let user = self.uses.of_template(row.index).or_else(|| self.uses.of_super(row.index))?;
        if row.is_native() {
            // The parent of a class is a class; its own metaclass may be another.
            return self.uses.of_super(row.index).and_then(|user| self.kind_of(user)).map(core);
        }
        self.job.world.class_of(user)
    }

    /// Classifies a native struct by the export extending it: a class if the export is one.
    fn kind_of(&self, user: &Export) -> Option<&'static str> {
        let (_, class) = self.job.world.class_of(user)?;
        (*class == *"Class" || class.ends_with("GeneratedClass")).then_some("Class")
    }

    fn is_class(&self, row: &ImportRow) -> bool {
        self.uses.is_class(row.index) || row.path.names().len() == 1 && row.name().ends_with("_C")
    }

    /// Returns the possible classes of an asset, likeliest first.
    fn of_asset<'t>(
        &'t self,
        row: &'t ImportRow,
        fits: &'t impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (&'t str, &'t str)> {
        let on_top = row.path.names().len() == 1 && !row.is_unknown();
        let fitting = move |usual: &&Usual| on_top && fits(usual.class);
        let named = USUAL.iter().filter(move |usual| usual.names(row.name())).filter(fitting);
        // Only possible assets are looked up: each ending costs a hash.
        let name = if on_top { row.name() } else { "" };
        let ending = self.endings(name).filter(move |(_, class)| fits(class)).take(1);
        let referred = self.referred.iter().copied().filter(fitting);
        let pair = |usual: &Usual| -> (&'t str, &'t str) { usual.pair() };
        named.map(pair).chain(ending).chain(referred.map(pair))
    }

    /// Returns native classes that are a suffix of an object's name, longest first.
    fn endings<'t>(&'t self, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let (name, _) = split_number(name);
        // Class names start with a capital letter, so only there can one begin inside a name.
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

/// Returns the classes that packages of this kind usually refer to.
fn referred<N: Neighbours>(job: &ConvertJob<'_, N>) -> Vec<&'static Usual> {
    let own = job.header.main_export().and_then(|export| job.world.class_of(export));
    let named = |classes: &[&str]| own.as_ref().is_some_and(|(_, own)| classes.contains(&&**own));
    let found = REFERRED.iter().find(|(classes, _)| named(classes));
    let classes = found.map_or(&[][..], |(_, referred)| referred);
    classes.iter().filter_map(|class| USUAL.iter().find(|usual| usual.class == *class)).collect()
}

/// Guesses the kind of an unknown native object: most are classes, and the others have another position in
/// the sorted table.
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

/// Guesses the metaclass of a class made in the editor.
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

/// Nearest imports on both sides with a certain class. Imports added after the sorted ones have none.
#[derive(Debug, Clone, Copy, Default)]
struct Bracket<'a> {
    below: Option<&'a ImportRow>,
    above: Option<&'a ImportRow>,
}

/// Finds the brackets of all unknown imports among the sorted ones.
fn brackets<'a>(imports: &'a Imports, sorted: usize, open: &BTreeSet<usize>) -> HashMap<usize, Bracket<'a>> {
    let mut brackets: HashMap<usize, Bracket<'a>> = HashMap::default();
    let rows = || imports.rows.iter().take(sorted).enumerate();
    // One pass in each direction keeps this linear.
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
    /// Returns true if an import of this class would keep the order.
    fn holds(&self, class: &str, row: &ImportRow) -> bool {
        self.below.is_none_or(|below| order((&below.class_name, below), (class, row)).is_le())
            && self.above.is_none_or(|above| order((class, row), (&above.class_name, above)).is_le())
    }

    /// Returns the class of both neighbours, if it is the same.
    fn only(&self) -> Option<Class> {
        let class = |row: &ImportRow| (Arc::clone(&row.class_package), Arc::clone(&row.class_name));
        let (below, above) = (class(self.below?), class(self.above?));
        (below == above).then_some(below)
    }
}

/// Compares imports as the cooker sorts them: by class and path, without case. The texts are not built, since
/// the first letters usually decide.
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
