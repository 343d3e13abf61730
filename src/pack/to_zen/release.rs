//! For which release packages are written.

use super::input::Asset;
use crate::package::legacy::{Package, VersionEvidence};
use crate::pipeline::Cpu;
use crate::version::{Release, Releases, TocVersion};

/// The release, and what is not certain about it.
pub(super) struct Chosen {
    pub release: &'static Release,
    /// What to tell, if others fit as well.
    pub warning: Option<String>,
}

/// Finds the release: the one that was asked for, or what the game and the packages leave.
pub(super) fn choose(
    given: Option<&'static Release>,
    game: Option<Releases>,
    assets: &[Asset],
    limit: u64,
    cpu: &Cpu,
) -> Chosen {
    if let Some(release) = given {
        return Chosen { release, warning: None };
    }
    let mut left = Releases::matching(|release| release.zen.is_some());
    let of_assets = cpu.map(assets, |asset| of_asset(asset, limit));
    for found in game.into_iter().chain(of_assets.into_iter().flatten()) {
        let both = left.and(found);
        // A package of another engine is reported when its turn comes.
        if !both.is_empty() {
            left = both;
        }
    }
    let release = left.iter().next_back().unwrap_or_else(|| Release::newest());
    let others: Vec<String> =
        left.iter().filter(|other| !is_alike(other, release)).map(|other| other.name.to_owned()).collect();
    let warning = (!others.is_empty()).then(|| {
        format!(
            "written for {release}, the newest that fits; UE {} would fit as well, and a game of another release may crash: \
             name the engine release, or give the game",
            others.join(", ")
        )
    });
    Chosen { release, warning }
}

/// Whether two releases write the same packages and containers.
fn is_alike(a: &Release, b: &Release) -> bool {
    let layouts = |release: &Release| {
        let toc = TocVersion::of_release(release);
        let mut headers = toc.into_iter().flat_map(TocVersion::container_headers);
        let header = headers.find(|(_, range)| range.contains(release)).map(|(version, _)| version);
        (release.zen, toc, header, release.cooked_import_package_name)
    };
    layouts(a) == layouts(b)
}

/// The releases that may have written a package.
fn of_asset(asset: &Asset, limit: u64) -> Option<Releases> {
    let bytes = asset.header.read(limit).ok()?;
    let package = Package::parse(&bytes).ok()?;
    Some(match package.evidence {
        VersionEvidence::Probed(name) | VersionEvidence::Given(name) => {
            let probed = Release::from_name(name)?;
            Releases::matching(|other| {
                (other.legacy, other.objects) == (probed.legacy, probed.objects)
                    && other.cooked_import_package_name == probed.cooked_import_package_name
            })
        }
        VersionEvidence::File => package.summary.releases(),
    })
}
