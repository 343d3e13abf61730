//! Reading property lists.

use super::cause::ReadCause;
use super::decode::{Decoder, Owner, ReadPlace};
use super::header::Header;
use super::kind::StructName;
use super::layout::Layout;
use super::tag::Tag;
use super::value::{List, Property, TaggedList, UnversionedList, Value};
use crate::wire::{Fault, FaultKind};
use std::sync::Arc;

/// Least bytes of a property with its tag.
const MIN_PROPERTY: usize = 25;

impl Decoder<'_, '_> {
    /// Reads a list inside a value.
    pub(super) fn nested(&mut self, name: &StructName) -> Result<List, Fault> {
        if self.tagged {
            let mut list = TaggedList::default();
            self.fill_tagged(&mut list, Some(name))?;
            return Ok(List::Tagged(list));
        }
        let mut list = self.unversioned(name)?;
        self.fill_unversioned(&mut list)?;
        Ok(List::Unversioned(list))
    }

    /// Reads the list of an object. Returns the part that could be read, and the fault that stopped the
    /// reading. Some classes write no list: two bytes of such a class are taken for an empty one only if
    /// the class `is_known`.
    pub(super) fn of_object(&mut self, class: &StructName, is_known: bool) -> (Option<List>, Option<Fault>) {
        if self.tagged {
            let mut list = TaggedList::default();
            let fault = self.control(&mut list).and_then(|()| self.fill_tagged(&mut list, Some(class))).err();
            // Such a class looks like a damaged list; the cause names the class instead.
            if let Some(fault) = fault.filter(|_| has_own_form(class)) {
                self.blame(fault, || ReadCause::OwnForm(class.clone()));
            }
            // If nothing was read before a fault, the whole export is kept raw.
            let list = Some(List::Tagged(list)).filter(|list| fault.is_none() || !list.is_empty());
            return (list, fault);
        }
        // Without a schema, an empty list can still be told from its header.
        let start = self.r.clone();
        let list = self.unversioned(class).or_else(|fault| {
            self.r = start;
            let is_open = is_known && self.scope.layout(class).is_none();
            let empty = if is_open { self.without_values(class) } else { None };
            empty.ok_or(fault)
        });
        match list {
            Err(fault) => (None, Some(fault)),
            Ok(mut list) => {
                let fault = self.fill_unversioned(&mut list).err();
                // A header alone explains nothing: the bytes may be those of any class.
                let is_something = fault.is_none() || !list.values.is_empty();
                (is_something.then_some(List::Unversioned(list)), fault)
            }
        }
    }

    /// Reads the control byte in front of an object's list (5.4 and later). Nested lists have none.
    fn control(&mut self, list: &mut TaggedList) -> Result<(), Fault> {
        const HAS_OPERATION: u8 = 2;
        if !self.scope.versions.objects.has_tag_extension() {
            return Ok(());
        }
        let at = self.r.clone();
        let control = self.r.u8("control byte of a property list")?;
        // Only bit 1 is known. Anything else means that this is no list.
        if control & !HAS_OPERATION != 0 {
            let kind = FaultKind::TooLarge { found: control.into(), limit: HAS_OPERATION.into() };
            return Err(at.fault("control byte of a property list", kind));
        }
        let more = self.r.when(control & HAS_OPERATION != 0, |r| r.u8("operation of a property list"))?;
        list.control = std::iter::once(control).chain(more).collect();
        Ok(())
    }

    /// Reads properties up to the name `None`. Properties read before a fault stay in the list.
    pub(super) fn fill_tagged(&mut self, list: &mut TaggedList, owner: Owner<'_>) -> Result<(), Fault> {
        self.enter(|d| {
            loop {
                let start = d.r.clone();
                let property = d.property(owner);
                match property {
                    Ok(Ok(property)) => list.properties.push(property),
                    Ok(Err(end)) => {
                        list.end = Some(end);
                        return Ok(());
                    }
                    Err(fault) => {
                        // Back to the start of the property, so that its bytes stay in the rest.
                        d.r = start;
                        return Err(fault);
                    }
                }
            }
        })
    }

    /// Reads a property; `Err` is the name that ends the list.
    fn property(
        &mut self,
        owner: Owner<'_>,
    ) -> Result<Result<Property, crate::package::legacy::Name>, Fault> {
        let name = self.scope.read_name(&mut self.r, "name of a property")?;
        if self.scope.is_none(name) {
            return Ok(Err(name));
        }
        self.step()?;
        let at = self.r.clone();
        let tag = Tag::read(&mut self.r, self.scope, name)?;
        // A negative size is reported where the value is read; here its magnitude must fit, too.
        if tag.len.unsigned_abs() as usize > self.r.remaining() {
            let kind = FaultKind::TooLarge {
                found: tag.len.unsigned_abs().into(),
                limit: self.r.remaining() as u64,
            };
            return Err(at.fault("size of a property", kind));
        }
        let value = self.tag_value(&tag, owner)?;
        Ok(Ok(Property { tag, value }))
    }

    /// Reads the header of an unversioned list.
    fn unversioned(&mut self, name: &StructName) -> Result<UnversionedList, Fault> {
        let Some(layout) = self.scope.layout(name) else {
            let fault = self.r.fault("schema of a struct", FaultKind::Unknown);
            self.subject = Some(Arc::clone(&name.name));
            self.blame(fault, || ReadCause::NoSchema(name.clone()));
            return Err(fault);
        };
        self.of_layout(layout)
    }

    /// Reads a list without values, which needs no schema.
    fn without_values(&mut self, name: &StructName) -> Option<UnversionedList> {
        let start = self.r.clone();
        let header = Header::read(&mut self.r, usize::MAX).ok();
        let header = header.filter(|header| header.members().next().is_none());
        if header.is_none() {
            self.r = start;
        }
        let layout = Arc::new(Layout::unknown(name.clone()));
        Some(UnversionedList { layout, header: header?, values: Vec::new() })
    }

    /// Reads the header of a list with a known schema.
    pub(super) fn of_layout(&mut self, layout: Arc<Layout>) -> Result<UnversionedList, Fault> {
        let header = Header::read(&mut self.r, layout.len());
        let header = header.inspect_err(|fault| {
            self.subject = layout.missing().map(|name| Arc::clone(&name.name));
            self.blame(*fault, || past_end(&layout));
        })?;
        Ok(UnversionedList { layout, header, values: Vec::new() })
    }

    /// Reads the values that a header counts. Values before a fault stay in the list.
    pub(super) fn fill_unversioned(&mut self, list: &mut UnversionedList) -> Result<(), Fault> {
        self.enter(|d| {
            // Bounded by the bytes left: the header of a damaged list may count many more.
            list.values.reserve(list.header.values().min(d.r.remaining() / MIN_PROPERTY + 8));
            let mut slots = list.layout.cursor();
            for member in list.header.members().filter(|member| !member.is_zero) {
                d.step()?;
                let start = d.r.clone();
                let Some((slot, _)) = slots.seek(member.index) else {
                    let fault = start.fault("property of a schema", FaultKind::Unknown);
                    d.blame(fault, || past_end(&list.layout));
                    return Err(fault);
                };
                match d.value(&slot.kind, ReadPlace::Member) {
                    Ok(value) => list.values.push(value),
                    Err(fault) => {
                        // Nothing after this value can be found, so it stays raw with everything after it.
                        d.r = start;
                        let subject =
                            || format!("{} {}", list.layout.names().next().unwrap_or_default(), slot.name);
                        // The innermost struct names the property first.
                        d.subject.get_or_insert_with(|| subject().into());
                        d.blame(fault, || wrong(&list.layout));
                        return Err(fault);
                    }
                }
            }
            Ok(())
        })
    }

    /// Reads a list that has tags even in an unversioned package.
    pub(super) fn tagged_list(&mut self, name: &StructName) -> Result<Value, Fault> {
        let outer = std::mem::replace(&mut self.tagged, true);
        let list = self.nested(name);
        self.tagged = outer;
        Ok(Value::list(Some(Arc::clone(&name.name)), list?))
    }
}

/// The cause of a member past the end of a schema: a missing base, or the wrong schema.
fn past_end(layout: &Layout) -> ReadCause {
    match layout.missing() {
        Some(base) => ReadCause::NoSchema(base.clone()),
        None => wrong(layout),
    }
}

fn wrong(layout: &Layout) -> ReadCause {
    match layout.own_name().cloned() {
        Some(name) if has_own_form(&name) => ReadCause::OwnForm(name),
        Some(name) => ReadCause::WrongSchema(name),
        None => ReadCause::Other,
    }
}

/// Structs and classes that write no property list, or something undescribed before it. In the 5.8 fixtures
/// they have no list in tagged packages either.
const OWN_FORMS: [&str; 4] = ["MidiEvent", "NNEModelData", "RigHierarchy", "RigVM"];

fn has_own_form(name: &StructName) -> bool {
    OWN_FORMS.iter().any(|known| name.name.eq_ignore_ascii_case(known))
}
