//! A review as a page: no scripts, so that it opens anywhere.

use super::asset::{ChangedSection, LineCounts, ReviewedAsset, ShownAsset, near_changes};
use super::drawing::{self, marks};
use super::pictures::PicturePair;
use super::spread::Stretch;
use super::words::{change_word, some, title};
use crate::text::html_escaped;
use similar::ChangeTag;
use std::fmt::Write as _;
use uncask::game::Review;
use uncask::graph::Graph;

const STYLE: &str = "\
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:110rem;padding:0 1rem}
h2{overflow-wrap:anywhere;border-top:1px solid #8886;padding-top:1rem}
table{border-collapse:collapse;width:100%}
.list td,.list th{border:1px solid #8886;padding:.2rem .5rem;text-align:left;overflow-wrap:anywhere}
.diff{table-layout:fixed;margin:.3rem 0 1rem;font:13px/1.45 ui-monospace,monospace}
.diff td{width:50%;padding:0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top;border-left:1px solid #8886}
.diff .gap{text-align:center;opacity:.6}
.del{background:#f443361f}.ins{background:#4caf501f}
.broken{border-left:.3rem solid #d33;padding-left:.6rem}
img{max-width:100%;height:auto}
summary{cursor:pointer}
.graphs{display:flex;gap:1rem}
.graphs>div{flex:1;overflow:auto;max-height:80vh;border:1px solid #8886;min-width:0}
svg text{font:12px ui-monospace,monospace;fill:currentColor}
svg .title{font-weight:bold}svg .out{text-anchor:end}
.node rect{fill:#8882;stroke:#888;stroke-width:1}
.alone rect{fill:#4caf5040;stroke:#4caf50;stroke-width:3}
.old .alone rect{fill:#f4433640;stroke:#f44336}
.changed rect{fill:#ff980040;stroke:#ff9800;stroke-width:3}
path{fill:none;stroke:#888;stroke-width:1.5}.exec{stroke-width:3}";

/// Makes the page.
pub(super) fn html(assets: &[ShownAsset<'_>], range: &str) -> String {
    let title = html_escaped(&title(assets.len(), range));
    let mut body = String::new();
    for (number, asset) in assets.iter().enumerate() {
        self::asset(&mut body, asset, number);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · uncask</title>\n<style>{STYLE}</style>\n\
         <main><h1>{title}</h1>\n{}{body}</main>\n</html>\n",
        list(assets)
    )
}

fn list(assets: &[ShownAsset<'_>]) -> String {
    let mut text = String::from("<table class=\"list\"><tr><th>Asset</th><th></th><th>Lines</th></tr>\n");
    for (number, shown) in assets.iter().enumerate() {
        let (asset, LineCounts { added, removed }) = (shown.asset, shown.lines);
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#a{number}\">{}</a></td><td>{}</td><td>+{added} −{removed}</td></tr>",
            html_escaped(&asset.path),
            change_word(asset.change, asset.old_path.is_some())
        );
    }
    text + "</table>\n"
}

fn asset(out: &mut String, shown: &ShownAsset<'_>, number: usize) {
    let asset = shown.asset;
    let _ = writeln!(out, "<h2 id=\"a{number}\">{}</h2>", html_escaped(&asset.path));
    if let Some(old) = &asset.old_path {
        let _ = writeln!(out, "<p>was {}</p>", html_escaped(old));
    }
    if let Some(problem) = &asset.problem {
        let _ = writeln!(out, "<p class=\"broken\">not read: {}</p>", html_escaped(problem));
    }
    for package in &asset.missing {
        let package = html_escaped(package);
        let _ = writeln!(out, "<p class=\"broken\">refers to {package}, which is not there</p>");
    }
    if !asset.referrers.is_empty() {
        let paths: Vec<String> = asset.referrers.iter().map(|path| html_escaped(path)).collect();
        let gone = html_escaped(asset.gone().map_or("", |(path, _)| path));
        let others = some(&paths);
        let _ = writeln!(out, "<p class=\"broken\">{gone} is gone, but others refer to it: {others}</p>");
    }
    if let Some(to) = &asset.redirects_to {
        let _ = writeln!(out, "<p>a redirector to {}</p>", html_escaped(to));
    }
    pictures(out, &asset.pictures);
    for section in &shown.sections {
        let _ = writeln!(out, "<h3>{}</h3>", html_escaped(section.heading));
        columns(out, section);
        graphs(out, asset, section);
    }
}

/// The pictures of both versions side by side.
fn pictures(out: &mut String, [old, new]: &PicturePair) {
    if old.is_empty() && new.is_empty() {
        return;
    }
    out.push_str("<table class=\"diff\"><tr>");
    for side in [old, new] {
        out.push_str("<td>");
        for picture in side {
            let ((width, height), object) = (picture.size, html_escaped(&picture.object));
            let source = picture.data_url();
            let _ = write!(
                out,
                "<img src=\"{source}\" width=\"{width}\" height=\"{height}\" alt=\"{object}\" title=\"{object}\">"
            );
        }
        out.push_str("</td>");
    }
    out.push_str("</tr></table>\n");
}

/// The lines of both versions side by side.
fn columns(out: &mut String, section: &ChangedSection<'_>) {
    out.push_str("<table class=\"diff\">\n");
    let lines = &section.lines;
    let shown = near_changes(lines);
    let mut at = 0;
    while let Some(place) = shown.get(at) {
        let line = place.and_then(|place| lines.get(place));
        let tag_at = |at: usize| shown.get(at).copied().flatten().and_then(|place| lines.get(place));
        match line.map(|line| line.tag) {
            None => {
                out.push_str("<tr><td class=\"gap\">…</td><td class=\"gap\">…</td></tr>\n");
                at += 1;
            }
            Some(ChangeTag::Equal) => {
                let text = html_escaped(line.map_or("", |line| &line.text));
                let _ = writeln!(out, "<tr><td>{text}</td><td>{text}</td></tr>");
                at += 1;
            }
            Some(_) => {
                // What was removed stands beside what came in its place.
                let run = |tag: ChangeTag, from: usize| {
                    (from..shown.len()).map_while(move |at| tag_at(at).filter(|line| line.tag == tag))
                };
                let removed: Vec<_> = run(ChangeTag::Delete, at).collect();
                let added: Vec<_> = run(ChangeTag::Insert, at + removed.len()).collect();
                for row in 0..removed.len().max(added.len()) {
                    let cell = |line: Option<&&super::asset::DiffLine>, class: &str| match line {
                        Some(line) => format!("<td class=\"{class}\">{}</td>", html_escaped(&line.text)),
                        None => "<td></td>".to_owned(),
                    };
                    let (old, new) = (cell(removed.get(row), "del"), cell(added.get(row), "ins"));
                    let _ = writeln!(out, "<tr>{old}{new}</tr>");
                }
                at += (removed.len() + added.len()).max(1);
            }
        }
    }
    out.push_str("</table>\n");
}

/// The pictures of a graph in both versions, with the nodes marked that differ.
fn graphs(out: &mut String, asset: &ReviewedAsset, section: &ChangedSection<'_>) {
    let path = section.to.or(section.from).map_or("", |section| &section.object);
    let [from, to] = [&asset.from, &asset.to].map(|review| {
        let review = review.as_ref()?;
        Some((review, review.graphs.iter().find(|graph| graph.path == path)?))
    });
    // Both are stretched alike, so that what stayed is in the same place.
    let graphs = [from, to].into_iter().flatten();
    let stretch = graphs.map(|(_, graph)| drawing::stretch(graph)).fold(Stretch::NONE, Stretch::or);
    let draw = |drawn: Option<(&Review, &Graph)>, other: Option<&Review>| {
        let (review, graph) = drawn?;
        drawing::svg(graph, &marks(review, graph, other), stretch)
    };
    let old = draw(from, asset.to.as_ref());
    let new = draw(to, asset.from.as_ref());
    if old.is_none() && new.is_none() {
        return;
    }
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    let _ = writeln!(
        out,
        "<details><summary>As a picture</summary><div class=\"graphs\"><div class=\"old\">{old}</div><div>{new}</div></div></details>"
    );
}
