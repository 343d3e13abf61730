//! Blueprints in one line.

use super::class::BlueprintClass;
use super::function::Function;
use super::symbols::Symbols;
use crate::package::legacy::PackageIndex;
use crate::property::Scope;
use crate::wire::counted;
use foldhash::{HashMap, HashMapExt};
use serde::Serialize;
use std::fmt;

/// Summary of a blueprint class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlueprintSummary {
    /// Name of the class that it extends.
    pub parent: String,
    /// Number of interfaces.
    pub interfaces: usize,
    /// Number of variables of its own.
    pub variables: usize,
    /// Number of components that it adds.
    pub components: usize,
    /// Number of functions and events.
    pub functions: usize,
    /// Number of statements in these.
    pub statements: usize,
    /// Number of functions that are damaged.
    pub damaged: usize,
}

impl BlueprintSummary {
    /// Summarises all blueprint classes of a package, each with its export index.
    #[must_use]
    pub fn all(scope: &Scope<'_>) -> Vec<(u32, Self)> {
        let classes = BlueprintClass::all(scope);
        if classes.is_empty() {
            return Vec::new();
        }
        let symbols = Symbols::new(scope.package);
        let mut functions: HashMap<i32, Vec<Function>> = HashMap::new();
        for function in Function::all(scope) {
            functions.entry(function.class.0).or_default().push(function);
        }
        let summary = |class: &BlueprintClass| {
            let own = PackageIndex::export(class.export).and_then(|index| functions.get(&index.0));
            (class.export, Self::of(class, own.map(Vec::as_slice).unwrap_or_default(), &symbols))
        };
        classes.iter().map(summary).collect()
    }

    fn of(class: &BlueprintClass, functions: &[Function], symbols: &Symbols<'_>) -> Self {
        Self {
            parent: symbols.own_name(class.parent).unwrap_or_default(),
            interfaces: class.interfaces.len(),
            variables: class.variables.len(),
            components: class.components.len(),
            functions: functions.len(),
            statements: functions.iter().map(|function| function.script.statements.len()).sum(),
            damaged: functions.iter().filter(|function| !function.script.is_complete()).count(),
        }
    }
}

impl fmt::Display for BlueprintSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parent = if self.parent.is_empty() { "an unknown class" } else { &self.parent };
        write!(f, "blueprint of {parent}")?;
        for (number, one, many) in [
            (self.interfaces, "interface", "interfaces"),
            (self.variables, "variable", "variables"),
            (self.components, "component", "components"),
            (self.functions, "function", "functions"),
            (self.statements, "statement", "statements"),
            (self.damaged, "damaged function", "damaged functions"),
        ] {
            if number > 0 {
                write!(f, ", {}", counted(number as u64, one, many))?;
            }
        }
        Ok(())
    }
}
