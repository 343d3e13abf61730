//! Releases recognised by the layout of their payloads.
//!
//! A cooked package without versions says little about the release that wrote it: from 5.2 to 5.5, headers
//! are mostly alike. Textures, meshes and sounds differ, and a payload of one release hardly ever ends where
//! the reader of another expects it.

use super::lookup::has_payload;
use super::read;
use crate::package::legacy::Package;
use crate::property::{Object, Scope};
use crate::version::Releases;

/// Limit of assets tried per package: most packages have one.
const MAX_ASSETS: usize = 4;

/// Returns those releases of `among` that read the most assets of a package; `None` if none reads any.
/// `header` is the `.uasset` or `.umap`, `exports` the `.uexp`.
#[must_use]
pub fn releases_that_read(header: &[u8], exports: &[u8], among: Releases) -> Option<Releases> {
    let (mut most, mut best) = (0, Releases::default());
    for release in among.iter() {
        let Ok(package) = Package::parse_as(header, release) else { continue };
        let scope = Scope::new(&package, exports, package.header_len(), Some(release));
        let assets = package.exports.iter().filter(|export| has_payload(&scope, export)).take(MAX_ASSETS);
        // The reader also tries releases with equal package layouts; only a match for this one counts.
        let is_read = |object: &Object, export| {
            let found = read(&scope, export, object).and_then(Result::ok);
            found.is_some_and(|found| found.versions.release.name == release.name)
        };
        let count = assets.filter(|export| is_read(&Object::read(&scope, export), export)).count();
        if count > most {
            (most, best) = (count, Releases::default());
        }
        // Several releases may share a layout: all of the best ones are kept.
        if count == most && count > 0 {
            best = best.or(Releases::between(release.name, release.name));
        }
    }
    (most > 0).then_some(best)
}
