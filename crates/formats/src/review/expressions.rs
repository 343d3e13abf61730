//! Names of material expressions.

use crate::graph::{number_titles, short_class};
use crate::names::split_number;
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::Scope;
use std::collections::{BTreeMap, HashMap};

/// Start of the names of classes of expressions.
const EXPRESSION: &str = "MaterialExpression";

/// Names of the expressions of a package, unique in each material.
#[derive(Debug, Default)]
pub(super) struct Expressions {
    labels: HashMap<u32, String>,
}

impl Expressions {
    pub(super) fn new(scope: &Scope<'_>) -> Self {
        let mut by_outer: BTreeMap<i32, Vec<(u32, String, u32)>> = BTreeMap::new();
        for (at, export) in (0..).zip(&scope.package.exports) {
            let Some(class) = scope.class_name(export).filter(|class| class.starts_with(EXPRESSION)) else {
                continue;
            };
            let name = scope.package.text(export.name).to_string();
            let number = split_number(&name).1;
            by_outer.entry(export.outer.0).or_default().push((at, short_class(&class).to_owned(), number));
        }
        let mut labels = HashMap::new();
        for expressions in by_outer.into_values() {
            let titles = expressions
                .iter()
                .map(|(_, title, number)| (title.clone(), *number, None))
                .collect::<Vec<_>>();
            labels.extend(expressions.iter().map(|(at, ..)| *at).zip(number_titles(&titles)));
        }
        Self { labels }
    }

    /// The name of an expression; `None` for what is none.
    pub(super) fn label(&self, index: PackageIndex) -> Option<&str> {
        match index.decode() {
            PackageRef::Export(at) => self.labels.get(&at).map(String::as_str),
            _ => None,
        }
    }
}
