use super::super::usage::UsageRow;
use std::collections::HashMap;

/// Row numbers by name.
pub(super) struct Numbers<'a> {
    pub(super) types: HashMap<&'a str, u32>,
    pub(super) classes: HashMap<&'a str, u32>,
    pub(super) containers: HashMap<&'a str, u32>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(types: &'a [UsageRow], classes: &'a [UsageRow], containers: &'a [UsageRow]) -> Self {
        let number =
            |rows: &'a [UsageRow]| (0..).zip(rows).map(|(at, row)| (row.name.as_str(), at)).collect();
        Self { types: number(types), classes: number(classes), containers: number(containers) }
    }
}

/// Row number of a name. Every name comes from the entries summed up in the table, so it exists.
pub(super) fn number(rows: &HashMap<&str, u32>, name: &str) -> u32 {
    rows.get(name).copied().unwrap_or_default()
}
