//! Facts that a conversion to legacy packages has kept next to them.

use super::origin::CookedFile;
use crate::error::{Bound, Error, Result};
use crate::objection::Objection;
use crate::pack::objections::Objections;
use crate::package::convert::sidecar::{Kept, Sidecar};
use std::collections::HashMap;

/// Reads the kept facts of each package, by the path of its header. Objects to unreadable files. All files
/// together may have `limit` bytes.
pub(super) fn read(
    files: &[CookedFile],
    limit: u64,
    objections: &mut Objections,
) -> Result<HashMap<String, Kept>> {
    let (mut all, mut len) = (HashMap::new(), 0_u64);
    for file in files {
        len = len.saturating_add(file.len);
        if len > limit {
            let (what, path) = ("size of the .uncask.json files so far", file.shown.clone());
            return Err(Error::Limit { what, found: len, limit, bound: Bound::Memory, path });
        }
        match Sidecar::parse(&file.read(limit)?) {
            Ok(sidecar) => {
                // Names in a sidecar are relative to its own folder.
                let folder = file.path.strip_suffix(file.name()).unwrap_or_default();
                let packages = sidecar.packages.into_iter();
                all.extend(packages.map(|(name, kept)| (format!("{folder}{name}"), kept)));
            }
            Err(error) => objections.add(Objection::SidecarUnreadable(error), file.shown()),
        }
    }
    Ok(all)
}
