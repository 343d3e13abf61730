//! Text forms of the records of a registry.

use super::{Asset, AssetRegistry, BundleAsset, ClassName, Identifier, Name, TagValue};
use crate::names::NameText;
use std::borrow::Cow;
use std::fmt::Write;

impl AssetRegistry<'_> {
    /// Returns the text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> NameText<'_> {
        NameText { base: self.names.get(name.index).unwrap_or_default(), number: name.number }
    }

    /// Returns the path of a class, such as `/Script/Engine.StaticMesh`, or its short name.
    #[must_use]
    pub fn class_path(&self, class: ClassName) -> String {
        match class.package {
            Some(package) => format!("{}.{}", self.name(package), self.name(class.name)),
            None => self.name(class.name).to_string(),
        }
    }

    /// Returns the path of an asset, such as `/Game/Maps/Level.Level`.
    #[must_use]
    pub fn object_path(&self, asset: &Asset<'_>) -> String {
        match (asset.object_path, asset.outer.filter(|outer| !self.is_none(*outer))) {
            // The stored path wins: it exists only in versions without other parts to build it from.
            (Some(path), _) => self.name(path).to_string(),
            (None, Some(outer)) => format!("{}.{}", self.name(outer), self.name(asset.name)),
            (None, None) => format!("{}.{}", self.name(asset.package), self.name(asset.name)),
        }
    }

    /// Returns the path of an asset of a bundle.
    #[must_use]
    pub fn bundle_path(&self, asset: &BundleAsset) -> String {
        let mut path = self.class_path(ClassName { package: asset.package, name: asset.name });
        if !asset.sub_path.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(path, ":{}", asset.sub_path);
        }
        path
    }

    /// Returns the text of a tag's value: an object with a class as `Class'Package.Object'`.
    #[must_use]
    pub fn value_text<'t>(&self, value: &'t TagValue<'_>) -> Cow<'t, str> {
        match value {
            TagValue::Text(text) | TagValue::LocalizedText(text) => Cow::Borrowed(text),
            TagValue::Name(name) => self.name(*name).to_string().into(),
            TagValue::ExportPath(path) => {
                let mut object = self.name(path.package).to_string();
                // Without an object the value refers to the package itself.
                if !self.is_none(path.object) {
                    let _ = write!(object, ".{}", self.name(path.object));
                }
                // Without a class the quotes would be misread, so the path is shown alone.
                if self.is_none(path.class.name) {
                    return object.into();
                }
                format!("{}'{object}'", self.class_path(path.class)).into()
            }
        }
    }

    /// Returns the text of a node's identity: `/Game/Package`, `/Game/Package.Object::Value`, or `Type:Name`
    /// for a primary asset.
    #[must_use]
    pub fn identifier(&self, identifier: Identifier) -> String {
        let Identifier { package, primary_asset_type, object, value } = identifier;
        let mut text = primary_asset_type.map_or_else(String::new, |kind| format!("{}:", self.name(kind)));
        // The name of a primary asset is an object without a package.
        let dot = if package.is_some() { "." } else { "" };
        for (before, part) in [("", package), (dot, object), ("::", value)] {
            if let Some(name) = part {
                let _ = write!(text, "{before}{}", self.name(name));
            }
        }
        text
    }

    /// Returns true for the name `None`.
    fn is_none(&self, name: Name) -> bool {
        let NameText { base, number } = self.name(name);
        number == 0 && (base.is_empty() || base.eq_ignore_ascii_case("None"))
    }
}
