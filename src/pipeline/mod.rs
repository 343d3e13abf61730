//! Chunk indices in, chunk bytes out.
//!
//! ```text
//! plan ──► batches ──► lease ──► read ──────► decrypt · decompress · hash · tap ──► in order
//! pure     pure        budget    blocking     one CPU worker, caches warm           stream
//! ```
//!
//! [`Plan`] checks every index, size and offset once. It cuts the work into [`Batch`]es: neighbours in the `.ucas`
//! are read at once, and a chunk larger than a batch spans several, so that one chunk of 4 GiB keeps all cores as
//! busy as ten thousand small ones, in bounded memory. A batch is not read before its memory is paid for out of the
//! [`Budget`]; it takes its whole price at once, in order, and holds it until the consumer lets go of the bytes, so
//! nothing can deadlock. One worker takes a batch from stored bytes to verified bytes, and hands them to the
//! [`Tap`] while they are still in its caches: that is where files are written.

mod batch;
mod budget;
mod coalesce;
mod cpu;
mod decode;
mod plan;
mod read;
mod run;

pub use batch::{Batch, Batches, BlockPlan, Piece};
pub use budget::{Budget, Lease};
pub use coalesce::{Extent, coalesce};
pub use cpu::Cpu;
pub use plan::{ChunkPlan, Plan, Rejected, Selection};
pub use run::{Check, Context, Decoded, Input, PieceResult, Tap, run};
