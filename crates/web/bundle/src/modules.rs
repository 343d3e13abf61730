//! The scripts of the page, each after those that it imports.

use anyhow::{Context as _, Result, bail};
use regex::{Captures, Regex};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A module of the page.
pub(crate) struct Module {
    /// Its path below the folder of the page.
    pub name: String,
    /// Its text; what it imports is called `module:NAME`.
    pub text: String,
}

/// JavaScript modules, looked up in one folder after the other.
pub(crate) struct Modules {
    folders: Vec<PathBuf>,
    import: Regex,
    done: Vec<Module>,
    begun: BTreeSet<String>,
}

impl Modules {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Result<Self> {
        let import = Regex::new(r#"(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}/[^'"]+)['"]"#)?;
        Ok(Self { folders, import, done: Vec::new(), begun: BTreeSet::new() })
    }

    /// A module and all that it imports, itself last.
    pub(crate) fn with_imports(mut self, name: &str) -> Result<Vec<Module>> {
        self.add(name)?;
        Ok(self.done)
    }

    fn add(&mut self, name: &str) -> Result<()> {
        if !self.begun.insert(name.to_owned()) {
            if self.done.iter().all(|module| module.name != name) {
                bail!("{name} imports itself, if only indirectly");
            }
            return Ok(());
        }
        let text = self.read(name)?;
        // Comments have examples in them; they start a line.
        let imports: BTreeSet<String> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with(['*', '/']))
            .flat_map(|line| self.import.captures_iter(line).map(|found| resolved(name, &found[3])))
            .collect();
        for other in imports {
            self.add(&other)?;
        }
        let rename = |found: &Captures<'_>| {
            format!("{}{quote}module:{}{quote}", &found[1], resolved(name, &found[3]), quote = &found[2])
        };
        let text = text.lines().map(|line| {
            let is_comment = line.trim_start().starts_with(['*', '/']);
            if is_comment { line.into() } else { self.import.replace_all(line, rename) }
        });
        let text: String = text.flat_map(|line| [line, "\n".into()]).collect();
        self.done.push(Module { name: name.to_owned(), text });
        Ok(())
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let path = path.with_context(|| format!("there is no module {name}"))?;
        Ok(std::fs::read_to_string(path)?)
    }
}

/// Resolves a relative path in the module `from`.
fn resolved(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<PathBuf> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
        vec![root.join("crates/web/page"), root.join("src/browse/page")]
    }

    #[test]
    fn paths_are_relative_to_the_module() {
        assert_eq!(resolved("main.js", "./dom.js"), "dom.js");
        assert_eq!(resolved("views/hex.js", "../dom.js"), "dom.js");
        assert_eq!(resolved("views/a.js", "./b.js"), "views/b.js");
    }

    #[test]
    fn modules_come_after_what_they_import() {
        let modules = Modules::new(page()).unwrap().with_imports("main.js").unwrap();
        let named = Regex::new(r#"["']module:([^"']+)["']"#).unwrap();
        let mut before = BTreeSet::new();
        let mut imports = 0;
        for module in &modules {
            for found in named.captures_iter(&module.text) {
                assert!(before.contains(&found[1]), "{} imports {}", module.name, &found[1]);
                imports += 1;
            }
            before.insert(module.name.clone());
        }
        assert!(
            imports > 30 && before.contains("views/model.js") && modules.last().unwrap().name == "main.js"
        );
        let transport = modules.iter().find(|module| module.name == "transport.js").unwrap();
        assert!(transport.text.contains("new Worker"), "the one of the page without a server comes first");
    }
}
