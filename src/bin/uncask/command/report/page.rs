//! The page, assembled into one file.
//!
//! Nothing from a container is written as HTML or script. Data is deflated JSON in base64, whose letters have no
//! meaning in HTML; scripts insert texts as text. A policy in the page allows only these scripts, by their hashes, and
//! no connections; pictures are in the data, or in files beside the page.

use super::gallery::Gallery;
use crate::text::html_escaped;
use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::{Compression, write::ZlibEncoder};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::Write;
use uncask::game::Overview;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// Scripts, in order of dependency.
const SCRIPTS: [&str; 8] = [
    include_str!("page/vendor/d3-hierarchy.min.js"),
    include_str!("page/theme.js"),
    include_str!("page/data.js"),
    include_str!("page/table.js"),
    include_str!("page/treemap.js"),
    include_str!("page/charts.js"),
    include_str!("page/gallery.js"),
    include_str!("page/main.js"),
];

/// Data of the page.
#[derive(Serialize)]
pub(super) struct Data {
    #[serde(flatten)]
    pub(super) overview: Overview,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gallery: Option<Gallery>,
}

/// Assembles the whole page.
pub(super) fn html(title: &str, shown: &Data) -> Result<String> {
    let scripts = format!("<script>{}</script>\n", SCRIPTS.join("</script>\n<script>"));
    // The policy names each script by its hash, so no other script can run.
    let hashes: Vec<String> = SCRIPTS.iter().map(|script| hash(script)).collect();
    let parts = [
        ("title", html_escaped(title)),
        ("script-hashes", hashes.join(" ")),
        ("images", shown.gallery.as_ref().map_or("'none'", Gallery::image_sources).to_owned()),
        ("style-hash", hash(STYLE)),
        ("style", STYLE.to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("data", data(shown)?),
        ("scripts", scripts),
    ];
    // Inserted text is not searched for marks, so content cannot inject any.
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (mark, after) = after.split_once("}}").unwrap_or_default();
        page.push_str(before);
        page.extend(parts.iter().filter(|(name, _)| *name == mark).map(|(_, text)| text.as_str()));
        rest = after;
    }
    Ok(page + rest)
}

/// Hash of a script or style for the content policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn data(shown: &Data) -> Result<String> {
    // Browsers can inflate by themselves, so no library is needed for it.
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(std::io::BufWriter::with_capacity(64 << 10, &mut deflated), shown)?;
    deflated.flush()?;
    Ok(BASE64_STANDARD.encode(deflated.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_do_not_end_early() {
        for script in SCRIPTS {
            assert!(!script.contains("</script") && !script.contains("<!--"));
            assert!(!script.contains('\r'), "HTML turns CR LF into LF, and the hash would not fit");
        }
        assert_eq!(html_escaped("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
