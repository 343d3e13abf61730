//! Values of unversioned lists that become zero: like the cooker, this sets a header bit instead of writing
//! bytes.

use super::context::Context;
use super::members::Wanted;
use crate::package::legacy::Name;
use crate::property::header::{Header, Member};
use crate::property::kind::Kind;
use crate::property::schema::Slot;
use crate::property::value::{List, UnversionedList};

/// A list before a change.
pub(super) struct Before {
    recorded: Recorded,
    /// The old header; not all are in the form that cookers write today.
    header: Option<Header>,
}

/// The way a list records a property.
#[derive(Clone, Copy)]
enum Recorded {
    /// Omitted.
    No,
    /// As a zero bit, without bytes.
    Zero,
    /// With a value that is zero.
    ZeroValue,
    /// With a nonzero value.
    Value,
}

/// Structs that cookers record as zero. Others, such as `FrameNumber`, are always written.
const STRUCTS: [&str; 11] = [
    "Guid",
    "Vector",
    "Vector2D",
    "Vector4",
    "Rotator",
    "Color",
    "LinearColor",
    "Box2f",
    "DeprecateSlateVector2D",
    "Vector_NetQuantize",
    "Vector_NetQuantizeNormal",
];

/// The position of a property in a list.
struct Spot<'l> {
    index: usize,
    slot: &'l Slot,
    /// Its index among the values, if it has one.
    value: Option<usize>,
}

impl Context<'_, '_> {
    /// Takes a property's record before a change.
    pub(super) fn before(&self, list: &List, wanted: &Wanted<'_>) -> Before {
        let List::Unversioned(list) = list else {
            return Before { recorded: Recorded::Value, header: None };
        };
        let recorded = match spot(list, wanted) {
            Some(Spot { value: Some(place), .. }) => match list.values.get(place) {
                Some(value) if value.is_zero(self) => Recorded::ZeroValue,
                _ => Recorded::Value,
            },
            Some(spot) if list.header.members().any(|member| member.index == spot.index) => Recorded::Zero,
            _ => Recorded::No,
        };
        Before { recorded, header: Some(list.header.clone()) }
    }

    /// Records a changed property as a zero bit if its value has become zero.
    pub(super) fn settle(&self, list: &mut List, wanted: &Wanted<'_>, before: Before) {
        let List::Unversioned(list) = list else { return };
        let Some(Spot { index, slot, value: Some(place) }) = spot(list, wanted) else { return };
        let is_bit = match before.recorded {
            Recorded::Zero => true,
            // Some bools are always written, because they share a byte with others.
            Recorded::ZeroValue => false,
            Recorded::No | Recorded::Value => self.is_recorded_as_zero(&slot.kind),
        };
        if is_bit && list.values.get(place).is_some_and(|value| value.is_zero(self)) {
            list.values.remove(place);
            mark(list, index);
            // Nothing else changed: keep a header that is not in the cooker's form.
            if let Some(header) = before.header.filter(|old| old.members().eq(list.header.members())) {
                list.header = header;
            }
        }
    }

    /// True for types whose zeros have no bytes in real packages.
    fn is_recorded_as_zero(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Byte(_) | Kind::Enum(..) => true,
            Kind::Array(_) => !self.scope.versions.objects.has_bytes_of_empty_values(),
            Kind::Struct(of) => STRUCTS.iter().any(|known| known.eq_ignore_ascii_case(&of.name)),
            Kind::Plain(plain) => plain.has_zero_bit(self.scope.versions.objects),
            Kind::Map(..) | Kind::Set(_) | Kind::Optional(_) | Kind::Unknown(_) => false,
        }
    }

    /// True if a name is `None`.
    pub(in crate::property) fn is_none(&self, name: Name) -> bool {
        self.text(name).eq_ignore_ascii_case("None")
    }
}

fn spot<'l>(list: &'l UnversionedList, wanted: &Wanted<'_>) -> Option<Spot<'l>> {
    let (index, slot) = list.layout.find(wanted.name, wanted.element)?;
    let mut values = list.header.members().filter(|member| !member.is_zero);
    Some(Spot { index, slot, value: values.position(|member| member.index == index) })
}

/// Marks a member as zero in the header.
fn mark(list: &mut UnversionedList, index: usize) {
    let members = list.header.members().map(|member| match member.index {
        found if found == index => Member { is_zero: true, ..member },
        _ => member,
    });
    list.header = Header::new(members.collect::<Vec<_>>().into_iter(), list.layout.len());
}
