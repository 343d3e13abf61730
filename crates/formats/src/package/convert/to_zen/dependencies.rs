//! Dependencies of each export, from 5.3 on: the cooker's lists without native objects and packages.

use super::imports::Imports;
use super::preload::{Lists, Preload};
use crate::package::legacy::PackageIndex;
use crate::package::zen::{Dependencies, Graph};

pub(super) fn graph(preload: &Preload<'_>, imports: &Imports) -> Graph {
    let awaited = |list: &[PackageIndex]| {
        list.iter().filter(|index| imports.is_awaited(**index)).map(|index| index.0).collect()
    };
    let of = |lists: &Lists<'_>| Dependencies {
        create_before_create: awaited(lists.create_before_create),
        serialize_before_create: awaited(lists.serialize_before_create),
        create_before_serialize: awaited(lists.create_before_serialize),
        serialize_before_serialize: awaited(lists.serialize_before_serialize),
        is_unlisted: lists.is_unlisted,
    };
    Graph::Dependencies(preload.iter().map(of).collect())
}
