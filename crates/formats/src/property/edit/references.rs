//! New names, and new references to objects and assets.

use super::context::Context;
use super::error::EditError;
use super::given::{members, plain};
use super::parts::joined;
use super::wish::Wish;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::json::{OBJECT_NAME, OBJECT_PATH};
use crate::property::kind::Kind;
use crate::property::reference::SoftPath;
use serde_json::Value as Json;
use std::borrow::Cow;

impl Context<'_, '_> {
    pub(in crate::property) fn name(&mut self, wish: &Wish<'_>) -> Result<Name, EditError> {
        let text = plain(wish.given, wish.at)?;
        if text.is_empty() || text.encode_utf16().count() > crate::wire::MAX_NAME_LEN {
            return Err(wish.refused("a name of 1 to 1023 characters; None for no name"));
        }
        Ok(self.names.find_or_add(&text))
    }

    /// The name of an enum value, prefixed with the enum if the old name is.
    pub(in crate::property) fn enum_name(&mut self, old: Name, wish: &Wish<'_>) -> Result<Name, EditError> {
        let old = self.text(old);
        let prefix = old.rsplit_once("::").map(|(prefix, _)| prefix);
        let of = match wish.kind {
            Some(Kind::Enum(of, _) | Kind::Byte(of)) => of.clone(),
            _ => None,
        };
        let known = self.scope.enumeration(of.as_ref());
        let text = wish.given.text();
        // A number stands for the value of that number.
        let number = text.parse::<i64>().ok().and_then(|number| known.name_of(number));
        let short = number.unwrap_or_else(|| text.rsplit("::").next().unwrap_or_default());
        let member = known.values().find(|(_, name)| name.eq_ignore_ascii_case(short));
        let is_known = known.values().next().is_some();
        if short.is_empty() || (member.is_none() && is_known) {
            return Err(wish.refused(&members(&known, &text)));
        }
        let full = match (prefix, member) {
            (Some(prefix), Some((_, name))) => format!("{prefix}::{name}"),
            (Some(prefix), None) => format!("{prefix}::{short}"),
            (None, Some((_, name))) => name.to_owned(),
            // The enum is unknown: use the given name unchanged.
            (None, None) => text.clone().into_owned(),
        };
        // A name already in the package is likely one of its values.
        if !is_known && !self.has_name(&full) {
            let of = of.as_deref().unwrap_or("its enum");
            self.unchecked(
                wish.at,
                &format!("whether {of} has {short}: neither mappings nor the package say"),
            );
        }
        Ok(self.names.find_or_add(&full))
    }

    /// Finds an object of this package or one of its imports: by path, by name, or as JSON shows it.
    pub(in crate::property) fn object(
        &mut self,
        current: PackageIndex,
        wish: &Wish<'_>,
    ) -> Result<PackageIndex, EditError> {
        let new = self.find_object(current, wish)?;
        self.check_reference(current, new, wish)?;
        Ok(new)
    }

    fn find_object(&mut self, current: PackageIndex, wish: &Wish<'_>) -> Result<PackageIndex, EditError> {
        if let Some(Json::Object(members)) = wish.given.json().as_deref() {
            let parts = [OBJECT_NAME, OBJECT_PATH].map(|key| Some((key, members.get(key)?.as_str()?)));
            let parts: Vec<_> = parts.into_iter().flatten().collect();
            if parts.len() != members.len() || parts.is_empty() {
                return Err(wish.refused("a JSON object with ObjectName and ObjectPath"));
            }
            return self.shown_object(current, &parts, wish);
        }
        let text = wish.given.text();
        // `Class'Path'`, the form that editors copy.
        let path = text.split('\'').nth(1).unwrap_or(&text).trim();
        if path.is_empty() || path.eq_ignore_ascii_case("None") || path == "null" {
            return Ok(PackageIndex::NONE);
        }
        let mut by_name = None;
        for index in self.objects() {
            let Some(found) = self.scope.package.path(index, self.scope.name()) else { continue };
            if found.to_string().eq_ignore_ascii_case(path) {
                return Ok(index);
            }
            // A bare name finds an export only if no path matches.
            let own = index.0 > 0 && found.names().last().is_some_and(|name| name.eq_ignore_ascii_case(path));
            by_name = by_name.or(own.then_some(index));
        }
        let is_full = path.starts_with('/') && path.contains('.');
        if by_name.is_none() && self.note_not_imported(is_full.then(|| path.to_owned())) {
            return Ok(PackageIndex::NONE);
        }
        by_name.ok_or_else(|| {
            wish.refused("an object of this package, or of another one that can be read, by its path")
        })
    }

    pub(in crate::property) fn soft_path(
        &mut self,
        path: &mut SoftPath,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let text = match self.soft_text(path, wish)? {
            Some(text) => Cow::Owned(text),
            None => plain(wish.given, wish.at)?,
        };
        // An unchanged text keeps its form, even one that could not be written anew.
        let (asset, sub_path) = self.soft_parts(path);
        if joined(&asset, &sub_path) == text {
            return Ok(());
        }
        let none = text.is_empty() || text.eq_ignore_ascii_case("None");
        let (asset, sub) = text.split_once(':').unwrap_or((&text, ""));
        let two =
            asset.split_once('.').filter(|(package, asset)| package.starts_with('/') && !asset.is_empty());
        // A game finds an asset only by its full path.
        if !none && two.is_none() {
            return Err(wish.refused("the path of an asset, such as /Game/Items/Sword.Sword, or None"));
        }
        // Both names are `None` in an empty path.
        let (package, object) = two.unwrap_or(("None", "None"));
        match path {
            SoftPath::Text(found) => *found = if none { "".into() } else { text.as_ref().into() },
            SoftPath::Asset(found, found_sub) => {
                *found = self.names.find_or_add(if none { "None" } else { asset });
                *found_sub = sub.into();
            }
            SoftPath::TopLevel(found, found_object, found_sub) => {
                *found = self.names.find_or_add(package);
                *found_object = self.names.find_or_add(object);
                *found_sub = sub.into();
            }
            SoftPath::Utf8(found, found_object, found_sub) => {
                *found = self.names.find_or_add(package);
                *found_object = self.names.find_or_add(object);
                *found_sub = sub.into();
            }
            SoftPath::Listed(_) => {
                return Err(wish.refused("a cooked package: this one lists its soft paths elsewhere"));
            }
        }
        Ok(())
    }
}
