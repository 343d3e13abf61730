//! Sources of stored bytes: random access by shared reference.
//!
//! A source has no cursor, so it needs neither a lock nor a pool of handles. The caller brings the buffer and
//! gets it back filled, so that buffers can be reused.

mod address;
#[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "only servers answer"))]
mod answers;
mod buffer;
mod builds;
mod expand;
mod file;
mod files;
mod folder;
mod lfs;
mod memory;
mod partitions;
mod read_at;
mod regular;
#[cfg(feature = "remote")]
mod remote;
mod shelf;
mod single;
mod wildcards;

pub use address::{AddressProblem, check_url, is_container, is_listed, is_url, without_secrets};
pub use answers::{Answer, Answers};
pub use buffer::Buffer;
pub use builds::{build_names, natural_order};
pub use expand::expand;
pub use file::FileSource;
pub(crate) use file::read_exact_at;
pub use files::Files;
pub(crate) use folder::real_path;
pub use folder::{FolderFiles, Links, files_below, in_one_style, search_below};
pub use lfs::{is_lfs_pointer, refuse_lfs_pointer};
pub use memory::MemorySource;
pub use partitions::Partitions;
pub use read_at::ReadAt;
#[cfg(not(target_family = "wasm"))]
pub(crate) use regular::check_regular;
pub use regular::{open_file, read_file};
#[cfg(feature = "remote")]
pub(crate) use remote::{Bucket, Client, describe_fault};
#[cfg(feature = "remote")]
pub use remote::{Pace, Remote, RemoteData, RemoteFile, containers_below};
pub use shelf::{Shelf, Shelved};
pub use single::SingleFile;
pub use wildcards::matches;

use crate::error::Result;
use std::io;
use std::ops::Range;
use std::pin::Pin;

/// Boxed future, as trait objects need it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Random access to the data of a container, in one address space: the concatenated partitions.
pub trait Source: Send + Sync + std::fmt::Debug {
    /// Fails if a range cannot be read, as far as lengths show. Does no I/O.
    fn check(&self, range: &Range<u64>) -> Result<()>;

    /// Fills all of `buffer` with the bytes from `offset` on.
    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>>;

    /// Returns the path of the file at a position, for messages.
    fn describe(&self, offset: u64) -> std::path::PathBuf;

    /// Returns blocking access to the same data, if the source has it.
    fn blocking(&self) -> Option<&dyn Blocking> {
        None
    }
}

/// [`Source`] that worker threads read themselves.
pub trait Blocking: Source {
    /// Fills all of `bytes` from `offset` on, and blocks until that is done.
    fn read_now(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Tells the system that a range will be read soon, so that it may start.
    fn announce(&self, range: &Range<u64>);

    /// Returns the file at a position, and the position in it, if there is one.
    fn file(&self, offset: u64) -> Option<(&std::fs::File, u64)>;
}

/// Fills all of `buffer` from `offset` on, for any kind of source, and blocks until that is done. A source
/// without blocking access is awaited on a new thread with its own runtime, since the caller may be a task of
/// another one.
pub fn read_blocking(source: &dyn Source, offset: u64, mut buffer: Buffer) -> io::Result<Buffer> {
    if let Some(source) = source.blocking() {
        return source.read_now(offset, &mut buffer).map(|()| buffer);
    }
    let read = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(source.read_at(offset, buffer))
    };
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().spawn_scoped(scope, read)?;
        reader.join().unwrap_or_else(|_| Err(io::Error::other("the source panicked")))
    })
}
