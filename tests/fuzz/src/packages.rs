//! Packages of every form.

use super::number;
use uncask::asset_registry::AssetRegistry;
use uncask::crypto::KeyRing;
use uncask::extract::{Manifest, check_manifests};
use uncask::job::Cpu;
use uncask::package::convert::sidecar::Kept;
use uncask::package::convert::to_zen::circles::{self, Loading};
use uncask::package::convert::to_zen::{Source, to_zen as made};
use uncask::package::convert::{Asset, Converted, Evidence, Input, Target, check, convert};
use uncask::package::name_map::NameMap;
use uncask::package::{CompressedBuffer, PackageKind, classic as old, legacy as loose, zen as new};
use uncask::sink::NullSink;
use uncask::version::Release;
use uncask::wire::Reader;

/// A batch of names, or names and hashes apart.
pub(super) fn name_map(data: &[u8]) {
    let mut rest = data;
    let (names, hashes) = (super::part(&mut rest), rest);
    for map in [
        NameMap::parse_batch(&mut Reader::new(data)),
        NameMap::parse_parts(Reader::new(names), Reader::new(hashes)),
    ]
    .into_iter()
    .flatten()
    {
        for (index, name) in (0..).zip(map.iter()) {
            assert_eq!(map.get(index), Some(name));
            assert!(map.position(name).is_some() && map.hash(index).is_some() || names.is_empty());
        }
        let _ = map.wrong_hashes().count();
    }
}

/// A zen package: its header, what its imports are, and the legacy package that it becomes.
pub(super) fn zen(data: &[u8]) {
    let _ = (new::package_name(data), new::header_len(data), new::contains_map(data));
    let Ok(partial) = new::Header::parse_partial(data) else { return };
    let header = partial.value;
    let resolver = new::Resolver::new(&header, &());
    let _ = resolver.imports().take(500).count();
    for (at, export) in header.exports.iter().enumerate().take(500) {
        let _ = (resolver.class_of(export), header.export_path(at), header.expected_hash(at));
    }
    let _ = (header.main_export().is_some(), header.imported_packages().len(), header.body_len());
    if partial.fault.is_some() {
        return;
    }
    if let Ok(written) = header.write() {
        let again = new::Header::parse(&written).expect("what was written reads");
        assert!(
            again.write().expect("it was written before") == written,
            "what was read is written as it was"
        );
        assert!(again.exports == header.exports && again.imports == header.imports);
        assert!(again.bundle_entries == header.bundle_entries && again.graph == header.graph);
    }
    let input = Input { header: &header, chunk: data, file_stem: None, evidence: Evidence::default() };
    let Ok(converted) = convert(&input, &(), &Target::default()) else { return };
    let asset = converted.write().expect("what has a layout is written");
    assert!(asset.header.len() <= 64 * data.len() + (64 << 10), "{} bytes", asset.header.len());
    if let Ok(read) = loose::Package::parse_as(&asset.header, asset.converted.release) {
        assert!(read == asset.converted.package, "what is written is what was converted");
    }
    let _ = check(&asset, &header, data);
}

/// A package there and back: what a cooked file becomes can be read, and what a zen package becomes is it again with what is kept.
pub(super) fn to_zen(data: &[u8]) {
    if data.starts_with(&loose::END_TAG) {
        return from_legacy(data);
    }
    let Ok(header) = new::Header::parse(data) else { return };
    let input = Input { header: &header, chunk: data, file_stem: None, evidence: Evidence::default() };
    let Ok(asset) = convert(&input, &(), &Target::default()).and_then(Converted::write) else { return };
    let Some(kept) = Kept::of(&header, data, &asset, &()) else { return };
    let remainder = kept.for_header(&asset.header).expect("its own header");
    let Asset { header: written, converted } = &asset;
    let Ok(package) = loose::Package::parse_as(written, converted.release) else { return };
    let name = header.name().to_string();
    let exports_len = converted.body.len() as u64;
    let source = Source {
        package: &package,
        name: &name,
        exports_len,
        release: converted.release,
        bundles: None,
        remainder: Some(remainder),
    };
    let Ok(again) = made(&source, &()) else { return };
    assert_eq!(again.header.cooked_header_len, header.cooked_header_len);
    assert_eq!(again.header.loading(), header.loading());
}

fn from_legacy(data: &[u8]) {
    let Ok(package) = loose::Package::parse(data) else { return };
    let exports_len = (data.len() as u64).saturating_sub(package.header_len());
    for release in Release::all().filter(|release| release.objects == package.form.versions) {
        let source = Source {
            package: &package,
            name: "/Game/A",
            exports_len,
            release,
            bundles: None,
            remainder: None,
        };
        let (zen, loading) = (made(&source, &()), Loading::of_source(&source, &()));
        let Ok(zen) = zen else { continue };
        assert!(loading.is_ok(), "what can be made can be loaded");
        assert!(zen.bytes.len() <= 64 * data.len() + (64 << 10), "{} bytes", zen.bytes.len());
        let again = new::Header::parse(&zen.bytes).expect("what was made reads");
        assert!(again.write().expect("it was written before") == zen.bytes);
        let circles = circles::find(&loading.into_iter().collect::<Vec<_>>(), |_| true);
        assert!(circles.bundles.values().all(|bundles| bundles.len() == 1), "no circle with itself");
    }
}

/// A legacy package: its summary and tables, as what the file says it is and as some release would have it.
pub(super) fn legacy(data: &[u8]) {
    let release = data.last().and_then(|last| Release::all().nth(usize::from(*last) % 40));
    for release in [None, release] {
        let Ok(partial) = loose::Package::parse_partial(data, release) else { continue };
        let mut package = partial.value;
        for (index, export) in (0..).zip(&package.exports).take(500) {
            let _ = (package.class_path(export), package.export_path(index));
        }
        for index in (0..).take(package.imports.len().min(500)) {
            let _ = package.import_path(index);
        }
        let _ =
            (loose::Trailer::parse(data, &package), package.unaccounted(), package.bulk_records().count());
        if partial.fault.is_none() {
            let _ = package.write_header();
        }
    }
}

/// A package of Unreal Engine 1 to 3, its objects, textures and palettes.
pub(super) fn classic(data: &[u8]) {
    let _ = old::is_classic(data);
    let Ok(partial) = old::Package::parse_partial(data) else { return };
    let package = partial.value;
    let content = package.content(data);
    let bytes = content.as_deref().unwrap_or(data);
    for export in package.exports.iter().take(300) {
        let _ = (package.class_of(export), package.path(export.outer), package.data(bytes, export).is_ok());
        let _ = (package.properties(bytes, export), package.palette(bytes, export));
        let Ok(texture) = package.texture(bytes, export) else { continue };
        for mip in 0..texture.mips.len().min(8) {
            let _ = package.texture_png(bytes, &texture, mip);
        }
    }
}

/// All objects and textures of such a package, as jobs ask for them: what exports share is read once.
pub(super) fn classic_textures(data: &[u8]) {
    let Ok(package) = old::Package::parse(data) else { return };
    let Ok(content) = package.content(data) else { return };
    for export in &package.exports {
        let _ = (package.path(export.outer), package.class_of(export));
    }
    assert!(package.textures(&content).count() <= package.exports.len());
}

/// An asset registry: what was read is there when it is asked for, and all that it refers to.
pub(super) fn asset_registry(data: &[u8]) {
    let Ok(partial) = AssetRegistry::parse_partial(data) else { return };
    let registry = partial.value;
    assert_eq!(registry.assets().count(), registry.asset_count());
    assert_eq!(registry.nodes().count(), registry.node_count());
    assert_eq!(registry.packages().count(), registry.package_count());
    for asset in registry.assets().take(300) {
        let _ = (registry.object_path(&asset), registry.class_path(asset.class), asset.is_in_map());
        for (name, value) in registry.tags(&asset).take(300) {
            let _ = (registry.name(name).to_string(), registry.value_text(&value).len());
        }
        for bundle in registry.bundles(&asset) {
            for asset in bundle.assets.iter().take(300) {
                let _ = registry.bundle_path(asset);
            }
        }
    }
    for node in registry.nodes().take(300) {
        for dependency in node.dependencies().take(300) {
            let on = registry.node(dependency.node).expect("numbers of nodes were checked");
            let _ = registry.identifier(on.identifier);
        }
    }
    for package in registry.packages().take(300) {
        let _ = registry.imported_classes(&package);
    }
    let _ = registry.tag_uses();
}

/// Files of a few lines: keys, manifests, compressed buffers; and what a file is, by its first bytes.
pub(super) fn small_files(mut data: &[u8]) {
    match number(&mut data) % 4 {
        0 => {
            let mut ring = KeyRing::default();
            let _ = ring.add_file(data);
            let _ = std::str::from_utf8(data).map(|text| ring.add_argument(text));
            assert!(!format!("{ring:?}").contains("11111111"), "keys are not shown");
        }
        1 => {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), data).expect("a file");
            if let Ok(manifest) = Manifest::open(file.path()) {
                let _ = check_manifests(&[manifest.clone(), manifest], &NullSink, &Cpu::default());
            }
        }
        2 => drop(CompressedBuffer::parse(data)),
        _ => drop(PackageKind::sniff(data)),
    }
}
