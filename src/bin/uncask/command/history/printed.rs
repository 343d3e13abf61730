//! Values over builds for people, as JSON, or as CSV.

use super::destination::{Build, Destination, HistoryEnd, Opened};
use crate::args::HistoryArgs;
use crate::printer::{self, counted};
use crate::session::Session;
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use uncask::game::{HistoryRow, ShownValue, ValueChange};

/// Kept until the end: what belongs together comes with several builds.
pub(super) struct Printed<'a> {
    args: &'a HistoryArgs,
    builds: Vec<String>,
    values: BTreeMap<Place, Vec<Step>>,
}

/// Package, object and property of a value; and the class of the object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Place {
    package: Arc<str>,
    object: Arc<str>,
    property: String,
    class: Arc<str>,
}

/// Change of a value by a build.
#[derive(Debug, Serialize)]
struct Step {
    build: String,
    change: ValueChange,
    /// The new value; `None` if it was removed.
    value: Option<ShownValue>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    builds: &'a [String],
    values: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    #[serde(flatten)]
    place: &'a Place,
    steps: &'a [Step],
}

/// Row of the CSV table.
#[derive(Serialize)]
struct Row<'a> {
    package: &'a str,
    object: &'a str,
    class: &'a str,
    property: &'a str,
    build: &'a str,
    change: ValueChange,
    value: Option<&'a ShownValue>,
}

impl<'a> Printed<'a> {
    pub(super) const fn new(args: &'a HistoryArgs) -> Self {
        Self { args, builds: Vec::new(), values: BTreeMap::new() }
    }

    fn print(&self) -> anyhow::Result<()> {
        let mut out = printer::out();
        let mut last = None;
        for (place, steps) in &self.values {
            if last != Some(&place.package) {
                writeln!(out, "{}", place.package)?;
                last = Some(&place.package);
            }
            let step = |step: &Step| {
                let value = step.value.as_ref().map_or("removed", |value| &value.text);
                format!("{value} ({})", step.build)
            };
            let steps: Vec<String> = steps.iter().map(step).collect();
            writeln!(out, "    {}.{}: {}", place.object, place.property, steps.join(" → "))?;
        }
        Ok(out.flush()?)
    }

    fn print_csv(&self) -> anyhow::Result<()> {
        let mut sheet = Spreadsheet::new(true);
        for (place, steps) in &self.values {
            let Place { package, object, property, class } = place;
            for Step { build, change, value } in steps {
                let (change, value) = (*change, value.as_ref());
                sheet.row(&Row { package, object, class, property, build, change, value })?;
            }
        }
        let (mut out, mut lines) = (printer::out(), Lines::default());
        sheet.finish(&mut lines)?;
        out.append(&lines)?;
        Ok(out.flush()?)
    }
}

impl Destination for Printed<'_> {
    fn has(&mut self, _build: &Build, _opened: &Opened, _before: Option<&Opened>) -> bool {
        false
    }

    fn begin(&mut self, build: &Build) -> anyhow::Result<()> {
        self.builds.push(build.name.clone());
        Ok(())
    }

    fn rows(&mut self, build: &Build, rows: Vec<HistoryRow>) -> anyhow::Result<()> {
        for HistoryRow { package, object, class, property, change, value } in rows {
            let place = Place { package, object, property, class };
            let value = (change != ValueChange::Removed).then_some(value);
            let step = Step { build: build.name.clone(), change, value };
            self.values.entry(place).or_default().push(step);
        }
        Ok(())
    }

    fn end(&mut self, _is_whole: bool) -> anyhow::Result<()> {
        Ok(())
    }

    fn finish(mut self: Box<Self>, session: &Session) -> anyhow::Result<HistoryEnd> {
        if self.args.changed {
            self.values.retain(|_, steps| steps.len() > 1);
        }
        if session.printer.json {
            let values = self.values.iter().map(|(place, steps)| Value { place, steps }).collect();
            printer::print_json(&Report { schema: "uncask.history/1", builds: &self.builds, values })?;
        } else if self.args.csv {
            self.print_csv()?;
        } else {
            self.print()?;
        }
        let text = counted(self.values.len() as u64, "value", "values");
        Ok(HistoryEnd { text, is_nothing: self.values.is_empty() })
    }
}
