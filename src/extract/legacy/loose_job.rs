//! Rebuilds loose packages.

use super::convert::{Converter, Source};
use super::loose::{LooseFile, LoosePackages};
use super::world::World;
use super::{LegacyOptions, LegacyOutcome};
use crate::error::{Bound, Error, Result};
use crate::extract::{Failure, Outcome, Subject};
use crate::job::{self, Context, Lease};
use crate::package::zen::Header;
use crate::report::{Event, Observer};
use crate::sink::{OutputPath, Overwrite, PutOutcome, Sink, copy_file};
use crate::source::{open_file, read_file};
use crate::store::packages::Packages;
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory that a copy takes at most, in bytes: buffers, where the system does not copy by itself.
const COPY_PRICE: u64 = 1 << 20;

/// A file on its way.
enum Task {
    Package(LooseFile),
    Bulk(PathBuf, OutputPath),
}

/// Rebuilds loose packages in a folder. `packages` has the script objects, and packages that are not among the loose
/// ones.
pub async fn loose_to_legacy(
    packages: Packages,
    mut loose: LoosePackages,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: LegacyOptions,
    observer: &dyn Observer,
) -> LegacyOutcome {
    let mut outcome = Outcome { clashes: std::mem::take(&mut loose.clashes), ..Outcome::default() };
    for error in std::mem::take(&mut loose.problems) {
        outcome.failures.push(Failure { subject: Subject::File, path: String::new(), error });
    }
    let raw_bytes = loose.files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: (loose.files.len() + loose.bulk.len()) as u64, raw_bytes });
    let world = World::with_loose(packages.into(), loose.by_id());
    let converter = Arc::new(Converter::new(world, sink, options, context));
    let packages = loose.files.into_iter().map(Task::Package);
    let mut tasks: Vec<Task> =
        packages.chain(loose.bulk.into_iter().map(|(from, to)| Task::Bulk(from, to))).collect();
    tasks.retain(|task| {
        let stays = task.stays(options.unpack.overwrite, &*converter.sink);
        if stays {
            outcome.count_kept(PutOutcome::Kept);
        }
        !stays
    });
    let start = |task, lease| run(task, Arc::clone(&converter), context.clone(), lease);
    let in_flight = context.cpu().threads() + 1;
    let mut results = std::pin::pin!(job::start(tasks.into_iter(), context, in_flight, Task::price, start));
    while let Some((path, result)) = results.next().await {
        let raw_bytes = *result.as_ref().unwrap_or(&0);
        observer.on(&Event::Advanced { chunks: 1, raw_bytes });
        match result {
            Ok(len) => {
                outcome.chunks += 1;
                outcome.raw_bytes += len;
            }
            Err(error) => {
                let path = path.display().to_string();
                observer.on(&Event::Chunk { path: &path, error: &error });
                outcome.failures.push(Failure { subject: Subject::Package, path, error });
                if options.unpack.fail_fast {
                    context.cancel();
                }
            }
        }
    }
    outcome.cancelled = context.is_cancelled();
    LegacyOutcome::new(outcome, &converter)
}

impl Task {
    fn path(&self) -> &Path {
        match self {
            Self::Package(file) => &file.path,
            Self::Bulk(from, _) => from,
        }
    }

    /// Whether it must not write because a file of it is there.
    fn stays(&self, overwrite: Overwrite, sink: &dyn Sink) -> bool {
        match self {
            Self::Package(LooseFile { name, .. }) => overwrite.forbids(sink, &name.files()),
            Self::Bulk(_, to) => overwrite.forbids(sink, [to]),
        }
    }

    /// Memory that it takes, in bytes.
    const fn price(&self) -> u64 {
        match self {
            Self::Package(file) => file.len,
            Self::Bulk(..) => COPY_PRICE,
        }
    }
}

/// Runs a task on a worker. The result is how many bytes it was.
async fn run(
    task: Task,
    converter: Arc<Converter>,
    context: Context,
    lease: Lease,
) -> (PathBuf, Result<u64>) {
    let path = task.path().to_owned();
    let work = move || match task {
        Task::Package(file) => convert(&converter, &file),
        Task::Bulk(from, to) => copy(&converter, &from, &to),
    };
    let result = job::on_worker(&context, path.clone(), work).await;
    drop(lease);
    (path, result)
}

fn convert(converter: &Converter, file: &LooseFile) -> Result<u64> {
    let (found, limit) = (file.len, converter.limit);
    if found > limit {
        let what = "size of a package that has to be converted at once";
        return Err(Error::Limit { what, found, limit, bound: Bound::Memory, path: file.path.clone() });
    }
    let chunk = read_file(&file.path, limit)?;
    let header = Header::parse(&chunk).map_err(|fault| Error::malformed("zen package", &file.path)(fault))?;
    let source = Source { path: file.path.clone(), header: &header, chunk: &chunk, container: None };
    converter.write(&source, &file.name)?;
    Ok(chunk.len() as u64)
}

fn copy(converter: &Converter, from: &Path, to: &OutputPath) -> Result<u64> {
    let file = open_file(from).map_err(Error::io("open", from))?;
    let len = file.metadata().map_err(Error::io("read", from))?.len();
    let put = copy_file(&*converter.sink, to, &file, len, from, converter.overwrite)?;
    converter.note(put, len);
    Ok(len)
}
