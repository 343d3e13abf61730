//! Asset registry data: facts for the editor's content browser, available without loading the package.
//!
//! ```text
//! (521, editor) i64 offset of the dependencies │ i32 n │ n × { path, class, i32 n, n × { tag, value } }
//! dependencies  bits per import │ bits per soft reference │ (1013) i32 n, n × { name, u32 flags }
//! bits          i32 count │ count / 32 words, bit 0 first
//! ```
//!
//! The class is a short name up to 5.0 and a full path from 5.1 on. Cooked packages have only the count, 0.

use super::form::{Form, Name};
use crate::wire::{Archive, Fault, WireString};

/// Asset registry data.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct AssetRegistry {
    /// Offset of the dependencies (521, editor).
    pub dependencies_offset: Option<i64>,
    /// Assets of the package.
    pub assets: Vec<RegistryAsset>,
    /// Use of the dependencies (521, editor).
    pub dependencies: Option<RegistryDependencies>,
}

/// One asset.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct RegistryAsset {
    /// Path inside the package, usually the object name.
    pub path: WireString,
    /// Class: a short name up to 5.0, a full path from 5.1.
    pub class: WireString,
    /// Tags and values.
    pub tags: Vec<(WireString, WireString)>,
}

/// Use of the dependencies.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct RegistryDependencies {
    /// Imports used by the game.
    pub imports_used_in_game: Bits,
    /// Soft package references used by the game.
    pub soft_references_used_in_game: Bits,
    /// Additional packages, with flags (1013).
    pub build: Vec<(Name, u32)>,
}

/// A bit array (`TBitArray`).
#[doc(alias = "TBitArray")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Bits {
    /// Number of bits.
    pub count: i32,
    /// Words of 32 bits, bit 0 first.
    pub words: Vec<u32>,
}

impl Bits {
    /// Returns one bit; false past the end.
    #[must_use]
    pub fn get(&self, index: u32) -> bool {
        let word = self.words.get((index / 32) as usize);
        word.is_some_and(|word| word >> (index % 32) & 1 == 1)
    }
}

pub(super) fn assets<A: Archive>(a: &mut A, form: &Form, registry: &mut AssetRegistry) -> Result<(), Fault> {
    a.optional(
        form.versions.has_registry_dependencies() && !form.cooked,
        &mut registry.dependencies_offset,
        |a, at| a.i64("asset registry: dependencies offset", at),
    )?;
    // 12 bytes are the smallest asset: two empty strings and a count.
    a.list("asset registry: count", &mut registry.assets, 12, |a, asset| {
        a.string("asset registry: path", &mut asset.path)?;
        a.string("asset registry: class", &mut asset.class)?;
        a.list("asset registry: tags", &mut asset.tags, 8, |a, (tag, value)| {
            a.string("asset registry: tag", tag)?;
            a.string("asset registry: value", value)
        })
    })
}

pub(super) fn dependencies<A: Archive>(
    a: &mut A,
    form: &Form,
    dependencies: &mut RegistryDependencies,
) -> Result<(), Fault> {
    bits(a, &mut dependencies.imports_used_in_game)?;
    bits(a, &mut dependencies.soft_references_used_in_game)?;
    if !form.versions.has_build_dependencies() {
        return Ok(());
    }
    a.list("asset registry: build dependencies", &mut dependencies.build, 12, |a, (package, flags)| {
        form.name(a, "asset registry: package", package)?;
        a.u32("asset registry: flags", flags)
    })
}

fn bits<A: Archive>(a: &mut A, bits: &mut Bits) -> Result<(), Fault> {
    a.i32("asset registry: bit count", &mut bits.count)?;
    // A negative count is damage; it yields no words and then fails to fill the section.
    let words = bits.count.max(0).unsigned_abs().div_ceil(32);
    a.table("asset registry: bits", &mut bits.words, words as usize, 4, |a, word| {
        a.u32("asset registry: bits", word)
    })
}
