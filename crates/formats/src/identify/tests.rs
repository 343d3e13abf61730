use super::*;
use crate::localization::{META_MAGIC, RESOURCE_MAGIC};
use crate::version::{AssetRegistryVersion, ContainerHeaderVersion};
use crate::wire::Fault;

fn sureness(name: &str, start: &[u8]) -> Option<(Sureness, String)> {
    let found = identify(&File { name: Path::new(name), start })?;
    Some((found.detected.sureness, found.format.read(&Input::new(start)).kind))
}

#[test]
fn content_outweighs_names() {
    let registry = [&AssetRegistryVersion::GUID[..], &[7, 0, 0, 0], &[0; 12], &[4], &[0; 11]].concat();
    let plain = (Sureness::Mark, "asset registry, version 7".to_owned());
    for name in ["AssetRegistry.bin", "Game.locres", "A.uasset", "a.ucas", "no_extension"] {
        assert_eq!(sureness(name, &registry), Some(plain.clone()), "{name}");
    }
    let (sureness_of_name, kind) = sureness("Game.locres", b"nothing").unwrap();
    assert_eq!(
        (sureness_of_name, kind.as_str()),
        (Sureness::Name, "localization resource, version 0 (legacy)")
    );
    assert_eq!(sureness("Any.bin", b"nothing"), None);
    assert_eq!(sureness("A.UASSET", b"nothing").unwrap().0, Sureness::Name);
}

#[test]
fn a_chunk_is_what_its_type_says() {
    for kind in ChunkKind::all() {
        let claims = FORMATS.iter().filter(|format| format.chunk_kinds().contains(&kind)).count();
        assert!(claims <= 1, "{claims} formats claim {kind}");
        let found = identify_chunk(kind, &META_MAGIC);
        assert_eq!(found.map(|found| found.detected.sureness), (claims == 1).then_some(Sureness::ChunkType));
    }
}

#[test]
fn as_much_is_read_as_a_name_asks_for() {
    let enough = |name: &str| enough(Path::new(name));
    assert_eq!((enough("a.ucas"), enough("A_s1.UCAS")), (Some(0), Some(0)));
    assert_eq!(enough("a.ushaderbytecode"), Some(64 << 20));
    assert_eq!((enough("a.utoc"), enough("ucas"), enough(".ucas")), (None, None, None));
}

/// Any bytes give a finding, and all its rows can be made, for people and in JSON.
#[test]
fn every_format_reads_anything() {
    let starts = [
        &[][..],
        &RESOURCE_MAGIC,
        &META_MAGIC,
        &AssetRegistryVersion::GUID,
        &ContainerHeaderVersion::MAGIC,
        &[0xC1, 0x83, 0x2A, 0x9E],
        &[0xC4, 0x30],
        &[1, 0, 0, 0],
        &[2, 0, 0, 0],
    ];
    let mut views = 0;
    for (start, fill) in starts.iter().flat_map(|start| [0, 1, 0xFF].map(|fill| (start, fill))) {
        let bytes = [start, &[fill; 200][..]].concat();
        for format in FORMATS {
            let finding = format.read(&Input::new(&bytes));
            assert!(!finding.kind.is_empty());
            let problem: Option<(&str, Fault)> = finding.fault;
            let Some(view) = finding.view else {
                assert!(problem.is_some() || format.is_container(), "{}", finding.kind);
                continue;
            };
            for part in view.parts() {
                if let ViewPart::List { rows, .. } = part {
                    rows.for_each(drop);
                }
            }
            assert!(serde_json::to_value(&view).is_ok(), "{}", finding.kind);
            views += 1;
        }
    }
    assert!(views > 100, "{views}");
}
