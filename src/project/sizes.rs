//! Sizes of packages in files, with what they need.

use super::packages::ProjectPackages;
use crate::compare::{By, NO_CLASS, NO_FOLDER, Usage, UsageRow, usage_rows};
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::package::legacy::Package;
use crate::store::packages::Packages;
use crate::values::{PackageInput, PackageInputs, PackageJob, ValueOptions};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A package with the length of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageSize {
    /// Path of its file below the input.
    pub path: String,
    /// Class of its main object, if it has one.
    pub class: Option<String>,
    /// Length of its files in bytes, those of bulk data included.
    pub len: u64,
}

/// Sizes of packages.
#[derive(Debug, Default)]
pub struct SizesRead {
    /// The packages.
    pub packages: Vec<PackageSize>,
    /// Packages of the project that others need, but that are not there.
    pub missing: BTreeSet<String>,
}

impl SizesRead {
    /// Sums up the sizes by folder, by type or by class; packages in files have no containers.
    #[must_use]
    pub fn usage(&self, by: By, depth: u32) -> Vec<UsageRow> {
        let usage = |found: &PackageSize| Usage { count: 1, raw: found.len, stored: found.len };
        usage_rows(self.packages.iter().map(|found| (found.keys(by, depth), usage(found))))
    }
}

impl PackageSize {
    fn keys(&self, by: By, depth: u32) -> Vec<&str> {
        match by {
            By::Folder => match self.path.rsplit_once('/') {
                Some((folder, _)) => folder.split('/').take(depth as usize).collect(),
                None => vec![NO_FOLDER],
            },
            By::Class => vec![self.class.as_deref().unwrap_or(NO_CLASS)],
            By::Type | By::Container | By::Method => {
                vec![self.path.rsplit_once('.').map_or("", |(_, extension)| extension)]
            }
        }
    }
}

/// Facts of one package.
struct Measured {
    size: PackageSize,
    /// Names of the packages that it imports.
    imported: Vec<String>,
}

/// Measures the packages of `chosen` and, if asked, those of `all` that they need, directly or not. Soft references are not
/// followed. Maps need the actors that have files of their own.
pub async fn package_sizes(
    packages: impl Into<Arc<Packages>>,
    all: PackageInputs,
    chosen: PackageInputs,
    with_needed: bool,
    context: &Context,
    values: ValueOptions,
) -> Result<Outcome<SizesRead>> {
    let project = ProjectPackages::of_names(all.names());
    let known = if with_needed { Known::new(&all) } else { Known::default() };
    let job = Arc::new(PackageJob::new(packages, all, values));
    let mut outcome: Outcome<SizesRead> = Outcome::of(Kind::Package);
    let mut seen: BTreeSet<String> = chosen.items().iter().map(|item| item.name.clone()).collect();
    let mut wanted: Vec<PackageInput> = chosen.items().to_vec();
    // Each round reads what the one before needs.
    while !wanted.is_empty() {
        let (mut measured, work) = (Vec::new(), measure as fn(&PackageJob, usize, &PackageInput) -> _);
        let done = |_: &mut Tally<'_, _>, item: &PackageInput, found: Measured| {
            measured.push((item.package_name(), found));
            Ok(())
        };
        job.each_of(&wanted, context, &mut outcome, work, done).await?;
        wanted.clear();
        for (name, Measured { size, imported }) in measured {
            outcome.done.packages.push(size);
            if !with_needed || outcome.cancelled {
                continue;
            }
            outcome
                .done
                .missing
                .extend(project.missing(&imported).into_iter().filter(|found| *found != name));
            for item in known.needed(&name, &imported) {
                if seen.insert(item.name.clone()) {
                    wanted.push(item.clone());
                }
            }
        }
    }
    Ok(outcome)
}

fn measure(job: &PackageJob, _: usize, item: &PackageInput) -> Worked<Measured> {
    let mut loaded = job.load(item)?;
    let package: &Package = &loaded.package;
    let base = item.stem().rsplit('/').next().unwrap_or_default();
    let class = package.main_export(base).map(|export| package.class_path(export));
    let len = item.len.saturating_add(job.library.bulk_len(item));
    let imported = package.imported_packages().collect();
    let size = PackageSize { path: item.name.clone(), class, len };
    Ok((Measured { size, imported }, loaded.take_mismatch()))
}

/// Packages by their names in lower case.
#[derive(Default)]
struct Known {
    items: HashMap<String, PackageInput>,
    /// Folders of actors that have files of their own, by the map that these are in.
    actors: BTreeMap<String, Vec<String>>,
}

/// Folders of what belongs to a map and has files of its own.
const EXTERNAL: [&str; 2] = ["__externalactors__", "__externalobjects__"];

impl Known {
    fn new(all: &PackageInputs) -> Self {
        let mut this = Self::default();
        for item in all.items() {
            let name = item.package_name().to_lowercase();
            if let Some(map) = map_of(&name) {
                this.actors.entry(map).or_default().push(name.clone());
            }
            this.items.insert(name, item.clone());
        }
        this
    }

    /// The packages that one needs.
    fn needed(&self, name: &str, imported: &[String]) -> impl Iterator<Item = &PackageInput> {
        let imported = imported.iter().map(|name| name.to_lowercase());
        let own = self.actors.get(&name.to_lowercase()).into_iter().flatten();
        let names: Vec<String> = imported.chain(own.cloned()).collect();
        names.into_iter().filter_map(|name| self.items.get(&name))
    }
}

/// The map that a package of an actor belongs to: `/game/maps/x` of `/game/__externalactors__/maps/x/a/bc/d`.
fn map_of(name: &str) -> Option<String> {
    let (root, rest) = name.strip_prefix('/')?.split_once('/')?;
    let (folder, rest) = rest.split_once('/')?;
    // Two folders and a file follow the path of the map.
    let map = rest.rsplitn(4, '/').nth(3)?;
    EXTERNAL.contains(&folder).then(|| format!("/{root}/{map}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_in_files_of_their_own_belong_to_their_map() {
        let map = |name| map_of(name);
        assert_eq!(map("/game/__externalactors__/maps/x/3/ab/q0").as_deref(), Some("/game/maps/x"));
        assert_eq!(map("/weather/__externalobjects__/x/3/ab/q0").as_deref(), Some("/weather/x"));
        assert_eq!(map("/game/maps/x"), None);
        assert_eq!(map("/game/__externalactors__/x"), None);
    }
}
