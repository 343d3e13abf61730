//! Event graphs, and the places at which the stubs of events enter them.

use crate::bytecode::function::Function;
use crate::bytecode::relocate::entry;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Script};
use crate::package::legacy::{Name, Package, PackageIndex};
use foldhash::{HashMap, HashMapExt};

/// The event graphs of a package, by what stubs call them by.
pub(super) struct EventGraphs {
    by_object: HashMap<i32, usize>,
    by_name: HashMap<Name, usize>,
}

/// Offsets at which events enter each graph, by its position among the functions.
pub(super) type Entries = HashMap<usize, Vec<u32>>;

impl EventGraphs {
    pub(super) fn new(functions: &[Function], package: &Package) -> Self {
        let mut this = Self { by_object: HashMap::new(), by_name: HashMap::new() };
        // Only graphs: the number in a call such as `Open(5)` is no place in `Open`.
        let graphs = functions.iter().enumerate().filter(|(_, function)| function.is_event_graph(package));
        for (at, graph) in graphs {
            this.by_object.extend(PackageIndex::export(graph.export).map(|index| (index.0, at)));
            this.by_name.insert(graph.name, at);
        }
        this
    }

    /// Position of the graph that an object is.
    pub(super) fn of_object(&self, object: PackageIndex) -> Option<usize> {
        self.by_object.get(&object.0).copied()
    }

    /// Position of the graph that a statement enters.
    pub(super) fn of_call(&self, call: &Expression) -> Option<usize> {
        match (call.token, call.object(), call.name()) {
            (Token::FinalFunction | Token::LocalFinalFunction, Some(object), _) => self.of_object(object),
            // Up to 4.20 stubs call the graph by name.
            (Token::VirtualFunction | Token::LocalVirtualFunction, _, Some(name)) => {
                self.by_name.get(&name).copied()
            }
            _ => None,
        }
    }

    /// Offsets at which scripts enter graphs.
    pub(super) fn entries<'f>(&self, scripts: impl Iterator<Item = &'f Script>) -> Entries {
        let mut entries = Entries::new();
        for call in scripts.flat_map(|script| &script.statements) {
            let place = entry(call).and_then(|place| u32::try_from(place).ok());
            if let Some((graph, place)) = self.of_call(call).zip(place) {
                entries.entry(graph).or_default().push(place);
            }
        }
        entries
    }
}
