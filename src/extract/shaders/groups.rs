//! The code of a library, group by group, each paid for before it is read.

use crate::codec::Scratch;
use crate::container::ChunkIndex;
use crate::container::shader_library::{LooseShaderLibrary, ShaderLibrary, decompress_group};
use crate::error::{Bound, Error, Result, ShaderGroupProblem};
use crate::id::RawChunkId;
use crate::job::{self, Context, Lease};
use crate::pipeline::Check;
use crate::report::Event;
use crate::sink::Replacement;
use crate::store::{Container, Store};
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A group and its chunk.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    number: usize,
    id: RawChunkId,
    container: Arc<Container>,
    chunk: ChunkIndex,
    raw_len: u64,
    stored_len: u64,
}

impl Wanted {
    /// Finds the chunks of all groups, in storage order.
    pub(super) fn find(
        store: &Store,
        index: &ShaderLibrary,
        context: &Context,
        place: &Path,
    ) -> Result<Vec<Self>> {
        let mut wanted = Vec::with_capacity(index.groups.len());
        for (number, (group, id)) in index.groups.iter().zip(&index.group_ids).enumerate() {
            let (raw_len, stored_len) = (group.raw_len.into(), group.stored_len.into());
            let broken =
                |problem| Error::ShaderGroup { group: number, id: *id, problem, path: place.to_owned() };
            // Groups may be shared between libraries and stored in another container.
            let entry = store.find_anywhere(*id).ok_or_else(|| broken(ShaderGroupProblem::Missing))?;
            let container = store.container(entry).ok_or_else(|| broken(ShaderGroupProblem::Missing))?;
            let found = container.table().chunk_len(entry.chunk);
            if found != stored_len {
                return Err(broken(ShaderGroupProblem::Length { found, expected: stored_len }));
            }
            let limit = context.budget().total();
            if raw_len > limit {
                let (what, path) = ("size of a shader group", place.to_owned());
                return Err(Error::Limit { what, found: raw_len, limit, bound: Bound::Memory, path });
            }
            // Sorted by container and first block: data files are read front to back.
            let (container, chunk) = (Arc::clone(container), entry.chunk);
            let place =
                (entry.container, container.table().blocks_of(chunk).map_or(u32::MAX, |blocks| blocks.start));
            wanted.push((place, Self { number, id: *id, container, chunk, raw_len, stored_len }));
        }
        wanted.sort_by_key(|(place, wanted)| (*place, wanted.number));
        Ok(wanted.into_iter().map(|(_, wanted)| wanted).collect())
    }

    /// Memory budget in bytes: its chunk, two blocks while reading, and its code.
    fn price(&self) -> u64 {
        self.stored_len + 2 * u64::from(self.container.table().block_size(self.chunk)) + self.raw_len
    }
}

/// Everything needed to write the groups of a library.
pub(super) struct Groups {
    pub(super) index: ShaderLibrary,
    pub(super) loose: LooseShaderLibrary,
    /// Length of the header, after which the code starts.
    pub(super) code_at: u64,
    pub(super) file: Arc<Replacement>,
    /// The container of the library, for messages.
    pub(super) place: PathBuf,
    pub(super) context: Context,
}

impl Groups {
    /// Writes the code of all groups. Returns the error of the first group that fails; groups already started are
    /// finished, the others are not begun.
    pub(super) async fn write(self: Arc<Self>, wanted: Vec<Wanted>) -> Result<()> {
        let all = wanted.len();
        let raw_bytes = wanted.iter().fold(0_u64, |sum, group| sum.saturating_add(group.raw_len));
        self.context.observer().on(&Event::Planned { chunks: wanted.len() as u64, raw_bytes });
        let failed = AtomicBool::new(false);
        // Ask before each start: after a failure the file is useless, so nothing more is read.
        let wanted = wanted.into_iter().take_while(|_| !failed.load(Ordering::Relaxed));
        let work = |wanted: Wanted, lease| {
            let this = Arc::clone(&self);
            async move {
                let (path, raw_len) = (wanted.container.path().to_owned(), wanted.raw_len);
                let worker = Arc::clone(&this);
                let done = job::on_worker(&this.context, path, move || worker.write_one(&wanted)).await;
                // Release the memory as soon as the group is written, not when its result is collected.
                drop::<Lease>(lease);
                done.map(|()| raw_len)
            }
        };
        // Two per thread: one to work on, one being read.
        let in_flight = self.context.cpu().threads() * 2;
        let mut groups = std::pin::pin!(job::start(wanted, &self.context, in_flight, Wanted::price, work));
        let (mut result, mut done_count) = (Ok(()), 0);
        while let Some(done) = groups.next().await {
            match done {
                Ok(raw_bytes) => {
                    done_count += 1;
                    self.context.observer().on(&Event::Advanced { chunks: 1, raw_bytes });
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    result = result.and(Err(error));
                }
            }
        }
        // Groups not begun produce no result; without an error the job must have been cancelled.
        if done_count < all { result.and(Err(Error::Cancelled)) } else { result }
    }

    /// Reads a group and writes its shaders; runs on a worker.
    fn write_one(&self, wanted: &Wanted) -> Result<()> {
        let broken = |problem| Error::ShaderGroup {
            group: wanted.number,
            id: wanted.id,
            problem,
            path: self.place.clone(),
        };
        let content = self.read(wanted).map_err(|error| broken(ShaderGroupProblem::Read(Box::new(error))))?;
        let Some(group) = self.index.groups.get(wanted.number) else { return Ok(()) };
        let code = decompress_group(group, &content, &mut Scratch::default())
            .map_err(|error| broken(error.into()))?;
        let number = u32::try_from(wanted.number).unwrap_or(u32::MAX);
        for shader in self.index.shaders_of_group(number) {
            let at = *shader as usize;
            let Some((from, to)) = self.index.shaders.get(at).zip(self.loose.shaders.get(at)) else {
                continue;
            };
            let start = from.start as usize;
            // The parser has checked that every shader lies inside its group.
            let code = code.get(start..start + from.len as usize).unwrap_or_default();
            self.file.write_at(self.code_at + to.offset, code)?;
        }
        Ok(())
    }

    /// Reads a group's chunk and checks its hash.
    fn read(&self, wanted: &Wanted) -> Result<Vec<u8>> {
        let limit = self.context.budget().total();
        let content = wanted.container.read(wanted.chunk, 0..u64::MAX, limit)?;
        if self.context.verifies() {
            let toc = wanted.container.table();
            let usual = toc.chunk_hash_kind();
            let check = Check::of(toc, wanted.chunk, usual, &content);
            if let Some(error) = check.error(wanted.container.path()) {
                return Err(error);
            }
        }
        Ok(content)
    }
}
