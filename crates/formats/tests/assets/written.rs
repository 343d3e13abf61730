//! Payloads of textures written again: the bytes that a cooker wrote.

use crate::support::{Loaded, corpus, mappings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask_formats::asset::texture::{FileKey, NewMip, NewPicture, ReplaceError, Texture};
use uncask_formats::asset::{self, Asset};
use uncask_formats::codec::Scratch;
use uncask_formats::image::{Channels, Image, Pixels};
use uncask_formats::mappings::Mappings;
use uncask_formats::package::bulk::BulkPlace;
use uncask_formats::package::rebuild::NewHeader;
use uncask_formats::property::{Object, Schemas};

/// Packages of the corpus: where they are, the release, the mappings.
fn inputs(corpus: &Path) -> Vec<(PathBuf, &'static str, Option<Schemas>)> {
    let clay = std::fs::read(corpus.join("payloads/ue5.1-cooked/Clay.usmap")).unwrap();
    let clay = Schemas::new(&Mappings::parse_partial(&clay, &mut Scratch::default()).unwrap().value);
    vec![
        (corpus.join("properties/ue5.8/tagged"), "5.8", None),
        (corpus.join("properties/ue5.8/unversioned"), "5.8", Some(mappings(corpus))),
        (corpus.join("payloads/ue5.1-cooked"), "5.1", Some(clay)),
        (corpus.join("packages/ue5.4"), "5.4", None),
        (corpus.join("packages/ue5.5"), "5.5", None),
    ]
}

/// The `.uasset` files below a folder.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(packages(&path));
        } else if path.extension().is_some_and(|extension| extension == "uasset") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The name of a package, its texture, the bytes of the payload, the content of its files and the length of the bulk data
/// table.
type Visit<'a> = dyn FnMut(&str, &Texture<'_>, &[u8], &BTreeMap<FileKey, Vec<u8>>, usize) + 'a;

/// Calls `visit` with every texture.
fn textures(visit: &mut Visit<'_>) {
    let Some(corpus) = corpus() else { return };
    for (folder, release, schemas) in inputs(&corpus) {
        for path in packages(&folder) {
            let Some(loaded) = Loaded::cooked(&path, release) else { continue };
            let scope = loaded.scope(&loaded.data, schemas.as_ref());
            for export in &loaded.package.exports {
                let found = asset::read(&scope, export, &Object::read(&scope, export));
                let Some(Ok(found)) = found else { continue };
                let Asset::Texture(texture) = found.asset else { continue };
                let files = texture.files().into_iter();
                let files = files
                    .filter_map(|key| Some((key, std::fs::read(path.with_extension(key.extension())).ok()?)));
                let entries = loaded.package.data_resources.as_ref().map_or(0, |table| table.entries.len());
                let bytes = scope.bytes(export).unwrap();
                let name = path.display().to_string();
                visit(&name, &texture, &bytes[found.payload_at..], &files.collect(), entries);
            }
        }
    }
}

fn mips(texture: &Texture<'_>, files: &BTreeMap<FileKey, Vec<u8>>) -> Option<Vec<NewMip>> {
    let bytes = |mip: &asset::texture::Mip<'_>| {
        let record = &mip.data.record;
        if let Some(inline) = mip.data.inline {
            return Some(inline.to_vec());
        }
        let file = files.get(&FileKey { place: record.place, cooked_index: record.cooked_index })?;
        let start = usize::try_from(record.offset).ok()?;
        Some(file.get(start..start + usize::try_from(record.len).ok()?)?.to_vec())
    };
    let mip = |mip: &asset::texture::Mip<'_>| {
        Some(NewMip { width: mip.width, height: mip.height, slices: mip.slices, bytes: bytes(mip)? })
    };
    texture.mips.iter().map(mip).collect()
}

#[test]
fn what_was_read_is_written_byte_for_byte() {
    let (mut payloads, mut virtual_ones) = (0, 0);
    textures(&mut |name, texture, bytes, _, _| {
        assert!(texture.payload.to_bytes().unwrap() == bytes, "{name}");
        payloads += 1;
        virtual_ones += usize::from(texture.virtual_texture.is_some());
    });
    if corpus().is_some() {
        assert_eq!((payloads, virtual_ones), (54, 4));
    }
}

#[test]
fn the_same_mips_give_the_same_payload_and_files() {
    let (mut same, mut streamed) = (0, 0);
    textures(&mut |name, texture, bytes, files, entries| {
        if texture.virtual_texture.is_some() {
            let error = texture.new_mips(&NewPicture::Image(&gray(4))).unwrap_err();
            return assert_eq!(error, ReplaceError::Virtual);
        }
        let Some(mips) = mips(texture, files) else { return };
        let new = texture.replace(&mips, entries, files).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(new.payload == bytes, "{name}");
        assert_eq!(new.files, *files, "{name}");
        assert_eq!(new.entries, entries, "{name}");
        same += 1;
        streamed += usize::from(!files.is_empty());
    });
    if corpus().is_some() {
        assert_eq!((same, streamed), (46, 1));
    }
}

fn gray(side: u32) -> Image {
    let pixels = (0..side * side).map(|at| u8::try_from(at % 251).unwrap()).collect();
    Image { width: side, height: side, channels: Channels::Gray, pixels: Pixels::U8(pixels) }
}

/// T_Streaming: three mips in `.ubulk` at 0, 131072 and 163840, seven in the export.
#[test]
fn other_sizes_keep_the_places_of_mips() {
    textures(&mut |name, texture, bytes, _, entries| {
        if !name.ends_with("T_Streaming.uasset") {
            return;
        }
        let key = FileKey { place: BulkPlace::Separate, cooked_index: 0 };
        let files = &[(key, vec![0; 131_072 + 32_768 + 8192])].into();
        let places = |side: u32| {
            let mips = texture.new_mips(&NewPicture::Image(&gray(side))).unwrap();
            let new = texture.replace(&mips, entries, files).unwrap();
            let file = new.files.values().next().unwrap().clone();
            for (piece, mip) in new.bulk.iter().zip(&mips) {
                let place = usize::try_from(piece.offset).unwrap();
                let from = if piece.is_inline { &new.payload } else { &file };
                assert_eq!(from[place..place + mip.bytes.len()], mip.bytes, "{name}");
            }
            let streamed = new.bulk.iter().filter(|piece| !piece.is_inline && piece.len > 0).count();
            let numbers: Vec<_> = new.bulk.iter().map(|piece| piece.header).collect();
            assert_eq!(numbers, (0..new.entries).map(NewHeader::Entry).collect::<Vec<_>>());
            (mips.len(), streamed, file.len(), new.payload.len() - bytes.len().min(new.payload.len()))
        };
        assert_eq!(texture.mips[0].data.record.place, BulkPlace::Separate);
        // BC1: half a byte a pixel; a mip more has 4 bytes of an entry and 12 of its sides in the export.
        assert_eq!(places(1024), (11, 4, 524_288 + 131_072 + 32_768 + 8192, 16));
        assert_eq!(places(512), (10, 3, 131_072 + 32_768 + 8192, 0));
        assert_eq!(places(128), (8, 1, 8192, 0));
        assert_eq!(places(64), (7, 0, 0, 0));
        assert_eq!(places(16), (5, 0, 0, 0));
        let odd = texture.new_mips(&NewPicture::Image(&gray(36))).unwrap_err();
        assert_eq!(odd, ReplaceError::Streamed { width: 36, height: 36 });
    });
}
