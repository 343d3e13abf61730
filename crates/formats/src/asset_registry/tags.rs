//! The tag store (8): keys and values of all assets, each value once.
//!
//! ```text
//! u32 magic 0x12345679 │ 11 × u32: counts, in the order of the parts below, then texts moved to the front
//! u32 bytes of texts │ texts                            magic 0x12345678: no size, and after the export paths
//! plain names │ names │ plain export paths │ export paths
//! ANSI offsets │ UTF-16 offsets │ ANSI strings │ UTF-16 strings      each string ends with NUL
//! plain pairs │ pairs │ u32 magic 0x87654321
//!
//! 24: the magic and every part start at a multiple of 16 bytes, counted in the file
//!
//! plain         every name in it is an index alone, 4 bytes; otherwise a name may have a number
//! export path   class (14: package and object, two names) │ object │ package
//! pair          name of the tag │ u32 value: bits 0–2 kind, bits 3–31 index into the part of that kind
//! ```

mod parse;

use super::form::{Form, Name};
use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, little_endian::U16, little_endian::U32};

/// Value of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagValue<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A name.
    Name(Name),
    /// A reference to an object, with its class.
    ExportPath(ExportPath),
    /// Localized text, such as `NSLOCTEXT("…", "…", "…")`.
    LocalizedText(Cow<'a, str>),
}

/// Reference to an object (`FAssetRegistryExportPath`).
#[doc(alias = "FAssetRegistryExportPath")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportPath {
    /// Class.
    pub class: ClassName,
    /// Object.
    pub object: Name,
    /// Package.
    pub package: Name,
}

/// Name of a class: short, or with its package (14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassName {
    /// Package, such as `/Script/Engine` (14).
    pub package: Option<Name>,
    /// Class, such as `StaticMesh`.
    pub name: Name,
}

impl ClassName {
    pub(super) fn read(form: Form, r: &mut Reader<'_>, field: &'static str) -> Result<Self, Fault> {
        let package = r.when(form.version.has_class_paths(), |r| form.name(r, field))?;
        Ok(Self { package, name: form.name(r, field)? })
    }
}

/// Tags of an asset: a range of the store's pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handle {
    /// True if the keys have no numbers.
    pub(super) is_plain: bool,
    pub(super) first: u32,
    pub(super) count: u16,
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawPair {
    name: U32,
    value: U32,
}

const _: () = assert!(size_of::<RawPair>() == 8);

/// A sequence of texts.
#[derive(Debug, Default)]
struct Texts<'a> {
    /// The texts, and everything after them.
    bytes: &'a [u8],
    /// Start of each text.
    starts: Vec<usize>,
}

/// Keys and values of all tags.
#[derive(Debug, Default)]
pub(super) struct TagStore<'a> {
    texts: Texts<'a>,
    plain_names: &'a [U32],
    names: Vec<Name>,
    /// Three or four name indices each.
    plain_paths: &'a [U32],
    plain_path_width: usize,
    paths: Vec<ExportPath>,
    ansi_offsets: &'a [U32],
    wide_offsets: &'a [U32],
    ansi: &'a [u8],
    wide: &'a [U16],
    plain_pairs: &'a [RawPair],
    pairs: Vec<(Name, u32)>,
}

impl<'a> TagStore<'a> {
    /// Iterates over the keys and values of an asset.
    pub(super) fn tags(&self, form: Form, handle: Handle) -> impl Iterator<Item = (Name, TagValue<'a>)> {
        let pairs = handle.range().filter_map(move |at| self.pair(handle.is_plain, at));
        pairs.filter_map(move |(name, value)| Some((name, self.value(form, value)?)))
    }

    /// Calls `add` for every key, with the number of assets that have the pair.
    pub(super) fn count_uses(&self, handles: impl Iterator<Item = Handle>, mut add: impl FnMut(Name, u64)) {
        // Records where ranges begin and end; a running sum over these gives the uses in linear time.
        let new = |len: usize| vec![0_i64; len + 1];
        let (mut plain, mut others) = (new(self.plain_pairs.len()), new(self.pairs.len()));
        for handle in handles {
            let steps = if handle.is_plain { &mut plain } else { &mut others };
            let range = handle.range();
            for (at, step) in [(range.start, 1), (range.end, -1)] {
                // Handles were checked, and the arrays have one more place for an end after the last pair.
                if let Some(slot) = steps.get_mut(at) {
                    *slot += step;
                }
            }
        }
        for (is_plain, steps) in [(true, plain), (false, others)] {
            let mut uses = 0;
            for (at, step) in steps.into_iter().enumerate() {
                uses += step;
                if let Some((name, _)) = self.pair(is_plain, at).filter(|_| uses > 0) {
                    add(name, uses.unsigned_abs());
                }
            }
        }
    }

    /// Checks that a handle is in range.
    pub(super) fn check_handle(&self, at: &Reader<'_>, handle: Handle) -> Result<(), Fault> {
        let len = if handle.is_plain { self.plain_pairs.len() } else { self.pairs.len() };
        let end = handle.range().end;
        if end <= len {
            return Ok(());
        }
        Err(at.fault("asset: tags", FaultKind::TooLarge { found: end as u64, limit: len as u64 }))
    }

    fn pair(&self, is_plain: bool, at: usize) -> Option<(Name, u32)> {
        if !is_plain {
            return self.pairs.get(at).copied();
        }
        let pair = self.plain_pairs.get(at)?;
        Some((Name { index: pair.name.get(), number: 0 }, pair.value.get()))
    }

    fn value(&self, form: Form, value: u32) -> Option<TagValue<'a>> {
        let at = (value >> 3) as usize;
        let plain = |index: &U32| Name { index: index.get(), number: 0 };
        // Three bits of kind, then the index in the table of that kind.
        Some(match value & 7 {
            0 => TagValue::Text(self.ansi(at)?),
            1 => TagValue::Text(self.wide(at)?),
            2 => TagValue::Name(plain(self.plain_names.get(at)?)),
            3 => TagValue::Name(*self.names.get(at)?),
            // A plain path is a run of three or four indices; class first, as in the file.
            4 => {
                let numbers = self.plain_paths.chunks_exact(self.plain_path_width).nth(at)?;
                let [class @ .., object, package] = numbers else { return None };
                let class = match class {
                    [class] => ClassName { package: None, name: plain(class) },
                    [package, class] => ClassName { package: Some(plain(package)), name: plain(class) },
                    _ => return None,
                };
                TagValue::ExportPath(ExportPath { class, object: plain(object), package: plain(package) })
            }
            5 => TagValue::ExportPath(*self.paths.get(at)?),
            6 => TagValue::LocalizedText(self.texts.get(form, at)?.into()),
            _ => return None,
        })
    }

    /// Returns the text up to the NUL, decoded as Latin-1 if it is not UTF-8.
    fn ansi(&self, at: usize) -> Option<Cow<'a, str>> {
        let rest = self.ansi.get(self.ansi_offsets.get(at)?.get() as usize..)?;
        let bytes = rest.split(|byte| *byte == 0).next()?;
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
        })
    }

    fn wide(&self, at: usize) -> Option<Cow<'a, str>> {
        let rest = self.wide.get(self.wide_offsets.get(at)?.get() as usize..)?;
        let units = rest.iter().map(|unit| unit.get()).take_while(|unit| *unit != 0);
        let text = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        Some(text.collect::<String>().into())
    }
}

impl Handle {
    /// Unpacks the bits: 32 of position, 16 of count, and the top one.
    pub(super) fn unpack(bits: u64) -> Self {
        let [a, b, c, d, e, f, _, top] = bits.to_le_bytes();
        Self {
            is_plain: top & 0x80 != 0,
            first: u32::from_le_bytes([a, b, c, d]),
            count: u16::from_le_bytes([e, f]),
        }
    }

    const fn range(self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first.saturating_add(self.count as usize)
    }
}

impl Texts<'_> {
    fn get(&self, form: Form, at: usize) -> Option<String> {
        let bytes = self.bytes.get(*self.starts.get(at)?..)?;
        form.text(&mut Reader::new(bytes), "tag store: text").ok()
    }
}

impl ExportPath {
    fn read(form: Form, r: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self {
            class: ClassName::read(form, r, "tag store: class of an export path")?,
            object: form.name(r, "tag store: object of an export path")?,
            package: form.name(r, "tag store: package of an export path")?,
        })
    }
}
