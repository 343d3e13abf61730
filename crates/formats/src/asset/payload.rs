use crate::package::legacy::{Export, Name, PackageIndex, PackageRef};
use crate::property::{FromValue, Object, Scope, Value};
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, Reader};
use std::sync::Arc;

/// Payload of an export: a cursor with everything that readers of classes need. Offsets in faults count from
/// the start of the export.
#[derive(Debug)]
pub struct Payload<'s, 'a> {
    /// Package of the export.
    pub scope: &'s Scope<'a>,
    /// Export that the payload belongs to.
    pub export: &'s Export,
    /// Properties before the payload; empty if the payload was searched for.
    pub object: &'s Object,
    /// Name of the class.
    pub class: &'s Arc<str>,
    /// Versions that decide about the layout.
    pub versions: AssetVersions,
    /// Reader from here to the end of the export.
    pub r: Reader<'a>,
}

/// `FStripDataFlags`: kinds of data that a cooker left out.
#[doc(alias = "FStripDataFlags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripFlags {
    /// Bits with the same meaning everywhere.
    pub global: u8,
    /// Bits whose meaning depends on the structure.
    pub class: u8,
}

impl StripFlags {
    /// True if data for the editor were left out: the package is cooked.
    #[must_use]
    pub const fn is_editor_data_stripped(self) -> bool {
        self.global & 1 != 0
    }

    /// True if textures, meshes and sounds were left out: the package is for a server.
    #[must_use]
    pub const fn is_audio_visual_data_stripped(self) -> bool {
        self.global & 2 != 0
    }

    /// True if a bit of the structure's own is set.
    #[must_use]
    pub const fn is_class_data_stripped(self, bit: u8) -> bool {
        self.class & bit != 0
    }
}

/// All global bits that cookers set: editor data, audio-visual data, data needed for cooking.
const KNOWN_STRIP_FLAGS: u8 = 7;

impl<'s, 'a> Payload<'s, 'a> {
    /// Exports of a class inside of this one.
    pub(crate) fn inside<'c>(&self, class: &'c str) -> impl Iterator<Item = &'s Export> + use<'s, 'a, 'c> {
        let (scope, own) = (self.scope, self.export.name);
        let exports = &scope.package.exports;
        exports.iter().filter(move |export| {
            let PackageRef::Export(outer) = export.outer.decode() else { return false };
            let is_inside = exports.get(outer as usize).is_some_and(|outer| outer.name == own);
            is_inside && scope.classes(export.class).first().is_some_and(|own| **own == *class)
        })
    }

    /// Reads an `FStripDataFlags`.
    pub fn strip_flags(&mut self) -> Result<StripFlags, Fault> {
        let at = self.r.clone();
        let [global, class] = self.r.array("strip flags")?;
        // A value beyond the known bits is an early sign of a wrong layout.
        if global > KNOWN_STRIP_FLAGS {
            let kind = FaultKind::TooLarge { found: global.into(), limit: KNOWN_STRIP_FLAGS.into() };
            return Err(at.fault("strip flags", kind));
        }
        Ok(StripFlags { global, class })
    }

    /// Reads a bulk array: the size of an element, which must equal `unit`, a count, and the bytes.
    pub fn bulk_array(&mut self, field: &'static str, unit: usize) -> Result<&'a [u8], Fault> {
        let at = self.r.clone();
        let found = self.r.size(field)?;
        if found as usize != unit {
            let kind = FaultKind::Unexpected { found: found.into(), expected: unit as u64 };
            return Err(at.fault(field, kind));
        }
        let count = self.r.count(field, unit)?;
        self.r.bytes(field, count.saturating_mul(unit))
    }

    /// Reads a count, and that many bytes.
    pub fn byte_array(&mut self, field: &'static str) -> Result<&'a [u8], Fault> {
        let count = self.r.count(field, 1)?;
        self.r.bytes(field, count)
    }

    /// Reads a `double` if worlds are large (since 5.0), a `float` before.
    pub fn real(&mut self, field: &'static str) -> Result<f64, Fault> {
        if self.versions.objects.has_large_worlds() {
            self.r.array(field).map(f64::from_le_bytes)
        } else {
            self.r.f32(field).map(Into::into)
        }
    }

    /// Reads consecutive reals.
    pub fn reals<const N: usize>(&mut self, field: &'static str) -> Result<[f64; N], Fault> {
        let mut reals = [0.0; N];
        for real in &mut reals {
            *real = self.real(field)?;
        }
        Ok(reals)
    }

    /// Reads consecutive `float`s.
    pub fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], Fault> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.r.f32(field)?;
        }
        Ok(floats)
    }

    /// Reads an `FName`.
    pub fn name(&mut self, field: &'static str) -> Result<Name, Fault> {
        self.scope.read_name(&mut self.r, field)
    }

    /// Reads an `FName` as text.
    pub fn name_text(&mut self, field: &'static str) -> Result<Arc<str>, Fault> {
        self.name(field).map(|name| self.scope.shared(name))
    }

    /// Reads a reference to an object.
    pub fn object(&mut self, field: &'static str) -> Result<PackageIndex, Fault> {
        self.scope.read_object(&mut self.r, field)
    }

    /// Reads a number that must equal `expected`.
    pub fn expect(&mut self, field: &'static str, expected: u32) -> Result<(), Fault> {
        let at = self.r.clone();
        match self.r.u32(field)? {
            found if found == expected => Ok(()),
            found => {
                let kind = FaultKind::Unexpected { found: found.into(), expected: expected.into() };
                Err(at.fault(field, kind))
            }
        }
    }

    /// Returns a property by its name; `None` if it is missing or has another type.
    #[must_use]
    pub fn property<T: FromValue<'s>>(&self, name: &str) -> Option<T> {
        self.object.get(self.scope, name)
    }

    /// Returns the name of an enum value, without the name of its enum.
    #[must_use]
    pub fn enum_property(&self, name: &str) -> Option<Arc<str>> {
        let member = self.object.find(self.scope, name)?;
        // Tagged properties hold names; others may be numbers, which mappings turn into text.
        let text = match member.value? {
            Value::Enum(name) | Value::Name(name) => self.scope.shared(*name),
            value => value.text(self.scope)?.as_ref().into(),
        };
        Some(text.rsplit("::").next().unwrap_or_default().into())
    }
}
