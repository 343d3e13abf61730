//! `.locres` and `.locmeta`, of every version.

use crate::support::texts::{SPACES, Space, locmeta, locres};
use proptest::prelude::*;
use uncask::localization::{LocalizationMeta, LocalizationResource, NewText, key_hash};
use uncask::version::{KeyHash, LocMetaVersion, LocResVersion};
use uncask::wire::FaultKind;

/// A namespace, and the key, hash and text of each entry.
type Found = (String, Vec<(String, u32, Option<String>)>);

/// Everything in a resource, in the form that it is written from.
fn content(resource: &LocalizationResource) -> Vec<Found> {
    let entries = |space: uncask::localization::Namespace<'_>| {
        space
            .entries()
            .map(|entry| (entry.key.to_owned(), entry.source_hash, entry.text.map(str::to_owned)))
            .collect()
    };
    resource.namespaces().map(|space| (space.name().to_owned(), entries(space))).collect()
}

fn expected(spaces: &[Space<'_>]) -> Vec<Found> {
    let entry = |(key, hash, text): &(&str, u32, &str)| ((*key).to_owned(), *hash, Some((*text).to_owned()));
    spaces.iter().map(|(name, entries)| ((*name).to_owned(), entries.iter().map(entry).collect())).collect()
}

#[test]
fn every_version_is_read() {
    for version in LocResVersion::ALL {
        let file = locres(version.to_wire(), &SPACES);
        assert_eq!(LocalizationResource::is(&file), version.has_magic());
        let resource = LocalizationResource::parse(&file).unwrap();
        assert_eq!(resource.version(), version);
        assert_eq!(content(&resource), expected(&SPACES), "{version:?}");
        assert_eq!((resource.entry_count(), resource.missing_texts(), resource.wrong_hashes()), (6, 0, 0));
        assert_eq!(resource.declared_entries(), version.has_counts().then_some(6));
        assert_eq!(resource.write(), file, "{version:?}");
        let strings: Vec<_> = resource.strings().collect();
        assert_eq!(strings.len(), if version.has_string_table() { 5 } else { 0 }, "one of six is shared");
        if version.has_counts() {
            assert_eq!(strings[3], ("Spielen", Some(2)));
        }
        let kind = version.key_hashes().first();
        assert_eq!(resource.key_hash().as_ref(), kind);
        let hash = |text: &str| kind.map(|kind| key_hash(*kind, text));
        for space in resource.namespaces() {
            assert_eq!(space.hash(), hash(space.name()));
            for entry in space.entries() {
                assert_eq!(entry.hash, hash(entry.key));
            }
        }
    }
}

/// The other writer knows nothing of edits: it writes what the edited texts are.
#[test]
fn edited_texts_are_written_as_if_they_had_always_been_there() {
    let edited: [Space<'_>; 3] = [
        (
            "",
            &[
                ("greeting", 0x1234_5678, "Hi"),
                ("nothing", 7, ""),
                ("lines", 8, "one\ntwo \"three\""),
                ("new", 11, "Grüße"),
            ],
        ),
        ("UI", &[("play", 0x9ABC_DEF0, "Los"), ("again", 9, "Spielen"), ("ключ", 10, "Los")]),
        ("More", &[("late", 12, ""), ("later", 13, "Hi")]),
    ];
    let new = |namespace, key, source_hash, text| NewText { namespace, key, source_hash, text };
    for version in LocResVersion::ALL {
        let mut resource = LocalizationResource::parse(&locres(version.to_wire(), &SPACES)).unwrap();
        for (entry, text) in [(0, "Hi"), (3, "Spiel"), (3, "Los"), (5, "Los"), (6, "there is no such entry")]
        {
            resource.set_text(entry, text).unwrap();
        }
        resource
            .add([new("More", "late", 12, ""), new("", "new", 11, "Grüße"), new("More", "later", 13, "Hi")])
            .unwrap();
        assert_eq!(resource.write(), locres(version.to_wire(), &edited), "{version:?}");
        assert_eq!(content(&resource), expected(&edited), "{version:?}");
        let mut made = LocalizationResource::new(version);
        made.add(edited.iter().flat_map(|(namespace, entries)| {
            entries.iter().map(|(key, hash, text)| new(namespace, key, *hash, text))
        }))
        .unwrap();
        assert_eq!(made.write(), resource.write(), "{version:?}");
    }
}

/// Odd records keep their bytes: Latin-1, wide ASCII, empty with a terminator.
#[test]
fn strings_that_the_engine_would_write_otherwise_keep_their_bytes() {
    let parts: [&[u8]; 9] = [
        b"\x02\0\0\0",
        // A namespace without a name, and without entries.
        b"\0\0\0\0\0\0\0\0",
        // A namespace without a name, but with a terminator; two entries.
        b"\x01\0\0\0\0\x02\0\0\0",
        b"\x01\0\0\0\0",
        b"\x07\0\0\0",
        b"\xFE\xFF\xFF\xFFa\0\0\0",
        b"\x02\0\0\0b\0",
        b"\x08\0\0\0",
        b"\x02\0\0\0\xE9\0",
    ];
    let file = parts.concat();
    let mut resource = LocalizationResource::parse(&file).unwrap();
    assert_eq!(resource.write(), file);
    resource.set_text(1, "c").unwrap();
    assert_eq!(resource.write(), [&file[..file.len() - 6], b"\x02\0\0\0c\0"].concat());
}

/// The start of a file of 2014 as zatuyoutantou.techblog.jp prints it, with counts of one.
#[test]
fn a_legacy_file_of_a_game() {
    let wide = |text: &str| text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let parts: [&[u8]; 9] = [
        &[1, 0, 0, 0],
        b"\xFB\xFF\xFF\xFF",
        &wide("Game"),
        &[1, 0, 0, 0],
        b"\xFB\xFF\xFF\xFF",
        &wide("None"),
        b"\xC5\x0D\x18\x71",
        b"\xF0\xFF\xFF\xFF",
        &wide("==== MENU ====="),
    ];
    let resource = LocalizationResource::parse(&parts.concat()).unwrap();
    assert_eq!(content(&resource), expected(&[("Game", &[("None", 0x7118_0DC5, "==== MENU =====")])]));
}

#[test]
fn an_index_that_leads_nowhere_costs_its_entry_the_text() {
    let mut file = locres(3, &[("", &[("a", 1, "x"), ("b", 2, "y")])]);
    let table = LocalizationResource::parse(&file).unwrap().strings().len();
    // The last number in front of the table is the index of the last entry.
    let at = usize::try_from(u64::from_le_bytes(file[17..25].try_into().unwrap())).unwrap() - 4;
    file[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let resource = LocalizationResource::parse(&file).unwrap();
    let texts: Vec<_> =
        resource.namespaces().flat_map(|space| space.entries().map(|entry| entry.text)).collect();
    assert_eq!((table, texts, resource.missing_texts()), (2, vec![Some("x"), None], 1));
}

/// A file of 300 KB whose texts would be 40 MB.
#[test]
fn one_long_text_is_not_the_text_of_thousands() {
    let text = "x".repeat(20_000);
    let keys: Vec<String> = (0..2000).map(|at| format!("{at:0100}")).collect();
    let entries: Vec<_> = keys.iter().map(|key| (key.as_str(), 1, text.as_str())).collect();
    let file = locres(1, &[("", &entries)]);
    let found = LocalizationResource::parse_partial(&file);
    let fault = found.fault.unwrap();
    assert_eq!(fault.field, "texts of all entries");
    assert!(matches!(fault.kind, FaultKind::TooLarge { found: 20_000, .. }), "{fault}");
    let shared = (file.len() * 16 + (1 << 20)) / 20_000;
    assert_eq!(found.value.entry_count(), shared, "those before it are there");
}

#[test]
fn wrong_hashes_are_counted() {
    for version in [2, 3] {
        let mut file = locres(version, &SPACES);
        // The hash of the first key, after magic, version, offset, two counts, a hash, an empty name and a count.
        file[45] ^= 1;
        assert_eq!(LocalizationResource::parse(&file).unwrap().wrong_hashes(), 1);
    }
}

/// A file of UE 6.0: hashes that were made by a script of its own.
#[test]
fn hashes_of_the_newer_form_are_right() {
    let mut file = locres(3, &[("HI", &[("List", 1, "x"), ("Ключ", 2, "y"), ("", 3, "z")])]);
    assert_eq!(LocalizationResource::parse(&file).unwrap().key_hash(), Some(KeyHash::CityHash64));
    for (text, hash) in [("HI", 0xC498_C397_u32), ("List", 0xD150_655F), ("Ключ", 0x871C_D51D)] {
        let found = key_hash(KeyHash::CityHash64, text).to_le_bytes();
        let at = file.windows(4).position(|window| window == found).unwrap();
        file[at..at + 4].copy_from_slice(&hash.to_le_bytes());
    }
    let resource = LocalizationResource::parse(&file).unwrap();
    assert_eq!((resource.wrong_hashes(), resource.key_hash()), (0, Some(KeyHash::CityHash64Murmur)));
    // The hash of the namespace.
    file[33] ^= 1;
    assert_eq!(LocalizationResource::parse(&file).unwrap().wrong_hashes(), 1);
}

#[test]
fn a_file_without_strings_has_no_table() {
    let mut file = locres(1, &[]);
    file.truncate(29);
    file[17..25].copy_from_slice(&(-1_i64).to_le_bytes());
    let resource = LocalizationResource::parse(&file).unwrap();
    assert_eq!((resource.namespaces().len(), resource.strings().len()), (0, 0));
}

#[test]
fn what_is_cut_off_keeps_what_came_before() {
    for version in LocResVersion::ALL {
        let file = locres(version.to_wire(), &SPACES);
        let whole = content(&LocalizationResource::parse(&file).unwrap());
        for len in 0..file.len() {
            let partial = LocalizationResource::parse_partial(&file[..len]);
            assert!(partial.fault.is_some(), "{version:?}, {len} bytes");
            if version == LocResVersion::Legacy {
                let found = content(&partial.value);
                for (found, whole) in found.iter().zip(&whole) {
                    assert!(found.0 == whole.0 && whole.1.starts_with(&found.1), "{len} bytes");
                }
            }
        }
        let longer = [&file[..], b"abc"].concat();
        let fault = LocalizationResource::parse(&longer).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Trailing { left: 3 }, "{version:?}");
    }
}

#[test]
fn faults_are_reported() {
    let damaged = |version: u8, at: usize, bytes: &[u8]| {
        let mut file = locres(version, &SPACES);
        file[at..at + bytes.len()].copy_from_slice(bytes);
        LocalizationResource::parse(&file).unwrap_err().to_string()
    };
    let reported = [
        damaged(3, 16, &[4]),
        damaged(3, 16, &[0]),
        damaged(3, 17, &(-2_i64).to_le_bytes()),
        damaged(3, 17, &i64::MAX.to_le_bytes()),
        damaged(3, 17, &20_i64.to_le_bytes()),
        damaged(3, 29, &i32::MAX.to_le_bytes()),
        damaged(1, 25, &(-1_i32).to_le_bytes()),
        damaged(0, 8, &u32::MAX.to_le_bytes()),
        LocalizationResource::parse(b"").unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn metadata_of_every_version() {
    for version in LocMetaVersion::ALL {
        let file = locmeta(version.to_wire());
        let meta = LocalizationMeta::parse(&file).unwrap();
        assert_eq!((meta.native_culture.as_str(), meta.native_resource.as_str()), ("en", "en/Game.locres"));
        let cultures =
            version.has_compiled_cultures().then(|| ["de", "en", "uk"].map(str::to_owned).to_vec());
        assert_eq!((meta.version, meta.compiled_cultures), (version, cultures));
        assert_eq!(meta.is_ugc, version.has_ugc_flag().then_some(true));
        for len in 0..file.len() {
            assert!(LocalizationMeta::parse(&file[..len]).is_err(), "{len} bytes");
        }
    }
    let mut newer = locmeta(2);
    newer[16] = 3;
    let reported = LocalizationMeta::parse(&newer).unwrap_err().to_string();
    assert_eq!(reported, "localization metadata version: found 3, which is not supported, offset 0x10");
}

proptest! {
    #[test]
    fn anything_comes_back(
        version in 0_u8..4,
        spaces in prop::collection::vec(
            ("\\PC{0,6}", prop::collection::vec(("\\PC{0,9}", any::<u32>(), "(?s).{0,20}"), 0..6)),
            0..5,
        ),
    ) {
        let has_nul = |text: &String| text.contains('\0');
        let entries: Vec<Vec<(&str, u32, &str)>> = spaces
            .iter()
            .map(|(_, entries)| entries.iter().map(|(key, hash, text)| (key.as_str(), *hash, text.as_str())).collect())
            .collect();
        prop_assume!(!spaces.iter().any(|(name, _)| has_nul(name)));
        let spaces: Vec<Space<'_>> =
            spaces.iter().zip(&entries).map(|((name, _), entries)| (name.as_str(), entries.as_slice())).collect();
        let resource = LocalizationResource::parse(&locres(version, &spaces)).unwrap();
        prop_assert_eq!(content(&resource), expected(&spaces));
        prop_assert_eq!(resource.wrong_hashes(), 0);
    }
}
