//! Converts the reader's result to the types of the writer.

use crate::support::registry::{Asset, Class, Name, Node, Package, Registry, Value};
use uncask::asset_registry::{self as read, AssetRegistry, DependencyKind, TagValue};

/// Everything in a registry.
pub(super) fn model(registry: &AssetRegistry<'_>) -> Registry {
    let model = Model(registry);
    Registry {
        version: registry.version().to_wire(),
        is_filtered: registry.is_filtered().unwrap_or(false),
        assets: registry.assets().map(|asset| model.asset(&asset)).collect(),
        nodes: registry.nodes().map(|node| model.node(&node)).collect(),
        packages: registry.packages().map(|package| model.package(&package)).collect(),
    }
}

struct Model<'r, 'a>(&'r AssetRegistry<'a>);

impl Model<'_, '_> {
    fn name(&self, name: read::Name) -> Name {
        let text = self.0.name(name);
        (text.base.to_owned(), text.number)
    }

    fn maybe(&self, name: Option<read::Name>) -> Option<Name> {
        name.map(|name| self.name(name))
    }

    fn class(&self, class: read::ClassName) -> Class {
        (self.maybe(class.package), self.name(class.name))
    }

    /// Two kinds of text are one to the reader.
    fn value(&self, value: TagValue<'_>) -> Value {
        match value {
            TagValue::Text(text) if text.is_ascii() => Value::Ansi(text.into_owned()),
            TagValue::Text(text) => Value::Wide(text.into_owned()),
            TagValue::Name(name) => Value::Name(self.name(name)),
            TagValue::ExportPath(path) => {
                Value::Path(self.class(path.class), self.name(path.object), self.name(path.package))
            }
            TagValue::LocalizedText(text) => Value::Text(text.into_owned()),
        }
    }

    fn asset(&self, asset: &read::Asset<'_>) -> Asset {
        let Self(registry) = self;
        let tags = registry.tags(asset).map(|(key, value)| (self.name(key), self.value(value)));
        let bundles = registry.bundles(asset).into_iter().map(|bundle| {
            let path = |asset: read::BundleAsset| {
                ((self.maybe(asset.package), self.name(asset.name)), asset.sub_path)
            };
            (self.name(bundle.name), bundle.assets.into_iter().map(path).collect())
        });
        Asset {
            object_path: self.maybe(asset.object_path),
            folder: self.name(asset.folder),
            class: self.class(asset.class),
            group: self.maybe(asset.group),
            package: self.name(asset.package),
            name: self.name(asset.name),
            outer: self.maybe(asset.outer),
            tags: tags.collect(),
            bundles: bundles.collect(),
            chunks: asset.chunk_ids.iter().map(|chunk| chunk.get()).collect(),
            package_flags: asset.package_flags,
        }
    }

    fn node(&self, node: &read::Node<'_>) -> Node {
        let read::Identifier { package, primary_asset_type, object, value } = node.identifier;
        let mut model = Node {
            identifier: [package, primary_asset_type, object, value].map(|name| self.maybe(name)),
            ..Node::default()
        };
        for dependency in node.dependencies() {
            let list = match dependency.kind {
                DependencyKind::Hard | DependencyKind::Package => 0,
                DependencyKind::Soft => 1,
                DependencyKind::SearchableName => 2,
                DependencyKind::SoftManage | DependencyKind::Manage => 3,
                DependencyKind::HardManage => 4,
                DependencyKind::Referencer => 5,
            };
            model.lists[list].push((dependency.node, dependency.flags.unwrap_or(0)));
        }
        model
    }

    fn package(&self, package: &read::PackageData<'_>) -> Package {
        let saved = package.saved_with;
        let custom = saved.iter().flat_map(|saved| saved.custom_versions);
        Package {
            name: self.name(package.name),
            disk_size: package.disk_size,
            guid: package.guid.map(|guid| guid.0),
            saved_hash: package.saved_hash,
            cooked_hash: package.cooked_hash,
            chunk_hashes: package.chunk_hashes.iter().map(|chunk| (chunk.id.0, chunk.hash)).collect(),
            saved_with: saved
                .map(|saved| (saved.objects.ue4, saved.objects.ue5, saved.licensee, saved.flags)),
            custom_versions: custom.map(|version| (version.key().0, version.number())).collect(),
            imported_classes: self
                .0
                .imported_classes(package)
                .into_iter()
                .map(|name| self.name(name))
                .collect(),
            extension: package.extension.clone(),
            location: package.location,
        }
    }
}
