//! Assets as a review shows them.

use super::pictures::PicturePair;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::time::Duration;
use uncask::game::{Review, ReviewSection, ValueChange};

/// Time for the shortest diff of a section; after it, any diff will do.
const PATIENCE: Duration = Duration::from_millis(200);

/// An asset that differs.
#[derive(Debug)]
pub(super) struct ReviewedAsset {
    pub path: String,
    pub old_path: Option<String>,
    pub change: ValueChange,
    pub from: Option<Review>,
    pub to: Option<Review>,
    /// Packages of the project that the new version refers to, but that are not there.
    pub missing: Vec<String>,
    /// Paths of the assets that still refer to it, if it is no longer there.
    pub referrers: Vec<String>,
    /// The object that it leads to, if it has become a redirector.
    pub redirects_to: Option<String>,
    /// Pictures of both versions, if they differ.
    pub pictures: PicturePair,
    /// The reason why it could not be read.
    pub problem: Option<String>,
}

/// An asset with the sections that differ.
pub(super) struct ShownAsset<'a> {
    pub asset: &'a ReviewedAsset,
    pub sections: Vec<ChangedSection<'a>>,
    pub lines: LineCounts,
}

/// A section that differs, with its lines.
pub(super) struct ChangedSection<'a> {
    pub heading: &'a str,
    pub from: Option<&'a ReviewSection>,
    pub to: Option<&'a ReviewSection>,
    pub lines: Vec<DiffLine>,
}

/// A line of one version or of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DiffLine {
    pub tag: ChangeTag,
    pub text: String,
}

/// Counts of lines that one version has and the other has not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct LineCounts {
    pub added: usize,
    pub removed: usize,
}

impl<'a> ShownAsset<'a> {
    pub(super) fn new(asset: &'a ReviewedAsset) -> Self {
        let sections = asset.sections();
        let lines = LineCounts::of(&sections);
        Self { asset, sections, lines }
    }
}

impl ReviewedAsset {
    /// The path that is gone, and the one that the asset was moved to, if any.
    pub(super) fn gone(&self) -> Option<(&str, Option<&str>)> {
        match (self.change, &self.old_path) {
            (ValueChange::Removed, _) => Some((&self.path, None)),
            (_, Some(old)) => Some((old, Some(&self.path))),
            _ => None,
        }
    }

    /// The sections that differ, in the order of the new version; those that only the old one has come last.
    fn sections(&self) -> Vec<ChangedSection<'_>> {
        let old: Vec<&ReviewSection> = self.from.iter().flat_map(|review| &review.sections).collect();
        let new: Vec<&ReviewSection> = self.to.iter().flat_map(|review| &review.sections).collect();
        let before: HashMap<&str, &ReviewSection> =
            old.iter().map(|section| (section.heading.as_str(), *section)).collect();
        let after: HashSet<&str> = new.iter().map(|section| section.heading.as_str()).collect();
        let kept = new.iter().map(|section| (before.get(section.heading.as_str()).copied(), Some(*section)));
        let gone = old.iter().filter(|section| !after.contains(section.heading.as_str()));
        let gone = gone.map(|section| (Some(*section), None));
        kept.chain(gone).filter_map(|(from, to)| changed(from, to)).collect()
    }
}

fn changed<'a>(from: Option<&'a ReviewSection>, to: Option<&'a ReviewSection>) -> Option<ChangedSection<'a>> {
    if from.map(|section| &section.lines) == to.map(|section| &section.lines) {
        return None;
    }
    let (old, new) = (lines_of(from), lines_of(to));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old.as_str(), new.as_str());
    let line = |change: similar::Change<&str>| DiffLine {
        tag: change.tag(),
        text: change.value().trim_end_matches('\n').to_owned(),
    };
    let lines = diff.iter_all_changes().map(line).collect();
    let heading = to.or(from).map_or("", |section| &section.heading);
    Some(ChangedSection { heading, from, to, lines })
}

/// The lines of a section as one text.
fn lines_of(section: Option<&ReviewSection>) -> String {
    let mut text = String::new();
    for line in section.into_iter().flat_map(|section| &section.lines) {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

impl LineCounts {
    fn of(sections: &[ChangedSection<'_>]) -> Self {
        let mut counts = Self::default();
        for section in sections {
            // A heading that one version alone has counts, too: the section may have no lines.
            counts.added += usize::from(section.from.is_none());
            counts.removed += usize::from(section.to.is_none());
            counts.added += section.lines.iter().filter(|line| line.tag == ChangeTag::Insert).count();
            counts.removed += section.lines.iter().filter(|line| line.tag == ChangeTag::Delete).count();
        }
        counts
    }
}

/// Lines around a change.
const CONTEXT: usize = 3;

/// Positions of the lines that are near a change; `None` stands for lines left out.
pub(super) fn near_changes(lines: &[DiffLine]) -> Vec<Option<usize>> {
    let mut is_near = vec![false; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        if line.tag != ChangeTag::Equal {
            let end = (at + CONTEXT + 1).min(lines.len());
            if let Some(near) = is_near.get_mut(at.saturating_sub(CONTEXT)..end) {
                near.fill(true);
            }
        }
    }
    let mut shown = Vec::new();
    for (at, near) in is_near.into_iter().enumerate() {
        match (near, shown.last()) {
            (true, _) => shown.push(Some(at)),
            (false, Some(None)) => {}
            (false, _) => shown.push(None),
        }
    }
    shown
}
