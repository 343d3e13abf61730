//! File names of shader libraries.
//!
//! The id of a library's chunk is a hash of its name, made from the name of a project or plugin (or `Global`) and of a
//! shader format: `ShaderArchive-Global-PCD3D_SM6-PCD3D_SM6.ushaderbytecode` hashes as `global-pcd3d_sm6-pcd3d_sm6`, by
//! CityHash64, or by XXH3 since UE 5.8. The path is usually in the container's directory index. If it is not, likely
//! names are tried until one has the right hash.

use crate::id::hash::{lower_utf16, lower_utf16_xxh3};
use crate::sink::OutputPath;
use crate::store::{Entry, Store};
use std::collections::BTreeSet;

/// Shader formats, each with the name of its platform, which file names have since UE 5.1.
const FORMATS: [(&str, &str); 20] = [
    ("PCD3D_SM6", "PCD3D_SM6"),
    ("PCD3D_SM5", "PCD3D_SM5"),
    ("PCD3D_ES31", "PCD3D_ES3_1"),
    ("SF_VULKAN_SM6", "VULKAN_SM6"),
    ("SF_VULKAN_SM5", "VULKAN_SM5"),
    ("SF_VULKAN_ES31", "VULKAN_PCES3_1"),
    ("SF_VULKAN_SM5_ANDROID", "VULKAN_SM5_ANDROID"),
    ("SF_VULKAN_ES31_ANDROID", "VULKAN_ES3_1_ANDROID"),
    ("GLSL_ES3_1_ANDROID", "OPENGL_ES3_1_ANDROID"),
    ("GLSL_150_ES31", "OPENGL_PCES3_1"),
    ("SF_METAL_SM6", "METAL_SM6"),
    ("SF_METAL_SM5", "METAL_SM5"),
    ("SF_METAL_SM5_IOS", "METAL_SM5_IOS"),
    ("SF_METAL_ES3_1_IOS", "METAL_ES3_1_IOS"),
    ("SF_METAL", "METAL"),
    ("SF_METAL_MRT", "METAL_MRT"),
    ("SF_METAL_MRT_MAC", "METAL_MRT_MAC"),
    ("SF_METAL_MACES3_1", "METAL_MACES3_1"),
    ("SF_METAL_SIM", "METAL_SIM"),
    ("SF_METAL_SM5_TVOS", "METAL_SM5_TVOS"),
];

/// Name of the library for shaders that belong to no package.
const GLOBAL: &str = "Global";

/// A project or plugin that may have a shader library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Owner {
    name: String,
    /// The folder around its `Content`.
    folder: String,
}

/// The usual path of a shader library: from a directory index; else the cooker's name for it, if it can be guessed;
/// else `chunks/<24 hex digits>.ushaderbytecode`.
#[must_use]
pub fn shader_library_path(store: &Store, library: Entry) -> OutputPath {
    let id = store.chunk_id(library).unwrap_or_default();
    let path = store.path(library).or_else(|| {
        let owners = owners(store);
        let (folder, name) = guess(&owners, id.id())?;
        Some(format!("{folder}/Content/ShaderArchive-{name}.ushaderbytecode"))
    });
    OutputPath::sanitize(&path.unwrap_or_else(|| format!("chunks/{id}.ushaderbytecode")))
}

/// Possible owners of libraries: every folder with a `Content` folder, and the projects that containers are named
/// after. Global shaders go with the game.
fn owners(store: &Store) -> Vec<Owner> {
    let mut folders = BTreeSet::new();
    for container in store.containers() {
        let index = container.index();
        for path in container.table().chunks().filter_map(|chunk| index.path(chunk)) {
            folders.extend(path.split_once("/Content/").map(|(folder, _)| folder.to_owned()));
        }
    }
    let named = store.containers().iter().filter(|container| !container.is_global());
    for container in named {
        // `Shooter-Windows.utoc` is named after its project.
        folders.extend(container.name().split('-').next().map(str::to_owned));
    }
    // A nested folder is a plugin, and `Engine` is not the game.
    let is_game = |folder: &&String| !folder.contains('/') && *folder != "Engine";
    let game = folders.iter().find(is_game).cloned().unwrap_or_else(|| GLOBAL.to_owned());
    let global = Owner { name: GLOBAL.to_owned(), folder: game };
    let owner =
        |folder: String| Owner { name: folder.rsplit('/').next().unwrap_or_default().to_owned(), folder };
    std::iter::once(global).chain(folders.into_iter().map(owner)).collect()
}

/// Finds the folder and library name with this hash.
fn guess(owners: &[Owner], id: u64) -> Option<(&str, String)> {
    for Owner { name, folder } in owners {
        for (format, platform) in FORMATS {
            // Names before UE 5.1 have no platform.
            for library in [format!("{name}-{format}-{platform}"), format!("{name}-{format}")] {
                if lower_utf16(&library) == id || lower_utf16_xxh3(&library) == id {
                    return Some((folder, library));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_hashes() {
        let owner = |name: &str, folder: &str| Owner { name: name.to_owned(), folder: folder.to_owned() };
        let owners = [owner("Global", "Demo"), owner("Demo", "Demo"), owner("Extra", "Demo/Plugins/Extra")];
        for (id, name) in [
            (0xACBF_ABFD_207C_43EA, Some("Global-PCD3D_SM6-PCD3D_SM6")),
            (0xD1B6_1278_09F5_D8F4, Some("Global-PCD3D_SM5-PCD3D_SM5")),
            (0x9923_7674_B33F_9713, Some("Global-PCD3D_SM5")),
            (lower_utf16("demo-sf_vulkan_sm6-vulkan_sm6"), Some("Demo-SF_VULKAN_SM6-VULKAN_SM6")),
            (lower_utf16_xxh3("demo-pcd3d_sm6-pcd3d_sm6"), Some("Demo-PCD3D_SM6-PCD3D_SM6")),
            (lower_utf16("extra-sf_metal_sm5"), Some("Extra-SF_METAL_SM5")),
            (7, None),
        ] {
            assert_eq!(guess(&owners, id).map(|(_, name)| name).as_deref(), name);
        }
    }
}
