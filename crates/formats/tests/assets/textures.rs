//! Textures of the 5.8 fixtures.

use crate::support::{Loaded, corpus, expected, mappings};
use serde_json::Value;
use uncask_formats::asset::{self, Asset, FoundAsset};
use uncask_formats::image::Picture;
use uncask_formats::property::{Object, Scope};

/// The asset in one export.
fn read<'a>(scope: &Scope<'a>, at: usize) -> Option<Result<FoundAsset<'a>, asset::AssetError>> {
    let export = &scope.package.exports[at];
    asset::read(scope, export, &Object::read(scope, export))
}

fn is_texture(row: &Value) -> bool {
    row.get("format").is_some() && row.get("mips").is_some()
}

#[test]
fn every_payload_is_where_an_independent_reader_found_it() {
    let Some(corpus) = corpus() else { return };
    let schemas = mappings(&corpus);
    // Without mappings, payloads of lists without tags are searched for.
    for (cook, with_mappings) in [("tagged", true), ("unversioned", true), ("unversioned", false)] {
        let mut textures = 0;
        for (name, row) in expected(&corpus, cook).iter().filter(|(_, row)| is_texture(row)) {
            let loaded = Loaded::open(&corpus, cook, row["package"].as_str().unwrap());
            let scope = loaded.scope(&loaded.data, with_mappings.then_some(&schemas));
            let at = usize::try_from(row["export_index"].as_u64().unwrap()).unwrap();
            let found = read(&scope, at).unwrap().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(found.payload_at as u64, row["payload_offset"].as_u64().unwrap(), "{name}");
            assert_eq!(found.searched, !with_mappings && cook == "unversioned", "{name}");
            assert_eq!(*found.class, *row["class"].as_str().unwrap(), "{name}");
            let Asset::Texture(texture) = found.asset else { panic!("{name}") };
            assert_eq!(texture.format.name(), row["format"], "{name}");
            assert_eq!(
                [texture.width, texture.height].map(u64::from),
                ["width", "height"].map(|key| row[key].as_u64().unwrap())
            );
            assert_eq!(texture.mips.len(), row["mips"].as_array().unwrap().len(), "{name}");
            assert_eq!(texture.virtual_texture.is_some(), row.get("vt").is_some(), "{name}");
            if with_mappings {
                assert_eq!(texture.settings.srgb, row["sRGB"].as_bool().unwrap(), "{name}");
            }
            for (mip, row) in texture.mips.iter().zip(row["mips"].as_array().unwrap()) {
                assert_eq!(
                    [mip.width, mip.height].map(u64::from),
                    ["w", "h"].map(|key| row[key].as_u64().unwrap())
                );
                assert_eq!(mip.data.record.len, row["bytes"].as_u64().unwrap(), "{name}");
                assert_eq!(mip.byte_len(texture.format), mip.data.record.len, "{name}");
            }
            textures += 1;
        }
        assert_eq!(textures, 21, "{cook}");
    }
}

/// Damaged textures are read, or are not, but nothing panics; what is read can be decoded, or is said to be too short.
#[test]
fn damaged_textures_give_faults() {
    let Some(corpus) = corpus() else { return };
    let (mut read_anyway, mut refused) = (0, 0);
    for row in expected(&corpus, "unversioned").values().filter(|row| is_texture(row)) {
        let loaded = Loaded::open(&corpus, "unversioned", row["package"].as_str().unwrap());
        let start = usize::try_from(row["payload_offset"].as_u64().unwrap()).unwrap();
        let mut seed = start as u64 + 1;
        for round in 0..60 {
            let mut data = loaded.data.clone();
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from(seed >> 33).unwrap()
            };
            if round % 8 == 0 {
                data.truncate(next() % data.len());
            } else {
                // The first bytes of a payload are those that say what is in it.
                let at = start + next() % 160.min(data.len() - start);
                data[at] = [0, 0xFF, 0x7F, data[at] ^ (1 << (next() % 8))][next() % 4];
            }
            let scope = loaded.scope(&data, None);
            match read(&scope, 0) {
                Some(Ok(found)) => {
                    read_anyway += 1;
                    decode(&found);
                }
                Some(Err(_)) => refused += 1,
                None => panic!("a texture stays one"),
            }
        }
    }
    assert!(read_anyway > 50 && refused > 300, "{read_anyway} were read, {refused} were not");
}

fn decode(found: &FoundAsset<'_>) {
    let Asset::Texture(texture) = &found.asset else { return };
    for mip in &texture.mips {
        let bytes = mip.data.inline.unwrap_or_default();
        if let Ok(picture) = Picture::new(texture.format, mip.width, mip.height, bytes) {
            let _ = picture.decode();
        }
    }
    if let Some(found) = &texture.virtual_texture {
        let chunk = vec![0; 100_000];
        let chunks = vec![Some(&chunk); found.chunks.len()];
        for mip in 0..found.mips.len() {
            let _ = found.assemble(mip, 0, &chunks);
        }
    }
}
