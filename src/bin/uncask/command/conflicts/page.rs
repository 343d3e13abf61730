//! A page about conflicts: no scripts, so that it opens anywhere.

use super::words::{in_mod, summary_line, word};
use crate::text::html_escaped;
use std::fmt::Write;
use uncask::game::{ChangedPart, SharedChange, SharedItem, SharedVerdict};

const STYLE: &str = "\
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:70rem;padding:0 1rem}
summary{cursor:pointer;padding:.3rem 0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.3rem 0 1rem}
th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
pre{margin:0;white-space:pre-wrap}
.conflict{border-left:.3rem solid #d33;padding-left:.6rem}
.compatible{border-left:.3rem solid #d90;padding-left:.6rem}
.same{border-left:.3rem solid #888;padding-left:.6rem}";

/// Makes the page.
pub(super) fn html(items: &[SharedItem], names: &[String]) -> String {
    let mut body = String::new();
    for item in items {
        // Writing into a string cannot fail.
        let _ = section(&mut body, item, names);
    }
    let mods: Vec<String> = names.iter().map(|name| html_escaped(name)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Conflicts · uncask</title>\n<style>{STYLE}</style>\n\
         <main><h1>Conflicts</h1>\n<p>{}</p>\n<p>{}</p>\n{body}</main>\n</html>\n",
        mods.join(", "),
        html_escaped(&summary_line(items)),
    )
}

fn section(out: &mut String, item: &SharedItem, names: &[String]) -> std::fmt::Result {
    let open = if item.verdict == SharedVerdict::Conflict { " open" } else { "" };
    let winner = names.get(item.winner).map_or("?", String::as_str);
    writeln!(
        out,
        "<details class=\"{0}\"{open}><summary><b>{1}</b>: {0}; {2} wins</summary>",
        word(item.verdict),
        html_escaped(&item.path),
        html_escaped(winner),
    )?;
    if !item.changes.is_empty() {
        writeln!(out, "<table><tr><th>What</th><th>In the game</th><th>In the mods</th><th></th></tr>")?;
        item.changes.iter().try_for_each(|change| row(out, change, names))?;
        writeln!(out, "</table>")?;
    }
    writeln!(out, "</details>")
}

fn row(out: &mut String, change: &SharedChange, names: &[String]) -> std::fmt::Result {
    let place = change.place();
    let from = change.from.as_ref().map_or("", |value| &value.text);
    write!(out, "<tr><td>{}</td><td><pre>{}</pre></td><td>", html_escaped(&place), html_escaped(from))?;
    for to in &change.to {
        write!(out, "<div>{}</div>", html_escaped(&in_mod(change, to, names)))?;
        if let (ChangedPart::Function, Some(code)) = (change.part, &to.value) {
            write!(out, "<pre>{}</pre>", html_escaped(&code.text))?;
        }
    }
    writeln!(out, "</td><td>{}</td></tr>", word(change.verdict))
}
