//! What a review shows of an asset.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};
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
    /// The reason why it could not be read.
    pub problem: Option<String>,
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

impl ReviewedAsset {
    /// The sections that differ, in the order of the new version; those that only the old one has come last.
    pub(super) fn sections(&self) -> Vec<ChangedSection<'_>> {
        let of =
            |review: &'_ Option<Review>| review.as_ref().map_or(&[][..], |review| &review.sections).len();
        let mut found = Vec::with_capacity(of(&self.to));
        let old = self.from.iter().flat_map(|review| &review.sections).collect::<Vec<_>>();
        let new = self.to.iter().flat_map(|review| &review.sections).collect::<Vec<_>>();
        let by_heading: std::collections::HashMap<&str, &ReviewSection> =
            old.iter().map(|section| (section.heading.as_str(), *section)).collect();
        let headings: std::collections::HashSet<&str> =
            new.iter().map(|section| section.heading.as_str()).collect();
        for &section in &new {
            found.extend(changed(by_heading.get(&*section.heading).copied(), Some(section)));
        }
        for &section in old.iter().filter(|section| !headings.contains(&*section.heading)) {
            found.extend(changed(Some(section), None));
        }
        found
    }
}

fn changed<'a>(from: Option<&'a ReviewSection>, to: Option<&'a ReviewSection>) -> Option<ChangedSection<'a>> {
    if from.map(|section| &section.lines) == to.map(|section| &section.lines) {
        return None;
    }
    let text = |section: Option<&ReviewSection>| -> String {
        section.into_iter().flat_map(|section| &section.lines).map(|line| format!("{line}\n")).collect()
    };
    let (old, new) = (text(from), text(to));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old.as_str(), new.as_str());
    let line = |change: similar::Change<&str>| DiffLine {
        tag: change.tag(),
        text: change.value().trim_end_matches('\n').to_owned(),
    };
    let lines = diff.iter_all_changes().map(line).collect();
    let heading = to.or(from).map_or("", |section| &section.heading);
    Some(ChangedSection { heading, from, to, lines })
}

impl LineCounts {
    pub(super) fn of(sections: &[ChangedSection<'_>]) -> Self {
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
