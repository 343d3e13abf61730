//! The export job: exports all assets, package by package.

use super::exporter::{ExportTally, Exporter, Opened, report_failures};
#[cfg(feature = "csv")]
use super::files::Files;
use super::files::Target;
use super::inner::InnerObjects;
use super::materials::Materials;
#[cfg(feature = "csv")]
use super::options::ExportForm;
use super::options::ExportOptions;
#[cfg(feature = "csv")]
use super::outcome::{Exported, Left};
use super::outcome::{ExportedAssets, PackageMade};
#[cfg(feature = "csv")]
use super::source::reason_unread;
#[cfg(feature = "csv")]
use super::table;
use super::wanted::Wanted;
use super::{LooseMedia, media::copy_media, media_files};
use super::{scene, texture, write};
use crate::asset;
use crate::error::Result;
use crate::extract::{Shard, UnpackOptions};
use crate::job::{Context, Kind, Outcome, Worked};
use crate::package::legacy::{Export, PackageIndex};
#[cfg(feature = "csv")]
use crate::property::Object;
use crate::property::Scope;
use crate::sink::Sink;
use crate::store::packages::Packages;
use crate::store::{Entry, Store};
use crate::values::{Loaded, PackageInput, PackageInputs, PackageJob, ValueOptions};
use std::sync::Arc;

/// Bytes of memory budget per byte of bulk data: the decoded picture, and the file encoded from it.
const BULK_PRICE: u64 = 16;

/// Inputs of a job: packages with assets, and files to copy.
#[derive(Debug, Default)]
pub struct ExportInputs {
    /// Packages.
    pub packages: PackageInputs,
    /// Chunks to copy; see [`media_files`](super::media_files).
    pub media: Vec<Entry>,
    /// Files beside loose packages to copy.
    pub loose_media: LooseMedia,
}

impl From<PackageInputs> for ExportInputs {
    fn from(packages: PackageInputs) -> Self {
        Self { packages, ..Self::default() }
    }
}

impl ExportInputs {
    /// Packages and media among some chunks.
    #[must_use]
    pub fn of_store(store: &Store, entries: &[Entry], options: &ExportOptions) -> Self {
        let (packages, media) =
            (PackageInputs::of_store(store, entries), media_files(store, entries, options));
        Self { packages, media, loose_media: LooseMedia::default() }
    }

    /// True if there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packages.is_empty() && self.media.is_empty() && self.loose_media.is_empty()
    }

    /// Keeps one shard.
    pub fn retain_share(&mut self, store: &Store, shard: Shard) {
        self.packages.retain_share(shard);
        self.media = shard.take(store, &self.media, |entry| entry);
        self.loose_media.retain_share(shard);
    }
}

/// Exports every supported asset of some packages to files, and copies media files.
pub async fn export(
    packages: impl Into<Arc<Packages>>,
    inputs: impl Into<ExportInputs>,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: ExportOptions,
    values: ValueOptions,
) -> Result<Outcome<ExportedAssets>> {
    let (packages, ExportInputs { packages: inputs, media, loose_media }) = (packages.into(), inputs.into());
    let store = packages.store().clone();
    let copying = UnpackOptions {
        overwrite: options.overwrite,
        verify: values.verify,
        strict: values.strict,
        fail_fast: values.fail_fast,
    };
    let target = Target::new(Arc::clone(&sink), options.overwrite, &inputs);
    let mut job = PackageJob::new(packages, inputs, values);
    job.bulk_price = Some(BULK_PRICE);
    let job = Arc::new(job);
    let cpu = context.cpu().clone();
    let exporter = Arc::new(Exporter { target, options, materials: Materials::default(), cpu });
    let mut outcome = Outcome::of(Kind::Package);
    let mut levels = Vec::new();
    let assets = Arc::clone(&exporter);
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| assets.package(job, item);
    let done = |tally: &mut ExportTally<'_>, item: &PackageInput, mut made: PackageMade| {
        report_failures(tally, item, &mut made);
        levels.extend(made.has_level.then(|| item.clone()));
        tally.outcome.done.add(item, made);
        Ok(())
    };
    // First all packages; only then is it known which textures materials refer to.
    job.each(context, &mut outcome, work, done).await?;
    scene::scenes(&job, &exporter, &levels, context, &mut outcome).await?;
    lent_pictures(&job, &exporter, context, &mut outcome).await?;
    // Clashes of the packages are about JSON documents, which this job does not write; assets have their own file
    // names.
    outcome.clashes.clear();
    outcome.done.values = job.finish(&mut outcome);
    // Media are copied, not decoded, so their hashes are checked only if that was requested.
    if !media.is_empty() && !outcome.cancelled {
        let context = context.with_verify(copying.verify);
        copy_media(&store, &media, Arc::clone(&sink), &context, copying, &mut outcome).await;
    }
    if !loose_media.is_empty() && !outcome.cancelled {
        loose_media.copy(&*sink, context, copying.overwrite, &mut outcome);
    }
    Ok(outcome)
}

/// Writes the pictures that materials refer to.
async fn lent_pictures(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    context: &Context,
    outcome: &mut Outcome<ExportedAssets>,
) -> Result<()> {
    let wanted = Arc::new(exporter.materials.take_wanted());
    let items = wanted.iter().filter_map(|wanted| Some(wanted.first()?.item.clone()));
    let items: Vec<PackageInput> = items.collect();
    if items.is_empty() {
        return Ok(());
    }
    let (all, exporter) = (Arc::clone(&wanted), Arc::clone(exporter));
    let work = move |job: &PackageJob, at: usize, item: &PackageInput| {
        exporter.pictures(job, item, all.get(at).map_or(&[], Vec::as_slice))
    };
    let mut wanted = wanted.iter();
    let owners = outcome.done.owners();
    let (count, raw_bytes) = (outcome.count, outcome.raw_bytes);
    let done = |tally: &mut ExportTally<'_>, item: &PackageInput, mut made: PackageMade| {
        // A failed package is not reported here, so skip ahead to the one that is.
        let is_it = |wanted: &&Vec<Wanted>| wanted.first().is_some_and(|first| first.item.name == item.name);
        let wanted = wanted.by_ref().find(is_it).map_or(&[][..], Vec::as_slice);
        report_failures(tally, item, &mut made);
        tally.outcome.done.add_pictures(item, made, wanted, &owners);
        Ok(())
    };
    job.each_of(&items, context, outcome, work, done).await?;
    // These packages are not inputs, so they are not counted.
    (outcome.count, outcome.raw_bytes) = (count, raw_bytes);
    Ok(())
}

impl Exporter {
    fn package(&self, job: &PackageJob, item: &PackageInput) -> Worked<PackageMade> {
        let mut loaded = job.load(item)?;
        let made = self.assets(job, item, &loaded);
        Ok((made, loaded.take_mismatch()))
    }

    fn assets(&self, job: &PackageJob, item: &PackageInput, loaded: &Loaded) -> PackageMade {
        let scope = job.scope(loaded);
        let (unread, inner) = (job.unread(loaded), InnerObjects::default());
        let opened = Opened { job, item, owner: item, loaded, scope: &scope, unread: &unread, inner: &inner };
        let mut made = PackageMade::default();
        for (at, export) in (0..).zip(&loaded.package.exports) {
            if asset::is_known(&scope, export) {
                self.asset(&opened, (at, export), &mut made, |source, files| {
                    write(source, &self.materials, files)
                });
            }
            #[cfg(feature = "csv")]
            if self.options.forms.wants(ExportForm::Csv, true) && table::is_table(&scope, export) {
                self.table(&opened, (at, export), &mut made);
            }
        }
        made.has_level = scene::is_wanted(&self.options.forms) && scene::is_level(&loaded.package);
        job.note_unread(item, unread);
        // Only packages without any asset are listed by class: they tell the user what is not supported.
        let has_any = !made.exported.is_empty() || !made.left.is_empty() || made.has_later || made.has_level;
        if !has_any && made.failures.is_empty() {
            made.classes =
                loaded.package.exports.iter().filter_map(|export| main_class(&scope, export)).collect();
        }
        made
    }

    /// Writes the pictures of one package that materials refer to.
    fn pictures(&self, job: &PackageJob, item: &PackageInput, wanted: &[Wanted]) -> Worked<PackageMade> {
        let mut loaded = job.load(item)?;
        let mut made = PackageMade::default();
        let scope = job.scope(&loaded);
        let (unread, inner) = (job.unread(&loaded), InnerObjects::default());
        let opened =
            Opened { job, item, owner: item, loaded: &loaded, scope: &scope, unread: &unread, inner: &inner };
        for (at, export) in (0..).zip(&loaded.package.exports) {
            let name = loaded.package.text(export.name).to_string();
            let own = wanted.iter().filter(|wanted| wanted.object.eq_ignore_ascii_case(&name));
            let own: Vec<&Wanted> = own.collect();
            if !own.is_empty() && asset::is_known(&scope, export) {
                self.asset(&opened, (at, export), &mut made, |source, files| {
                    texture::write_lent(source, &own, files)
                });
            }
        }
        job.note_unread(item, unread);
        drop(scope);
        Ok((made, loaded.take_mismatch()))
    }
}

#[cfg(feature = "csv")]
impl Exporter {
    fn table(&self, opened: &Opened<'_, '_>, (at, export): (u32, &Export), made: &mut PackageMade) {
        let Opened { item, loaded, scope, unread, .. } = *opened;
        let fields = Object::read(scope, export);
        unread.see(export, &fields);
        let name = loaded.package.text(export.name).to_string();
        let index = PackageIndex::export(at).unwrap_or(PackageIndex::NONE);
        let path = loaded.package.path(index, "");
        let object = path.map_or_else(|| name.clone(), |path| path.in_package("").to_string());
        let class = main_class_of(&loaded.package.class_path(export));
        let mut files = Files::new(&self.target, item, &name);
        let put = |bytes: Vec<u8>| files.put("", "csv", &bytes);
        match table::csv(scope, export, &fields, &loaded.path).and_then(|csv| csv.map(put).transpose()) {
            Err(error) => {
                made.failed_assets.push(Left { object, class, reason: error.to_string() });
                made.failures.push(error);
            }
            Ok(Some(())) => made.exported.push(Exported::new(object, class, files.written)),
            Ok(None) => {
                if fields.problem.is_some() {
                    let reason = reason_unread(&fields);
                    made.left.push(Left { object, class, reason });
                }
            }
        }
    }
}

/// The class of a top-level object of its package, but for default objects, which belong to a blueprint.
fn main_class(scope: &Scope<'_>, export: &Export) -> Option<String> {
    let is_top = export.outer == PackageIndex::NONE && !export.is_default_object();
    let class = scope.package.class_path(export);
    is_top.then(|| main_class_of(&class))
}

fn main_class_of(path: &str) -> String {
    path.rsplit(['.', ':', '/']).next().unwrap_or_default().to_owned()
}
