//! Messages for objections: the fault, the game's reaction, and a remedy.

use crate::printer::counted;
use serde::Serialize;
use uncask::objection::{Finding, Objection, ProjectFile};
use uncask::version::{EngineRange, Releases, TocVersion};

/// A problem or warning, for JSON output.
#[derive(Serialize)]
pub(crate) struct FindingReport {
    kind: &'static str,
    pub(crate) is_problem: bool,
    count: u64,
    first: String,
    pub(crate) text: String,
}

impl From<&Finding> for FindingReport {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.objection.name(),
            is_problem: !finding.objection.is_warning(),
            count: finding.count,
            first: finding.first.display().to_string(),
            text: sentence(finding),
        }
    }
}

/// Describes a finding: fault, reaction of the game, remedy, and files.
pub(crate) fn sentence(finding: &Finding) -> String {
    let Finding { objection, count, first } = finding;
    // One message per kind of fault: the first file stands for all others.
    let and_more = if *count == 1 { String::new() } else { format!(" and {} more", count - 1) };
    let paths = format!("{}{and_more}", first.display());
    let counted = |one, many| counted(*count, one, many);
    match objection {
        Objection::Unreleased { version } => {
            format!(
                "no released engine reads toc version {version}, expected {}: {paths}",
                released_versions()
            )
        }
        Objection::LegacyAsset => format!(
            "{} (tag 0x9E2A83C1, or .uexp): games crash on these in a container, which must have zen packages; make a \
             container of them with to-zen: {paths}",
            counted("legacy asset", "legacy assets"),
        ),
        Objection::NoPackage(fault) => format!(
            "{} ({fault}): a game that loads such a chunk crashes; use another extension for other files: {paths}",
            counted(
                "file is named like a package, but is not one",
                "files are named like packages, but are not"
            ),
        ),
        Objection::ZenInPak => format!(
            "{}: games load these only from containers; write a .utoc: {paths}",
            counted("zen package", "zen packages"),
        ),
        Objection::OtherEngine { package, expected, of_game } => format!(
            "{} from {package}, but the container is for {}, which crashes on them; choose the toc version or \
             the engine release of the packages: {paths}",
            counted("package is", "packages are"),
            if *of_game { expected.to_string() } else { range(*expected) }
        ),
        Objection::ImportsUnknown => format!(
            "{} without a list of imported packages: before UE 5.3 only the container header has it; pack the folder \
             that has the chunks/*.container_header from the same unpack: {paths}",
            counted("package is", "packages are"),
        ),
        Objection::AlreadyZen => format!(
            "{} already: pack writes those into containers: {paths}",
            counted("file is a zen package", "files are zen packages")
        ),
        Objection::NotCooked => format!(
            "{}: {paths}",
            counted(
                "file is named like a cooked package, but is not one",
                "files are named like cooked packages, but are not"
            )
        ),
        Objection::ExportsMissing => format!(
            "{} no .uexp beside it, so there are no objects to load; cook again, or copy the file: {paths}",
            counted("package has", "packages have")
        ),
        Objection::NotConvertible(reason) => format!(
            "{} ({reason}): {paths}",
            counted("package cannot become a zen package", "packages cannot become zen packages")
        ),
        Objection::NoName => format!(
            "{} no name, so no game would find it; give the folder that holds <Project>/Content or Engine/Content: {paths}",
            counted("package has", "packages have")
        ),
        Objection::NameElsewhere(name) => format!(
            "name does not match the path of {}, and games find packages by name ({name}): {paths}",
            counted("package", "packages")
        ),
        Objection::Stuck(name) => format!(
            "{} for others that wait for it, so that the game never leaves its loading screen; remove a reference between them \
             ({name}): {paths}",
            counted("package waits", "packages wait")
        ),
        Objection::CirclesUnknown(name) => format!(
            "{} for others that are not among the inputs ({name}); a game hangs on packages that wait for each other, unless \
             both are known when they are packed: give the game, or all of its packages: {paths}",
            counted("package waits", "packages wait")
        ),
        Objection::SidecarStale => format!(
            "{} edited since the .uncask.json was written, which is therefore not used for it; names, imports or exports changed: \
             {paths}",
            counted("package header was", "package headers were")
        ),
        Objection::SidecarLeftOut => format!(
            "{} left out; only to-zen uses such files: {paths}",
            counted(".uncask.json is", ".uncask.json files are")
        ),
        Objection::SidecarUnreadable(reason) => format!(
            "{} of no use ({reason}); packages may differ from the original in what legacy files cannot say: {paths}",
            counted(".uncask.json is", ".uncask.json files are")
        ),
        Objection::OtherNameThere(name) => format!(
            "{} where the game has one of another name, and replaces nothing ({name}); the folder of a plugin may be called \
             otherwise than the plugin: {paths}",
            counted("package lies", "packages lie")
        ),
        Objection::NamesUncounted { class, index, counted: named } => format!(
            "{} names that its header does not count among those that data uses, so that they are lost in a container ({class}: name {index}, {named} are counted); \
             the tool that last saved it miscounted: {paths}",
            counted("package uses", "packages use")
        ),
        Objection::OtherSchema { class, fault } => format!(
            "{} properties that the game's classes do not have ({class}: {fault}), so that it reads garbage and crashes; cook with the \
             engine release and the plugins of the game: {paths}",
            counted("package has", "packages have")
        ),
        Objection::NotAName(name) => format!(
            "{} the name {name:?}, which no game asks for; pack the cooked files again, from the folder that holds \
             <Project>/Content: {paths}",
            counted("package has", "packages have")
        ),
        Objection::LooseOverridden(path) => format!(
            "{} in a pak, but the game has the same in containers, which win ({path}); make a container with to-zen: {paths}",
            counted("package is", "packages are")
        ),
        Objection::SameId(name) => format!(
            "{} the name of another, so a game would load only one of them ({name}): {paths}",
            counted("package has", "packages have")
        ),
        Objection::BulkMissing { extension, end, found: None } => format!(
            "{} bulk data in a .{extension} of at least {end} bytes that is not there: textures stay white, meshes are missing; copy the file: {paths}",
            counted("package has", "packages have")
        ),
        Objection::BulkMissing { extension, end, found: Some(found) } => format!(
            "{} bulk data up to byte {end} of a .{extension} that has {found}: the file comes from another cook; copy the right one: {paths}",
            counted("package has", "packages have")
        ),
        Objection::BulkUnused => format!(
            "{} to no package, possibly left over from another cook: {paths}",
            counted("bulk data file belongs", "bulk data files belong")
        ),
        Objection::ScriptMissing(path) => format!(
            "{} not in the game, which ends with a fatal error when it loads the package ({path}): cook for the same engine release, with the same plugins: {paths}",
            counted("native object is", "native objects are")
        ),
        Objection::PlaceholderHashed(name) => format!(
            "{} made of the names of placeholders, which no game has ({name}): convert the original package again, with the game's containers for its names: {paths}",
            counted("package has imports that were", "packages have imports that were")
        ),
        Objection::PlaceholderImported(path) => format!(
            "{} whose names are placeholders, which no game has ({path}): convert the original package again, with the game's containers for its names: {paths}",
            counted("package has imports", "packages have imports")
        ),
        Objection::ImportMissing(name) => format!(
            "{} neither in the mod nor in the game, and will be null ({name}): {paths}",
            counted("imported object is", "imported objects are")
        ),
        Objection::MaterialWithoutShaders => format!(
            "{} without a shader library (ShaderArchive-*.ushaderbytecode): games show the default material unless they have its shaders: {paths}",
            counted("material is packed", "materials are packed")
        ),
        Objection::ContainerIdTaken(other) => format!(
            "the name gives the container the id of another, and games crash on two of one id; choose another name than {}: {paths}",
            other.display()
        ),
        Objection::OtherThanGame { release, game } => format!(
            "written for {release}, but the containers of the game have toc version {game}, and it crashes on others; choose the engine release of the game: {paths}"
        ),
        Objection::Overridden { winner, instead } => format!(
            "{} of the game, so the mod changes nothing; end its name in _P, such as {instead}, and put it into the folder of the \
             game's paks: {} wins: {paths}",
            counted("package stays that", "packages stay those"),
            winner.display()
        ),
        Objection::Replaces(earlier) => format!(
            "the game has a mod of this name, which has to give way to this one: a game crashes on two of one id; put the new files \
             in the place of {}: {paths}",
            earlier.display()
        ),
        Objection::SharedPackage { winner, name } => format!(
            "{} in another mod, too, and a game takes that of only one: {} wins ({name}): {paths}",
            counted("package is", "packages are"),
            winner.display()
        ),
        Objection::NoCompanion => format!(
            "no .pak beside the container, and games find containers only by their .pak; an empty one will do: {paths}"
        ),
        Objection::OtherContainerId(id) => format!(
            "the container was renamed after it was packed: its id {id} is that of another name, and a game crashes if it \
             meets that id twice, as with another copy under another name: {paths}"
        ),
        Objection::OtherTocVersion { found, game } => format!(
            "toc version {found}, but the game's containers have {game}, and it crashes on others; pack for the game's engine \
             release: {paths}"
        ),
        Objection::SharedChunkId(id) => format!(
            "{} with the id of another in the same container, of which a game loads only one ({id}): {paths}",
            counted("chunk", "chunks")
        ),
        Objection::Misplaced(id) => format!(
            "{} where the perfect hash of the container does not lead, so that no game finds it ({id}); the packer wrote wrong seeds: \
             pack it again: {paths}",
            counted("chunk is", "chunks are")
        ),
        Objection::OtherHashes { found, expected } => format!(
            "the hashes of the chunks are {found}, but containers of this toc version have {expected}: games load them, but \
             other tools may not; pack it again: {paths}"
        ),
        Objection::OtherScripts { added, gone } => format!(
            "the native objects that come with the mod are not those of the game: {added} more, {gone} missing; the game takes them \
             for its own, and crashes; leave out global.utoc: {paths}"
        ),
        Objection::NoHeader => format!(
            "no container header, or one that cannot be read, so that no game finds the packages; pack it again: {paths}"
        ),
        Objection::ListedElsewhere(gone) => format!(
            "the container header lists {} that are not in the container, as that of a patch does: they have to be in the game, which \
             was not given: {paths}",
            self::counted(*gone as u64, "package", "packages")
        ),
        Objection::ListedNowhere(gone) => format!(
            "the container header lists {} that neither the container nor the game has, and a game crashes on such; pack it again: {paths}",
            self::counted(*gone as u64, "package", "packages")
        ),
        Objection::StaleHeader { unlisted, gone } => format!(
            "the container header is that of another container: {unlisted} of the packages are not in it, and {gone} that are \
             in it are not there; a game ignores the former and crashes on the latter; pack it again: {paths}"
        ),
        Objection::OtherName(name) => format!(
            "{} under the chunk id of another name ({name}), so that no game finds it: {paths}",
            counted("package lies", "packages lie")
        ),
        Objection::OtherProperties { unversioned } => format!(
            "{} {} properties, unlike those of the game, which reads garbage and crashes; cook with the setting of the game: {paths}",
            counted("package has", "packages have"),
            if *unversioned { "versioned" } else { "unversioned" }
        ),
        Objection::NoSignature(signature) => format!(
            "no .sig beside {}, but the game's containers are signed ({}), and it may refuse others; mods for it need a way around \
             that: {paths}",
            if *count == 1 { "the mod" } else { "the mods" },
            signature.display()
        ),
        Objection::Encrypted(guid) => {
            format!("encrypted, so that only games that have its key read it (GUID {guid}): {paths}")
        }
        Objection::OtherKey(guid) => format!(
            "encrypted with a key that the game does not have (GUID {guid}), so that it cannot read the mod; pack it again without one, \
             or with that of the game: {paths}"
        ),
        Objection::Unreadable(reason) => {
            format!("{} ({reason}): {paths}", counted("chunk cannot be read", "chunks cannot be read"))
        }
        Objection::Mismatch(chunk) => format!(
            "{} the hash recorded for it: it was damaged, or changed after it was packed; games do not look, and may crash ({chunk}): {paths}",
            counted("chunk does not have", "chunks do not have")
        ),
        Objection::GameUnread(reason) => format!(
            "imports of {} are not compared with the game, of which packages cannot be read ({reason}): {paths}",
            counted("package", "packages")
        ),
        Objection::ProjectFile(file) => format!(
            "{} in the mod, and better left out: {}: {paths}",
            counted("file of the whole project is", "files of the whole project are"),
            consequence(*file)
        ),
        Objection::ContainerInside => format!(
            "{} among the files: games mount containers, but not those inside of others; give the folder of the cooked files, or pack \
             the containers themselves: {paths}",
            counted("container or pak is", "containers or paks are")
        ),
        Objection::ProjectFileLeftOut(file) => format!(
            "{} left out: {}: {paths}",
            counted("file of the whole project is", "files of the whole project are"),
            consequence(*file)
        ),
        Objection::MountPoint(found) => format!(
            "mount point {found:?}, which leads out of the game, so that it does not find the files; expected ../../../, or a folder \
             below it: {paths}"
        ),
        Objection::OtherProject { found, game } => format!(
            "{} below {found}, but the project of the game is {game}, and it looks for no others: {paths}",
            counted("file lies", "files lie")
        ),
        Objection::OtherPakVersion { found, game } => format!(
            "pak version {found}, but the game's paks have {game}, and it reads no newer ones; pack it again for its engine release: {paths}"
        ),
        Objection::BadHeader(reason) => format!(
            "{} damaged ({reason}), and a game crashes on such: {paths}",
            counted("package header is", "package headers are")
        ),
        Objection::ExportsShort { end, found } => format!(
            "{} objects up to byte {end} of a .uexp that has {found}: the file comes from another cook, or is cut off; copy the right \
             one: {paths}",
            counted("package has", "packages have")
        ),
        Objection::Uncooked => format!(
            "{} saved by the editor, and games load only cooked ones; cook the project: {paths}",
            counted("package was", "packages were")
        ),
        Objection::HeaderMissing => format!(
            "{} no .uasset or .umap beside it, so that nothing loads it; copy the file: {paths}",
            counted(".uexp has", ".uexp files have")
        ),
        Objection::LooseNew(path) => format!(
            "{} in a pak, but the game has its packages in containers, and may look for others nowhere else ({path}); make a container with \
             to-zen: {paths}",
            counted("package is", "packages are")
        ),
        Objection::NoTable { certain } => format!(
            "no .utoc beside the .pak: {} without one; an empty container of its name will do: {paths}",
            if *certain {
                "since UE 5.6, games mount no .pak"
            } else {
                "the game may be of UE 5.6 or later, which mounts no .pak"
            }
        ),
        // The cause ends with the path already.
        fact @ Objection::OldHeaderUnread(_) => fact.to_string(),
        fact @ Objection::ReleaseUncertain { game_would_tell, .. } => format!(
            "{fact}, and a game of another release may crash: name the engine release{}",
            if *game_would_tell { ", or give the game" } else { "" }
        ),
        fact => format!("{fact}: {paths}"),
    }
}

/// List of the released toc versions, with the engine releases that read them.
fn released_versions() -> String {
    let name = |version: TocVersion| {
        EngineRange::detect(version, None).map(|range| format!("{} ({range})", version.to_wire()))
    };
    let released = TocVersion::ALL.into_iter().filter(|version| version.is_released());
    released.filter_map(name).collect::<Vec<_>>().join(", ")
}

/// The range from the first to the last of some releases.
fn range(releases: Releases) -> String {
    let ends = releases.iter().next().zip(releases.iter().next_back());
    ends.map_or_else(String::new, |(first, last)| {
        EngineRange { first: first.name, last: last.name }.to_string()
    })
}

/// A game's reaction to a project-wide file in a mod.
pub(crate) const fn consequence(file: ProjectFile) -> &'static str {
    match file {
        ProjectFile::AssetRegistry => {
            "with the asset registry of the mod's project, the game does not find its own assets"
        }
        ProjectFile::ShaderLibrary => {
            "a shader library of the game's name takes the place of its own, and materials lose their shaders"
        }
        ProjectFile::GlobalShaderCache => {
            "the engine's shaders take the place of the game's, which may not start with them"
        }
        ProjectFile::PipelineCache => "pipelines of the mod's project take the place of the game's",
        ProjectFile::Keys => "keys of the mod's project, which everyone could read",
        ProjectFile::CookMetadata => "only cookers and editors read it",
        ProjectFile::EngineFile => "files of the engine take the place of the game's",
        ProjectFile::Descriptor => "the descriptor of the mod's project takes the place of the game's",
        ProjectFile::Config => "settings of the mod's project take the place of the game's",
        ProjectFile::Container => "games do not open containers inside a pak or container",
    }
}
