//! Divides the steps into bundles: one, or several for a package in a cycle.

use super::error::ToZenError;
use crate::package::zen::{Bundle, BundleEntry, Command, Header};
use std::collections::HashSet;

/// Divides the steps of a header into the given bundles, or into one. Each bundle records the start of its
/// data (5.0 to 5.2).
pub(super) fn divide(header: &mut Header, given: Option<&[Vec<BundleEntry>]>) -> Result<(), ToZenError> {
    let count = header.bundle_entries.len();
    let given = given.filter(|_| !header.generation.has_dependency_bundles());
    let lens = match given {
        None => vec![count],
        Some(given) => {
            let steps = given.concat();
            let distinct: HashSet<_> = steps.iter().map(|step| (step.export, step.command)).collect();
            // The same steps, each once: only their order may differ.
            let known =
                header.bundle_entries.iter().all(|step| distinct.contains(&(step.export, step.command)));
            if !known || steps.len() != count {
                return Err(ToZenError::Bundles { steps: count });
            }
            header.bundle_entries = steps;
            given.iter().map(Vec::len).collect()
        }
    };
    header.bundles = rows(header, &lens);
    Ok(())
}

fn rows(header: &Header, lens: &[usize]) -> Vec<Bundle> {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let (mut steps, mut first, mut offset) = (header.bundle_entries.iter(), 0_u32, 0_u64);
    let bundle = |len: &usize| {
        let serial_offset = (!header.generation.is_ue4()).then_some(offset);
        let bundle = Bundle { serial_offset, first, count: count(*len) };
        first = first.saturating_add(count(*len));
        let serialized = steps.by_ref().take(*len).filter(|step| step.command == Command::Serialize);
        let lens = serialized.filter_map(|step| header.exports.get(step.export as usize));
        // Offsets count serialized data only, in loading order.
        offset = lens.fold(offset, |offset, export| offset.saturating_add(export.serial_len));
        bundle
    };
    lens.iter().map(bundle).collect()
}
