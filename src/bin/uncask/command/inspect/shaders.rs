//! Shader libraries, in containers and in files.

use super::view::{View, line, list};
use crate::printer::{Out, count, size};
use serde::Serialize;
use std::collections::BTreeMap;
use uncask::container::shader_library::{Hashes, LooseShaderLibrary, ShaderLibrary, frequency_name};
use uncask::version::ShaderLibraryForm;
use uncask::wire::Fault;

/// A shader library of either form.
#[derive(Serialize)]
pub(super) struct ShadersView {
    form: ShaderLibraryForm,
    /// Bytes of a hash.
    hash_len: usize,
    /// Number of shaders.
    shaders: usize,
    /// Number of shaders by stage.
    stages: BTreeMap<String, usize>,
    /// Bytes of the code of all shaders.
    code_raw: u64,
    /// Bytes that it takes as it is stored.
    code_stored: u64,
    /// Bytes of code that are in the file; absent where the code lies elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_present: Option<u64>,
    /// Number of stretches that are read for shader maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    preload_entries: Option<usize>,
    shader_maps: Vec<MapRow>,
    /// Absent where there are no groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupRow>>,
}

/// The shaders of a material.
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

/// Whether a file is a shader library, and how that can be told.
pub(super) fn detect(bytes: &[u8], extension: &std::ffi::OsStr) -> Option<(ShaderLibraryForm, String)> {
    let form = ShaderLibraryForm::sniff(bytes)?;
    let fits = match form {
        ShaderLibraryForm::IoStore => ShaderLibrary::parse(bytes).is_ok(),
        ShaderLibraryForm::Loose => LooseShaderLibrary::parse(bytes).is_ok(),
    };
    let number = form.to_wire();
    if fits {
        return Some((form, format!("it begins with {number}, and the tables of a shader library fit")));
    }
    let named = extension.to_string_lossy().ends_with("shaderbytecode");
    named.then(|| (form, format!("the extension .{}; it begins with {number}", extension.display())))
}

/// Reads a library of a container, or of a file of `len` bytes.
pub(super) fn look(
    form: ShaderLibraryForm,
    bytes: &[u8],
    len: u64,
) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "shader library";
    let (place, view, fault) = match form {
        ShaderLibraryForm::IoStore => {
            let partial = ShaderLibrary::parse_partial(bytes);
            ("in a container", ShadersView::iostore(&partial.value), partial.fault)
        }
        ShaderLibraryForm::Loose => {
            let partial = LooseShaderLibrary::parse_partial(bytes);
            ("in a file", ShadersView::loose(&partial.value, len), partial.fault)
        }
    };
    let kind = format!("{STRUCTURE} as it is {place}");
    (kind, View::Shaders(Box::new(view)), fault.map(|fault| (STRUCTURE, fault)))
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

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        line(out, "hashes", &format!("{} bytes each", self.hash_len))?;
        line(out, "shader maps", &count(self.shader_maps.len() as u64))?;
        let stages: Vec<String> =
            self.stages.iter().map(|(stage, n)| format!("{} {stage}", count(*n as u64))).collect();
        line(out, "shaders", &format!("{}: {}", count(self.shaders as u64), stages.join(", ")))?;
        if let Some(groups) = &self.groups {
            line(out, "groups", &count(groups.len() as u64))?;
        }
        if let Some(entries) = self.preload_entries {
            line(out, "preload", &format!("{} entries", count(entries as u64)))?;
        }
        line(out, "code", &self.code())?;
        list(
            out,
            "shader maps",
            self.shader_maps.iter().map(|map| format!("{}  {} shaders", map.hash, map.shaders)),
        )?;
        let groups = self.groups.iter().flatten().map(|group| {
            let GroupRow { chunk_id, shaders, raw_len, stored_len } = group;
            format!(
                "{chunk_id}  {shaders} shaders, {} in {}",
                size((*raw_len).into()),
                size((*stored_len).into())
            )
        });
        list(out, "groups", groups)
    }

    fn code(&self) -> String {
        let code = format!("{} in {}", size(self.code_raw), size(self.code_stored));
        match self.code_present {
            Some(present) if present < self.code_stored => {
                format!("{code}, of which the file has {}", size(present))
            }
            _ => code,
        }
    }
}

fn stages(frequencies: impl Iterator<Item = u8>) -> BTreeMap<String, usize> {
    let mut stages = BTreeMap::new();
    for frequency in frequencies {
        let name = frequency_name(frequency).map_or_else(|| format!("stage {frequency}"), str::to_owned);
        *stages.entry(name).or_default() += 1;
    }
    stages
}

fn maps(hashes: &Hashes, counts: impl Iterator<Item = u32>) -> Vec<MapRow> {
    hashes.iter().zip(counts).map(|(hash, shaders)| MapRow { hash: hex::encode(hash), shaders }).collect()
}
