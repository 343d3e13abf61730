//! Assets as files that people open.
//!
//! ```text
//! package ──► objects ──► asset::read ──► a writer for each kind ──► Sink
//!             (values)    (payloads)      texture: PNG, EXR, DDS, raw
//! ```
//!
//! Each package is a task of its own on a worker, once its memory is paid for, with its bulk data. Packages without anything
//! that can be exported are counted by class; what should have been exported and was not is a failure with its reason.
//!
//! A new kind of asset: one module with a writer, and one arm in [`write`].

mod files;
mod options;
mod outcome;
mod texture;

pub use options::{ExportForm, ExportOptions, Forms, MipChoice};
pub use outcome::{ExportOutcome, Exported, Left};

use crate::asset::{self, Asset, Found};
use crate::error::{Error, Result};
use crate::package::legacy::{Export, PackageIndex};
use crate::pipeline::Context;
use crate::property::{Object, Scope};
use crate::report::Observer;
use crate::sink::Sink;
use crate::store::packages::Packages;
use crate::values::{Job, Loaded, Made, PackageInput, PackageInputs, ValueOptions};
use files::Files;
use std::sync::Arc;

/// Memory for each byte of bulk data: the picture that it becomes, and the file that this becomes.
const BULK_PRICE: u64 = 16;

/// Writes every asset of some packages that people can open into files.
pub async fn export(
    packages: Packages,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: ExportOptions,
    values: ValueOptions,
    observer: &dyn Observer,
) -> Result<ExportOutcome> {
    let names = files::Names::new(&inputs);
    let mut job = Job::new(packages, inputs, values);
    job.bulk_price = Some(BULK_PRICE);
    let job = Arc::new(job);
    let exporter = Exporter { sink, options, names };
    let mut outcome = ExportOutcome::default();
    let work = move |job: &Job, item: &PackageInput| exporter.package(job, item);
    let packages = job.each(context, observer, work, |item, made| {
        outcome.add(item, made);
        Ok(())
    });
    let packages = packages.await?;
    outcome.finish(job.outcome(packages), observer);
    Ok(outcome)
}

/// What is needed to write assets.
struct Exporter {
    sink: Arc<dyn Sink>,
    options: ExportOptions,
    names: files::Names,
}

/// What became of a package.
#[derive(Debug, Default)]
struct PackageMade {
    exported: Vec<Exported>,
    left: Vec<Left>,
    failures: Vec<Error>,
    /// Classes of its assets, if none of them is exported.
    classes: Vec<String>,
}

/// An asset that is being exported.
struct Source<'s, 'a> {
    job: &'s Job,
    item: &'s PackageInput,
    loaded: &'a Loaded,
    object: String,
    class: String,
    options: &'s ExportOptions,
}

impl Exporter {
    fn package(&self, job: &Job, item: &PackageInput) -> Made<PackageMade> {
        let mut loaded = job.load(item)?;
        let mismatch = loaded.mismatch.take();
        let scope = job.scope(&loaded);
        let mut made = PackageMade::default();
        for (at, export) in (0..).zip(&loaded.package.exports) {
            if asset::is_known(&scope, export) {
                self.asset(job, item, &loaded, &scope, (at, export), &mut made);
            }
        }
        if made.exported.is_empty() && made.left.is_empty() && made.failures.is_empty() {
            made.classes =
                loaded.package.exports.iter().filter_map(|export| main_class(&scope, export)).collect();
        }
        Ok((made, mismatch))
    }

    fn asset<'a>(
        &self,
        job: &Job,
        item: &PackageInput,
        loaded: &'a Loaded,
        scope: &Scope<'a>,
        (at, export): (u32, &Export),
        made: &mut PackageMade,
    ) {
        let object = loaded.package.text(export.name).to_string();
        let path = PackageIndex::export(at).and_then(|index| loaded.package.path(index, ""));
        let path = path.map_or_else(|| object.clone(), |path| path.in_package("").to_string());
        let fields = Object::read(scope, export);
        let found = match asset::read(scope, export, &fields) {
            None => return,
            Some(Ok(found)) => found,
            Some(Err(source)) => {
                let path_of_package = loaded.path.clone();
                return made.failures.push(Error::Asset { object: path, source, path: path_of_package });
            }
        };
        let class = found.class.to_string();
        let source = Source { job, item, loaded, object: path, class, options: &self.options };
        let mut files = Files::new(self, item, &object);
        let written = write(&source, &found, &mut files);
        let (object, class) = (source.object, source.class);
        match written {
            Err(error) => made.failures.push(error),
            Ok(Some(reason)) if files.written.is_empty() => made.left.push(Left { object, class, reason }),
            Ok(note) => made.exported.push(Exported {
                object,
                class,
                files: files.written,
                bytes: files.bytes,
                unchanged: files.unchanged,
                searched: found.searched,
                note,
            }),
        }
    }
}

/// Writes an asset. The text says what was not written, and why.
fn write(source: &Source<'_, '_>, found: &Found<'_>, files: &mut Files<'_>) -> Result<Option<String>> {
    match &found.asset {
        Asset::Texture(texture) => texture::write(source, texture, files),
        _ => Ok(Some("no writer for this class".to_owned())),
    }
}

/// The class of an object that is an asset of its package.
fn main_class(scope: &Scope<'_>, export: &Export) -> Option<String> {
    let is_top = export.outer == PackageIndex::NONE;
    let class = scope.package.class_path(export);
    is_top.then(|| class.rsplit(['.', ':', '/']).next().unwrap_or_default().into())
}
