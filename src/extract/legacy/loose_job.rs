//! Rebuilds loose packages.

use super::convert::{Converter, Source};
use super::loose::{LooseFile, LoosePackages};
use super::world::World;
use super::{LegacyOptions, RebuiltAssets, finish};
use crate::error::{Bound, Error, Result};
use crate::extract::Overwrite;
use crate::job::{self, Context, Failure, Item, Kind, Outcome, Subject, Tally};
use crate::package::zen::Header;
use crate::sink::{OutputPath, Sink};
use crate::source::{open_file, read_file};
use crate::store::packages::Packages;
use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that are copied at a time.
const COPY_LEN: usize = 1 << 20;

/// A file on its way.
#[derive(Clone)]
enum Task {
    Package(LooseFile),
    /// Bulk data: from where, to where, its length.
    Bulk(PathBuf, OutputPath, u64),
}

/// Rebuilds loose packages in a folder. `packages` has the script objects, and packages that are not among the loose
/// ones.
pub async fn loose_to_legacy(
    packages: Packages,
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
        let len = from.metadata().map_or(0, |data| data.len());
        Task::Bulk(from, to, len)
    };
    let mut tasks: Vec<Task> = packages.chain(loose.bulk.into_iter().map(bulk)).collect();
    let all = tasks.len();
    tasks.retain(|task| options.unpack.overwrite != Overwrite::Never || !task.is_there(&*converter.sink));
    outcome.kept += (all - tasks.len()) as u64;
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
    /// True if all files that it would write are there.
    fn is_there(&self, sink: &dyn Sink) -> bool {
        let exists = |path| sink.exists(&path);
        match self {
            Self::Package(LooseFile { name, .. }) => {
                (exists(name.header(false)) || exists(name.header(true))) && exists(name.exports())
            }
            Self::Bulk(_, to, _) => sink.exists(to),
        }
    }

    /// Memory that it takes, in bytes.
    const fn price(&self) -> u64 {
        match self {
            Self::Package(file) => file.len,
            Self::Bulk(..) => COPY_LEN as u64,
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
    let mut file = open_file(from).map_err(Error::io("open", from))?;
    let len = file.metadata().map_err(Error::io("read", from))?.len();
    if converter.has_file(to, len, &mut file) {
        converter.note_unchanged(len);
        return Ok(());
    }
    file.rewind().map_err(Error::io("read", from))?;
    let staged = converter.sink.create(to, len)?;
    let (mut buffer, mut at) = (vec![0; COPY_LEN], 0);
    loop {
        let read = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(Error::io("read", from))?,
        };
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        staged.write_at(at, bytes)?;
        at += bytes.len() as u64;
    }
    if at < len {
        // It has been cut off since; its place in the output may be longer.
        return Err(Error::io("read", from)(io::ErrorKind::UnexpectedEof.into()));
    }
    staged.commit()
}
