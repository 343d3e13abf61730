//! Every file of the corpus is taken for what it is.

use super::support;
use std::collections::BTreeMap;
use uncask::package::PackageKind;

#[test]
fn every_file_is_taken_for_what_it_is() {
    let Some(corpus) = support::corpus() else { return };
    let mut kinds = BTreeMap::new();
    let all = [
        "uasset",
        "umap",
        "uzenasset",
        "uexp",
        "ubulk",
        "u",
        "bin",
        "utoc",
        "ucas",
        "ushaderbytecode",
        "json",
    ];
    for folder in ["classic", "headers", "iostore/ue5.8", "packages", "uncooked"] {
        for (name, bytes) in support::files(&corpus, folder, &all) {
            let found = match PackageKind::sniff(&bytes) {
                Some(PackageKind::Zen(generation)) => format!("zen, {generation}"),
                Some(PackageKind::Legacy(version)) => format!("legacy {}", version.0),
                Some(PackageKind::Classic(version)) => format!("classic {}", version.file),
                Some(PackageKind::Swapped) => "swapped".to_owned(),
                None => "nothing".to_owned(),
            };
            let folder = name.rsplit_once('/').unwrap().0.to_owned();
            let extension = name.rsplit('.').next().unwrap().to_owned();
            *kinds.entry((folder, extension, found)).or_insert(0) += 1;
        }
    }
    let lines: Vec<String> = kinds
        .iter()
        .map(|((folder, extension, kind), count)| format!("{folder} .{extension}: {count} × {kind}"))
        .collect();
    insta::assert_snapshot!("sniffed", lines.join("\n"));
}
