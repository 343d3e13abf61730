//! A review as Markdown, for a pull request.

use super::asset::{LineCounts, ShownAsset, near_changes};
use super::words::{change_word, some, title};
use crate::text::printable;
use similar::ChangeTag;
use std::fmt::Write as _;

/// Most lines of one asset; a page has all of them.
const MAX_LINES: usize = 200;
/// Most bytes of the details. Comments on pull requests may have 65,536 characters.
const MAX_LEN: usize = 50_000;

pub(super) fn markdown(assets: &[ShownAsset<'_>], range: &str) -> String {
    let mut text = format!("## {}\n\n", title(assets.len(), range));
    if assets.is_empty() {
        return text;
    }
    text.push_str("| asset | | lines |\n|---|---|---|\n");
    let mut details = String::new();
    let mut left_out = 0;
    for shown in assets {
        let (asset, LineCounts { added, removed }) = (shown.asset, shown.lines);
        let _ = writeln!(
            text,
            "| {} | {} | +{added} −{removed} |",
            cell(&asset.path),
            change_word(asset.change, asset.old_path.is_some())
        );
        let detail = self::detail(shown);
        if details.len() + detail.len() <= MAX_LEN { details.push_str(&detail) } else { left_out += 1 }
    }
    for asset in assets.iter().map(|shown| shown.asset) {
        if !asset.missing.is_empty() {
            let missing: Vec<String> = asset.missing.iter().map(|package| cell(package)).collect();
            let _ = writeln!(
                text,
                "\n**Broken:** {} refers to what is not there: {}",
                cell(&asset.path),
                some(&missing)
            );
        }
        if !asset.referrers.is_empty() {
            let paths: Vec<String> = asset.referrers.iter().map(|path| cell(path)).collect();
            let gone = asset.gone().map_or("", |(path, _)| path);
            let _ = writeln!(
                text,
                "\n**Broken:** {} is gone, but others refer to it: {}",
                cell(gone),
                some(&paths)
            );
        }
        if let Some(to) = &asset.redirects_to {
            let _ = writeln!(text, "\n**Redirector:** {} leads to {}", cell(&asset.path), cell(to));
        }
        if let Some(problem) = &asset.problem {
            let _ = writeln!(text, "\n**Not read:** {}: {}", cell(&asset.path), cell(problem));
        }
    }
    text.push_str(&details);
    if left_out > 0 {
        let _ = writeln!(text, "\nDetails of {left_out} more are in the page that `-o review.html` makes.");
    }
    text
}

fn detail(shown: &ShownAsset<'_>) -> String {
    let mut lines = Vec::new();
    for section in &shown.sections {
        let mark = match (section.from.is_some(), section.to.is_some()) {
            (true, false) => '-',
            (false, true) => '+',
            _ => ' ',
        };
        lines.push(format!("{mark}{}", printable(section.heading)));
        for at in near_changes(&section.lines) {
            lines.push(match at.and_then(|at| section.lines.get(at)) {
                Some(line) => format!("{}{}", sign(line.tag), printable(&line.text)),
                None => " …".to_owned(),
            });
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    // A fence ends at the first line of as many backticks, so it has more than any line of the text.
    let longest = lines.iter().map(|line| line.split(|c| c != '`').map(str::len).max().unwrap_or(0)).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let mut text = format!(
        "\n<details><summary>{}</summary>\n\n{fence}diff\n",
        crate::text::html_escaped(&shown.asset.path)
    );
    for line in &lines {
        text.push_str(line);
        text.push('\n');
    }
    let _ = writeln!(text, "{fence}");
    if more > 0 {
        let _ = writeln!(text, "\n{more} more lines.");
    }
    text + "\n</details>\n"
}

pub(super) const fn sign(tag: ChangeTag) -> char {
    match tag {
        ChangeTag::Equal => ' ',
        ChangeTag::Insert => '+',
        ChangeTag::Delete => '-',
    }
}

/// A text as code in a cell of a table.
fn cell(text: &str) -> String {
    let plain = printable(text).replace('`', "'").replace('|', "\\|");
    format!("`{plain}`")
}
