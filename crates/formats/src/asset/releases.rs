//! Releases by what their payloads look like.
//!
//! A cooked package without versions says little about the release that wrote it: from 5.2 to 5.5, headers are mostly alike. Textures,
//! meshes and sounds are not, and a payload that was written by one release hardly ever ends where the reader of another expects it.

use super::{is_known, read};
use crate::package::legacy::Package;
use crate::property::{Object, Scope};
use crate::version::Releases;

/// Assets of one package that are read: most packages have one.
const MAX_ASSETS: usize = 4;

/// Of some releases, those that read the most assets of a package: `header` is its `.uasset` or `.umap`, `exports` its `.uexp`. `None`
/// if none of them reads any.
#[must_use]
pub fn releases_that_read(header: &[u8], exports: &[u8], among: Releases) -> Option<Releases> {
    let (mut most, mut best) = (0, Releases::default());
    for release in among.iter() {
        let Ok(package) = Package::parse_as(header, release) else { continue };
        let scope = Scope::new(&package, exports, package.header_len(), Some(release));
        let assets = package.exports.iter().filter(|export| is_known(&scope, export)).take(MAX_ASSETS);
        // Those that write the same packages are tried, too: it has to be read as this one writes it.
        let is_read = |object: &Object, export| {
            let found = read(&scope, export, object).and_then(Result::ok);
            found.is_some_and(|found| found.versions.release.name == release.name)
        };
        let count = assets.filter(|export| is_read(&Object::read(&scope, export), export)).count();
        if count > most {
            (most, best) = (count, Releases::default());
        }
        if count == most && count > 0 {
            best = best.or(Releases::between(release.name, release.name));
        }
    }
    (most > 0).then_some(best)
}
