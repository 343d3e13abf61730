//! Payloads of one class each, in a package that is sound: what is fuzzed is the payload, and what it refers to.
//!
//! ```text
//! u8 release │ u8 class │ u8 entries of bulk data │ u8 properties are not known │ entries: u32 length and place │ payload
//! ```

use super::bounds::bounded;
use super::made::make;
use super::{PER_BYTE, number};
use std::sync::LazyLock;
use uncask::asset::{self, Asset, FoundAsset};
use uncask::image::PixelFormat;
use uncask::package::legacy::{
    DataResource, DataResources, Export, Form, Import, Name, NameEntry, Package, PackageIndex,
    VersionEvidence,
};
use uncask::property::{Object, Scope};
use uncask::version::Release;
use uncask::wire::Writer;

/// Releases whose payloads differ most.
pub const RELEASES: [&str; 10] = ["5.8", "5.7", "5.6", "5.5", "5.4", "5.1", "5.0", "4.27", "4.24", "4.20"];

/// Classes by the targets that take them.
pub const CLASSES: [(&str, &[&str]); 10] = [
    (
        "asset_texture",
        &[
            "Texture2D",
            "TextureCube",
            "TextureCubeArray",
            "Texture2DArray",
            "VolumeTexture",
            "LightMapTexture2D",
        ],
    ),
    ("asset_sound", &["SoundWave"]),
    ("asset_static_mesh", &["StaticMesh"]),
    ("asset_skeletal_mesh", &["SkeletalMesh"]),
    ("asset_skeleton", &["Skeleton"]),
    ("asset_animation", &["AnimSequence"]),
    ("asset_morph_target", &["MorphTarget"]),
    ("asset_font", &["FontFace"]),
    ("asset_height_map", &["LandscapeTextureStorageProviderFactory"]),
    ("asset_wwise", &["AkMediaAssetData", "AkAssetData"]),
];

/// Names that payloads may use: the formats of pixels, and some without a meaning. The first one ends lists.
pub static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let formats = (0..=u8::MAX).filter_map(PixelFormat::from_number).map(|format| format.name().to_owned());
    let others = (0..200).map(|number| format!("Name{number}"));
    std::iter::once("None".to_owned()).chain(formats).chain(others).collect()
});

/// Imports, and exports, that payloads may refer to.
const OTHERS: usize = 64;

/// The data in front of a payload.
#[derive(Debug, Clone, Default)]
pub struct Head {
    /// The place of the release.
    pub release: u8,
    /// The place of the class.
    pub class: u8,
    /// Bulk data: how long each piece is, and in the highest bits where it is.
    pub entries: Vec<u32>,
    /// The properties have no tags, and are not known.
    pub searched: bool,
}

/// The place of bulk data, by the two highest bits of its entry: in the export, beside it, nowhere.
pub const PLACES: [u32; 4] = [0x48, 0x1_0501, 0x800, 0x20];
const PLACE: u32 = 30;

impl Head {
    /// The bytes of an input with a payload.
    #[must_use]
    pub fn with(&self, payload: &[u8]) -> Vec<u8> {
        let count = u8::try_from(self.entries.len()).unwrap_or(u8::MAX);
        let mut w = Writer::new();
        w.bytes(&[self.release, self.class, count, self.searched.into()]);
        for entry in self.entries.iter().take(count.into()) {
            w.u32(*entry);
        }
        w.bytes(payload);
        w.into_bytes()
    }

    fn read(data: &mut &[u8]) -> Self {
        let [release, class, count, searched] = number(data).to_le_bytes();
        let entries = (0..count).map(|_| number(data)).collect();
        Self { release, class, entries, searched: searched & 1 != 0 }
    }

    /// A package with one object of the class, and the bytes of that.
    fn package(&self, classes: &[&str], payload: &[u8]) -> (Package, Vec<u8>) {
        let release = RELEASES[usize::from(self.release) % RELEASES.len()];
        let release = Release::from_name(release).expect("a release");
        let class = classes[usize::from(self.class) % classes.len()];
        let mut data = Writer::new();
        if release.objects.has_tag_extension() {
            data.u8(0);
        }
        // No properties, no GUID.
        data.u64(0).u32(0).bytes(payload);
        let data = data.into_bytes();
        let mut names: Vec<NameEntry> = NAMES.iter().map(|name| NameEntry::new(name)).collect();
        let mut name = |text: &str| {
            names.push(NameEntry::new(text));
            Name { index: u32::try_from(names.len() - 1).expect("few names"), number: 0 }
        };
        let (engine, class_class, package_class) = (name("/Script/Engine"), name("Class"), name("Package"));
        let core = name("/Script/CoreUObject");
        let (class, own) = (name(class), name("Asset"));
        let import = |class_name, outer, name| Import {
            class_package: core,
            class_name,
            outer: PackageIndex(outer),
            name,
            ..Import::default()
        };
        let export = Export {
            class: PackageIndex(-2),
            name: own,
            serial_len: i64::try_from(data.len()).expect("a short input"),
            ..Export::default()
        };
        let imports = [import(package_class, 0, engine), import(class_class, -1, class)];
        let imports = imports.into_iter().cycle().take(OTHERS).collect();
        let exports = std::iter::once(export).chain((1..OTHERS).map(|_| Export::default())).collect();
        let package = Package {
            form: Form {
                versions: release.objects,
                legacy: release.legacy,
                cooked: true,
                unversioned_properties: self.searched,
                ..Form::default()
            },
            evidence: VersionEvidence::Given(release.name),
            imports,
            exports,
            data_resources: release.objects.has_data_resources().then(|| self.table()),
            names,
            ..Package::default()
        };
        (package, data)
    }

    fn table(&self) -> DataResources {
        let entry = |entry: &u32| {
            let len = i64::from(entry & ((1 << PLACE) - 1));
            let bulk_flags = PLACES[(entry >> PLACE) as usize];
            DataResource {
                serial_len: len,
                raw_len: len,
                duplicate_offset: -1,
                bulk_flags,
                ..DataResource::default()
            }
        };
        DataResources { entries: self.entries.iter().map(entry).collect(), ..DataResources::default() }
    }
}

/// An asset of some package as an input: its target, and the bytes. `None` if its class has no target, or its release none like it.
#[must_use]
pub fn input(scope: &Scope<'_>, export: &Export, found: &FoundAsset<'_>) -> Option<(&'static str, Vec<u8>)> {
    let place = |classes: &[&str]| classes.iter().position(|class| class.eq_ignore_ascii_case(&found.class));
    let (target, class) = CLASSES.iter().find_map(|(target, classes)| Some((*target, place(classes)?)))?;
    let release = RELEASES.iter().position(|name| *name == found.versions.release.name)?;
    let table = scope.package.data_resources.as_ref();
    let entry = |entry: &DataResource| {
        let len = u32::try_from(entry.serial_len).unwrap_or_default().min((1 << PLACE) - 1);
        let place = PLACES.iter().position(|flags| entry.bulk_flags & 0x901 == flags & 0x901).unwrap_or(0);
        len | u32::try_from(place).unwrap_or(0) << PLACE
    };
    let entries = table.map(|table| table.entries.iter().map(entry).collect()).unwrap_or_default();
    // Whether vertices have colours, only properties say: without them, both are tried.
    let searched = matches!(found.asset, Asset::SkeletalMesh(_));
    let (release, class) = (u8::try_from(release).ok()?, u8::try_from(class).ok()?);
    let head = Head { release, class, entries, searched };
    let payload = match &found.asset {
        Asset::Texture(texture) => {
            let mut payload = texture.payload.clone();
            for block in &mut payload.blocks {
                let format = scope.package.text(block.name).to_string();
                let place = NAMES.iter().position(|name| name.eq_ignore_ascii_case(&format))?;
                block.name = Name { index: u32::try_from(place).ok()?, number: 0 };
            }
            payload.end = Name { index: 0, number: 0 };
            payload.to_bytes().ok()?
        }
        _ => scope.bytes(export)?.get(found.payload_at..)?.to_vec(),
    };
    Some((target, head.with(&payload)))
}

/// Runs a target.
pub(super) fn run(target: &str, data: &[u8]) {
    class(target, data);
}

/// Reads a payload, and makes everything of it that can be made. Returns whether it could be read.
///
/// # Panics
///
/// If there is no such target, or if what was read does not agree with itself.
pub fn class(target: &str, mut data: &[u8]) -> bool {
    let (_, classes) = CLASSES.iter().find(|(name, _)| *name == target).expect("a target");
    let head = Head::read(&mut data);
    let (package, bytes) = head.package(classes, data);
    let mut is_read = false;
    bounded(data.len(), PER_BYTE, || {
        let scope = Scope::new(&package, &bytes, 0, None);
        if let Some(export) = package.exports.first() {
            let object = Object::read(&scope, export);
            if let Some(Ok(found)) = asset::read(&scope, export, &object) {
                make((&scope, export, &object), &found, data);
                is_read = true;
            }
        }
    });
    is_read
}
