//! What objections say: what is wrong, what a game would do, and what helps.

use super::Objection;
use crate::pack::project_files::ProjectFile;
use crate::wire::counted;
use std::path::Path;

impl Objection {
    /// What is wrong with `count` files, of which `first` is one, and what to do.
    pub(super) fn text(&self, count: u64, first: &Path) -> String {
        let and_more = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
        let paths = format!("{}{and_more}", first.display());
        let counted = |one, many| counted(count, one, many);
        match self {
            Self::Exists => format!("output exists already: {paths}"),
            Self::Unreleased { version, released } => {
                format!("no released engine reads toc version {version}, expected {released}: {paths}")
            }
            Self::LegacyAsset => format!(
                "{} (tag 0x9E2A83C1, or .uexp): games crash on these in a container, which must have zen packages; make a \
                 container of them with to-zen: {paths}",
                counted("legacy asset", "legacy assets"),
            ),
            Self::NoPackage(fault) => format!(
                "{} ({fault}): a game that loads such a chunk crashes; use another extension for other files: {paths}",
                counted(
                    "file is named like a package, but is not one",
                    "files are named like packages, but are not"
                ),
            ),
            Self::ZenInPak => format!(
                "{}: games load these only from containers; write a .utoc: {paths}",
                counted("zen package", "zen packages"),
            ),
            Self::OtherEngine { package, container } => format!(
                "{} from {package}, but the container is for {container}, which crashes on them; choose the toc version or \
                 the engine release of the packages: {paths}",
                counted("package is", "packages are"),
            ),
            Self::ImportsUnknown => format!(
                "{} without a list of imported packages: before UE 5.3 only the container header has it; pack the folder \
                 that has the chunks/*.container_header from the same unpack: {paths}",
                counted("package is", "packages are"),
            ),
            Self::AlreadyZen => format!(
                "{} already: pack writes those into containers: {paths}",
                counted("file is a zen package", "files are zen packages")
            ),
            Self::NotCooked => format!(
                "{}: {paths}",
                counted(
                    "file is named like a cooked package, but is not one",
                    "files are named like cooked packages, but are not"
                )
            ),
            Self::ExportsMissing => format!(
                "{} no .uexp beside it, so there are no objects to load; cook again, or copy the file: {paths}",
                counted("package has", "packages have")
            ),
            Self::NotConvertible(reason) => format!(
                "{} ({reason}): {paths}",
                counted("package cannot become a zen package", "packages cannot become zen packages")
            ),
            Self::NoName => format!(
                "{} no name, so no game would find it; give the folder that holds <Project>/Content or Engine/Content: {paths}",
                counted("package has", "packages have")
            ),
            Self::NameElsewhere(name) => format!(
                "{} a name that its path does not have, and games find it by that name ({name}): {paths}",
                counted("package has", "packages have")
            ),
            Self::Stuck(name) => format!(
                "{} for others that wait for it, so that the game never leaves its loading screen; remove a reference between them \
                 ({name}): {paths}",
                counted("package waits", "packages wait")
            ),
            Self::CirclesUnknown(name) => format!(
                "{} for others that are not among the inputs ({name}); a game hangs on packages that wait for each other, unless \
                 both are known when they are packed: give the game, or all of its packages: {paths}",
                counted("package waits", "packages wait")
            ),
            Self::SidecarStale => format!(
                "{} edited since the .uncask.json was written, which is therefore not used for it; names, imports or exports changed: \
                 {paths}",
                counted("package header was", "package headers were")
            ),
            Self::SidecarLeftOut => format!(
                "{} left out; only to-zen uses such files: {paths}",
                counted(".uncask.json is", ".uncask.json files are")
            ),
            Self::SidecarUnreadable(reason) => format!(
                "{} of no use ({reason}); packages may differ from the original in what legacy files cannot say: {paths}",
                counted(".uncask.json is", ".uncask.json files are")
            ),
            Self::OtherNameThere(name) => format!(
                "{} where the game has one of another name, and replaces nothing ({name}); the folder of a plugin may be called \
                 otherwise than the plugin: {paths}",
                counted("package lies", "packages lie")
            ),
            Self::NamesUncounted(found) => format!(
                "{} names that its header does not count among those that data uses, so that they are lost in a container ({found}); \
                 the tool that last saved it miscounted: {paths}",
                counted("package uses", "packages use")
            ),
            Self::OtherSchema(found) => format!(
                "{} properties that the game's classes do not have ({found}), so that it reads garbage and crashes; cook with the \
                 engine release and the plugins of the game: {paths}",
                counted("package has", "packages have")
            ),
            Self::NotAName(name) => format!(
                "{} the name {name:?}, which no game asks for; pack the cooked files again, from the folder that holds \
                 <Project>/Content: {paths}",
                counted("package has", "packages have")
            ),
            Self::LooseOverridden(path) => format!(
                "{} in a pak, but the game has the same in containers, which win ({path}); make a container with to-zen: {paths}",
                counted("package is", "packages are")
            ),
            Self::SameId(name) => format!(
                "{} the name of another, so a game would load only one of them ({name}): {paths}",
                counted("package has", "packages have")
            ),
            Self::BulkMissing { extension, end, found: None } => format!(
                "{} bulk data in a .{extension} of at least {end} bytes that is not there: textures stay white, meshes are missing; copy the file: {paths}",
                counted("package has", "packages have")
            ),
            Self::BulkMissing { extension, end, found: Some(found) } => format!(
                "{} bulk data up to byte {end} of a .{extension} that has {found}: the file comes from another cook; copy the right one: {paths}",
                counted("package has", "packages have")
            ),
            Self::BulkUnused => format!(
                "{} to no package, possibly left over from another cook: {paths}",
                counted("bulk data file belongs", "bulk data files belong")
            ),
            Self::ScriptMissing(path) => format!(
                "{} not in the game, which ends with a fatal error when it loads the package ({path}): cook for the same engine release, with the same plugins: {paths}",
                counted("native object is", "native objects are")
            ),
            Self::PlaceholderHashed(name) => format!(
                "{} made of the names of placeholders, which no game has ({name}): convert the original package again, with the game's containers for its names: {paths}",
                counted("package has imports that were", "packages have imports that were")
            ),
            Self::PlaceholderImported(path) => format!(
                "{} whose names are placeholders, which no game has ({path}): convert the original package again, with the game's containers for its names: {paths}",
                counted("package has imports", "packages have imports")
            ),
            Self::ImportMissing(name) => format!(
                "{} neither in the mod nor in the game, and will be null ({name}): {paths}",
                counted("imported object is", "imported objects are")
            ),
            Self::MaterialWithoutShaders => format!(
                "{} without a shader library (ShaderArchive-*.ushaderbytecode): games show the default material unless they have its shaders: {paths}",
                counted("material is packed", "materials are packed")
            ),
            Self::ContainerIdTaken(other) => format!(
                "the name gives the container the id of another, and games crash on two of one id; choose another name than {}: {paths}",
                other.display()
            ),
            Self::OtherThanGame { release, game } => format!(
                "written for UE {release}, but the containers of the game have toc version {game}, and it crashes on others; choose the engine release of the game: {paths}"
            ),
            Self::Overridden { winner, instead } => format!(
                "{} of the game, so the mod changes nothing; end its name in _P, such as {instead}, and put it into the folder of the \
                 game's paks: {} wins: {paths}",
                counted("package stays that", "packages stay those"),
                winner.display()
            ),
            Self::Replaces(earlier) => format!(
                "the game has a mod of this name, which has to give way to this one: a game crashes on two of one id; put the new files \
                 in the place of {}: {paths}",
                earlier.display()
            ),
            Self::SharedPackage { winner, name } => format!(
                "{} in another mod, too, and a game takes that of only one: {} wins ({name}): {paths}",
                counted("package is", "packages are"),
                winner.display()
            ),
            Self::NoCompanion => format!(
                "no .pak beside the container, and games find containers only by their .pak; an empty one will do: {paths}"
            ),
            Self::OtherContainerId(id) => format!(
                "the container was renamed after it was packed: its id {id} is that of another name, and a game crashes if it \
                 meets that id twice, as with another copy under another name: {paths}"
            ),
            Self::OtherTocVersion { found, game } => format!(
                "toc version {found}, but the game's containers have {game}, and it crashes on others; pack for the game's engine \
                 release: {paths}"
            ),
            Self::SharedChunkId(id) => format!(
                "{} with the id of another in the same container, of which a game loads only one ({id}): {paths}",
                counted("chunk", "chunks")
            ),
            Self::Misplaced(id) => format!(
                "{} where the perfect hash of the container does not lead, so that no game finds it ({id}); the packer wrote wrong seeds: \
                 pack it again: {paths}",
                counted("chunk is", "chunks are")
            ),
            Self::OtherHashes { found, expected } => format!(
                "the hashes of the chunks are {found}, but containers of this toc version have {expected}: games load them, but \
                 other tools may not; pack it again: {paths}"
            ),
            Self::OtherScripts { added, gone } => format!(
                "the native objects that come with the mod are not those of the game: {added} more, {gone} missing; the game takes them \
                 for its own, and crashes; leave out global.utoc: {paths}"
            ),
            Self::NoHeader => format!(
                "no container header, or one that cannot be read, so that no game finds the packages; pack it again: {paths}"
            ),
            Self::ListedElsewhere(gone) => format!(
                "the container header lists {} that are not in the container, as that of a patch does: they have to be in the game, which \
                 was not given: {paths}",
                crate::wire::counted(*gone as u64, "package", "packages")
            ),
            Self::ListedNowhere(gone) => format!(
                "the container header lists {} that neither the container nor the game has, and a game crashes on such; pack it again: {paths}",
                crate::wire::counted(*gone as u64, "package", "packages")
            ),
            Self::StaleHeader { unlisted, gone } => format!(
                "the container header is that of another container: {unlisted} of the packages are not in it, and {gone} that are \
                 in it are not there; a game ignores the former and crashes on the latter; pack it again: {paths}"
            ),
            Self::OtherName(name) => format!(
                "{} under the chunk id of another name ({name}), so that no game finds it: {paths}",
                counted("package lies", "packages lie")
            ),
            Self::OtherProperties { unversioned } => format!(
                "{} {} properties, unlike those of the game, which reads garbage and crashes; cook with the setting of the game: {paths}",
                counted("package has", "packages have"),
                if *unversioned { "versioned" } else { "unversioned" }
            ),
            Self::NoSignature(signature) => format!(
                "no .sig beside {}, but the game's containers are signed ({}), and it may refuse others; mods for it need a way around \
                 that: {paths}",
                if count == 1 { "the mod" } else { "the mods" },
                signature.display()
            ),
            Self::Encrypted(guid) => {
                format!("encrypted, so that only games that have its key read it (GUID {guid}): {paths}")
            }
            Self::OtherKey(guid) => format!(
                "encrypted with a key that the game does not have (GUID {guid}), so that it cannot read the mod; pack it again without one, \
                 or with that of the game: {paths}"
            ),
            Self::Unreadable(reason) => {
                format!("{} ({reason}): {paths}", counted("chunk cannot be read", "chunks cannot be read"))
            }
            Self::Mismatch(chunk) => format!(
                "{} the hash recorded for it: it was damaged, or changed after it was packed; games do not look, and may crash ({chunk}): {paths}",
                counted("chunk does not have", "chunks do not have")
            ),
            Self::GameUnread(reason) => format!(
                "imports of {} are not compared with the game, of which packages cannot be read ({reason}): {paths}",
                counted("package", "packages")
            ),
            Self::ProjectFile(file) => format!(
                "{} in the mod, and better left out: {}: {paths}",
                counted("file of the whole project is", "files of the whole project are"),
                file.reason()
            ),
            Self::ProjectFileLeftOut(file) => format!(
                "{} left out: {}: {paths}",
                counted("file of the whole project is", "files of the whole project are"),
                file.reason()
            ),
            Self::MountPoint(found) => format!(
                "mount point {found:?}, which leads out of the game, so that it does not find the files; expected ../../../, or a folder \
                 below it: {paths}"
            ),
            Self::OtherProject { found, game } => format!(
                "{} below {found}, but the project of the game is {game}, and it looks for no others: {paths}",
                counted("file lies", "files lie")
            ),
            Self::OtherPakVersion { found, game } => format!(
                "pak version {found}, but the game's paks have {game}, and it reads no newer ones; pack it again for its engine release: {paths}"
            ),
            Self::BadHeader(reason) => format!(
                "{} damaged ({reason}), and a game crashes on such: {paths}",
                counted("package header is", "package headers are")
            ),
            Self::ExportsShort { end, found } => format!(
                "{} objects up to byte {end} of a .uexp that has {found}: the file comes from another cook, or is cut off; copy the right \
                 one: {paths}",
                counted("package has", "packages have")
            ),
            Self::Uncooked => format!(
                "{} saved by the editor, and games load only cooked ones; cook the project: {paths}",
                counted("package was", "packages were")
            ),
            Self::HeaderMissing => format!(
                "{} no .uasset or .umap beside it, so that nothing loads it; copy the file: {paths}",
                counted(".uexp has", ".uexp files have")
            ),
            Self::LooseNew(path) => format!(
                "{} in a pak, but the game has its packages in containers, and may look for others nowhere else ({path}); make a container with \
                 to-zen: {paths}",
                counted("package is", "packages are")
            ),
            Self::NoTable { certain } => format!(
                "no .utoc beside the .pak: {} without one; an empty container of its name will do: {paths}",
                if *certain {
                    "since UE 5.6, games mount no .pak"
                } else {
                    "the game may be of UE 5.6 or later, which mounts no .pak"
                }
            ),
        }
    }
}

impl ProjectFile {
    /// A game's reaction to it in a mod.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::AssetRegistry => {
                "with the asset registry of the mod's project, the game does not find its own assets"
            }
            Self::ShaderLibrary => {
                "a shader library of the game's name takes the place of its own, and materials lose their shaders"
            }
            Self::GlobalShaderCache => {
                "the engine's shaders take the place of the game's, which may not start with them"
            }
            Self::PipelineCache => "pipelines of the mod's project take the place of the game's",
            Self::Keys => "keys of the mod's project, which everyone could read",
            Self::CookMetadata => "only cookers and editors read it",
            Self::EngineFile => "files of the engine take the place of the game's",
            Self::Descriptor => "the descriptor of the mod's project takes the place of the game's",
            Self::Config => "settings of the mod's project take the place of the game's",
            Self::Container => "games do not open containers inside a pak or container",
        }
    }
}
