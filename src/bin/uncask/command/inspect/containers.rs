//! What containers say about themselves: tables of contents, container headers, script objects.

use super::Finding;
use super::view::{View, line, list};
use crate::command::info::Description;
use crate::command::scripts::ObjectRow;
use crate::printer::count;
use serde::Serialize;
use std::io::Write;
use uncask::container::container_header::ContainerHeader;
use uncask::container::script_objects::ScriptObjects;
use uncask::store::packages::Packages;
use uncask::store::{Role, Store};
use uncask::wire::Fault;

/// A container header, and the names of what it lists.
#[derive(Serialize)]
pub(super) struct HeaderView {
    packages: Vec<PackageRow>,
    header: ContainerHeader,
}

/// One package of a container.
#[derive(Serialize)]
struct PackageRow {
    id: String,
    /// Its name, where the containers around it tell.
    name: Option<String>,
    imports: Vec<String>,
    shader_maps: usize,
}

/// Script objects, by path.
#[derive(Serialize)]
pub(super) struct ScriptsView {
    generation: String,
    classes: usize,
    wrong_hashes: usize,
    objects: Vec<ObjectRow>,
}

/// The containers that a table of contents was opened as.
pub(super) fn container(store: &Store) -> (String, View) {
    let content = store.containers().iter().filter(|container| container.role() == Role::Content);
    let found: Vec<Description> = content.map(|container| Description::new(container)).collect();
    ("container: table of contents".to_owned(), View::Containers(found))
}

/// Reads a container header.
pub(super) fn container_header(
    bytes: &[u8],
    packages: Option<&Packages>,
) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "container header";
    match ContainerHeader::parse(bytes) {
        Err(fault) => (STRUCTURE.to_owned(), View::Unread, Some((STRUCTURE, fault))),
        Ok(header) => {
            let name = |id| packages.and_then(|packages| packages.name(id));
            let rows = header.packages.iter().map(|entry| PackageRow {
                id: entry.id.to_string(),
                name: name(entry.id),
                imports: entry.imports.iter().map(|id| name(*id).unwrap_or_else(|| id.to_string())).collect(),
                shader_maps: entry.shader_map_hashes.len(),
            });
            let kind = format!("{STRUCTURE}, layout {:?}", header.layout.version);
            let view = HeaderView { packages: rows.collect(), header };
            (kind, View::Header(Box::new(view)), None)
        }
    }
}

/// Reads a ScriptObjects chunk.
pub(super) fn script_objects(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "script objects";
    match ScriptObjects::parse(bytes) {
        Err(fault) => (STRUCTURE.to_owned(), View::Unread, Some((STRUCTURE, fault))),
        Ok(scripts) => (STRUCTURE.to_owned(), View::Scripts(Box::new(ScriptsView::new(&scripts))), None),
    }
}

/// The script objects of UE4, which lie in three chunks.
pub(super) fn load_meta(store: &Store, detected_by: String, limit: u64) -> anyhow::Result<Finding> {
    let view = match store.script_objects(limit)? {
        Some(scripts) => View::Scripts(Box::new(ScriptsView::new(&scripts))),
        None => View::Unread,
    };
    Ok(Finding { kind: "script objects of UE4".to_owned(), detected_by, view, fault: None })
}

impl HeaderView {
    pub(super) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let header = &self.header;
        line(out, "container id", &header.container_id.to_string())?;
        let soft = header.soft_references.as_ref().map_or(0, |soft| soft.packages.len());
        let counts = [
            (self.packages.len(), "packages"),
            (self.packages.iter().map(|row| row.imports.len()).sum(), "imports"),
            (self.packages.iter().map(|row| row.shader_maps).sum(), "shader maps"),
            (header.optional.len(), "optional segments"),
            (header.redirects.len(), "redirects"),
            (header.localized.len() + header.cultures.len(), "localized"),
            (soft, "soft references"),
        ];
        let counts: Vec<String> =
            counts.iter().map(|(n, what)| format!("{} {what}", count(*n as u64))).collect();
        line(out, "tables", &counts.join(", "))?;
        list(out, "packages", self.packages.iter().map(PackageRow::shown))
    }
}

impl PackageRow {
    fn shown(&self) -> String {
        let name = self.name.as_ref().unwrap_or(&self.id);
        format!("{name}  {} imports, {} shader maps", self.imports.len(), self.shader_maps)
    }
}

impl ScriptsView {
    fn new(scripts: &ScriptObjects) -> Self {
        let objects: Vec<ObjectRow> = scripts.iter().map(|object| ObjectRow::new(scripts, object)).collect();
        Self {
            generation: format!("{:?}", scripts.generation),
            classes: objects.iter().filter(|row| row.is_class).count(),
            wrong_hashes: scripts.wrong_hashes().count(),
            objects,
        }
    }

    pub(super) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        line(out, "generation", &self.generation)?;
        let (objects, classes) = (count(self.objects.len() as u64), count(self.classes as u64));
        line(out, "objects", &format!("{objects}, of which {classes} are certainly classes"))?;
        line(out, "wrong hashes", &count(self.wrong_hashes as u64))?;
        line(out, "see also", "`uncask scripts` lists them all")
    }
}
