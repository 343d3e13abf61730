//! The zen packages of real containers, rebuilt.

use super::support::{self, container::chunks};
use std::collections::BTreeMap;
use uncask::id::ChunkKind;
use uncask::package::rebuild::{Changes, rebuild_zen};
use uncask::package::zen::Header;
use uncask::version::ChunkKindNumbering;

/// The data of all exports.
fn exports(header: &Header, chunk: &[u8]) -> BTreeMap<usize, Vec<u8>> {
    let ranges = header.export_ranges().unwrap().into_iter().enumerate();
    let filled = ranges.filter(|(_, range)| !range.is_empty());
    let data = |range: std::ops::Range<u64>| {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        chunk[start..end].to_vec()
    };
    filled.map(|(at, range)| (at, data(range))).collect()
}

#[test]
fn packages_of_containers_come_back_and_can_grow_and_shrink() {
    let Some(corpus) = support::corpus() else { return };
    let mut count = 0;
    for mode in ["tagged", "unversioned"] {
        let folder = format!("iostore/ue5.8/{mode}/Uncompressed");
        let utoc = corpus.join(folder).join("CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc");
        let is_package = |kind| kind == ChunkKind::ExportBundleData;
        for chunk in
            chunks(&utoc).into_iter().filter(|chunk| is_package(chunk.id.kind(ChunkKindNumbering::Ue5)))
        {
            let header = Header::parse(&chunk.bytes).unwrap();
            let all = exports(&header, &chunk.bytes);
            let same = Changes { exports: all.clone(), ..Changes::default() };
            assert!(rebuild_zen(&header, &chunk.bytes, &same).unwrap() == chunk.bytes, "{}", header.name());
            let grown = all.iter().map(|(at, data)| (*at, [&[0xA5; 3][..], data].concat())).collect();
            let names = Vec::new();
            let larger = rebuild_zen(
                &header,
                &chunk.bytes,
                &Changes { names, names_used: 0, exports: grown, ..Changes::default() },
            );
            let larger = larger.unwrap();
            assert_eq!(larger.len(), chunk.bytes.len() + 3 * all.len());
            let new = Header::parse(&larger).unwrap();
            let again = Changes { exports: all, ..Changes::default() };
            assert!(rebuild_zen(&new, &larger, &again).unwrap() == chunk.bytes, "{}", header.name());
            count += 1;
        }
    }
    assert_eq!(count, 194);
}
