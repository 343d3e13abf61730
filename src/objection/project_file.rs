//! Project-wide files: in a mod they would replace the game's own.
//!
//! A cooker writes them beside the packages, whatever the mod is about. Files of a mod's plugin are no problem: its
//! registry, configuration and shader library are read in addition to the game's.

use crate::identify::has_extension;
use std::path::Path;

/// Kind of project-wide file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProjectFile {
    /// `AssetRegistry.bin` of the project: the game would find the assets of the mod's project, and none of its own.
    AssetRegistry,
    /// A shader library of the project or of the engine.
    ShaderLibrary,
    /// Shaders that the engine needs before it loads any library.
    GlobalShaderCache,
    /// Pipelines that the game creates at start.
    PipelineCache,
    /// Files that may hold the keys of the project.
    Keys,
    /// Records of the cooker.
    CookMetadata,
    /// Files of the engine other than packages, such as fonts.
    EngineFile,
    /// The project descriptor.
    Descriptor,
    /// Settings of the project.
    Config,
    /// A container or pak inside another, which no game reads.
    Container,
}

impl ProjectFile {
    /// The kind of a file by its path below the mount point; `None` for a mod's own file.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let folders: Vec<&str> = path.split('/').collect();
        let (name, folders) = folders.split_last()?;
        let lower = name.to_ascii_lowercase();
        let is = |extensions: &[&str]| has_extension(Path::new(&lower), extensions);
        let root = folders.first().copied().unwrap_or_default();
        let content = folders.iter().position(|folder| folder.eq_ignore_ascii_case("Content"));
        let in_folder = |wanted: &str| folders.iter().any(|folder| folder.eq_ignore_ascii_case(wanted));
        let in_plugin = in_folder("Plugins");
        // The order of the tests matters: keys and containers are wrong anywhere, even in a plugin or in `Engine`.
        if lower == "crypto.json" {
            return Some(Self::Keys);
        }
        if is(&["utoc", "ucas", "pak", "sig"]) {
            return Some(Self::Container);
        }
        if lower == "developmentassetregistry.bin" || (!in_plugin && in_folder("Metadata")) {
            return Some(Self::CookMetadata);
        }
        if lower.starts_with("globalshadercache-") {
            return Some(Self::GlobalShaderCache);
        }
        if is(&["upipelinecache", "shk"]) {
            return Some(Self::PipelineCache);
        }
        if let Some(library) =
            ["shaderarchive-", "shaderassetinfo-"].iter().find_map(|at| lower.strip_prefix(at))
        {
            // A library is the project's if it is named after the folder above `Content`; a mod's plugin has its own
            // name.
            let project = content.filter(|_| !in_plugin).and_then(|at| folders.get(at.checked_sub(1)?));
            return is_of_project(library, project.unwrap_or(&root)).then_some(Self::ShaderLibrary);
        }
        // Packages are what a mod is for, even those that replace the engine's.
        if is(&["uasset", "umap", "uexp", "ubulk", "uptnl"]) {
            return None;
        }
        if root.eq_ignore_ascii_case("Engine") {
            return Some(Self::EngineFile);
        }
        if in_plugin {
            return None;
        }
        match lower.as_str() {
            "assetregistry.bin" => Some(Self::AssetRegistry),
            _ if is(&["uproject", "upluginmanifest"]) => Some(Self::Descriptor),
            _ if is(&["ini"]) && in_folder("Config") => Some(Self::Config),
            _ => None,
        }
    }

    /// Its name without prefix, such as `asset-registry`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.in_mod().strip_prefix("project-").unwrap_or_default()
    }

    /// Name of the objection if the mod contains it.
    pub(super) const fn in_mod(self) -> &'static str {
        match self {
            Self::AssetRegistry => "project-asset-registry",
            Self::ShaderLibrary => "project-shader-library",
            Self::GlobalShaderCache => "project-global-shader-cache",
            Self::PipelineCache => "project-pipeline-cache",
            Self::Keys => "project-keys",
            Self::CookMetadata => "project-cook-metadata",
            Self::EngineFile => "project-engine-file",
            Self::Descriptor => "project-descriptor",
            Self::Config => "project-config",
            Self::Container => "project-container",
        }
    }

    /// Name of the objection if it was left out.
    pub(super) const fn left_out(self) -> &'static str {
        match self {
            Self::AssetRegistry => "left-out-asset-registry",
            Self::ShaderLibrary => "left-out-shader-library",
            Self::GlobalShaderCache => "left-out-global-shader-cache",
            Self::PipelineCache => "left-out-pipeline-cache",
            Self::Keys => "left-out-keys",
            Self::CookMetadata => "left-out-cook-metadata",
            Self::EngineFile => "left-out-engine-file",
            Self::Descriptor => "left-out-descriptor",
            Self::Config => "left-out-config",
            Self::Container => "left-out-container",
        }
    }
}

/// True if a library with this lower-case name, without its prefix, belongs to the project or the engine, as a whole or
/// for one pakchunk.
fn is_of_project(library: &str, project: &str) -> bool {
    let project = project.to_ascii_lowercase();
    let of = |name: &str| {
        let rest = library.strip_prefix(name);
        rest.is_some_and(|rest| {
            rest.starts_with('-') || rest.starts_with("_chunk") || rest.starts_with("_sc_")
        })
    };
    of("global") || (!project.is_empty() && of(&project))
}

#[cfg(test)]
mod tests {
    use super::ProjectFile as File;

    #[test]
    fn files_of_a_cook() {
        for (path, expected) in [
            ("FSD/AssetRegistry.bin", Some(File::AssetRegistry)),
            ("FSD/Plugins/MyMod/AssetRegistry.bin", None),
            ("FSD/DevelopmentAssetRegistry.bin", Some(File::CookMetadata)),
            ("FSD/Metadata/DevelopmentAssetRegistry.bin", Some(File::CookMetadata)),
            ("FSD/Metadata/packagestore.manifest", Some(File::CookMetadata)),
            ("FSD/Metadata/Crypto.json", Some(File::Keys)),
            ("FSD/Content/ShaderArchive-FSD-PCD3D_SM5.ushaderbytecode", Some(File::ShaderLibrary)),
            ("FSD/Content/ShaderArchive-fsd_Chunk10-PCD3D_SM5.ushaderbytecode", Some(File::ShaderLibrary)),
            ("FSD/Content/ShaderArchive-Global-PCD3D_SM5.ushaderbytecode", Some(File::ShaderLibrary)),
            (
                "WindowsNoEditor/FSD/Content/ShaderArchive-FSD-PCD3D_SM5.ushaderbytecode",
                Some(File::ShaderLibrary),
            ),
            ("FSD/Content/ShaderAssetInfo-FSD-PCD3D_SM5.assetinfo.json", Some(File::ShaderLibrary)),
            ("FSD/Plugins/MyMod/Content/ShaderArchive-MyMod-PCD3D_SM5.ushaderbytecode", None),
            ("FSD/Content/ShaderArchive-FSDMore-PCD3D_SM5.ushaderbytecode", None),
            ("FSD/Content/PipelineCaches/Win64/FSD_PCD3D_SM5.upipelinecache", Some(File::PipelineCache)),
            ("Engine/GlobalShaderCache-PCD3D_SM5.bin", Some(File::GlobalShaderCache)),
            ("Engine/Content/SlateDebug/Fonts/LastResort.ttf", Some(File::EngineFile)),
            ("Engine/Config/Base.ini", Some(File::EngineFile)),
            ("Engine/Content/EngineMaterials/M.uasset", None),
            ("Engine/Content/EngineMaterials/M.m.ubulk", None),
            ("FSD/FSD.uproject", Some(File::Descriptor)),
            ("FSD/Plugins/FSD.upluginmanifest", None),
            ("FSD/Plugins/MyMod/MyMod.uplugin", None),
            ("FSD/Config/DefaultGame.ini", Some(File::Config)),
            ("FSD/Plugins/MyMod/Config/DefaultMyMod.ini", None),
            ("FSD/Content/Paks/pakchunk0.pak", Some(File::Container)),
            ("mod_P.UTOC", Some(File::Container)),
            ("FSD/Content/Localization/Game/de/Game.locres", None),
            ("FSD/Content/Movies/Intro.mp4", None),
            ("FSD/Content/Maps/Start.umap", None),
            ("AssetRegistry.bin", Some(File::AssetRegistry)),
            ("", None),
        ] {
            assert_eq!(File::of(path), expected, "{path}");
        }
    }
}
