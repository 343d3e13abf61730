//! Conditions of rules: values beside the changed one, and what they have to be.

use crate::extract::PatternError;
use crate::property::edit::{Address, EditError, Step};
use crate::values::query::{NamePattern, NumberRange};
use std::collections::HashMap;
use std::fmt::Write as _;

/// A value beside that of a rule, and what it has to be.
#[derive(Debug, Clone)]
pub struct Condition {
    /// Steps to the value from the struct, row or object around the changed one; empty for the changed value itself.
    steps: Vec<Step>,
    /// Any of them is enough.
    any_of: Vec<Test>,
}

#[derive(Debug, Clone)]
enum Test {
    Number(f64),
    Range(NumberRange),
    Text(NamePattern),
}

/// Stands for the export, which paths of conditions do not name.
const AROUND: &str = "Export";

/// An error in an address as one in the path that it was made of.
fn of_path(error: EditError, path: &str) -> EditError {
    match error {
        EditError::Address { expected, column, .. } => {
            let column = column.saturating_sub(AROUND.len() + 1);
            EditError::Address { address: path.to_owned(), expected, column }
        }
        error => error,
    }
}

/// Path of the changed value itself.
const ITSELF: &str = ".";

impl Condition {
    /// A condition on the value at a path: a number, a range of numbers (`>5`, `5..10`), or a text that may have wildcards; of
    /// several, any.
    pub fn new(path: &str, any_of: &[String]) -> Result<Self, ConditionError> {
        let steps = match path {
            ITSELF => Vec::new(),
            // An address begins with an export, which is that of the changed value.
            path => {
                format!("{AROUND}.{path}").parse::<Address>().map_err(|error| of_path(error, path))?.steps
            }
        };
        let test = |text: &String| -> Result<Test, PatternError> {
            Ok(match text.parse::<f64>() {
                Ok(number) => Test::Number(number),
                Err(_) => match NumberRange::parse(text) {
                    Some(range) => Test::Range(range),
                    None => Test::Text(NamePattern::new(text)?),
                },
            })
        };
        Ok(Self { steps, any_of: any_of.iter().map(test).collect::<Result<_, _>>()? })
    }

    fn is(&self, text: &str) -> bool {
        let number = text.parse::<f64>().ok();
        self.any_of.iter().any(|test| match test {
            Test::Number(wanted) => number == Some(*wanted),
            Test::Range(range) => number.is_some_and(|number| range.has(number)),
            // The values of enums may have the type in front of them.
            Test::Text(pattern) => {
                pattern.matches(text) || text.rsplit_once("::").is_some_and(|(_, text)| pattern.matches(text))
            }
        })
    }
}

/// A reason not to take texts for a condition.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// The path is none.
    #[error(transparent)]
    Path(#[from] EditError),
    /// A text is no pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Texts of the values of a package, by export and path.
#[derive(Debug, Default)]
pub(super) struct Facts(HashMap<(usize, String), String>);

impl Facts {
    pub(super) fn add(&mut self, export: usize, steps: &[Step], text: String) {
        self.0.insert((export, key(steps.iter())), text);
    }

    /// True if a condition holds for a value: in the innermost struct, row or object around it that has the value of the condition.
    pub(super) fn hold(&self, condition: &Condition, export: usize, steps: &[Step]) -> bool {
        if condition.steps.is_empty() {
            return self.0.get(&(export, key(steps.iter()))).is_some_and(|text| condition.is(text));
        }
        let around = (0..steps.len()).rev().filter_map(|len| steps.get(..len));
        let mut found =
            around.filter_map(|outer| self.0.get(&(export, key(outer.iter().chain(&condition.steps)))));
        found.next().is_some_and(|text| condition.is(text))
    }
}

/// Steps as one text in lower case.
fn key<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    steps.fold(String::new(), |mut key, step| {
        // Writing into a text cannot fail.
        let _ = write!(key, "/{}", step.text().to_lowercase());
        key
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<Step> {
        format!("E.{text}").parse::<Address>().unwrap().steps
    }

    #[test]
    fn the_nearest_value_around_decides() {
        let mut facts = Facts::default();
        for (path, text) in
            [("Rows[A].Tier", "EKind::Rare"), ("Rows[A].Stats.Damage", "7"), ("Rows[B].Tier", "Bad")]
        {
            facts.add(3, &steps(path), text.to_owned());
        }
        let holds = |path: &str, texts: &[&str], at: &str| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            facts.hold(&Condition::new(path, &texts).unwrap(), 3, &steps(at))
        };
        assert!(holds("Tier", &["rare"], "Rows[A].Stats.Damage"));
        assert!(holds("Tier", &["x", "R*"], "Rows[A].Stats.Damage"));
        assert!(!holds("Tier", &["rare"], "Rows[B].Stats.Damage"));
        assert!(holds(".", &[">5"], "Rows[A].Stats.Damage") && holds(".", &["7.0"], "Rows[A].Stats.Damage"));
        assert!(!holds(".", &["<5"], "Rows[A].Stats.Damage"));
        assert!(holds("Stats.Damage", &["7"], "Rows[A].Tier"));
        assert!(!holds("Missing", &["*"], "Rows[A].Tier"));
        assert!(Condition::new("a..b", &[]).is_err());
    }
}
