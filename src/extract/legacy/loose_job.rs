//! Rebuilds loose packages.

use super::convert::{Converter, Source};
use super::loose::{LooseFile, LoosePackages};
use super::world::World;
use super::{LegacyOptions, RebuiltAssets, finish};
use crate::error::{Bound, Error, Result};
use crate::job::{self, Context, Failure, Item, Kind, Outcome, Subject, Tally};
use crate::package::zen::Header;
use crate::sink::{OutputPath, Overwrite, Sink, copy_file};
use crate::source::{open_file, read_file};
use crate::store::packages::Packages;
use std::borrow::Cow;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory budget of a copy, in bytes: its buffers, where the system has no copy call.
const COPY_PRICE: u64 = 1 << 20;

/// A file to process.
#[derive(Clone)]
enum Task {
    Package(LooseFile),
    /// Bulk data: source, destination and length in bytes.
    Bulk(PathBuf, OutputPath, u64),
}

/// Rebuilds loose packages in a folder. `packages` supplies the script objects, and packages that are not among the
/// loose ones.
pub async fn loose_to_legacy(
    packages: impl Into<Arc<Packages>>,
    mut loose: LoosePackages,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: LegacyOptions,
) -> Outcome<RebuiltAssets> {
    let mut outcome = Outcome::of(Kind::File);
    outcome.clashes = std::mem::take(&mut loose.clashes);
    let problem = |error| Failure { subject: Subject::File, path: String::new(), error };
    outcome.failures.extend(std::mem::take(&mut loose.problems).into_iter().map(problem));
    let world = World::with_loose(packages.into(), loose.by_id());
    let converter = Arc::new(Converter::new(world, sink, options, context));
    let packages = loose.files.into_iter().map(Task::Package);
    let bulk = |(from, to): (PathBuf, OutputPath)| {
        // An unreadable file counts as empty here; the copy reports the error.
        let len = from.metadata().map_or(0, |data| data.len());
        Task::Bulk(from, to, len)
    };
    let mut tasks: Vec<Task> = packages.chain(loose.bulk.into_iter().map(bulk)).collect();
    let overwrite = options.unpack.overwrite;
    // Existing files that must stay are sorted out before any memory is spent on them.
    tasks.retain(|task| {
        let stays = task.stays(overwrite, &*converter.sink);
        outcome.kept += u64::from(stays);
        !stays
    });
    let own = Arc::clone(&converter);
    let work = move |_: usize, task: &Task| match task {
        Task::Package(file) => convert(&own, file).map(|()| ((), None)),
        Task::Bulk(from, to, _) => copy(&own, from, to).map(|()| ((), None)),
    };
    let mut tally = Tally::new(context, options.unpack.fail_fast, &mut outcome);
    let done = |_: &mut Tally<'_, _>, _: &Task, ()| Ok::<_, Infallible>(());
    let Ok(()) = job::run(&tasks, &mut tally, Task::price, work, done).await;
    drop(tally);
    finish(&mut outcome, &converter);
    outcome
}

impl Item for Task {
    fn subject(&self) -> Subject {
        match self {
            Self::Package(_) => Subject::Package,
            Self::Bulk(..) => Subject::File,
        }
    }

    fn path(&self) -> Cow<'_, str> {
        match self {
            Self::Package(file) => file.path.to_string_lossy(),
            Self::Bulk(from, ..) => from.to_string_lossy(),
        }
    }

    fn raw_len(&self) -> u64 {
        match self {
            Self::Package(LooseFile { len, .. }) | Self::Bulk(_, _, len) => *len,
        }
    }
}

impl Task {
    /// True if an existing file forbids writing it.
    fn stays(&self, overwrite: Overwrite, sink: &dyn Sink) -> bool {
        match self {
            Self::Package(LooseFile { name, .. }) => overwrite.forbids(sink, &name.files()),
            Self::Bulk(_, to, _) => overwrite.forbids(sink, [to]),
        }
    }

    /// Memory budget of the task, in bytes.
    const fn price(&self) -> u64 {
        match self {
            Self::Package(file) => file.len,
            Self::Bulk(..) => COPY_PRICE,
        }
    }
}

fn convert(converter: &Converter, file: &LooseFile) -> Result<()> {
    let (found, limit) = (file.len, converter.limit);
    if found > limit {
        let what = "size of a package that has to be converted at once";
        return Err(Error::Limit { what, found, limit, bound: Bound::Memory, path: file.path.clone() });
    }
    let chunk = read_file(&file.path, limit)?;
    let header = Header::parse(&chunk).map_err(|fault| Error::malformed("zen package", &file.path)(fault))?;
    let source = Source { path: file.path.clone(), header: &header, chunk: &chunk, container: None };
    converter.write(&source, &file.name)
}

fn copy(converter: &Converter, from: &Path, to: &OutputPath) -> Result<()> {
    let file = open_file(from).map_err(Error::io("open", from))?;
    let len = file.metadata().map_err(Error::io("read", from))?.len();
    let put = copy_file(&*converter.sink, to, &file, len, from, converter.overwrite)?;
    converter.note(put, len);
    Ok(())
}
