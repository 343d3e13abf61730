use crate::package::legacy::{Export, Name, PackageIndex};
use crate::property::{FromValue, Object, Scope, Value};
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, Reader};
use std::sync::Arc;

/// The payload of an export: a cursor with what readers of classes need to know. Offsets in faults count from the start of the
/// export.
#[derive(Debug)]
pub struct Payload<'s, 'a> {
    /// The package that it is in.
    pub scope: &'s Scope<'a>,
    /// The export that it belongs to.
    pub export: &'s Export,
    /// The properties in front of it; there are none where it was searched for.
    pub object: &'s Object,
    /// Name of the class.
    pub class: &'s Arc<str>,
    /// What it may look like.
    pub versions: AssetVersions,
    /// The bytes from here to the end of the export.
    pub r: Reader<'a>,
}

/// `FStripDataFlags`: what a cooker left out.
#[doc(alias = "FStripDataFlags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripFlags {
    /// Bits that mean the same everywhere.
    pub global: u8,
    /// Bits whose meaning depends on the structure.
    pub class: u8,
}

impl StripFlags {
    /// Data for the editor was left out: the package is cooked.
    #[must_use]
    pub const fn is_editor_data_stripped(self) -> bool {
        self.global & 1 != 0
    }

    /// Pictures and sounds were left out: the package is for a server.
    #[must_use]
    pub const fn is_audio_visual_data_stripped(self) -> bool {
        self.global & 2 != 0
    }

    /// A bit of the structure is set.
    #[must_use]
    pub const fn is_class_data_stripped(self, bit: u8) -> bool {
        self.class & bit != 0
    }
}

/// All global bits that cookers set.
const KNOWN_STRIP_FLAGS: u8 = 7;

impl<'s, 'a> Payload<'s, 'a> {
    /// `FStripDataFlags`.
    pub fn strip_flags(&mut self) -> Result<StripFlags, Fault> {
        let at = self.r.clone();
        let [global, class] = self.r.array("strip flags")?;
        if global > KNOWN_STRIP_FLAGS {
            let kind = FaultKind::TooLarge { found: global.into(), limit: KNOWN_STRIP_FLAGS.into() };
            return Err(at.fault("strip flags", kind));
        }
        Ok(StripFlags { global, class })
    }

    /// An array that is written as a whole: the size of an element, which has to be `unit`, a count, and the bytes.
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

    /// A count, and that many bytes.
    pub fn byte_array(&mut self, field: &'static str) -> Result<&'a [u8], Fault> {
        let count = self.r.count(field, 1)?;
        self.r.bytes(field, count)
    }

    /// A `double` in worlds of double precision, a `float` before.
    pub fn real(&mut self, field: &'static str) -> Result<f64, Fault> {
        if self.versions.objects.has_large_worlds() {
            self.r.array(field).map(f64::from_le_bytes)
        } else {
            self.r.f32(field).map(Into::into)
        }
    }

    /// Several reals.
    pub fn reals<const N: usize>(&mut self, field: &'static str) -> Result<[f64; N], Fault> {
        let mut reals = [0.0; N];
        for real in &mut reals {
            *real = self.real(field)?;
        }
        Ok(reals)
    }

    /// Several `float`s.
    pub fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], Fault> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.r.f32(field)?;
        }
        Ok(floats)
    }

    /// `FName`.
    pub fn name(&mut self, field: &'static str) -> Result<Name, Fault> {
        self.scope.read_name(&mut self.r, field)
    }

    /// `FName`, as text.
    pub fn name_text(&mut self, field: &'static str) -> Result<Arc<str>, Fault> {
        self.name(field).map(|name| self.scope.shared(name))
    }

    /// A reference to an object.
    pub fn object(&mut self, field: &'static str) -> Result<PackageIndex, Fault> {
        self.scope.read_object(&mut self.r, field)
    }

    /// A number that has to be this one.
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

    /// A property by its name, as a Rust type; `None` if it is not there, or not known.
    #[must_use]
    pub fn property<T: FromValue<'s>>(&self, name: &str) -> Option<T> {
        self.object.get(self.scope, name)
    }

    /// The name of an enum value, without that of its enum.
    #[must_use]
    pub fn enum_property(&self, name: &str) -> Option<Arc<str>> {
        let member = self.object.find(self.scope, name)?;
        let text = match member.value? {
            Value::Enum(name) | Value::Name(name) => self.scope.shared(*name),
            value => value.text(self.scope)?.as_ref().into(),
        };
        Some(text.rsplit("::").next().unwrap_or_default().into())
    }
}
