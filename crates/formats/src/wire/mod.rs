//! Bytes to numbers, strings and tables, and back.
//!
//! Everything Unreal writes is little-endian, with three exceptions that are handled where they occur: the
//! offset/length pairs of a table of contents, the chunk index inside a chunk id, and the two-byte name headers of
//! a name batch. Nothing is aligned: a record starts where the previous one ended.
//!
//! ```text
//! FString   i32 n │ n  > 0: n bytes, the last one NUL          "../../../" = 0A 00 00 00 2E 2E 2F … 00
//!                 │ n  < 0: -n UTF-16LE units, the last NUL
//!                 │ n == 0: no bytes at all
//! TArray    u32 n │ n elements
//! ```
//!
//! A [`Reader`] never reads outside its slice, and never allocates by a length that was not checked against
//! the remaining bytes. Errors are [`Fault`]s: small, `Copy`, and positional. Outer layers add the file.

mod archive;
mod count;
mod cut;
mod fault;
mod numbers;
mod partial;
mod reader;
mod size;
mod string;
mod text;
mod text_file;
mod writer;

pub use archive::{Archive, Span, Tracer};
pub use count::{count, counted};
pub use cut::start_of;
pub use fault::{Fault, FaultKind};
pub use partial::Partial;
pub use reader::Reader;
pub use size::{Size, SizeError, size};
pub use text::WireString;
pub use text_file::{NotText, decode_text};
pub use writer::Writer;

/// Longest name, in characters or UTF-16 units: the engine aborts on a longer one (`NAME_SIZE` less its NUL).
/// Without a limit, many objects sharing one long name would cost far more than the table that holds it.
pub const MAX_NAME_LEN: usize = 1023;

/// Longest accepted path in bytes: the limit of names in the engine, and four times the limit of paths in its
/// tools. Without a limit, many files below one long name would cost far more than the table that records
/// them.
pub const MAX_PATH_LEN: usize = MAX_NAME_LEN;
