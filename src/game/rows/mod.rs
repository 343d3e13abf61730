//! Content of a game as rows of a table, cut into parts of about equal work.
//!
//! ```text
//! RowPlan          chunks or packages, in the order of the store ─► cut ─► a range for each part
//! read_rows        a range, group by group: a job into memory ─► rows
//! ```
//!
//! A part is a range of a plan, and a plan follows from what was opened and selected; so another process that opens the same game
//! reads the same rows. If the game has changed since, the [fingerprint](RowPlan::fingerprint) of the range says so.

mod plan;
mod read;

pub use plan::RowPlan;

/// Kind of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowKind {
    /// Every chunk, as it lies in the containers.
    Chunks,
    /// The package chunks, and the headers of cooked packages in paks.
    Packages,
    /// The files that the cooker wrote: `.uasset` or `.umap`, `.uexp`, bulk data.
    Files,
    /// The values of each package, as JSON.
    Values,
    /// The files that assets become: pictures, sounds, meshes.
    Export,
}

impl RowKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Chunks, Self::Packages, Self::Files, Self::Values, Self::Export];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chunks => "chunks",
            Self::Packages => "packages",
            Self::Files => "files",
            Self::Values => "values",
            Self::Export => "export",
        }
    }

    /// The kind with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Columns of rows that take work to fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowColumns {
    /// The content itself. Without it, nothing is decoded, and only chunks and packages have rows.
    pub content: bool,
    /// The class of the package that a row belongs to.
    pub class: bool,
}

/// Row of a table.
#[derive(Debug)]
pub struct GameRow {
    /// Path of the chunk, or of the file that was made.
    pub path: String,
    /// Name of the package that it belongs to, if it belongs to one.
    pub package: Option<String>,
    /// Chunk id; files that were made have none.
    pub id: Option<String>,
    /// Class of the main object of its package, such as `/Script/Engine.Texture2D`.
    pub class: Option<String>,
    /// Length in bytes.
    pub size: u64,
    /// Recorded hash of a chunk, or BLAKE3 of a file that was made.
    pub hash: Option<String>,
    /// The content, unless there is an error or it was not asked for.
    pub content: Option<Vec<u8>>,
    /// The reason that there is no content.
    pub error: Option<String>,
}
