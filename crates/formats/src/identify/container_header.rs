//! Container headers: the packages of a container, and their imports.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{View, ViewPart, counts};
use crate::container::container_header::ContainerHeader;
use crate::id::ChunkKind;
use crate::version::ContainerHeaderVersion;
use crate::wire::Partial;
use serde::Serialize;

pub(super) struct Header;

/// A container header, with the names of the packages in it.
#[derive(Serialize)]
struct HeaderView {
    packages: Vec<PackageRow>,
    header: ContainerHeader,
}

/// A package of a container.
#[derive(Serialize)]
struct PackageRow {
    /// True if more than the id was read.
    #[serde(skip)]
    read: bool,
    id: String,
    /// Name, if the containers around it know it.
    name: Option<String>,
    imports: Vec<String>,
    shader_maps: usize,
}

impl Format for Header {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        let has_magic = file.start.starts_with(&ContainerHeaderVersion::MAGIC);
        has_magic.then(|| Detected::new(Sureness::Mark, "the magic of a container header"))
    }

    fn guess(&self, file: &File<'_>) -> Option<Detected> {
        // UE4 headers have no magic. An empty header would fit too many files, so it is not accepted.
        let header = ContainerHeader::parse(file.start).ok()?;
        // Later versions have a magic: without it, even a reading that fits is not one of them.
        let fits = header.layout.version.is_ue4() && !header.packages.is_empty();
        fits.then(|| Detected::new(Sureness::Guess, "it has no magic, but the layout of UE4 fits"))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "container header";
        let Partial { value: header, fault } = ContainerHeader::parse_partial(input.bytes);
        let name = |id| input.neighbours.package_name(id);
        let known = header.packages.entries_read();
        // Ids come before entries in the file, so after a fault there are packages with an id alone.
        let rows = header.packages.iter().enumerate().map(|(at, entry)| PackageRow {
            read: at < known,
            id: entry.id.to_string(),
            name: name(entry.id),
            // An import without a known name is shown by its id.
            imports: entry.imports.iter().map(|id| name(*id).unwrap_or_else(|| id.to_string())).collect(),
            shader_maps: entry.shader_map_hashes.len(),
        });
        let kind = format!("{STRUCTURE}, layout {:?}", header.layout.version);
        let view = HeaderView { packages: rows.collect(), header };
        Finding::new(STRUCTURE, kind, view, fault)
    }

    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[ChunkKind::ContainerHeader]
    }
}

impl View for HeaderView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let header = &self.header;
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
        vec![
            ViewPart::fact("container id", header.container_id.to_string()),
            ViewPart::fact("tables", counts(tables)),
            ViewPart::list("packages", self.packages.iter().map(PackageRow::shown)),
        ]
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
        format!("{name}  {}", counts(needs))
    }
}
