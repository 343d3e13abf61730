//! Shader libraries in containers and in files.

use super::format::{Detected, File, Finding, Format, Input, Sureness, has_extension};
use super::view::{View, ViewPart};
use crate::container::shader_library::{Hashes, LooseShaderLibrary, ShaderLibrary, frequency_name};
use crate::id::ChunkKind;
use crate::version::ShaderLibraryForm;
use crate::wire::{count, counted, size};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A library in a chunk of a container: the code is in other chunks.
pub(super) struct InContainer;

/// A library in a `.ushaderbytecode` file: the code follows.
pub(super) struct InFile;

/// A shader library of either form.
#[derive(Serialize)]
struct ShadersView {
    form: ShaderLibraryForm,
    /// Length of a hash in bytes.
    hash_len: usize,
    /// Number of shaders.
    shaders: usize,
    /// Number of shaders by stage.
    stages: BTreeMap<String, usize>,
    /// Length of the code of all shaders in bytes.
    code_raw: u64,
    /// Stored length of that code in bytes.
    code_stored: u64,
    /// Length of the code present in the file in bytes; absent if the code is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_present: Option<u64>,
    /// Number of ranges to read for shader maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    preload_entries: Option<usize>,
    shader_maps: Vec<MapRow>,
    /// Absent if the form has no groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupRow>>,
}

/// Shaders of a material.
#[derive(Serialize)]
struct MapRow {
    hash: String,
    shaders: u32,
}

/// Shaders that are compressed together.
#[derive(Serialize)]
struct GroupRow {
    chunk_id: String,
    shaders: u32,
    raw_len: u32,
    stored_len: u32,
}

/// Limit on the length of the tables: those of a large game take a few MiB.
const TABLES: u64 = 64 << 20;

const STRUCTURE: &str = "shader library";

impl Format for InContainer {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        detect(file, ShaderLibraryForm::IoStore, |bytes| ShaderLibrary::parse(bytes).is_ok())
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        let partial = ShaderLibrary::parse_partial(input.bytes);
        let kind = format!("{STRUCTURE} as it is in a container");
        Finding::new(STRUCTURE, kind, ShadersView::iostore(&partial.value), partial.fault)
    }

    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[ChunkKind::ShaderCodeLibrary]
    }
}

impl Format for InFile {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        detect(file, ShaderLibraryForm::Loose, |bytes| LooseShaderLibrary::parse(bytes).is_ok())
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        let partial = LooseShaderLibrary::parse_partial(input.bytes);
        let kind = format!("{STRUCTURE} as it is in a file");
        Finding::new(STRUCTURE, kind, ShadersView::loose(&partial.value, input.len), partial.fault)
    }

    /// Tables come first. The code after them may have any length and is not needed.
    fn enough(&self, name: &Path) -> Option<u64> {
        has_extension(name, &["ushaderbytecode"]).then_some(TABLES)
    }
}

fn detect(file: &File<'_>, form: ShaderLibraryForm, fits: impl Fn(&[u8]) -> bool) -> Option<Detected> {
    if ShaderLibraryForm::sniff(file.start) != Some(form) {
        return None;
    }
    let (number, extension) = (form.to_wire(), file.extension());
    // Both forms begin with a small number, which many files do; so the tables must fit too.
    if fits(file.start) {
        let reason = format!("it begins with {number}, and the tables of a shader library fit");
        return Some(Detected::new(Sureness::Layout, reason));
    }
    // Damaged tables: the extension decides.
    let reason = || format!("the extension .{extension}; it begins with {number}");
    extension.ends_with("shaderbytecode").then(|| Detected::new(Sureness::Name, reason()))
}

impl ShadersView {
    fn iostore(library: &ShaderLibrary) -> Self {
        let groups = library.groups.iter().zip(&library.group_ids).map(|(group, id)| GroupRow {
            chunk_id: id.to_string(),
            shaders: group.shaders.count,
            raw_len: group.raw_len,
            stored_len: group.stored_len,
        });
        Self {
            form: ShaderLibraryForm::IoStore,
            hash_len: library.shader_hashes.width(),
            shaders: library.shaders.len(),
            stages: stages(library.shaders.iter().map(|shader| shader.frequency)),
            code_raw: library.raw_len(),
            code_stored: library.stored_len(),
            // Code of this form is in chunks that the library only names.
            code_present: None,
            preload_entries: None,
            shader_maps: maps(
                &library.shader_map_hashes,
                library.shader_maps.iter().map(|shaders| shaders.count),
            ),
            groups: Some(groups.collect()),
        }
    }

    fn loose(library: &LooseShaderLibrary, file_len: u64) -> Self {
        // In 64 bits, since the sum over all shaders may exceed 4 GiB.
        let raw_lens = library.shaders.iter().map(|shader| u64::from(shader.raw_len));
        Self {
            form: ShaderLibraryForm::Loose,
            hash_len: library.shader_hashes.width(),
            shaders: library.shaders.len(),
            stages: stages(library.shaders.iter().map(|shader| shader.frequency)),
            code_raw: raw_lens.sum(),
            code_stored: library.code_len(),
            code_present: Some(file_len.saturating_sub(library.header_len())),
            preload_entries: Some(library.preload.len()),
            shader_maps: maps(
                &library.shader_map_hashes,
                library.shader_maps.iter().map(|map| map.shaders.count),
            ),
            groups: None,
        }
    }

    fn code(&self) -> String {
        let code = format!("{} in {}", size(self.code_raw), size(self.code_stored));
        match self.code_present {
            // Only a truncated file has less code than the tables describe.
            Some(present) if present < self.code_stored => {
                format!("{code}, of which the file has {}", size(present))
            }
            _ => code,
        }
    }
}

impl View for ShadersView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let stage = |(stage, number): (&String, &usize)| format!("{} {stage}", count(*number as u64));
        let stages: Vec<String> = self.stages.iter().map(stage).collect();
        let mut parts = vec![
            ViewPart::fact("hashes", format!("{} each", counted(self.hash_len as u64, "byte", "bytes"))),
            ViewPart::fact("shader maps", count(self.shader_maps.len() as u64)),
            ViewPart::fact("shaders", format!("{}: {}", count(self.shaders as u64), stages.join(", "))),
        ];
        let groups = self.groups.as_ref();
        parts.extend(groups.map(|groups| ViewPart::fact("groups", count(groups.len() as u64))));
        let preload = self.preload_entries.map(|entries| counted(entries as u64, "entry", "entries"));
        parts.extend(preload.map(|preload| ViewPart::fact("preload", preload)));
        parts.push(ViewPart::fact("code", self.code()));
        let map =
            |map: &MapRow| format!("{}  {}", map.hash, counted(map.shaders.into(), "shader", "shaders"));
        parts.push(ViewPart::list("shader maps", self.shader_maps.iter().map(map)));
        parts.push(ViewPart::list("groups", groups.into_iter().flatten().map(GroupRow::shown)));
        parts
    }
}

impl GroupRow {
    fn shown(&self) -> String {
        let Self { chunk_id, shaders, raw_len, stored_len } = self;
        let [raw, stored] = [*raw_len, *stored_len].map(|len| size(len.into()));
        format!("{chunk_id}  {}, {raw} in {stored}", counted((*shaders).into(), "shader", "shaders"))
    }
}

fn stages(frequencies: impl Iterator<Item = u8>) -> BTreeMap<String, usize> {
    let mut stages = BTreeMap::new();
    for frequency in frequencies {
        // An unknown stage is shown by its number.
        let name = frequency_name(frequency).map_or_else(|| format!("stage {frequency}"), str::to_owned);
        *stages.entry(name).or_default() += 1;
    }
    stages
}

fn maps(hashes: &Hashes, counts: impl Iterator<Item = u32>) -> Vec<MapRow> {
    hashes.iter().zip(counts).map(|(hash, shaders)| MapRow { hash: hex::encode(hash), shaders }).collect()
}
