//! What containers say about themselves: tables of contents, container headers, script objects.

use super::Finding;
use super::view::{View, counts, line, list};
use crate::command::info::Description;
use crate::command::scripts::ObjectRow;
use crate::printer::{Out, count};
use crate::session::Session;
use serde::Serialize;
use std::path::Path;
use uncask::container::container_header::ContainerHeader;
use uncask::container::script_objects::ScriptObjects;
use uncask::id::ChunkKind;
use uncask::store::packages::Packages;
use uncask::store::{Entry, Role, Store};
use uncask::wire::{Fault, Partial};

/// A container header, and the names of what it lists.
#[derive(Serialize)]
pub(super) struct HeaderView {
    packages: Vec<PackageRow>,
    header: ContainerHeader,
}

/// One package of a container.
#[derive(Serialize)]
struct PackageRow {
    /// Whether more than its id could be read.
    #[serde(skip)]
    read: bool,
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
    /// Absent where there are no names.
    wrong_hashes: Option<usize>,
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
    let Partial { value: header, fault } = ContainerHeader::parse_partial(bytes);
    let name = |id| packages.and_then(|packages| packages.name(id));
    let known = header.packages.entries_read();
    let rows = header.packages.iter().enumerate().map(|(at, entry)| PackageRow {
        read: at < known,
        id: entry.id.to_string(),
        name: name(entry.id),
        imports: entry.imports.iter().map(|id| name(*id).unwrap_or_else(|| id.to_string())).collect(),
        shader_maps: entry.shader_map_hashes.len(),
    });
    let kind = format!("{STRUCTURE}, layout {:?}", header.layout.version);
    let view = HeaderView { packages: rows.collect(), header };
    (kind, View::Header(Box::new(view)), fault.map(|fault| (STRUCTURE, fault)))
}

/// Reads a ScriptObjects chunk.
pub(super) fn script_objects(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    of_scripts(SCRIPTS.to_owned(), &ScriptObjects::parse_partial(bytes))
}

const SCRIPTS: &str = "script objects";

fn of_scripts(kind: String, found: &Partial<ScriptObjects>) -> (String, View, Option<(&'static str, Fault)>) {
    let view = View::Scripts(Box::new(ScriptsView::new(&found.value)));
    (kind, view, found.fault.map(|fault| (SCRIPTS, fault)))
}

/// The script objects of UE4, which lie in three chunks of a container.
pub(super) fn load_meta(
    store: &Store,
    entry: Entry,
    detected_by: String,
    limit: u64,
) -> anyhow::Result<Finding> {
    let read = |kind| {
        let container = store.container(entry)?;
        Some(container.read(container.find_kind(kind)?, 0..u64::MAX, limit))
    };
    let load_meta = read(ChunkKind::LoaderInitialLoadMeta).transpose()?.unwrap_or_default();
    let names = read(ChunkKind::LoaderGlobalNames).transpose()?;
    let hashes = read(ChunkKind::LoaderGlobalNameHashes).transpose()?;
    let names = names.as_deref().zip(hashes.as_deref());
    let (kind, view, fault) = of_ue4(&load_meta, names);
    Ok(Finding { kind, detected_by, view, fault, warning: None })
}

/// A loose LoaderInitialLoadMeta chunk. The names lie in chunks of their own; files that are called after them are
/// looked for beside it.
pub(super) fn loose_load_meta(
    bytes: &[u8],
    file: &Path,
    session: &Session,
) -> (String, View, Option<(&'static str, Fault)>) {
    let beside = |chunk| {
        let name = file.file_name()?.to_str()?;
        let other = name.replace("LoaderInitialLoadMeta", chunk);
        session.read_file(&file.with_file_name(&other)).ok().filter(|_| other != name)
    };
    let (names, hashes) = (beside("LoaderGlobalNames"), beside("LoaderGlobalNameHashes"));
    of_ue4(bytes, names.as_deref().zip(hashes.as_deref()))
}

fn of_ue4(load_meta: &[u8], names: Option<(&[u8], &[u8])>) -> (String, View, Option<(&'static str, Fault)>) {
    of_scripts(format!("{SCRIPTS} of UE4"), &ScriptObjects::parse_ue4_partial(load_meta, names))
}

impl HeaderView {
    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let header = &self.header;
        line(out, "container id", &header.container_id.to_string())?;
        let soft = header.soft_references.as_ref().map_or(0, |soft| soft.packages.len());
        let tables = [
            (self.packages.len(), "package", "packages"),
            (self.packages.iter().map(|row| row.imports.len()).sum(), "import", "imports"),
            (self.packages.iter().map(|row| row.shader_maps).sum(), "shader map", "shader maps"),
            (header.optional.len(), "optional segment", "optional segments"),
            (header.redirects.len(), "redirect", "redirects"),
            (header.localized.len() + header.cultures.len(), "localized", "localized"),
            (soft, "soft reference", "soft references"),
        ];
        line(out, "tables", &counts(&tables))?;
        list(out, "packages", self.packages.iter().map(PackageRow::shown))
    }
}

impl PackageRow {
    fn shown(&self) -> String {
        let name = self.name.as_ref().unwrap_or(&self.id);
        if !self.read {
            return format!("{name}  (not read)");
        }
        let needs =
            [(self.imports.len(), "import", "imports"), (self.shader_maps, "shader map", "shader maps")];
        format!("{name}  {}", counts(&needs))
    }
}

impl ScriptsView {
    fn new(scripts: &ScriptObjects) -> Self {
        let objects: Vec<ObjectRow> = scripts.iter().map(|object| ObjectRow::new(scripts, object)).collect();
        Self {
            generation: format!("{:?}", scripts.generation),
            classes: objects.iter().filter(|row| row.is_class).count(),
            wrong_hashes: (!scripts.names().is_empty()).then(|| scripts.wrong_hashes().count()),
            objects,
        }
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        line(out, "generation", &self.generation)?;
        let (objects, classes) = (count(self.objects.len() as u64), count(self.classes as u64));
        line(out, "objects", &format!("{objects}, of which {classes} are certainly classes"))?;
        if let Some(wrong) = self.wrong_hashes {
            line(out, "wrong hashes", &count(wrong as u64))?;
        } else {
            let why = match self.generation.as_str() {
                "Ue4" => "those of UE4 are in LoaderGlobalNames and LoaderGlobalNameHashes",
                _ => "they could not be read",
            };
            line(out, "names", &format!("none: {why}"))?;
        }
        line(out, "see also", "`uncask scripts` lists them all")
    }
}
