use crate::session::Session;
use std::path::PathBuf;
use uncask::game::{Game, HistoryRow, ValueOptions};

/// A build: its path, and the part of it that names it.
pub(super) struct Build {
    pub(super) path: PathBuf,
    pub(super) name: String,
}

/// A build that is open. Only two are at a time.
pub(super) struct Opened {
    pub(super) game: Game,
    pub(super) options: ValueOptions,
}

/// Place for the rows of builds, which come one after the other.
pub(super) trait Destination {
    /// True if the rows of a build, which follows another one, are there already.
    fn has(&mut self, build: &Build, opened: &Opened, before: Option<&Opened>) -> bool;

    /// Starts the rows of a build.
    fn begin(&mut self, build: &Build) -> anyhow::Result<()>;

    fn rows(&mut self, build: &Build, rows: Vec<HistoryRow>) -> anyhow::Result<()>;

    /// Ends the rows of a build; `is_whole` says that all of it could be read.
    fn end(&mut self, is_whole: bool) -> anyhow::Result<()>;

    /// Shows what was found.
    fn finish(self: Box<Self>, session: &Session) -> anyhow::Result<HistoryEnd>;
}

/// The findings, in a line.
pub(super) struct HistoryEnd {
    pub(super) text: String,
    /// True if nothing that was asked for exists.
    pub(super) is_nothing: bool,
}
