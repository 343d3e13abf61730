//! Dependencies of exports, as the cooker recorded them.

use super::error::ToZenError;
use crate::package::legacy::{Export, Package, PackageIndex};
use crate::package::zen::Command;

/// Dependency lists of all exports.
#[derive(Debug)]
pub(super) struct Preload<'a>(Vec<Lists<'a>>);

/// Dependencies of one export.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lists<'a> {
    /// True if the table records no dependencies.
    pub is_unlisted: bool,
    /// Objects to create before this export is created.
    pub create_before_create: &'a [PackageIndex],
    /// Objects to serialize before this export is created.
    pub serialize_before_create: &'a [PackageIndex],
    /// Objects to create before this export is serialized.
    pub create_before_serialize: &'a [PackageIndex],
    /// Objects to serialize before this export is serialized.
    pub serialize_before_serialize: &'a [PackageIndex],
}

impl<'a> Preload<'a> {
    /// Splits the table. No entry may belong to two exports, which bounds the total by the table's length.
    pub(super) fn new(package: &'a Package) -> Result<Self, ToZenError> {
        let mut left = package.preload_dependencies.len();
        let mut all = Vec::with_capacity(package.exports.len());
        for (export, row) in package.exports.iter().enumerate() {
            let lists = lists(package, row).filter(|lists| {
                let fits = left.checked_sub(lists.len());
                left = fits.unwrap_or(left);
                fits.is_some()
            });
            all.push(lists.ok_or(ToZenError::Preload { export })?);
        }
        Ok(Self(all))
    }

    /// Iterates over the exports, in order.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Lists<'a>> {
        self.0.iter()
    }
}

impl<'a> Lists<'a> {
    /// Returns the dependencies of a step: the required command and its object.
    pub(super) fn before(&self, step: Command) -> impl Iterator<Item = (Command, PackageIndex)> + use<'a> {
        let (created, serialized) = match step {
            Command::Create => (self.create_before_create, self.serialize_before_create),
            Command::Serialize => (self.create_before_serialize, self.serialize_before_serialize),
        };
        let created = created.iter().map(|index| (Command::Create, *index));
        created.chain(serialized.iter().map(|index| (Command::Serialize, *index)))
    }

    const fn len(&self) -> usize {
        self.create_before_create.len()
            + self.serialize_before_create.len()
            + self.create_before_serialize.len()
            + self.serialize_before_serialize.len()
    }
}

fn lists<'a>(package: &'a Package, export: &Export) -> Option<Lists<'a>> {
    let slice = export.preload.unwrap_or_default();
    // −1 marks an export without dependencies.
    let Ok(first) = usize::try_from(slice.first) else {
        return Some(Lists { is_unlisted: true, ..Lists::default() });
    };
    let mut rest = package.preload_dependencies.get(first..)?;
    let mut take = |count: i32| {
        let (list, others) = rest.split_at_checked(usize::try_from(count).ok()?)?;
        rest = others;
        Some(list)
    };
    // In table order.
    let serialize_before_serialize = take(slice.serialize_before_serialize)?;
    let create_before_serialize = take(slice.create_before_serialize)?;
    let serialize_before_create = take(slice.serialize_before_create)?;
    let create_before_create = take(slice.create_before_create)?;
    Some(Lists {
        is_unlisted: false,
        create_before_create,
        serialize_before_create,
        create_before_serialize,
        serialize_before_serialize,
    })
}
