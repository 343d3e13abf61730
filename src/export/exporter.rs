//! The writing of assets: what all stages of the job share.

use super::files::{Files, Target};
use super::inner::InnerObjects;
use super::materials::Materials;
use super::options::ExportOptions;
use super::outcome::{Exported, ExportedAssets, Left, PackageMade};
use super::source::Source;
use crate::asset;
use crate::error::{Error, Result};
use crate::job::{Cpu, Failure, Subject, Tally};
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{Object, Scope};
use crate::values::{Loaded, PackageInput, PackageJob, UnreadOf};
use std::cell::OnceCell;

/// The reason for leaving out an asset of the editor.
const UNCOOKED: &str = "it is not cooked, and what the editor keeps of this class is not read";

pub(super) type ExportTally<'a> = Tally<'a, ExportedAssets>;

pub(super) fn report_failures(tally: &mut ExportTally<'_>, item: &PackageInput, made: &mut PackageMade) {
    made.failed = !made.failures.is_empty();
    for error in made.failures.drain(..) {
        tally.failed(Failure { subject: Subject::Package, path: item.name.clone(), error });
    }
}

/// An open package.
pub(super) struct Opened<'s, 'a> {
    pub(super) job: &'s PackageJob,
    pub(super) item: &'s PackageInput,
    /// The package whose file gets the materials.
    pub(super) owner: &'s PackageInput,
    pub(super) loaded: &'a Loaded,
    pub(super) scope: &'s Scope<'a>,
    pub(super) unread: &'s UnreadOf<'a>,
    pub(super) inner: &'s InnerObjects,
}

/// Everything needed to write assets.
pub(super) struct Exporter {
    pub(super) target: Target,
    pub(super) options: ExportOptions,
    pub(super) materials: Materials,
    pub(super) cpu: Cpu,
}

impl Exporter {
    pub(super) fn asset<'a>(
        &self,
        opened: &Opened<'_, 'a>,
        (at, export): (u32, &Export),
        made: &mut PackageMade,
        write: impl FnOnce(&Source<'_, 'a>, &mut Files<'_>) -> Result<Option<String>>,
    ) {
        let Opened { job, item, owner, loaded, scope, unread, inner } = *opened;
        let object = loaded.package.text(export.name).to_string();
        let index = PackageIndex::export(at).unwrap_or(PackageIndex::NONE);
        let path = loaded.package.path(index, "");
        let path = path.map_or_else(|| object.clone(), |path| path.in_package("").to_string());
        let fields = Object::read(scope, export);
        let found = match asset::read(scope, export, &fields) {
            None => return,
            Some(Ok(found)) => found,
            // An uncooked asset is not damaged: it just has no cooked payload.
            Some(Err(error)) if !loaded.package.form.cooked && !asset::has_source(scope, export) => {
                let class = error.class.to_string();
                return made.left.push(Left { object: path, class, reason: UNCOOKED.to_owned() });
            }
            Some(Err(source)) => {
                let (class, reason) = (source.class.to_string(), source.reason.to_string());
                made.failed_assets.push(Left { object: path.clone(), class, reason });
                let source = Box::new(source);
                return made.failures.push(Error::Asset { object: path, source, path: loaded.path.clone() });
            }
        };
        let class = found.class.to_string();
        let options = &self.options;
        let source = Source {
            job,
            cpu: &self.cpu,
            item,
            loaded,
            scope,
            export,
            index,
            fields: &fields,
            found: &found,
            inner,
            unread,
            owner,
            short: OnceCell::new(),
            object: path,
            class,
            options,
        };
        source.see(export, &fields);
        let mut files = Files::new(&self.target, item, &object);
        let written = write(&source, &mut files);
        let (object, class, short) = (source.object, source.class, source.short.into_inner());
        let written = written.map(|note| match (note, short) {
            (Some(note), Some(short)) => Some(format!("{note}: {short}")),
            (note, short) => note.or(short),
        });
        match written {
            Err(error) => {
                made.failed_assets.push(Left { object, class, reason: error.to_string() });
                made.failures.push(error);
            }
            Ok(Some(reason)) if files.written.is_empty() => made.left.push(Left { object, class, reason }),
            // No requested form applies to such an asset, or its file comes later.
            Ok(None) if files.written.is_empty() => made.has_later |= files.has_later,
            Ok(note) => made.exported.push(Exported {
                searched: found.searched,
                note,
                ..Exported::new(object, class, files.written)
            }),
        }
    }
}
