//! Addresses with wildcards: `*.Damage`, `DT_Items.*.Price`, `Sword.Levels[*].**.Range`.

use crate::extract::PatternError;
use crate::property::edit::{Address, EditError, ExportName, Step};
use crate::values::query::NamePattern;

/// A pattern for addresses of values. In every part of it, `*` stands for any characters and `?` for one; `**` is any number of
/// steps.
#[derive(Debug, Clone)]
pub struct AddressPattern {
    text: String,
    address: Address,
    export: ExportPattern,
    steps: Vec<StepPattern>,
}

#[derive(Debug, Clone)]
enum ExportPattern {
    Name(NamePattern),
    Place(usize),
}

#[derive(Debug, Clone)]
enum StepPattern {
    One(NamePattern),
    /// Any number of steps.
    Any,
}

/// A reason not to take a text for a pattern of addresses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddressPatternError {
    /// It is no address.
    #[error(transparent)]
    Address(#[from] EditError),
    /// A part of it is no pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Step that stands for any number of steps.
const ANY: &str = "**";

/// Name of the field with the rows of a table, which an address may leave out.
const ROWS: &str = "Rows";

impl AddressPattern {
    /// Parses a pattern.
    pub fn new(text: &str) -> Result<Self, AddressPatternError> {
        let address: Address = text.parse()?;
        let export = match &address.export {
            ExportName::Name(name) => ExportPattern::Name(wild(name)?),
            ExportName::Place(place) => ExportPattern::Place(*place),
        };
        let step = |step: &Step| match step.text() {
            ANY => Ok(StepPattern::Any),
            name => wild(name).map(StepPattern::One),
        };
        let steps = address.steps.iter().map(step).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), address, export, steps })
    }

    /// The pattern as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The only address that fits; `None` if there may be several.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        let is_one = |text: &str| !text.contains(['*', '?']);
        let is_export = match &self.address.export {
            ExportName::Name(name) => is_one(name),
            ExportName::Place(_) => true,
        };
        let is_exact = is_export && self.address.steps.iter().all(|step| is_one(step.text()));
        is_exact.then_some(&self.address)
    }

    /// Name of the only export that fits; `None` if there may be several, or it is told by its place.
    pub(super) fn export_name(&self) -> Option<&str> {
        match &self.address.export {
            ExportName::Name(name) if !name.contains(['*', '?']) => Some(name),
            _ => None,
        }
    }

    /// The part for exports, as text.
    pub(super) fn export_text(&self) -> String {
        self.address.export.to_string().to_lowercase()
    }

    /// The last step in lower case; `None` if it has wildcards.
    #[must_use]
    pub fn last(&self) -> Option<String> {
        let last = self.address.steps.last()?.text();
        (!last.contains(['*', '?'])).then(|| last.to_lowercase())
    }

    /// True if values of an export may fit.
    #[must_use]
    pub fn fits_export(&self, name: &str, place: usize) -> bool {
        match &self.export {
            ExportPattern::Name(pattern) => pattern.matches(name),
            ExportPattern::Place(wanted) => *wanted == place,
        }
    }

    /// True if the address of a value in such an export fits.
    #[must_use]
    pub fn fits(&self, steps: &[Step]) -> bool {
        let is_rows = steps.first().is_some_and(|first| first.text().eq_ignore_ascii_case(ROWS));
        fits(&self.steps, steps) || is_rows && steps.get(1..).is_some_and(|rest| fits(&self.steps, rest))
    }
}

impl AddressPattern {
    /// True if the address of something inside a value may fit.
    #[must_use]
    pub fn may_fit_below(&self, steps: &[Step]) -> bool {
        let is_rows = steps.first().is_some_and(|first| first.text().eq_ignore_ascii_case(ROWS));
        may_go_on(&self.steps, steps)
            || is_rows && steps.get(1..).is_some_and(|rest| may_go_on(&self.steps, rest))
    }
}

/// True if these steps can be the first of more that fit.
fn may_go_on(wanted: &[StepPattern], steps: &[Step]) -> bool {
    // All places in the pattern that the steps may have reached; few, as patterns are short.
    let reach = |places: &mut Vec<usize>, mut at: usize| {
        while !places.contains(&at) {
            places.push(at);
            // `**` may be for no step at all.
            at += usize::from(matches!(wanted.get(at), Some(StepPattern::Any)));
        }
    };
    let mut places = Vec::new();
    reach(&mut places, 0);
    for step in steps {
        let mut next = Vec::new();
        for at in places {
            match wanted.get(at) {
                Some(StepPattern::Any) => reach(&mut next, at),
                Some(StepPattern::One(pattern)) if pattern.matches(step.text()) => reach(&mut next, at + 1),
                _ => {}
            }
        }
        places = next;
    }
    places.iter().any(|at| *at < wanted.len())
}

/// A name, in which only `*` and `?` are special.
fn wild(text: &str) -> Result<NamePattern, PatternError> {
    if text.contains(['*', '?']) {
        let plain: String = text.chars().map(|c| if "[]{}\\!".contains(c) { '?' } else { c }).collect();
        return NamePattern::new(&plain);
    }
    Ok(NamePattern::Name(text.to_owned()))
}

fn fits(wanted: &[StepPattern], steps: &[Step]) -> bool {
    // Where the last `**` was, and the step that it would reach to next: as for globs, only the last one has to be tried again.
    let (mut at, mut step, mut again) = (0, 0, None);
    while step < steps.len() {
        match wanted.get(at) {
            Some(StepPattern::Any) => {
                again = Some((at + 1, step));
                at += 1;
            }
            Some(StepPattern::One(pattern))
                if steps.get(step).is_some_and(|step| pattern.matches(step.text())) =>
            {
                (at, step) = (at + 1, step + 1);
            }
            _ => match &mut again {
                Some((after, from)) => {
                    *from += 1;
                    (at, step) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    wanted.get(at..).unwrap_or_default().iter().all(|rest| matches!(rest, StepPattern::Any))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits_one(pattern: &str, address: &str) -> bool {
        let (pattern, address) = (AddressPattern::new(pattern).unwrap(), address.parse::<Address>().unwrap());
        let ExportName::Name(name) = &address.export else { return false };
        pattern.fits_export(name, 0) && pattern.fits(&address.steps)
    }

    #[test]
    fn every_part_may_have_wildcards() {
        for (pattern, address, expected) in [
            ("*.Damage", "Sword.damage", true),
            ("*.Damage", "Sword.Stats.Damage", false),
            ("*.**.Damage", "Sword.Stats[2].Damage", true),
            ("*.**.Damage", "Sword.Damage", true),
            ("*.**.Stats.**.Damage", "S.Stats.A.Stats.B.Damage", true),
            ("*.**.Stats.**.Damage", "S.Damage", false),
            ("S*d.Levels[*].Range", "Sword.Levels[12].Range", true),
            ("S*d.Levels[?].Range", "Sword.Levels[12].Range", false),
            ("DT.Sword.Price", "DT.Rows[Sword].Price", true),
            ("DT.*.Price", "DT.Rows[\"a.b\"].Price", true),
            ("DT.Rows[*].Price", "DT.Rows[Sword].Price", true),
            ("DT.\"a[*\".Price", "DT.\"a[b\".Price", true),
            ("DT.**", "DT.A.B", true),
            ("Shield.Damage", "Sword.Damage", false),
        ] {
            assert_eq!(fits_one(pattern, address), expected, "{pattern} {address}");
        }
        for (pattern, address, expected) in [
            ("*.Levels", "Sword.Levels", false),
            ("*.Levels[*]", "Sword.Levels", true),
            ("*.Levels[*].Range", "Sword.Levels[2]", true),
            ("*.Damage", "Sword.Levels", false),
            ("*.**.Range", "Sword.Levels", true),
            ("*.A.**.B", "Sword.C", false),
            ("*.A.**", "Sword.A.B", true),
            ("DT.*.Price", "DT.Rows", true),
            ("DT.*.Price", "DT.Rows[Sword]", true),
            ("DT.*.Price", "DT.Rows[Sword].Price", false),
        ] {
            let (of, steps) =
                (AddressPattern::new(pattern).unwrap(), address.parse::<Address>().unwrap().steps);
            assert_eq!(of.may_fit_below(&steps), expected, "{pattern} below {address}");
        }
        assert!(AddressPattern::new("#3.A[0].B").unwrap().address().is_some());
        assert!(AddressPattern::new("A.B*").unwrap().address().is_none());
        assert!(AddressPattern::new("A..B").is_err());
    }
}
