//! The files of the page, built into the program.

/// A file of the page: its path, its type, its content.
type Part = (&'static str, &'static str, &'static [u8]);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! parts {
    ($($path:literal: $kind:expr),* $(,)?) => {
        &[$(($path, $kind, include_bytes!(concat!("../page/", $path)))),*]
    };
}

const PARTS: &[Part] = parts! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": "image/svg+xml",
    "main.js": SCRIPT,
    "asking.js": SCRIPT,
    "client.js": SCRIPT,
    "transport.js": SCRIPT,
    "comparing.js": SCRIPT,
    "differences.js": SCRIPT,
    "place.js": SCRIPT,
    "dom.js": SCRIPT,
    "draft.js": SCRIPT,
    "drawer.js": SCRIPT,
    "editing.js": SCRIPT,
    "replacing.js": SCRIPT,
    "table.js": SCRIPT,
    "tree.js": SCRIPT,
    "detail.js": SCRIPT,
    "opening.js": SCRIPT,
    "fields.js": SCRIPT,
    "notes.js": SCRIPT,
    "saving.js": SCRIPT,
    "thumbnails.js": SCRIPT,
    "views/compare.js": SCRIPT,
    "views/compare-pictures.js": SCRIPT,
    "views/compare-text.js": SCRIPT,
    "views/compare-values.js": SCRIPT,
    "views/code.js": SCRIPT,
    "views/code-blocks.js": SCRIPT,
    "views/code-words.js": SCRIPT,
    "views/edit.js": SCRIPT,
    "views/edit-value.js": SCRIPT,
    "views/facts.js": SCRIPT,
    "views/graph.js": SCRIPT,
    "views/hex.js": SCRIPT,
    "views/model.js": SCRIPT,
    "views/picture.js": SCRIPT,
    "views/properties.js": SCRIPT,
    "views/references.js": SCRIPT,
    "views/rows.js": SCRIPT,
    "views/sound.js": SCRIPT,
    "views/stage.js": SCRIPT,
    "views/text.js": SCRIPT,
    "views/texts.js": SCRIPT,
    "views/world.js": SCRIPT,
    "vendor/three/three.core.min.js": SCRIPT,
    "vendor/three/three.module.min.js": SCRIPT,
    "vendor/three/BufferGeometryUtils.js": SCRIPT,
    "vendor/three/GLTFLoader.js": SCRIPT,
    "vendor/three/OrbitControls.js": SCRIPT,
};

/// MIME type and content of a page file, by its path, which starts with `/`.
pub(super) fn part(path: &str) -> Option<(&'static str, &'static [u8])> {
    let path = match path.strip_prefix('/')? {
        "" => "index.html",
        path => path,
    };
    PARTS.iter().find(|(known, ..)| *known == path).map(|(_, kind, bytes)| (*kind, *bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing_that_is_not_there() {
        assert!(part("/").is_some() && part("/nothing.js").is_none() && part("").is_none());
        let import = regex::Regex::new(r#"(?:from|import)\s*\(?\s*["']([^"']+)["']"#).unwrap();
        let mut imports = 0;
        for (path, ..) in PARTS.iter().filter(|(path, kind, _)| *kind == SCRIPT && !path.ends_with(".min.js"))
        {
            let text = std::str::from_utf8(part(&format!("/{path}")).unwrap().1).unwrap();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            // Comments in third-party files have examples with other addresses.
            let is_own = !path.starts_with("vendor/");
            for found in import.captures_iter(text).filter(|found| is_own || found[1].starts_with('.')) {
                let mut full: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
                for step in found[1].split('/') {
                    match step {
                        "." => {}
                        ".." => drop(full.pop()),
                        name => full.push(name),
                    }
                }
                assert!(part(&format!("/{}", full.join("/"))).is_some(), "{path} imports {}", &found[1]);
                imports += 1;
            }
        }
        assert!(imports > 20, "only {imports} imports were found");
    }

    /// Checks that the page has no inline code, which the policy forbids.
    #[test]
    fn nothing_is_inline_and_nothing_from_elsewhere() {
        for (path, kind, bytes) in PARTS.iter().filter(|(path, ..)| !path.starts_with("vendor")) {
            let text = std::str::from_utf8(bytes).unwrap();
            let in_markup = [" style=\"", " onclick", "<style", "javascript:"];
            let in_scripts =
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", " eval(", "new Function"];
            for forbidden in if *kind == SCRIPT { &in_scripts[..] } else { &in_markup[..] } {
                assert!(!text.contains(forbidden), "{path}: {forbidden}");
            }
            let urls = text.matches("://").count() - text.matches("http://www.w3.org/").count();
            assert_eq!(urls, 0, "{path} has an address in it");
        }
    }
}
