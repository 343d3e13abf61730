//! Nodes of editor graphs and their pins, as 4.27 saves them.
//!
//! ```text
//! node:  properties, i32 count, slots            slot: u32 is null, i32 node, guid, and the pin if it is the node's own
//! pin:   i32 node, guid, name, friendly name, tool tip, u8 direction, type, default value, automatic default value,
//!        i32 default object, default text, links, sub-pins, parent, pass-through, guid, u32 bits
//! ```
//!
//! Source: the sheet on packages that the editor saves; nothing here is shared with the library but the names.

use std::collections::HashMap;
use uncask::package::legacy::{Name, Package, PackageIndex, PackageRef};
use uncask::property::{Body, Object, Scope, Struct};
use uncask::wire::Writer;

/// A node of a graph.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) class: String,
    /// The function that it calls.
    pub(super) member: Option<String>,
    pub(super) is_disabled: bool,
    pub(super) pins: Vec<Pin>,
}

/// An input or output of a node.
#[derive(Debug)]
pub(super) struct Pin {
    pub(super) name: String,
    pub(super) is_output: bool,
    pub(super) category: String,
    /// True if its type has a struct, enum or class.
    pub(super) has_type: bool,
    pub(super) default: String,
    /// Nodes that it is linked to, by export index.
    pub(super) links: Vec<u32>,
    pub(super) is_hidden: bool,
}

/// The nodes of each graph of a package, by its name.
pub(super) fn graphs(scope: &Scope<'_>) -> HashMap<String, HashMap<u32, Node>> {
    let mut graphs: HashMap<String, HashMap<u32, Node>> = HashMap::new();
    for (place, export) in (0..).zip(&scope.package.exports) {
        let class = scope.package.class_path(export);
        let Some((_, class)) = class.rsplit_once('.').filter(|(_, class)| class.starts_with("K2Node_"))
        else {
            continue;
        };
        let object = Object::read(scope, export);
        let reference: Option<&Struct> = object.get(scope, "FunctionReference");
        let member = reference.and_then(|reference| match &reference.body {
            Body::List(list) => list.find(scope.package, "MemberName")?.get::<Name>(),
            _ => None,
        });
        let state: Option<Name> = object.get(scope, "EnabledState");
        // What follows the properties and the GUID, of which there is none, is read here alone.
        let mut front = object.clone();
        front.tail.fields.retain(|(name, _)| *name == "ObjectGuid");
        front.rest = Box::default();
        let mut written = Writer::new();
        front.write(&mut written).unwrap();
        let bytes = &scope.bytes(export).unwrap()[written.len()..];
        let mut reader = Reader { scope, bytes };
        let count = reader.i32().unwrap();
        let pins =
            (0..count).map(|_| reader.own_pin().unwrap_or_else(|| panic!("{class} {place}"))).collect();
        let text = |name: Name| scope.package.text(name).to_string();
        let PackageRef::Export(graph) = export.outer.decode() else { panic!("{class} {place} has no graph") };
        let graph = text(scope.package.exports[graph as usize].name);
        let is_disabled = state.is_some_and(|state| text(state).ends_with("Disabled"));
        let node = Node { class: class.to_owned(), member: member.map(text), is_disabled, pins };
        graphs.entry(graph).or_default().insert(place, node);
    }
    graphs
}

struct Reader<'a, 's> {
    scope: &'a Scope<'s>,
    bytes: &'a [u8],
}

impl Reader<'_, '_> {
    fn own_pin(&mut self) -> Option<Pin> {
        self.slot()?;
        self.skip(20)?;
        let name = self.name()?;
        self.text()?;
        self.string()?;
        let is_output = self.take::<1>()? == [1];
        let (category, has_type) = self.kind()?;
        let default = self.string()?;
        self.string()?;
        let object = self.object()?;
        let text = self.text()?;
        let default = [default, object, text].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let links = self.slots()?;
        self.slots()?;
        self.slot()?;
        self.slot()?;
        self.skip(16)?;
        let is_hidden = self.u32()? & 1 != 0;
        Some(Pin { name, is_output, category, has_type, default, links, is_hidden })
    }

    fn kind(&mut self) -> Option<(String, bool)> {
        let category = self.name()?;
        self.name()?;
        let has_type = self.i32()? != 0;
        // A map has a second type.
        if self.take::<1>()? == [3] {
            self.skip(8 + 8 + 4 + 4 + 4 + 4)?;
        }
        // By reference, weak, the member that a delegate is of, const, wrapper.
        self.skip(4 + 4 + 4 + 8 + 16 + 4 + 4)?;
        Some((category, has_type))
    }

    fn slots(&mut self) -> Option<Vec<u32>> {
        let count = self.i32()?;
        let nodes: Option<Vec<_>> = (0..count).map(|_| self.slot()).collect();
        Some(nodes?.into_iter().flatten().collect())
    }

    /// The nodes of a reference: one or none.
    fn slot(&mut self) -> Option<Vec<u32>> {
        if self.u32()? != 0 {
            return Some(Vec::new());
        }
        let node = self.i32()?;
        self.skip(16)?;
        Some(u32::try_from(node - 1).into_iter().collect())
    }

    fn text(&mut self) -> Option<String> {
        self.skip(4)?;
        match self.take::<1>()? {
            // No localization: a text that is always the same, if there is one.
            [0xff] => match self.u32()? {
                0 => Some(String::new()),
                _ => self.string(),
            },
            [0] => {
                self.string()?;
                self.string()?;
                self.string()
            }
            // A format with named arguments, which are texts: names of split pins.
            [1] => {
                let format = self.text()?;
                for _ in 0..self.i32()? {
                    self.string()?;
                    if self.take::<1>()? != [4] {
                        return None;
                    }
                    self.text()?;
                }
                Some(format)
            }
            _ => None,
        }
    }

    /// Own name of an object; empty for none.
    fn object(&mut self) -> Option<String> {
        let package: &Package = self.scope.package;
        let name = match PackageIndex(self.i32()?).decode() {
            PackageRef::None => return Some(String::new()),
            PackageRef::Export(index) => package.exports.get(index as usize)?.name,
            PackageRef::Import(index) => package.imports.get(index as usize)?.name,
        };
        Some(package.text(name).to_string())
    }

    fn name(&mut self) -> Option<String> {
        let name = Name { index: self.u32()?, number: self.u32()? };
        Some(self.scope.package.text(name).to_string())
    }

    fn string(&mut self) -> Option<String> {
        let len = self.i32()?;
        if len < 0 {
            let wide = self.bytes.split_off(..len.unsigned_abs() as usize * 2)?;
            let units: Vec<u16> =
                wide.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
            return Some(String::from_utf16_lossy(&units).trim_end_matches('\0').to_owned());
        }
        let narrow = self.bytes.split_off(..len.unsigned_abs() as usize)?;
        Some(
            narrow.iter().map(|byte| char::from(*byte)).collect::<String>().trim_end_matches('\0').to_owned(),
        )
    }

    fn i32(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.take()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take()?))
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes.split_off(..N)?.try_into().ok()
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        self.bytes.split_off(..len).map(|_| ())
    }
}
