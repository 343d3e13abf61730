//! Faults of an asset.

use super::rules::{Globs, LintRules, LintRulesError, Patterns, TextureRules};
use crate::asset::source_data::SourcePicture;
use crate::package::legacy::{Export, Package};
use crate::project::ProjectPackages;
use crate::property::{Object, Scope};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A fault of an asset: what was found, and what the rule expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum LintFault {
    /// It refers to a package of the project that is not there.
    MissingReference {
        /// The other package.
        to: String,
        /// True if the other package is loaded only on demand.
        is_soft: bool,
    },
    /// It has a name that assets of its class should not have.
    Name {
        /// Its class.
        class: String,
        /// Patterns of the names that it may have.
        allowed: Vec<String>,
    },
    /// A side of a texture is too long.
    TextureSize {
        /// Width and height in pixels.
        size: [u32; 2],
        /// The limit.
        limit: u32,
    },
    /// A side of a texture is no power of two.
    PowerOfTwo {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// Its files are too large.
    FileSize {
        /// Their length in bytes.
        len: u64,
        /// The limit.
        limit: u64,
    },
    /// The assets of a budget are too large together.
    TotalSize {
        /// Their number.
        assets: u64,
        /// Their length in bytes.
        len: u64,
        /// The limit.
        limit: u64,
    },
}

/// The rules for single assets, ready to be checked.
#[derive(Debug)]
pub(super) struct Checks {
    ignored: Globs,
    /// By class in lower case.
    names: BTreeMap<String, (Globs, Patterns)>,
    textures: TextureRules,
}

impl Checks {
    pub(super) fn new(rules: &LintRules) -> Result<Self, LintRulesError> {
        let names = rules.names.iter().map(|(class, patterns)| {
            Ok((class.to_lowercase(), (Globs::exact(&patterns.0)?, patterns.clone())))
        });
        Ok(Self {
            ignored: Globs::of_packages(&rules.ignore)?,
            names: names.collect::<Result<_, LintRulesError>>()?,
            textures: rules.textures.clone(),
        })
    }

    /// True if no rule is for a package.
    pub(super) fn ignores(&self, package: &str) -> bool {
        self.ignored.has(package)
    }

    /// The faults of a package whose file has this name.
    pub(super) fn faults(
        &self,
        scope: &Scope<'_>,
        project: &ProjectPackages,
        file_stem: &str,
    ) -> Vec<LintFault> {
        let mut faults = references(scope.package, project);
        if let Some(main) = scope.package.main_export(file_stem) {
            faults.extend(self.name(scope, main, file_stem));
        }
        if self.textures != TextureRules::default() {
            let sizes = scope.package.exports.iter().filter_map(|export| texture_size(scope, export));
            faults.extend(sizes.flat_map(|size| self.texture(size)));
        }
        faults
    }

    fn name(&self, scope: &Scope<'_>, main: &Export, name: &str) -> Option<LintFault> {
        let class = scope.class_name(main)?;
        let (globs, patterns) = self.names.get(&class.to_lowercase())?;
        let is_allowed = globs.has(name);
        (!is_allowed).then(|| LintFault::Name { class: class.to_string(), allowed: patterns.0.clone() })
    }

    fn texture(&self, size: [u32; 2]) -> impl Iterator<Item = LintFault> + use<> {
        let limit = self.textures.max_size.filter(|limit| size.iter().any(|side| side > limit));
        let too_large = limit.map(|limit| LintFault::TextureSize { size, limit });
        let is_odd = self.textures.power_of_two && size.iter().any(|side| !side.is_power_of_two());
        too_large.into_iter().chain(is_odd.then_some(LintFault::PowerOfTwo { size }))
    }
}

/// References to packages of the project that are not there.
fn references(package: &Package, project: &ProjectPackages) -> Vec<LintFault> {
    let hard: Vec<String> = package.imported_packages().collect();
    let known: BTreeSet<&String> = hard.iter().collect();
    let soft: Vec<String> = package.soft_packages().filter(|name| !known.contains(name)).collect();
    let faults = |names: &[String], is_soft| {
        let mut missing: BTreeSet<String> = project.missing(names).into_iter().collect();
        // A blueprint refers to its own class, which stays so in a file that was renamed.
        missing.remove(package.name());
        missing.into_iter().map(move |to| LintFault::MissingReference { to, is_soft })
    };
    faults(&hard, false).chain(faults(&soft, true)).collect()
}

/// Width and height of the picture that a texture was made of; only packages of the editor have it.
fn texture_size(scope: &Scope<'_>, export: &Export) -> Option<[u32; 2]> {
    let is_texture = scope.class_name(export).is_some_and(|class| class.starts_with("Texture"));
    if !is_texture || scope.package.form.cooked {
        return None;
    }
    let SourcePicture { width, height, .. } = SourcePicture::of_texture(scope, &Object::read(scope, export));
    (width > 0 && height > 0).then_some([width, height])
}
