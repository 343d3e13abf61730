//! Shader maps that packages need, from files that the cooker writes next to shader libraries:
//! `ShaderAssetInfo-<Library>-<Format>.assetinfo.json`.

use super::origin::CookedFile;
use crate::container::container_header::ShaderMapHash;
use crate::error::{Error, Result, UnsupportedFeature};
use crate::id::PackageId;
use std::collections::{BTreeSet, HashMap};

#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File {
    shader_code_to_assets: Vec<Row>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Row {
    shader_map_hash: String,
    assets: Vec<String>,
}

/// Returns the hashes of each package, over all libraries, sorted by their bytes.
pub(super) fn read(files: &[CookedFile], limit: u64) -> Result<HashMap<PackageId, Vec<ShaderMapHash>>> {
    let mut all: HashMap<PackageId, BTreeSet<Vec<u8>>> = HashMap::new();
    for file in files {
        let parsed: serde_json::Result<File> = serde_json::from_slice(&file.read(limit)?);
        let rows = parsed.map_err(|error| Error::Unsupported {
            what: UnsupportedFeature::ShaderAssetInfo(error),
            path: file.shown.clone(),
        })?;
        for row in rows.shader_code_to_assets {
            // An unreadable hash is skipped: the packages still load, only without preloading that shader
            // map.
            let Ok(hash) = hex::decode(&row.shader_map_hash) else { continue };
            for asset in row.assets {
                // `/Game/Materials/M.M` is an object path; the package name ends at the first dot.
                let package = asset.split('.').next().unwrap_or_default();
                all.entry(PackageId::from_name(package)).or_default().insert(hash.clone());
            }
        }
    }
    let hashes = |set: BTreeSet<Vec<u8>>| set.iter().map(|hash| ShaderMapHash::new(hash)).collect();
    Ok(all.into_iter().map(|(id, set)| (id, hashes(set))).collect())
}
