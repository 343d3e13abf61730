//! Steps that all jobs share that make a container, from the first objection to the final name.

use super::files::PackFile;
use super::objections::Objections;
use super::old_headers::OldHeaders;
use super::options::PackOptions;
use super::packages::Package;
use super::packed::Packed;
use super::pak::{write_companion, write_pak};
use super::pak_entry::PakFile;
use super::staging;
use super::target::{container_id, object_to_target};
use super::write::{self, Content, Written};
use super::{data, engine, header, pak, pak_writer};
use crate::error::Result;
use crate::job::Context;
use crate::objection::Finding;
use crate::release::Verdict;
use crate::report::Event;
use std::path::Path;

/// Container in progress: its settings and findings.
pub(super) struct PackJob<'a> {
    pub toc_path: &'a Path,
    pub options: &'a PackOptions,
    pub context: &'a Context,
    pub objections: Objections,
    pub warnings: Vec<Finding>,
}

/// `.pak` next to a container.
pub(super) enum Beside {
    Nothing,
    /// An empty one, unless a `.pak` exists.
    Companion,
    /// One with these files, replacing an existing one.
    Pak(Vec<PakFile>),
}

impl<'a> PackJob<'a> {
    /// Starts a container, after checking options and target.
    pub(super) fn begin(toc_path: &'a Path, options: &'a PackOptions, context: &'a Context) -> Result<Self> {
        options.check(toc_path)?;
        let mut objections = Objections::default();
        object_to_target(toc_path, options, &mut objections)?;
        Ok(Self { toc_path, options, context, objections, warnings: Vec::new() })
    }

    /// Makes the container header for packages, which are sorted by id, and for the release that was
    /// determined.
    pub(super) fn header(&mut self, packages: &[Package], old: &OldHeaders, verdict: &Verdict) -> Vec<u8> {
        let (options, objections) = (self.options, &mut self.objections);
        let layout = engine::layout(options, verdict, packages, old, objections);
        let container = container_id(self.toc_path, options);
        header::bytes(container, layout, packages, old, options.original.as_deref(), objections)
    }

    /// Writes everything, unless there are objections, and gives the files their names.
    pub(super) async fn finish(
        mut self,
        files: Vec<PackFile>,
        header: Option<Vec<u8>>,
        beside: Beside,
    ) -> Result<Packed> {
        let Self { toc_path, options, context, .. } = self;
        // The last point at which nothing is written yet: all objections must be known here.
        self.warnings.extend(self.objections.settle(options)?);
        let Written { files, packed } =
            write::container(toc_path, options, Content { files, header }, context).await?;
        let (mut staged, mut existing) = (Vec::new(), Vec::new());
        match beside {
            Beside::Nothing => {}
            Beside::Companion => staged.extend(write_companion(toc_path, options, context).await?),
            Beside::Pak(loose) => {
                let path = toc_path.with_extension("pak");
                let raw_bytes = loose.iter().map(|file| file.input.len).sum();
                context.observer().on(&Event::Planned { chunks: loose.len() as u64, raw_bytes });
                staged.push(write_pak(&path, loose, options, context).await?);
                existing.extend(pak::existing(&path));
            }
        }
        staged.extend(files);
        existing.extend(data::existing(toc_path));
        // All names change together: a mix of old and new files would be damaged.
        staging::publish(&staged, if options.replace { &existing } else { &[] })?;
        // Only now: files that a killed run had moved aside may have been the only copies.
        data::remove_leftovers(toc_path);
        pak_writer::remove_leftovers(&toc_path.with_extension("pak"));
        Ok(Packed { warnings: self.warnings, ..packed })
    }
}
