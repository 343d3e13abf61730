//! Pipeline: chunk indices in, chunk bytes out.
//!
//! ```text
//! plan ──► batches ──► lease ──► read · decrypt · decompress · hash · tap ──► in order
//! pure     pure        budget    one CPU worker, caches warm                  stream
//! ```
//!
//! [`Plan`] checks every index, size and offset once. It cuts the work into [`Batch`]es: neighbours in the
//! `.ucas` are read at once, and a chunk larger than a batch spans several, so that one chunk of 4 GiB keeps
//! all cores as busy as ten thousand small ones, in bounded memory. A batch is not read before its memory is
//! paid for from the [`Budget`](crate::job::Budget); it takes its whole price at once, in order, and holds it
//! until the consumer drops the bytes, so nothing can deadlock. One worker takes a batch from stored bytes to
//! verified bytes, and hands them to the [`Tap`] while they are still in its caches: that is where files are
//! written. A batch is announced to the system when it is queued, so that the disk works ahead; a source that
//! cannot block is awaited before a worker is taken. A worker hashes its piece of a large chunk as a part of
//! the BLAKE3 tree; only SHA-1 has to wait its turn.

mod batch;
mod batch_work;
mod buffers;
mod check;
mod coalesce;
mod decode;
mod decoded;
mod input;
mod large;
mod plan;
mod read;
mod run;
mod stored_hash;
mod tap;

pub use batch::{Batch, Batches, BlockPlan, Piece, PiecePlace};
pub use check::Check;
pub use coalesce::{Extent, coalesce};
pub(crate) use decode::BlockDecoder;
pub use decoded::{Decoded, PieceResult};
pub use input::Input;
pub use plan::{ChunkPlan, Plan, Rejected, Selection};
pub use run::{run, run_tapped};
pub(crate) use stored_hash::check_file;
pub use tap::Tap;
