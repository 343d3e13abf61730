//! Files beside packages: texts and type mappings.

use super::bounds::bounded;
use std::path::Path;
use uncask::codec::Scratch;
use uncask::game::Recipe;
use uncask::localization::{LocalizationMeta, LocalizationResource, Namespace};
use uncask::mappings::{Header, Mappings};
use uncask::replace::{PictureFile, read_picture};
use uncask::wire::FaultKind;

/// The longest picture, and the largest one that is decoded, in bytes.
const PICTURE_LEN: u64 = 1 << 20;

/// A recipe, or a patch of tables: what was read is written and read again.
pub(super) fn recipe(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for name in ["mod.toml", "patch.json"] {
        let path = Path::new("no such folder").join(name);
        let Ok(recipe) = Recipe::parse(text, &path) else { continue };
        assert!(recipe.changes.iter().all(|change| change.check().is_ok()));
        let written = recipe.to_toml();
        let again = Recipe::parse(&written, Path::new("mod.toml"));
        let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
        let changes = |recipe: &Recipe| -> Vec<_> {
            recipe
                .changes
                .iter()
                .map(|of| (of.property.clone(), of.conditions.clone(), of.is_optional))
                .collect()
        };
        assert_eq!(changes(&recipe), changes(&again), "{written}");
    }
}

/// A `.locres`, and a `.locmeta`.
pub(super) fn localization(data: &[u8]) {
    let resource = LocalizationResource::parse_partial(data).value;
    let entries: usize = resource.namespaces().map(|space| space.entries().len()).sum();
    assert_eq!(entries, resource.entry_count());
    let texts = resource.namespaces().flat_map(Namespace::entries).map(|entry| entry.text);
    assert_eq!(texts.filter(Option::is_none).count(), resource.missing_texts());
    assert!(resource.wrong_hashes() <= entries + resource.namespaces().len());
    assert!(resource.strings().all(|(text, _)| text.len() <= 2 * data.len()));
    // What is written says the same, whatever the layout of the file was.
    let written = resource.write();
    let again = match LocalizationResource::parse(&written) {
        Ok(again) => again,
        Err(fault) => {
            // What could not be read is not written, and a file that is shorter may have less text.
            assert!(matches!(fault.kind, FaultKind::TooLarge { .. }), "{fault}");
            return;
        }
    };
    assert!(again.write() == written);
    let entries = |resource: &LocalizationResource| {
        resource
            .namespaces()
            .flat_map(Namespace::entries)
            .map(|entry| format!("{entry:?}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(entries(&again), entries(&resource));
    let _ = LocalizationMeta::parse(data);
}

/// A `.usmap`.
pub(super) fn mappings(data: &[u8]) {
    let _ = Header::fits(data);
    let Ok(partial) = Mappings::parse_partial(data, &mut Scratch::default()) else { return };
    let mappings = partial.value;
    // Twelve times the stream, and small data in any case.
    assert!(mappings.data_len() <= (12 * data.len()).max(1 << 20), "{} bytes", mappings.data_len());
    assert_eq!(mappings.names().take(500).count(), mappings.names().len().min(500));
    // What was found once is found again.
    for row in mappings.enums().take(500) {
        assert_eq!(row.values().take(500).count(), row.value_count().min(500) as usize);
    }
    for row in mappings.structs().take(500) {
        let properties = row.properties().take(500).inspect(|property| drop(property.kind.to_string()));
        assert_eq!(properties.count(), row.property_count().min(500) as usize);
    }
    let extensions: usize = mappings.extensions().map(|extension| extension.bytes.len()).sum();
    assert!(extensions <= mappings.data_len());
}

/// A picture that a texture gets: PNG, EXR or DDS.
pub(super) fn picture_file(data: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), data).expect("a file");
    bounded(data.len(), 16, || {
        let Ok(found) = read_picture(file.path(), PICTURE_LEN) else { return };
        assert!(found.picture().is_some(), "what was read is a picture");
        if let PictureFile::Image(image) = found {
            let values = (image.width as usize) * (image.height as usize) * image.channels.count();
            assert_eq!(image.pixels.len(), values, "every pixel is there");
        }
    });
}
