//! Measures decoding, verifying and unpacking on this machine: every stage by itself, and whole jobs with several
//! numbers of threads.
//!
//! ```text
//! stages   one thread takes a batch through  read ► decrypt ► decompress ► hash ► write,  a stopwatch at each
//! jobs     decode · verify · unpack          with 1, 2, 4, … threads
//! against  memcpy of the raw bytes, a plain read of the stored bytes, BLAKE3 of the tables, a bare loop that unpacks;
//!          in the same run
//! ```
//!
//! A single figure means little: other load on the machine may halve it. So all contestants take turns, round by round,
//! each figure is the median of its rounds, printed with its spread, and the references run in between. The first round
//! is not counted: it warms up memory and files for all later ones. The results are about the page cache and the
//! processor, not the disk.
//!
//! This module only measures and returns values; the command prints them.

mod content;
mod floor;
mod jobs;
mod meter;
mod mix;
mod report;
mod stages;
mod subject;
mod synthetic;

pub(crate) use jobs::BenchJob;
pub(crate) use mix::Mix;
pub(crate) use report::{BenchReport, JobLine, StageLine, bench};
pub(crate) use subject::{BenchOptions, Subject};
pub(crate) use synthetic::{Kind, Synthetic, synthesize};
